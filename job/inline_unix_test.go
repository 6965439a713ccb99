//go:build unix

package job

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/envwrap/envwrap/envelope"
)

// The larger of two streams stays in the store where both do not fit, and so does one that
// a dialect wants there.
func TestInlineOfBoth(t *testing.T) {
	s := newStore(t)
	small, large := "printf '%0100d' 1", "printf '%020000d' 1"
	for _, c := range []struct {
		name, stdout, stderr string
		keep                 envelope.Keep
		limit                int64
		out, err             bool // are inline
	}{
		{"both fit", small, large, envelope.KeepLarge, 32 << 10, true, true},
		{"stderr is larger", small, large, envelope.KeepLarge, 20050, true, false},
		{"stdout is larger", large, small, envelope.KeepLarge, 20050, false, true},
		{"neither fits", large, large, envelope.KeepLarge, 15000, false, false},
		{"beside JSON", "echo '{}'", small, envelope.KeepBeside, 32 << 10, true, false},
		{"beside text", small, small, envelope.KeepBeside, 32 << 10, true, true},
	} {
		res, err := s.Result(finished(t, s, c.stdout+"; "+c.stderr+" >&2").ID)
		check(t, err)
		s.Inline(res, Inlining{Placement: envelope.Placement{Keep: c.keep}, Limit: c.limit})
		if (res.Stdout.Artifact == "") != c.out || (res.Stderr.Artifact == "") != c.err {
			t.Errorf("%s: stdout %q, stderr %q", c.name, res.Stdout.Artifact, res.Stderr.Artifact)
		}
		if (res.Stdout.Excerpt == nil) != c.out || (res.Stderr.Excerpt == nil) != c.err {
			t.Errorf("%s: excerpts %+v, %+v", c.name, res.Stdout.Excerpt, res.Stderr.Excerpt)
		}
	}
}

// Text that is shown cleaned names the artifact that has it exactly.
func TestInlineExact(t *testing.T) {
	s := newStore(t)
	for script, exact := range map[string]bool{`printf '\033[1mbold\033[m\n'`: true, "echo plain": false} {
		res, err := s.Result(finished(t, s, script).ID)
		check(t, err)
		digest := res.Stdout.Artifact
		s.Inline(res, Inlining{Placement: envelope.Placement{Keep: envelope.KeepExact}, Limit: 32 << 10})
		if out := res.Stdout; out.Artifact != "" || out.Text == "" || (out.Exact == digest) != exact || (out.Read != "") != exact {
			t.Errorf("%s: %+v", script, out)
		}
	}
}

// An adopted envelope's data, truncated output, and output that the store lacks stay
// unchanged.
func TestNotInline(t *testing.T) {
	s := newStore(t)
	rec := finished(t, s, "echo out")
	for _, c := range []struct {
		name   string
		change func(*envelope.Result)
	}{
		{"an envelope of the command", func(res *envelope.Result) { res.Exec = &envelope.Result{} }},
		{"cut", func(res *envelope.Result) { res.Stdout.Truncated = true }},
		{"gone", func(*envelope.Result) { check(t, os.RemoveAll(filepath.Join(s.dir, "objects"))) }},
		{"no store", func(*envelope.Result) { check(t, os.Rename(s.dir, s.dir+".moved")) }},
	} {
		res, err := s.Result(rec.ID)
		check(t, err)
		c.change(res)
		digest := res.Stdout.Artifact
		s.Inline(res, Inlining{Limit: 32 << 10})
		if digest == "" || res.Stdout.Artifact != digest || res.Stdout.Text != "" {
			t.Errorf("%s: %+v", c.name, res.Stdout)
		}
	}
	for range 2 {
		if _, _, _, err := s.Tail(rec.ID, 1, 0); err == nil {
			t.Error("the output is read where there is none")
		}
		_ = os.Rename(s.dir+".moved", s.dir)
	}
}
