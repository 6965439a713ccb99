package artifact

import (
	"io/fs"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/envwrap/envwrap/artifact/internal/filesys"
	"github.com/envwrap/envwrap/artifact/internal/partial"
)

// TestTakenAgainAndAgain gives up after two seconds of tries where another program
// is always faster, and does what it can where that is not so at the last one.
func TestTakenAgainAndAgain(t *testing.T) {
	begin := func(s *Store) error {
		p, err := s.parts.Create(partial.Scratch)
		if err == nil {
			p.Drop()
		}
		return err
	}
	publish := func(s *Store) error {
		_, err := store(s, []byte("text"))
		return err
	}
	for _, c := range []struct {
		do    func(*Store) error
		op    string
		times int
		want  string
	}{
		{begin, "open", filesys.MaxTries - 1, ""},
		{begin, "open", filesys.MaxTries, "make a part file"},
		{publish, "link", filesys.MaxTries - 1, ""},
		{publish, "link", filesys.MaxTries, "came and went"},
	} {
		synctest.Test(t, func(t *testing.T) {
			g := newStage()
			s := g.mustOpen(t, g.disk, "a")
			left := c.times
			g.disk.fail = func(_ int, op, _ string) error {
				if left == 0 || op != c.op {
					return nil
				}
				left--
				return fs.ErrExist
			}
			began := time.Now()
			err := c.do(s)
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s fails %d times: got %v, want %q", c.op, c.times, err, c.want)
			}
			if took := time.Since(began); left != 0 || took < time.Second || took > 3*time.Second {
				t.Errorf("%d tries are left after %v", left, took)
			}
		})
	}
}
