package cache

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// newCache makes a cache in a directory of its own, with a clock that stands an
// hour from now, so that all files have settled.
func newCache(t testing.TB) *Cache {
	t.Helper()
	store, later := t.TempDir(), time.Now().Add(time.Hour)
	if err := os.Chmod(store, 0o700); err != nil { // whatever the umask
		t.Fatal(err)
	}
	c, err := Open(Options{Store: store, Now: func() time.Time { return later }, Locks: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func write(t testing.TB, name, text string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o700), os.WriteFile(name, []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
}

// sample is a call in a directory with a program and some inputs.
func sample(t testing.TB) *Call {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "tool"), "#!/bin/sh\n")
	write(t, filepath.Join(dir, "src", "a.go"), "a")
	write(t, filepath.Join(dir, "src", "deep", "b.go"), "b")
	value := "1"
	return &Call{
		Command: "exec/tool", Argv: []string{"tool", "a b"}, Dir: dir, Program: filepath.Join(dir, "tool"), Umask: "0022", Stdin: "nothing",
		Env: map[string]*string{"SET": &value, "UNSET": nil}, Inputs: []string{filepath.Join(dir, "src", "**", "*.go"), filepath.Join(dir, "gone")},
		Options: map[string]string{"merge": "true"}, Mask: func(s string) string { return s },
	}
}

func keyOf(t testing.TB, c *Cache, call *Call) (Key, *Parts) {
	t.Helper()
	key, parts, err := c.Key(call)
	if err != nil {
		t.Fatal(err)
	}
	return key, parts
}

// Each part makes another key, and Diff names the part.
func TestKeyParts(t *testing.T) {
	empty, other := "", "2"
	for _, change := range []struct {
		name string
		make func(call *Call)
		want string
	}{
		{"command", func(c *Call) { c.Command = "exec/other" }, "command changed"},
		{"argv", func(c *Call) { c.Argv = []string{"tool", "a", "b"} }, "argv changed"},
		{"argv that is no text", func(c *Call) { c.Argv = []string{"tool", "a b\xff"} }, "argv changed"},
		{"no argument and an empty one", func(c *Call) { c.Argv = []string{"tool", "a b", ""} }, "argv changed"},
		{"dir", func(c *Call) { c.Dir += "/src" }, "dir changed"},
		{"stdin", func(c *Call) { c.Stdin = "idle" }, "stdin changed"},
		{"value", func(c *Call) { c.Env["SET"] = &other }, `env "SET" changed`},
		{"empty value", func(c *Call) { c.Env["UNSET"] = &empty }, `env "UNSET" changed`},
		{"no value any more", func(c *Call) { c.Env["SET"] = nil }, `env "SET" changed`},
		{"variable", func(c *Call) { c.Env["NEW"] = &other }, `env "NEW" added`},
		{"no variable", func(c *Call) { delete(c.Env, "SET") }, `env "SET" removed`},
		{"option", func(c *Call) { c.Options["redact"] = "known" }, `option "redact" added`},
		{"program", func(c *Call) { write(t, c.Program, "#!/bin/sh\n#") }, "program changed"},
		{"the same program elsewhere", func(c *Call) {
			write(t, c.Dir+"/bin/tool", "#!/bin/sh\n")
			c.Program = c.Dir + "/bin/tool"
		}, "path changed"},
		{"ambient variable", func(c *Call) { c.Ambient = map[string]*string{"TZ": &other} }, `env "TZ" added`},
		{"umask", func(c *Call) { c.Umask = "0077" }, "umask changed"},
		{"input", func(c *Call) { write(t, c.Dir+"/src/deep/b.go", "c") }, `/src/deep/b.go" changed`},
		{"input of the same size and time", func(c *Call) { rewrite(t, c.Dir+"/src/deep/b.go", "c") }, `/src/deep/b.go" changed`},
		{"new input", func(c *Call) { write(t, c.Dir+"/src/deep/er/c.go", "c") }, `/src/deep/er/c.go" added`},
		{"input gone", func(c *Call) { must(t, os.Remove(c.Dir+"/src/a.go")) }, `/src/a.go" removed`},
		{"input that was renamed", func(c *Call) { must(t, os.Rename(c.Dir+"/src/a.go", c.Dir+"/src/z.go")) }, `/src/a.go" removed input`},
		{"input that has come", func(c *Call) { write(t, c.Dir+"/gone", "") }, `/gone" changed`},
		{"two inputs that changed places", func(c *Call) {
			write(t, c.Dir+"/src/a.go", "b")
			write(t, c.Dir+"/src/deep/b.go", "a")
		}, `/src/a.go" changed input`},
	} {
		c, call := newCache(t), sample(t)
		before, then := keyOf(t, c, call)
		if again, same := keyOf(t, c, call); again != before || len(Diff(then, same)) > 0 {
			t.Fatalf("%s: the same call has another key", change.name)
		}
		change.make(call)
		after, now := keyOf(t, c, call)
		var said []string
		for _, d := range Diff(then, now) {
			said = append(said, d.String())
		}
		if after == before || !strings.Contains(strings.Join(said, " "), change.want) {
			t.Errorf("%s: key changed: %t, reported as %q, want %q", change.name, after != before, said, change.want)
		}
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// rewrite changes a file and gives it its time back.
func rewrite(t testing.TB, name, text string) {
	t.Helper()
	info, err := os.Stat(name)
	must(t, err)
	write(t, name, text)
	must(t, os.Chtimes(name, info.ModTime(), info.ModTime()))
}

// The key does not depend on the order of inputs, on repeated ones, or on files that
// match no pattern.
func TestKeyIsTheSame(t *testing.T) {
	c, call := newCache(t), sample(t)
	before, _ := keyOf(t, c, call)
	slices.Reverse(call.Inputs)
	call.Inputs = append(call.Inputs, filepath.Join(call.Dir, "src", "a.go"))
	write(t, filepath.Join(call.Dir, "src", "c.txt"), "c")
	if after, _ := keyOf(t, c, call); after != before {
		t.Error("the key is another")
	}
}

// Two stores have two salts, so that no key confirms a guessed value.
func TestKeyHasSalt(t *testing.T) {
	call := sample(t)
	a, partsA := keyOf(t, newCache(t), call)
	b, partsB := keyOf(t, newCache(t), call)
	if a == b || partsA.Env["SET"] == partsB.Env["SET"] || partsA.Argv == partsB.Argv {
		t.Error("two stores have the same digests")
	}
	if !strings.HasPrefix(string(a), "sha256:") || !isKeyName(a.name()) {
		t.Errorf("key %q", a)
	}
}

// A directory is all that is below it, links among it; links to directories are
// not followed, so that a circle ends.
func TestTree(t *testing.T) {
	c, call := newCache(t), sample(t)
	src := filepath.Join(call.Dir, "src")
	must(t, os.Symlink("..", filepath.Join(src, "circle")))
	must(t, os.Symlink("a.go", filepath.Join(src, "link")))
	must(t, os.Symlink(src, filepath.Join(call.Dir, "alias")))
	found, _, err := c.inputs([]string{filepath.Join(call.Dir, "alias")})
	must(t, err)
	if len(found) != 6 { // itself, a.go, circle, deep, deep/b.go, link
		t.Errorf("found %q", found)
	}
	write(t, filepath.Join(src, "a.go"), "other")
	again, _, err := c.inputs([]string{filepath.Join(call.Dir, "alias")})
	must(t, err)
	changes := diffMaps("input", found, again)
	if len(changes) != 2 || !strings.HasSuffix(changes[0].Name, "a.go") || !strings.HasSuffix(changes[1].Name, "link") {
		t.Errorf("changed: %v", changes)
	}
}

// Names that lead to nothing are returned: they may be mistakes.
func TestUnmatchedInputs(t *testing.T) {
	c, call := newCache(t), sample(t)
	empty := filepath.Join(call.Dir, "src", "*.rs")
	call.Inputs = append(call.Inputs, empty)
	if _, parts := keyOf(t, c, call); !slices.Equal(parts.Unmatched, []string{filepath.Join(call.Dir, "gone"), empty}) {
		t.Errorf("got %q", parts.Unmatched)
	}
}

// A name that is there is no pattern, whatever its characters.
func TestNameBeforePattern(t *testing.T) {
	c, dir := newCache(t), t.TempDir()
	write(t, filepath.Join(dir, "a[1].txt"), "x")
	write(t, filepath.Join(dir, "a1.txt"), "y")
	found, _, err := c.inputs([]string{filepath.Join(dir, "a[1].txt")})
	must(t, err)
	if _, ok := found[filepath.Join(dir, "a[1].txt")]; !ok || len(found) != 1 {
		t.Errorf("found %q", found)
	}
	if BadPattern("a[") != true || BadPattern("a[1]") || BadPattern("plain") || BadPattern("**/x{a,b}") {
		t.Error("patterns are misjudged")
	}
}
