package envelopecmd

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/clitest"
	"github.com/envwrap/envwrap/internal/app/runlog"
)

// Output that came after the answer is added to a short text; of any other stream it is said
// how the rest is read.
func TestAddLate(t *testing.T) {
	dir := t.TempDir()
	env := clitest.EnvIn(t, dir)
	s, err := artifact.Open(artifact.Options{Dir: filepath.Join(dir, "state", "envwrap"), NoMaintenance: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	part := func(text string) string {
		p, err := s.Create()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { p.Discard() })
		name, err := p.Live()
		if err == nil {
			_, err = p.Write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
		return name
	}
	early := envelope.Stream{Text: "early\n", Bytes: 6, Lines: 1}
	short, long := part("late\n"), part(strings.Repeat("late\n", partMost))
	for name, c := range map[string]struct {
		late    runlog.Parts
		stdout  envelope.Stream
		adopted bool
		text    string // of stdout
		bytes   int64
		warning string // "" is none
	}{
		"nothing":          {runlog.Parts{}, early, false, "early\n", 6, ""},
		"gone":             {runlog.Parts{Stdout: "nothing"}, early, false, "early\n", 6, ""},
		"short":            {runlog.Parts{Stdout: short}, early, false, "early\nlate\n", 11, "the last 5 B of stdout were printed after the answer"},
		"of stderr":        {runlog.Parts{Stderr: short}, early, false, "early\n", 6, "the last 5 B of stderr were printed after the answer"},
		"long":             {runlog.Parts{Stdout: long}, early, false, "early\n", 6, "more of stdout were printed after the answer: `" + env.ReadCommand("")(long) + "` prints them"},
		"after a cut text": {runlog.Parts{Stdout: short}, envelope.Stream{Text: "e", Bytes: 6, Truncated: true}, false, "e", 6, "prints them"},
		"of an adopted":    {runlog.Parts{Stdout: short}, early, true, "early\n", 6, "prints them"},
	} {
		res := &envelope.Result{Stdout: c.stdout}
		if c.adopted {
			res.Exec = &envelope.Result{}
		}
		addLate(&cli.Call{Env: env, Verb: &cli.Verb{}}, &c.late, res)
		if res.Stdout.Text != c.text || res.Stdout.Bytes != c.bytes {
			t.Errorf("%s: %q, %d bytes", name, res.Stdout.Text, res.Stdout.Bytes)
		}
		if got := strings.Join(res.Warnings, "\n"); (got == "") != (c.warning == "") || !strings.Contains(got, c.warning) {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// A stream is a text if all of it is in the envelope, as it was printed.
func TestIsText(t *testing.T) {
	whole := envelope.Stream{Text: "text", Bytes: 4}
	if !isText(&whole) || !isText(&envelope.Stream{}) {
		t.Error("a whole text")
	}
	for name, change := range map[string]func(*envelope.Stream){
		"a part":       func(s *envelope.Stream) { s.Bytes++ },
		"replaced":     func(s *envelope.Stream) { s.Replaced = 1 },
		"JSON":         func(s *envelope.Stream) { s.JSON = []byte("1") },
		"binary":       func(s *envelope.Stream) { s.Binary = []byte{0} },
		"an artifact":  func(s *envelope.Stream) { s.Artifact = "sha256:" + strings.Repeat("0", 64) },
		"cut at a max": func(s *envelope.Stream) { s.Truncated = true },
	} {
		s := whole
		if change(&s); isText(&s) {
			t.Errorf("%s is a text", name)
		}
	}
}
