package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/internal/shared/hints"
)

// The agent that reads on may stand in another directory by then.
func TestReadCommandIsWhole(t *testing.T) {
	dir := t.TempDir()
	env := &Env{Dir: func() (string, error) { return dir, nil }}
	read := env.ReadCommand("some store")
	if got, want := read("sha256:0123456789abcdef"), "envwrap artifact cat --store "+hints.Quote(env.Path("some store"))+" 0123456789ab"; got != want || !strings.Contains(got, dir) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := env.ReadCommand("")("sha256:0123456789abcdef"), "envwrap artifact cat 0123456789ab"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Only a digest has a short form: the name of unfinished output is an id as a whole.
func TestShortID(t *testing.T) {
	for id, want := range map[string]string{"sha256:0123456789abcdef": "0123456789ab", "01M7Z45AKXW8CR5BWB01QS92KV": "01M7Z45AKXW8CR5BWB01QS92KV"} {
		if got := ShortID(id); got != want {
			t.Errorf("%s: got %s", id, got)
		}
	}
}

// Reading makes no store, except for what is fetched.
func TestOpenArchive(t *testing.T) {
	env := &Env{Dir: os.Getwd, Now: time.Now}
	c := &Call{Env: env, Verb: &Verb{store: filepath.Join(t.TempDir(), "store")}}
	if a, err := c.OpenArchive(); err != nil || len(a.Stores) != 0 {
		t.Errorf("got %+v, %v", a, err)
	}
	if _, err := os.Stat(c.Store()); err == nil {
		t.Error("reading has made a store")
	}
	env.fetcher = nowhere{}
	a, err := c.OpenArchive()
	if err != nil || len(a.Stores) != 1 {
		t.Fatalf("with artifacts that may be fetched: got %+v, %v", a, err)
	}
	a.Close()
	file := filepath.Join(c.Store(), "VERSION")
	c.Verb.store, env.fetcher = file, nil
	if a, err := c.OpenArchive(); err == nil {
		t.Errorf("a file: got %+v", a)
	}
	env.fetcher = nowhere{}
	c.Verb.store = filepath.Join(file, "store")
	if a, err := c.OpenArchive(); err == nil || !strings.HasPrefix(err.Error(), "keep the fetched artifact: ") {
		t.Errorf("below a file: got %+v, %v", a, err)
	}
}

// nowhere has no artifact.
type nowhere struct{}

func (nowhere) Fetch(string, io.Writer) error { return artifact.ErrNotFound }

// Missing artifacts are fetched if a remote is named, unless --offline is given.
func TestWithRemoteFetch(t *testing.T) {
	for _, c := range []struct {
		values map[string]string
		want   bool
	}{
		{nil, false},
		{map[string]string{"remote": "http://127.0.0.1:1/x"}, true},
		{map[string]string{"remote": "http://127.0.0.1:1/x", "offline": "true"}, false},
	} {
		fetches := false
		env := &Env{Dir: os.Getwd, Now: time.Now}
		v := WithRemoteFetch(func(*Env) *Verb {
			return &Verb{Run: func(_ context.Context, c *Call) error {
				fetches = c.fetcher != nil
				return nil
			}}
		})(env)
		for _, o := range v.Options {
			if value, ok := c.values[o.Name]; ok {
				if err := o.Set([]string{value}); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := v.Run(t.Context(), &Call{Env: env, Verb: v}); err != nil || fetches != c.want {
			t.Errorf("%v: fetches is %v, %v", c.values, fetches, err)
		}
	}
}

// ENVWRAP is a switch that is on unless it says otherwise.
func TestDisabled(t *testing.T) {
	for value, want := range map[string]bool{"ENVWRAP=0": true, "ENVWRAP=false": true, "ENVWRAP=1": false, "ENVWRAP=": false, "ENVWRAP=no": false, "OTHER=0": false} {
		if got := (&Env{Environ: []string{value}}).Disabled(); got != want {
			t.Errorf("%s: %v", value, got)
		}
	}
}

// A verb that reads one text reads the file that is named, else standard input.
func TestInput(t *testing.T) {
	stdin, named := os.Stdin, filepath.Join(t.TempDir(), "named")
	if err := os.WriteFile(named, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		words []string
		stdin *os.File
		want  string // the file's name; "" is a usage error
	}{
		{nil, stdin, stdin.Name()},
		{[]string{"-"}, stdin, stdin.Name()},
		{nil, nil, ""},
		{[]string{"-"}, nil, ""},
		{[]string{""}, stdin, ""},
		{[]string{named}, stdin, named},
		{[]string{named}, nil, named},
	} {
		f, err := (&Call{Env: &Env{Stdin: c.stdin, Dir: os.Getwd}, Words: c.words}).Input()
		var usage *UsageError
		if errors.As(err, &usage) != (c.want == "") || err == nil && f.Name() != c.want {
			t.Errorf("%q: got %v, %v; want %q", c.words, f, err, c.want)
		}
		if f != nil && f != stdin {
			_ = f.Close()
		}
	}
}
