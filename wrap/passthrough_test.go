package wrap_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/redact"
	"github.com/envwrap/envwrap/wrap"
)

// scripted is a run of a shell script that prints a secret which is known.
func scripted(t *testing.T, script string) *wrap.Command {
	t.Helper()
	c := command(t, "")
	c.Argv = []string{"/bin/sh", "-c", script}
	c.Redactor = redact.New(redact.Options{Values: []redact.Value{{Rule: "test", Secret: "correct-horse"}}})
	if _, err := os.Stat(c.Argv[0]); err != nil {
		t.Skip("there is no /bin/sh")
	}
	return c
}

// The child's bytes are handed on unchanged; the record is masked.
func TestPassthroughTo(t *testing.T) {
	c := scripted(t, `printf 'correct-horse\n\001'; echo correct-horse >&2; exit 3`)
	var out, errs bytes.Buffer
	c.Stdout.To, c.Stderr.To = &out, &errs
	res := run(t, c)
	if out.String() != "correct-horse\n\001" || errs.String() != "correct-horse\n" {
		t.Errorf("handed on %q and %q", &out, &errs)
	}
	if res.Stdout.Text != "***\n\x01" || res.Stderr.Text != "***\n" {
		t.Errorf("recorded %q and %q", res.Stdout.Text, res.Stderr.Text)
	}
	want(t, res, envelope.Failure, envelope.ERUNTIME, 3)
}

// brokenAfter takes some writes and no more.
type brokenAfter struct{ writes int }

func (b *brokenAfter) Write(p []byte) (int, error) {
	if b.writes--; b.writes < 0 {
		return 0, errors.New("the reader has gone away")
	}
	return len(p), nil
}

// A reader that goes away does not end the child, nor its record.
func TestPassthroughReaderGoesAway(t *testing.T) {
	c := scripted(t, `i=0; while [ $i -lt 2000 ]; do echo line $i; i=$((i+1)); done; exit 3`)
	c.Stdout.To = &brokenAfter{1}
	res := run(t, c)
	if res.Stdout.Lines != 2000 {
		t.Errorf("recorded %d lines", res.Stdout.Lines)
	}
	want(t, res, envelope.Failure, envelope.ERUNTIME, 3)
}

// A file of the child's own is written by the child, and stays open for others.
func TestPassthroughOwn(t *testing.T) {
	c := scripted(t, `echo correct-horse; echo err >&2`)
	f, err := os.Create(filepath.Join(t.TempDir(), "own"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	c.Stdout.Own = f
	res := run(t, c)
	if res.Stdout.Bytes != 0 || res.Stderr.Text != "err\n" {
		t.Errorf("recorded %+v and %+v", res.Stdout, res.Stderr)
	}
	if _, err := f.WriteString("after\n"); err != nil {
		t.Error(err)
	}
	if text, err := os.ReadFile(f.Name()); err != nil || string(text) != "correct-horse\nafter\n" {
		t.Errorf("the file has %q, %v", text, err)
	}
}
