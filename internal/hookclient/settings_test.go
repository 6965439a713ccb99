package hookclient

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// install and remove leave all else as it is, byte for byte.
func TestInstallAndRemove(t *testing.T) {
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
			m := newMachine(t)
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
