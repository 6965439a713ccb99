package artifact

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// Storing an object again renews its age.
func TestRenew(t *testing.T) {
	now := time.Now()
	// The automatic collector would read the clock that is changed here.
	s := openWith(t, Options{Now: func() time.Time { return now }, NoMaintenance: true})
	named, other := put(t, s, []byte("named")), put(t, s, []byte("other"))
	now = now.Add(30 * 24 * time.Hour)
	if err := s.Renew(named); err != nil {
		t.Fatal(err)
	}
	c, err := s.Collect(DefaultPolicy())
	if err != nil || len(c.Removed) != 1 || c.Removed[0].Digest != other {
		t.Errorf("collected %+v, %v", c, err)
	}
	if err := s.Renew(other); !errors.Is(err, ErrNotFound) {
		t.Errorf("renewed what is gone: %v", err)
	}
	if err := s.Renew("sha256:" + strings.Repeat("0", 64)); !errors.Is(err, ErrNotFound) {
		t.Errorf("renewed what was never there: %v", err)
	}
}
