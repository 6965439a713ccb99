package artifact

import (
	"io/fs"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/envwrap/envwrap/artifact/internal/filesys"
)

// TestTakenAgainAndAgain gives up after two seconds of tries if another program is
// always faster, and succeeds if the last try does.
func TestTakenAgainAndAgain(t *testing.T) {
	for times, want := range map[int]string{filesys.MaxTries - 1: "", filesys.MaxTries: "came and went"} {
		synctest.Test(t, func(t *testing.T) {
			g := newStage()
			s := g.mustOpen(t, g.disk, "a")
			left := times
			g.disk.fail = func(_ int, op, _ string) error {
				if left == 0 || op != "link" {
					return nil
				}
				left--
				return fs.ErrExist
			}
			began := time.Now()
			_, err := store(s, []byte("text"))
			if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
				t.Errorf("link fails %d times: got %v, want %q", times, err, want)
			}
			if took := time.Since(began); left != 0 || took < time.Second || took > 3*time.Second {
				t.Errorf("%d tries are left after %v", left, took)
			}
		})
	}
}
