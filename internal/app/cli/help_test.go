package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/internal/shared/term"
)

// In help a name and its text never touch, however long the name is.
func TestHelpColumns(t *testing.T) {
	var b strings.Builder
	writeOptions(&b, []*Option{
		{Name: "a", Help: "first"},
		{Name: "a-name-that-is-longer-than-most", Value: "DURATION", Help: "second"},
	}, term.Screen{})
	lines := strings.Split(b.String(), "\n")
	at := strings.Index(lines[1], "first")
	if at < 0 || at != strings.Index(lines[2], "second") || lines[2][at-2:at] != "  " {
		t.Errorf("got\n%s", b.String())
	}
}

// Help has the parts that a verb has, and options under the headings of their groups.
func TestHelp(t *testing.T) {
	table := Table{
		Root: func(*Env) *Verb {
			return &Verb{Example: "envwrap -- ls", Options: []*Option{
				{Name: "format", Short: "f", Value: "NAME", Def: "json", Help: "the dialect", Group: "Output"},
				{Name: "rare", Help: "what few need", Group: "Output"},
			}}
		},
		Verbs: []Row{{Name: "demo", Make: func(*Env) *Verb {
			return &Verb{Summary: "show", Args: "ID", Example: "envwrap demo 1\nenvwrap demo 2", Options: []*Option{{Name: "all", Help: "show all"}}}
		}}},
	}
	below := &Verb{Path: []string{"demo"}, Summary: "show", Text: "It shows.\n", Example: "envwrap demo sub", Verbs: table.Verbs, Options: []*Option{helpOption()}}
	var got strings.Builder
	for _, find := range []func(env *Env) (*Verb, error){
		func(env *Env) (*Verb, error) { return Find(env, nil) },
		func(env *Env) (*Verb, error) { return Find(env, []string{"demo"}) },
		func(*Env) (*Verb, error) { return below, nil },
	} {
		stdout, err := os.Create(filepath.Join(t.TempDir(), "stdout"))
		if err != nil {
			t.Fatal(err)
		}
		defer stdout.Close()
		env := &Env{Stdout: stdout, Table: table}
		v, err := find(env)
		if err == nil {
			err = PrintHelp(env, v)
		}
		text, readErr := os.ReadFile(stdout.Name())
		if err != nil || readErr != nil {
			t.Fatal(err, readErr)
		}
		got.Write(text)
	}
	o := &Option{Name: "format", Value: "NAME", Help: "the dialect"}
	room := len(HelpName(o)) + 2*len(term.Gap) + roomForHelp
	for _, width := range []int{room - 1, room} {
		writeOption(&got, o, len(HelpName(o)), term.Screen{Width: width})
	}
	const golden = "testdata/help.txt" // UPDATE=1 writes it: read the difference
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(golden, []byte(got.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(golden); err != nil || got.String() != string(want) {
		t.Errorf("got\n%s\nwant\n%s\n%v", got.String(), want, err)
	}
}
