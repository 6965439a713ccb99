package verbs

import (
	"slices"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/internal/app/cli"
)

// Every row of every verb's table can be used: it has a name, a phrase of help
// and a setter, names are unique, and no variable belongs to two options of
// one verb or hides one that envwrap gives another meaning.
func TestTablesAreSound(t *testing.T) {
	env := fullEnv(t, t.TempDir())
	reserved := []string{"ENVWRAP_AGENT", "ENVWRAP_CTX"}
	list := cli.Nodes(env)
	if len(list) < 6 {
		t.Fatalf("only %d verbs", len(list))
	}
	for _, n := range list {
		seen := map[string]bool{}
		for _, o := range n.Options {
			switch {
			case o.Help == "" || o.Set == nil:
				t.Errorf("%s --%s: no help, or no setter", n.Path, o.Name)
			case seen["--"+o.Name] || o.Short != "" && seen["-"+o.Short]:
				t.Errorf("%s --%s is there twice", n.Path, o.Name)
			case slices.Contains(reserved, o.Env()):
				t.Errorf("%s --%s: its variable has another meaning", n.Path, o.Name)
			case strings.HasSuffix(o.Help, "."):
				t.Errorf("%s --%s: help is a phrase", n.Path, o.Name)
			}
			seen["--"+o.Name], seen["-"+o.Short] = true, true
		}
	}
}

// Every verb has a phrase, and an example that names it or the command it is
// for.
func TestVerbsAreSound(t *testing.T) {
	env := fullEnv(t, t.TempDir())
	for _, n := range cli.Nodes(env)[1:] {
		v, err := cli.Find(env, strings.Fields(n.Path))
		switch {
		case err != nil:
			t.Errorf("%s: %v", n.Path, err)
		case v.Summary == "" || !strings.Contains(v.Example, "envwrap "):
			t.Errorf("%s: no summary, or no example", n.Path)
		case v.Run == nil && len(v.Verbs) == 0:
			t.Errorf("%s does nothing", n.Path)
		}
	}
}

// The closed list: what a project's file may set before it is trusted, and no
// more. An option that is added here needs a reason in docs/security.md.
func TestProjectList(t *testing.T) {
	want := []string{
		"budget", "compact", "detail", "excerpt", "format", "idle-timeout", "inline-limit", "kill-after",
		"max-artifact", "max-capture", "pretty", "revoked-keys", "secret", "timeout",
	}
	var got []string
	for _, o := range cli.KeyedOptions(fullEnv(t, t.TempDir())) {
		if o.Project != nil {
			got = append(got, o.Name)
		}
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Every file that an option reads is trusted together with the file that names
// it.
func TestReadingOptions(t *testing.T) {
	want := []string{"redact-config", "request", "secret-file", "stdin"}
	var got []string
	for _, o := range cli.KeyedOptions(fullEnv(t, t.TempDir())) {
		if o.Reads {
			got = append(got, o.Name)
		}
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
