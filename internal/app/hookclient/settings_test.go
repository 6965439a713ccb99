package hookclient

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// install and remove leave all else as it is, byte for byte.
func TestInstallAndRemove(t *testing.T) {
	m := newMachine(t)
	for name, before := range map[string]string{
		"small":       "{\n  \"model\": \"x\"\n}\n",
		"one line":    `{"model":"x"}`,
		"tabs":        "{\n\t\"a\": [1,2 , 3],\n\t\"b\": {\"c\":1e2}\n}",
		"hooks":       "{\n  \"hooks\": {\n    \"Stop\": []\n  }\n}\n",
		"same event":  "{\n    \"hooks\": {\n        \"PreToolUse\": [ {\"matcher\":\"Edit\",\"hooks\":[{\"type\":\"command\",\"command\":\"x\"}]} ],\n        \"BeforeTool\": [1], \"preToolUse\": [{\"command\":\"y\"}]\n    },\n    \"z\": \"\\u00e9 é <>&\"\n}\n",
		"twice a key": `{"hooks":{"Stop":[]},"hooks":{"Other":[]}}`,
		"empty":       "{}",
	} {
		for _, c := range Clients {
			dir, err := c.settings.dir(&m.World)
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(dir, c.settings.file)
			m.write(t, path, before)
			if err := os.Chmod(path, 0o640); err != nil {
				t.Fatal(err)
			}
			apply := func(edit func(*World) (*Change, error)) string {
				t.Helper()
				change, err := edit(&m.World)
				if err != nil || change == nil {
					t.Fatalf("%s, %s: %v, %v", name, c.Name, change, err)
				}
				if err := change.Write(); err != nil {
					t.Fatal(err)
				}
				text, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				return string(text)
			}
			with := apply(c.Install)
			if !json.Valid([]byte(with)) || strings.Count(with, "envwrap hook "+c.Name) != 1 {
				t.Errorf("%s, %s: installed: %s", name, c.Name, with)
			}
			if again, err := c.Install(&m.World); again != nil || err != nil {
				t.Errorf("%s, %s: twice: %v, %v", name, c.Name, again, err)
			}
			if _, ok, err := c.Installed(&m.World); !ok || err != nil {
				t.Errorf("%s, %s: not installed: %v", name, c.Name, err)
			}
			if name == "empty" && c == cursor { // the version stays
				continue
			}
			if got := apply(c.Remove); got != before {
				t.Errorf("%s, %s: got %q, want %q", name, c.Name, got, before)
			}
			if change, err := c.Remove(&m.World); change != nil || err != nil {
				t.Errorf("%s, %s: twice: %v, %v", name, c.Name, change, err)
			}
			if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o640 {
				t.Errorf("%s, %s: %v, %v", name, c.Name, info.Mode(), err)
			}
		}
	}
}

// A hook that shares its group with another is taken out alone.
func TestRemoveFromGroup(t *testing.T) {
	m := newMachine(t)
	path := filepath.Join(m.home, ".claude/settings.json")
	m.write(t, path, `{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"command":"a"},{"command":"/usr/bin/envwrap hook claude-code --all"},{"command":"envwrap hook codex"}]}]}}`)
	change, err := claudeCode.Remove(&m.World)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(change.After), `{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"command":"a"},{"command":"envwrap hook codex"}]}]}}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// What stands elsewhere in the settings is not ours.
func TestRemoveElsewhere(t *testing.T) {
	m := newMachine(t)
	path := filepath.Join(m.home, ".claude/settings.json")
	m.write(t, path, "{}")
	with, err := claudeCode.Install(&m.World)
	if err != nil {
		t.Fatal(err)
	}
	for was, is := range map[string]string{"hooks": "model", "PreToolUse": "Other"} {
		m.write(t, path, strings.Replace(string(with.After), strconv.Quote(was), strconv.Quote(is), 1))
		if change, err := claudeCode.Remove(&m.World); change != nil || err != nil {
			t.Errorf("below %s: got %v, %v", is, change, err)
		}
	}
}

// Nothing is written through a link, over what is no JSON, or over the change of
// somebody else.
func TestWriteRefuses(t *testing.T) {
	m := newMachine(t)
	path := filepath.Join(m.home, ".claude/settings.json")
	for name, text := range map[string]string{"comments": "{ // x\n}", "an array": "[]", "other hooks": `{"hooks":[]}`, "cut": "{"} {
		m.write(t, path, text)
		if change, err := claudeCode.Install(&m.World); err == nil {
			t.Errorf("%s: %+v", name, change)
		}
	}
	m.write(t, path, "{}")
	change, err := claudeCode.Install(&m.World)
	if err != nil {
		t.Fatal(err)
	}
	if want := "-{}\n+{\n+  \"hooks\": {\n"; !strings.HasPrefix(change.Diff(), want) {
		t.Errorf("got %s", change.Diff())
	}
	m.write(t, path, `{"a":1}`)
	if err := change.Write(); err == nil || !strings.Contains(err.Error(), "somebody else") {
		t.Errorf("a change of somebody else: %v", err)
	}
	other := filepath.Join(m.home, "other.json")
	m.write(t, other, "{}")
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(other, path); err != nil {
		t.Skip(err)
	}
	if err := change.Write(); err == nil || !strings.Contains(err.Error(), "link") {
		t.Errorf("a link: %v", err)
	}
	if err := os.Rename(filepath.Dir(path), filepath.Join(m.home, "real")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("real", filepath.Dir(path)); err != nil {
		t.Fatal(err)
	}
	if err := change.Write(); err == nil || !strings.Contains(err.Error(), "link") {
		t.Errorf("a link to the directory: %v", err)
	}
	if left, err := filepath.Glob(filepath.Join(m.home, "real", ".envwrap-*")); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}

// What cannot be read or edited is an error of every operation.
func TestSettingsThatCannotBeRead(t *testing.T) {
	for name, prepare := range map[string]func(m *machine, path string){
		"a directory": func(m *machine, path string) { m.write(t, path+"/x", "") },
		"too large":   func(m *machine, path string) { m.write(t, path, "{}"+strings.Repeat(" ", maxSettings)) },
		"not JSON":    func(m *machine, path string) { m.write(t, path, "x") },
		"no home":     func(m *machine, _ string) { m.env["HOME"] = "" },
	} {
		m := newMachine(t)
		prepare(m, filepath.Join(m.home, ".claude/settings.json"))
		if change, err := claudeCode.Install(&m.World); err == nil || change != nil {
			t.Errorf("%s: install: %v", name, change)
		}
		if change, err := claudeCode.Remove(&m.World); err == nil || change != nil {
			t.Errorf("%s: remove: %v", name, change)
		}
		if _, ok, err := claudeCode.Installed(&m.World); err == nil || ok {
			t.Errorf("%s: it is installed", name)
		}
	}
}

// A change makes a missing directory and file, and shows the lines that differ.
func TestNewSettings(t *testing.T) {
	m := newMachine(t)
	if err := os.Mkdir(m.home, 0o700); err != nil {
		t.Fatal(err)
	}
	change, err := claudeCode.Install(&m.World)
	if err != nil || change.Before != nil {
		t.Fatal(change, err)
	}
	if err := change.Write(); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]os.FileMode{change.Path: 0o600, filepath.Dir(change.Path): 0o700} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", path, info, err)
		}
	}
	if text, err := os.ReadFile(change.Path); err != nil || string(text) != string(change.After) {
		t.Errorf("got %s, %v", text, err)
	}
	for _, c := range []struct{ before, after, want string }{
		{"", "a\n", "+a\n"},
		{"a\nb\nc\n", "a\nx\ny\nc\n", "-b\n+x\n+y\n"},
		{"a\na\n", "a\n", "-a\n"},
		{"a", "a", ""},
	} {
		if got := (&Change{Before: []byte(c.before), After: []byte(c.after)}).Diff(); got != c.want {
			t.Errorf("%q to %q: got %q, want %q", c.before, c.after, got, c.want)
		}
	}
	m.write(t, filepath.Join(m.home, "file"), "")
	for _, path := range []string{"file/settings.json", "file/x/settings.json", "nothing/x/settings.json"} {
		if err := (&Change{Path: filepath.Join(m.home, path)}).Write(); err == nil {
			t.Errorf("%s was written", path)
		}
	}
	m.write(t, filepath.Join(m.home, "dir/settings.json/x"), "")
	if err := (&Change{Path: filepath.Join(m.home, "dir/settings.json")}).Write(); err == nil {
		t.Error("a directory was written over")
	}
}

// Whatever the document, it stays valid, and comes back as it was.
func FuzzEdit(f *testing.F) {
	for _, seed := range []string{"{}", `{"hooks":{"PreToolUse":[]}}`, `{"a":[{}],"hooks":{"x":1}}`, " { \"hooks\" : { \"PreToolUse\" : [ 1 ] } } ", "\n{\"a\":{}}"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, doc string) {
		before, err := check([]byte(doc))
		if err != nil || strings.Contains(doc, "envwrap") {
			return
		}
		with, err := add(before, claudeCode.settings.path, claudeCode.settings.entry)
		if err != nil {
			return
		}
		if !json.Valid(with) {
			t.Fatalf("%q became %q", before, with)
		}
		if after := remove(with, claudeCode.settings.path, claudeCode.ours); !json.Valid(after) || len(after) > len(before)+2 {
			t.Errorf("%q became %q", before, after)
		}
	})
}
