package completion

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/envwrap/envwrap/internal/app/cli"
)

// The scripts of a program with an option of each kind, and a verb that takes each kind of
// word. UPDATE=1 writes them anew: read the difference.
func TestScripts(t *testing.T) {
	words := func(list ...string) func() []string { return func() []string { return list } }
	list := []cli.Node{
		{Takes: cli.ACommand, Verbs: []cli.Child{{Name: "make", Summary: `make "it"`}, {Name: "show", Summary: "show a user's"}}, Options: []*cli.Option{
			{Name: "file", Short: "f", Value: "FILE", Takes: cli.AFile, Help: "a file: one"},
			{Name: "stdin", Value: "WHAT", Takes: cli.AFile, Choices: words("auto", "null"), Help: "a file, or a word"},
			{Name: "dir", Value: "DIR", Takes: cli.ADir, Help: "a directory"},
			{Name: "secret", Value: "NAME", Takes: cli.AVariable, Many: true, Help: "a [variable]"},
			{Name: "color", Value: "WHEN", Choices: words("always", "never"), Help: "a word"},
			{Name: "limit", Value: "N", Help: "anything"},
			{Name: "quiet", Short: "q", Help: `a switch \ no value`},
		}},
		{Path: "make", Takes: cli.AFile, Options: []*cli.Option{{Name: "force", Short: "f", Help: "a switch that has a value elsewhere"}}},
		{Path: "show", Verbs: []cli.Child{{Name: "one", Summary: "show one"}}},
		{Path: "show one", Takes: cli.AnArtifact},
		{Path: "run", Takes: cli.ARun},
		{Path: "job", Takes: cli.AJob},
		{Path: "shim", Takes: cli.AShim},
		{Path: "which", Takes: cli.AProgram},
		{Path: "explain", Takes: cli.AProgram, Words: []string{"EIO"}},
		{Path: "help", Words: []string{"make", "show"}},
		{Path: "version"},
	}
	for _, shell := range shells() {
		golden(t, shell.Name, shell.Value(list))
	}
}

// The manual of a program with a verb, and of a verb that has verbs.
func TestManPages(t *testing.T) {
	one := func(*cli.Env) *cli.Verb {
		return &cli.Verb{
			Name: "one", Args: "ID", Summary: "show one", Text: "A paragraph.\n\n  .indented\n  - text\n\n  alone\n\nA list:\n  of one",
			Options: []*cli.Option{{Name: "raw", Help: "as it is"}},
		}
	}
	show := &cli.Verb{
		Name: "show", Path: []string{"show"}, Summary: "show things", Args: "VERB", Text: "It says \\n, and\n.this.",
		Verbs: []cli.Row{{Name: "one", Make: one}}, Example: "envwrap show one 1",
	}
	env := &cli.Env{Table: cli.Table{Verbs: []cli.Row{{Name: "show", Make: func(*cli.Env) *cli.Verb { return show }}}}}
	golden(t, "show.1", manPage(env, show))
	golden(t, "envwrap.1", manPage(env, &cli.Verb{Options: []*cli.Option{
		{Name: "timeout", Short: "t", Value: "DURATION", Def: "none", Group: "Limits", Help: "time limit"},
		{Name: "help", NoEnv: true, Help: "show help"},
		{Name: "grace", Group: "Limits", Help: "be kind"},
	}}))
}

// golden compares text with a file.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil || got != string(want) {
		t.Errorf("the text differs from %s (%v): UPDATE=1 go test writes it", path, err)
	}
}
