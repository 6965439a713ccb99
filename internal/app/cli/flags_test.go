package cli

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

// Errors of package flag name the option as it was typed, and the nearest option or the
// help that lists them.
func TestFlagError(t *testing.T) {
	v := &Verb{Name: "cat", Args: "ID...", Options: []*Option{{Name: "format", Short: "f", Value: "NAME"}, {Name: "json"}}}
	for line, want := range map[string]string{
		"--formt=x":  `unknown option "--formt"|Did you mean --format?`,
		"--dialect":  `unknown option "--dialect"|Did you mean --format?`,
		"--brief":    `unknown option "--brief"|Did you mean --format brief/v1?`,
		"--workdir":  "unknown option \"--workdir\"|`envwrap help cat` lists the options; a word that begins with - belongs after --.",
		"-jsn":       `unknown option "-jsn"|Did you mean --json?`,
		"x --zzzzzz": "",
		"--zzzzzz":   "unknown option \"--zzzzzz\"|`envwrap help cat` lists the options; a word that begins with - belongs after --.",
		"--format":   "option --format needs a value|",
		"-f":         "option -f needs a value|",
		"---x":       `"---x" is not an option|`,
		"--=x":       `"--=x" is not an option|`,
	} {
		set := flagSet(flags(v.Options))
		err := set.Parse(strings.Fields(line))
		got := ""
		if err != nil {
			var usage *UsageError
			if !errors.As(flagError(v, strings.Fields(line), err), &usage) {
				t.Errorf("%s: no usage error", line)
				continue
			}
			got = usage.Text + "|" + usage.Hint
		}
		if got != want {
			t.Errorf("%s: got %s, want %s", line, got, want)
		}
	}
	if got := asTyped("x", []string{"-y", "x", "--x=1", "-x"}); got != "--x" {
		t.Errorf("got %s", got)
	}
	if got := asTyped("x", nil); got != "--x" {
		t.Errorf("got %s", got)
	}
	if got := (&Verb{Path: []string{"job", "run"}, Takes: ACommand, Args: "COMMAND"}).nearOption("zzz"); got != "`envwrap help job run` lists the options; those of the command belong after --." {
		t.Errorf("got %s", got)
	}
	if got := (&Verb{Name: "x"}).nearOption("zzz"); got != "`envwrap help x` lists the options." {
		t.Errorf("got %s", got)
	}
}

// A usage error has the name of its verb, and a hint.
func TestInVerb(t *testing.T) {
	v := &Verb{Path: []string{"artifact", "cat"}}
	for _, c := range []struct {
		v    *Verb
		err  error
		want string
	}{
		{v, Usagef("no"), "artifact cat: no\nSee `envwrap help artifact cat`."},
		{v, &UsageError{Text: "no", Hint: "Do."}, "artifact cat: no\nDo."},
		{&Verb{}, Usagef("no"), "no"},
		{v, Status(3), "exit status 3"},
	} {
		if got := inVerb(c.v, c.err); got.Error() != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
	if Ended(0) != nil || !errors.Is(Ended(1), Status(1)) {
		t.Error("a status is another error")
	}
}

// A switch is asked for where it is given, and not as =false.
func TestAsked(t *testing.T) {
	options := []*Option{{Name: "help", Given: []string{"true"}}, {Name: "json"}, {Name: "raw", Given: []string{"false"}}}
	for name, want := range map[string]bool{"help": true, "json": false, "raw": false, "other": false} {
		if asked(options, name) != want {
			t.Errorf("%s: %t", name, !want)
		}
	}
	v := &Verb{Options: []*Option{{Name: "raw", Given: []string{"b"}}}}
	if err := inherit(v, []*Option{{Name: "json"}, {Name: "raw", Given: []string{"a"}}}); err != nil || strings.Join(v.Options[0].Given, " ") != "a b" {
		t.Errorf("%v, %q", err, v.Options[0].Given)
	}
	if err := inherit(v, options); err == nil {
		t.Error("an option of another verb was taken")
	}
}

// A variable passes on several values, whatever is in them.
func TestValuesInVariable(t *testing.T) {
	o := &Option{Name: "env", Many: true, Separator: ",", Quotes: true}
	o.Given = []string{"A=1", "B='x'"}
	environ := o.InVariable([]string{"C=3"})
	if len(environ) != 2 {
		t.Fatalf("got %q", environ)
	}
	_, value, _ := strings.Cut(environ[1], "=")
	if got := o.fromVariable(value); !slices.Equal(got, o.Given) {
		t.Errorf("got %q of %s", got, value)
	}
	for text, want := range map[string][]string{"a,`b`,'c'": {"a", "`b`", "'c'"}, "": {""}} {
		if got := o.fromVariable(text); !slices.Equal(got, want) {
			t.Errorf("%s: got %q", text, got)
		}
	}
	o.Quotes = false
	if got := o.fromVariable(`"a"`); !slices.Equal(got, []string{`"a"`}) {
		t.Errorf("without quotes: %q", got)
	}
	for p, want := range map[JobPart]bool{onSupervisor: true, PassedIndirectly: true, ViewOnly: false, SubmitOnly: false, ForegroundOnly: false} {
		if p.PartOfIdentity() != want {
			t.Errorf("part %d: %t", p, !want)
		}
	}
}

// The value nearest to the command line counts, and that of an untrusted file only beside the
// one that holds without it.
func TestResolve(t *testing.T) {
	line := func(string) int { return 1 }
	files := []*ConfigFile{
		{Values: map[string][]string{"limit": {"project"}}, line: line, untrusted: true},
		{Values: map[string][]string{"limit": {"user"}}, line: line},
	}
	for name, c := range map[string]struct {
		given  []string
		adds   bool
		strict bool // it has Untrusted
		files  []*ConfigFile
		want   string
		from   sourceLevel
	}{
		"nothing":               {nil, false, false, nil, "", 0},
		"the line":              {[]string{"line"}, false, false, files, "line", 0},
		"the line, and adds":    {[]string{"line"}, true, false, files, "line project user", 0},
		"the first file":        {nil, false, false, files, "project", InAFile},
		"the user's own":        {nil, false, false, files[1:], "user", InAFile},
		"untrusted, and beside": {nil, false, true, files, "untrusted user", InAFile},
	} {
		var got []string
		take := func(word string) func([]string) error {
			return func(values []string) error { got = append(got, append([]string{word}, values...)...); return nil }
		}
		o := &Option{Name: "limit", Adds: c.adds, Set: func(v []string) error { got = append(got, v...); return nil }}
		if c.strict {
			o.Untrusted = func([]string) error { return take("untrusted")(nil) }
		}
		o.Given = c.given
		if err := o.Resolve(&Settings{Files: c.files}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if strings.Join(got, " ") != c.want || o.From != c.from {
			t.Errorf("%s: got %q from %v", name, got, o.From)
		}
	}
}

// The key of a remembered run has the options that change it, where they are set.
func TestKeyValues(t *testing.T) {
	on, off := true, false
	got := KeyValues([]*Option{
		{Name: "on", Key: InKey, KeyValue: KeySwitch(&on)},
		{Name: "off", Key: InKey, KeyValue: KeySwitch(&off)},
		{Name: "look", KeyValue: KeySwitch(&on)},
	})
	if len(got) != 1 || got["on"] != "true" {
		t.Errorf("got %v", got)
	}
	for p, want := range map[JobPart]bool{onSupervisor: true, ViewOnly: true, PassedIndirectly: false, SubmitOnly: false} {
		if p.OnSupervisorLine() != want {
			t.Errorf("part %d: %t", p, !want)
		}
	}
}
