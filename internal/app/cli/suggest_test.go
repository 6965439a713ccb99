package cli

import (
	"strings"
	"testing"
)

func TestNearest(t *testing.T) {
	names := []string{"run", "detect", "version", "validate", "format", "timeout", "idle-timeout"}
	for in, want := range map[string]string{
		"vresion":  "version",
		"formt":    "format",
		"timout":   "timeout",
		"Detect":   "detect",
		"rum":      "run",
		"git":      "",
		"":         "",
		"x":        "",
		"valideta": "validate",
		"zzzzzz":   "",
	} {
		if got := Nearest(in, names); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

// A word begins a command if it is the first and no verb, or follows run.
func TestStrayWord(t *testing.T) {
	rows := []Row{{Name: "run"}, {Name: "job"}}
	for line, want := range map[string]string{"git run": "git", "job git": "", "run git status": "git", "job run git": "", "run run": "run", "run": ""} {
		stray, got := strayWord(rows), ""
		for word := range strings.FieldsSeq(line) {
			if stray(word) {
				got += word
			}
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", line, got, want)
		}
	}
}

// The words of a line fit the arguments of its verb.
func TestCheckWords(t *testing.T) {
	for _, c := range []struct {
		args, words string
		want        string // of the error; "" is none
	}{
		{"", "", ""},
		{"", "a", `unexpected word "a"`},
		{"ID", "", "ID is missing"},
		{"ID", "a", ""},
		{"ID", "a b", `unexpected word "b"`},
		{"[ID]", "", ""},
		{"[ID]", "a b", `unexpected word "b"`},
		{"PATTERN ID...", "a", "ID is missing"},
		{"PATTERN ID...", "a b c", ""},
		{"-- COMMAND", "", ""},
		{"A | B", "a b c d e f", ""},
	} {
		err := (&Call{Verb: &Verb{Args: c.args}, Words: strings.Fields(c.words)}).checkWords()
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s of %q: got %q", c.words, c.args, got)
		}
	}
}

// A verb has the options that its row says it shares with others.
func TestSharedOptions(t *testing.T) {
	for _, c := range []struct {
		has  Shared
		want string
	}{{0, ""}, {HasStore, "store"}, {HasJSON, "json"}, {HasJSONLines, "json"}, {HasRaw, "raw"}, {HasStore | HasJSON | HasRaw, "store json raw"}} {
		var verb *Verb
		v := Row{Make: func(*Env) *Verb { verb = &Verb{Has: c.has}; return verb }}.Verb(&Env{})
		var names []string
		for _, o := range v.Options {
			names = append(names, o.Name)
			if o.Name == "json" && strings.Contains(o.Help, "NDJSON") != (c.has&HasJSONLines != 0) {
				t.Errorf("%s: %s", c.want, o.Help)
			}
		}
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
		call := &Call{Verb: v}
		if call.Raw() || call.JSON() {
			t.Errorf("%s: an option is set", c.want)
		}
		for _, o := range v.Options {
			if o.Name != "store" {
				if err := o.Set([]string{"true"}); err != nil {
					t.Error(err)
				}
			}
		}
		if call.Raw() != (c.has&HasRaw != 0) || call.JSON() != (c.has&(HasJSON|HasJSONLines) != 0) {
			t.Errorf("%s: raw %t, JSON %t", c.want, call.Raw(), call.JSON())
		}
	}
}
