package runcmd

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
)

// A variable may hold several values where its option may be given more than
// once.
func TestResolveSeparates(t *testing.T) {
	for _, c := range []struct {
		name, variable string
		want           []string
		got            func(*RunOptions) []string
	}{
		{"env", "A=1,2\nB=3\n", []string{"A=1,2", "B=3"}, func(o *RunOptions) []string { return o.Env }},
		{"env", "\"A=1\\n2\"\nB=\"3\"", []string{"A=1\n2", `B="3"`}, func(o *RunOptions) []string { return o.Env }},
		{"secret", "ONE,TWO", []string{"ONE", "TWO"}, func(o *RunOptions) []string { return o.redaction.Secrets }},
		{"secret-file", "a,b\nc", []string{"a,b", "c"}, func(o *RunOptions) []string { return o.redaction.SecretFiles }},
		{"cwd", "a,b", []string{"a,b"}, func(o *RunOptions) []string { return []string{o.Dir} }},
	} {
		o := DefaultRunOptions()
		table := o.Table()
		i := slices.IndexFunc(table, func(o *cli.Option) bool { return o.Name == c.name })
		env := &cli.Env{Environ: []string{table[i].Env() + "=" + c.variable}}
		if err := table[i].Resolve(env.Variables()); err != nil {
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
	o := DefaultRunOptions()
	table := o.Table()
	opt := table[slices.IndexFunc(table, func(o *cli.Option) bool { return o.Name == "env" })]
	if environ := opt.InVariable([]string{"ENVWRAP_ENV=OLD=1"}); !slices.Equal(environ, []string{"ENVWRAP_ENV=OLD=1"}) {
		t.Errorf("nothing was given, and it is %q", environ)
	}
	opt.Given = given
	env := &cli.Env{Environ: opt.InVariable([]string{"ENVWRAP_ENV=OLD=1"})}
	opt.Given = nil
	if err := opt.Resolve(env.Variables()); err != nil || !slices.Equal(o.Env, given) || len(env.Environ) != 1 {
		t.Errorf("got %q from %q, %v", o.Env, env.Environ, err)
	}
}

// The default in the table is the one that is used.
func TestDefaults(t *testing.T) {
	inWords := []string{"", "none", "the dialect's", "stdout", "exec/<program>", "TRACEPARENT's, else new", "$XDG_STATE_HOME/envwrap", "AWS's"}
	checked := 0
	for i, row := range DefaultRunOptions().Table() {
		if slices.Contains(inWords, row.Def) || strings.Contains(row.Def, " ") || row.Name == "format" {
			continue
		}
		o := DefaultRunOptions()
		if err := o.Table()[i].Set([]string{row.Def}); err != nil {
			t.Errorf("--%s: its default %q cannot be set: %v", row.Name, row.Def, err)
		}
		if want := DefaultRunOptions(); !reflect.DeepEqual(o, want) {
			t.Errorf("--%s: the default is not %q", row.Name, row.Def)
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
