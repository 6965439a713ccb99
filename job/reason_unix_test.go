//go:build unix

package job

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"
)

// Where a store is another's, or others can write to it, that is the reason, and
// not the system.
func TestReasonIsTheOwner(t *testing.T) {
	for name, c := range map[string]struct {
		make func(dir string) error
		says string
	}{
		"another's": {func(dir string) error { return os.Chown(dir, 1<<20, 1<<20) }, "it belongs to user 1048576"},
		"writable":  {func(dir string) error { return os.Chmod(dir, 0o777) }, "others can write to it"},
		"another's inside": {func(dir string) error {
			return errors.Join(os.Chmod(dir, 0o700), os.Mkdir(dir+"/jobs", 0o700), os.Chown(dir+"/jobs", 1<<20, 1<<20))
		}, "it belongs to user 1048576"},
	} {
		dir := t.TempDir()
		if err := c.make(dir); errors.Is(err, os.ErrPermission) {
			continue // only root can give a directory away
		} else if err != nil {
			t.Fatal(err)
		}
		_, err := Open(Options{Dir: dir, Now: time.Now})
		if err == nil || errors.Is(err, ErrUnsupported) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
