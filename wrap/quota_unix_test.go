//go:build unix

package wrap_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/envelope"
)

// A watchedStore is asked for its size at each write of a live stream.
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
	var size int64
	err := filepath.WalkDir(w.dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			size += info.Size()
		}
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		w.t.Error(err)
	}
	w.most = max(w.most, size)
	return len(p), nil
}

// The store's limit holds while a command prints five times as much, also where the
// live stream lies in the store, as that of a job; the command's status is its own.
func TestQuota(t *testing.T) {
	t.Parallel()
	const limit, printed = 1 << 20, 5_000_000
	for name, stored := range map[string]bool{"run": false, "job": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "store")
			store, err := artifact.Open(artifact.Options{Dir: dir, Run: "run", MaxSize: limit, NoMaintenance: true})
			if err != nil {
				t.Fatal(err)
			}
			defer store.Close()
			c := command(t, "exit")
			c.Argv = []string{"sh", "-c", "head -c 5000000 /dev/zero | tr '\\0' x; exit 3"}
			c.MaxCapture, c.Store = 0, func() (*artifact.Store, string, error) { return store, "", nil }
			live := &watchedStore{t: t, dir: dir}
			want1 := int64(limit)
			if stored {
				if err := os.MkdirAll(filepath.Join(dir, "jobs", "run"), 0o700); err != nil {
					t.Fatal(err)
				}
				if live.to, err = os.Create(filepath.Join(dir, "jobs", "run", "stdout")); err != nil {
					t.Fatal(err)
				}
				defer live.to.Close()
				c.LiveStored, want1 = true, limit/2
			}
			c.LiveStdout = live
			res := run(t, c)
			want(t, res, envelope.Failure, envelope.ERUNTIME, 3)
			if live.most > limit*101/100 {
				t.Errorf("the store had %d bytes", live.most)
			}
			y := res.Stdout.Summary
			if res.Stdout.Bytes != printed || !res.Stdout.Truncated || y == nil || y.SizeBytes < want1*9/10 || y.SizeBytes > want1 {
				t.Fatalf("stdout is %+v, and the store kept %+v", res.Stdout, y)
			}
			if stored && live.n != y.SizeBytes || !stored && live.n != printed {
				t.Errorf("%d bytes were shown", live.n)
			}
			if len(res.Warnings) != 1 || !strings.Contains(res.Warnings[0], "--store-max") {
				t.Errorf("warnings %q", res.Warnings)
			}
		})
	}
}
