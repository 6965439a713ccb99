//go:build unix

package wrap_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/wrap"
)

// A watchedStore is measured at each write of a live stream.
type watchedStore struct {
	t    *testing.T
	dir  string
	to   *os.File // nil is nothing
	n    int64
	most int64
}

func (w *watchedStore) Write(p []byte) (int, error) {
	w.n += int64(len(p))
	if w.to != nil {
		if _, err := w.to.Write(p); err != nil {
			return 0, err
		}
	}
	w.look()
	return len(p), nil
}

// text returns what the file has.
func (w *watchedStore) text() []byte {
	w.t.Helper()
	text, err := os.ReadFile(w.to.Name())
	if err != nil {
		w.t.Fatal(err)
	}
	return text
}

// look measures the store.
func (w *watchedStore) look() {
	var size int64
	seen := map[uint64]bool{} // a file may have several names
	err := filepath.WalkDir(w.dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if file := info.Sys().(*syscall.Stat_t).Ino; !seen[file] {
			seen[file] = true
			size += info.Size()
		}
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		w.t.Error(err)
	}
	w.most = max(w.most, size)
}

// The store's limit holds while a command prints five times as much, also where the
// live stream is a file of the store, as that of a job; the command's status is its own.
// Where the command may run again, the file has more than the artifact, and the bytes
// are there twice.
func TestQuota(t *testing.T) {
	t.Parallel()
	const limit, printed = 1 << 20, 5_000_000
	for name, test := range map[string]struct {
		stored, retried bool
		want            int64
	}{
		"run":           {false, false, limit},
		"job":           {true, false, limit},
		"job, retrying": {true, true, limit / 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, live := liveRun(t, limit, "head -c 5000000 /dev/zero | tr '\\0' x; exit 3")
			if !test.stored {
				live.to, c.LiveStored = nil, false
			}
			try := wrap.Retry{}
			if test.retried {
				try = wrap.Retry{Times: 1, On: func(*envelope.Outcome) bool { return false }}
			}
			res, err := try.Run(t.Context(), c)
			if err != nil {
				t.Fatal(err)
			}
			want(t, res, envelope.Failure, envelope.ERUNTIME, 3)
			live.look()
			if live.most > limit*101/100 {
				t.Errorf("the store had %d bytes", live.most)
			}
			y := res.Stdout.Summary
			if res.Stdout.Bytes != printed || !res.Stdout.Truncated || y == nil || y.SizeBytes < test.want*9/10 || y.SizeBytes > test.want {
				t.Fatalf("stdout is %+v, and the store kept %+v", res.Stdout, y)
			}
			shown := live.n
			if test.stored {
				shown = int64(len(live.text()))
			}
			if test.stored && shown != y.SizeBytes || !test.stored && shown != printed {
				t.Errorf("%d bytes were shown", shown)
			}
			if len(res.Warnings) != 1 || !strings.Contains(res.Warnings[0], "--store-max") {
				t.Errorf("warnings %q", res.Warnings)
			}
		})
	}
}

// A job's output, and the unfinished line at its end, are in its file at once, before
// and after the artifact is in the same file. The artifact equals the output.
func TestLiveShared(t *testing.T) {
	t.Parallel()
	c, live := liveRun(t, 1<<20, `seen() { until tail -c 3 "$1" | grep -q "$2"; do sleep .01; done; }
printf '10%%'; seen "$1" 10%
seq 10000; seen "$1" 00
printf '50%%'; seen "$1" 50%
printf '\rall\n'; seen "$1" ll`)
	c.Argv = append(c.Argv, "sh", live.to.Name())
	res := run(t, c)
	got := stored(t, c, res.Stdout.Artifact)
	if !bytes.HasPrefix(got, []byte("10%1\n")) || !bytes.HasSuffix(got, []byte("10000\n50%\rall\n")) {
		t.Errorf("the artifact has %d bytes", len(got))
	}
	if text := live.text(); !bytes.Equal(text, got) {
		t.Errorf("%d bytes were shown, of %d", len(text), len(got))
	}
}

// liveRun returns a script whose output goes to a store with a limit, and, as that of a
// job, to a file in it.
func liveRun(t *testing.T, limit int64, script string) (*wrap.Command, *watchedStore) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "store")
	store, err := artifact.Open(artifact.Options{Dir: dir, Run: "run", MaxSize: limit, NoMaintenance: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	if err := os.MkdirAll(filepath.Join(dir, "jobs", "run"), 0o700); err != nil {
		t.Fatal(err)
	}
	to, err := os.OpenFile(filepath.Join(dir, "jobs", "run", "stdout"), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { to.Close() })
	c := command(t, "exit")
	c.Argv = []string{"sh", "-c", script}
	c.MaxCapture, c.Store = 0, func() (*artifact.Store, string, error) { return store, "", nil }
	live := &watchedStore{t: t, dir: dir, to: to}
	c.LiveStdout, c.LiveStored = live, true
	return c, live
}
