package cli

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/term"
)

// A variable may hold several values where its option may be given more than
// once.
func TestResolveSeparates(t *testing.T) {
	for _, c := range []struct {
		name, variable string
		want           []string
		got            func(*runOptions) []string
	}{
		{"env", "A=1,2\nB=3\n", []string{"A=1,2", "B=3"}, func(o *runOptions) []string { return o.env }},
		{"env", "\"A=1\\n2\"\nB=\"3\"", []string{"A=1\n2", `B="3"`}, func(o *runOptions) []string { return o.env }},
		{"secret", "ONE,TWO", []string{"ONE", "TWO"}, func(o *runOptions) []string { return o.secrets }},
		{"secret-file", "a,b\nc", []string{"a,b", "c"}, func(o *runOptions) []string { return o.secretFiles }},
		{"cwd", "a,b", []string{"a,b"}, func(o *runOptions) []string { return []string{o.cwd} }},
	} {
		o := defaultRunOptions()
		table := o.table()
		i := slices.IndexFunc(table, func(o *option) bool { return o.name == c.name })
		w := &World{Environ: []string{table[i].env() + "=" + c.variable}}
		if err := table[i].resolve(w.variables()); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if got := c.got(o); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// Another envwrap gets the very values of the command line, and gets them where
// they replace what its own variable said.
func TestInVariable(t *testing.T) {
	given := []string{"A=1", "B=two\nlines\n", `"C"="quoted"`, "D=\xff\x01", "E="}
	o := defaultRunOptions()
	table := o.table()
	opt := table[slices.IndexFunc(table, func(o *option) bool { return o.name == "env" })]
	if environ := opt.inVariable([]string{"ENVWRAP_ENV=OLD=1"}); !slices.Equal(environ, []string{"ENVWRAP_ENV=OLD=1"}) {
		t.Errorf("nothing was given, and it is %q", environ)
	}
	opt.given = given
	w := &World{Environ: opt.inVariable([]string{"ENVWRAP_ENV=OLD=1"})}
	opt.given = nil
	if err := opt.resolve(w.variables()); err != nil || !slices.Equal(o.env, given) || len(w.Environ) != 1 {
		t.Errorf("got %q from %q, %v", o.env, w.Environ, err)
	}
}

// Every row of every verb's table can be used: it has a name, a phrase of help
// and a setter, names are unique, and no variable belongs to two options of
// one verb or hides one that envwrap gives another meaning.
func TestTablesAreSound(t *testing.T) {
	w := worldIn(t, t.TempDir())
	reserved := []string{"ENVWRAP_AGENT", "ENVWRAP_CTX"}
	list := nodes(w)
	if len(list) < 6 {
		t.Fatalf("only %d verbs", len(list))
	}
	for _, n := range list {
		seen := map[string]bool{}
		for _, o := range n.options {
			switch {
			case o.help == "" || o.set == nil:
				t.Errorf("%s --%s: no help, or no setter", n.path, o.name)
			case seen["--"+o.name] || o.short != "" && seen["-"+o.short]:
				t.Errorf("%s --%s stands there twice", n.path, o.name)
			case slices.Contains(reserved, o.env()):
				t.Errorf("%s --%s: its variable has another meaning", n.path, o.name)
			case strings.HasSuffix(o.help, "."):
				t.Errorf("%s --%s: help is a phrase", n.path, o.name)
			}
			seen["--"+o.name], seen["-"+o.short] = true, true
		}
	}
}

// Every verb has a phrase, and an example that names it or the command it is
// for.
func TestVerbsAreSound(t *testing.T) {
	w := worldIn(t, t.TempDir())
	for _, n := range nodes(w)[1:] {
		v, err := find(w, strings.Fields(n.path))
		switch {
		case err != nil:
			t.Errorf("%s: %v", n.path, err)
		case v.summary == "" || !strings.Contains(v.example, "envwrap "):
			t.Errorf("%s: no summary, or no example", n.path)
		case v.run == nil && len(v.verbs) == 0:
			t.Errorf("%s does nothing", n.path)
		}
	}
}

// A default that the table tells is the one that holds.
func TestDefaults(t *testing.T) {
	inWords := []string{"", "none", "the dialect's", "stdout", "exec/<program>", "TRACEPARENT's, else new", "$XDG_STATE_HOME/envwrap"}
	checked := 0
	for i, row := range defaultRunOptions().table() {
		if slices.Contains(inWords, row.def) || strings.Contains(row.def, " ") || row.name == "format" {
			continue
		}
		o := defaultRunOptions()
		if err := o.table()[i].set([]string{row.def}); err != nil {
			t.Errorf("--%s: its default %q cannot be set: %v", row.name, row.def, err)
		}
		if want := defaultRunOptions(); !reflect.DeepEqual(o, want) {
			t.Errorf("--%s: the default is not %q", row.name, row.def)
		}
		checked++
	}
	if checked < 10 {
		t.Errorf("only %d defaults were looked at", checked)
	}
	if d, _ := envelope.Lookup("protocol/v1"); envelope.Dialects()[0] != d {
		t.Error("the first dialect is not the default")
	}
}

// In help a name and its text never touch, however long the name is.
func TestHelpColumns(t *testing.T) {
	var b strings.Builder
	writeOptions(&b, []*option{
		{name: "a", help: "first"},
		{name: "a-name-that-is-longer-than-most", value: "DURATION", help: "second"},
	}, term.Screen{})
	lines := strings.Split(b.String(), "\n")
	at := strings.Index(lines[1], "first")
	if at < 0 || at != strings.Index(lines[2], "second") || lines[2][at-2:at] != "  " {
		t.Errorf("got\n%s", b.String())
	}
}
