//go:build unix

package job

import (
	"os"
	"path/filepath"
	"testing"
)

// A lock that cannot be looked at is not free.
func TestLinkIsNoLock(t *testing.T) {
	s := newStore(t)
	check(t, os.Symlink(os.DevNull, filepath.Join(s.root.Name(), "link")))
	if held, err := s.root.held("link"); err == nil {
		t.Errorf("held: %v, and no error", held)
	}
}
