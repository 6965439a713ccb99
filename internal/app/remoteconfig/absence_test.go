package remoteconfig

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/envwrap/envwrap/internal/app/companion"
)

// A remote that could not be reached is not asked again for a minute by the runs of the
// store, and any other is.
func TestAbsence(t *testing.T) {
	now, calls := time.Now(), 0
	store := filepath.Join(t.TempDir(), "store")
	if err := os.Mkdir(store, 0o700); err != nil {
		t.Fatal(err)
	}
	call := func(url string) error {
		c := Companion{
			Program:  func() (string, error) { calls++; return "", errors.New("the companion is asked") },
			Settings: Settings{URL: url}, Absence: &Absence{Dir: store, Now: func() time.Time { return now }},
		}
		return c.Do("push", nil, nil, nil)
	}
	if err := call("http://a.test/x"); calls != 1 || err == nil {
		t.Fatalf("the first call: %v", err)
	}
	a := &Absence{Dir: store, Now: func() time.Time { return now }}
	a.note("http://a.test/x")
	for _, c := range []struct {
		after time.Duration
		url   string
		asked bool
	}{
		{0, "http://a.test/x", false},
		{59 * time.Second, "http://a.test/x", false},
		{61 * time.Second, "http://a.test/x", true},
		{-time.Hour, "http://a.test/x", true},
		{0, "http://b.test/x", true},
	} {
		before, began := calls, now
		now = now.Add(c.after)
		err := call(c.url)
		if now = began; (calls > before) != c.asked || !c.asked && !strings.Contains(err.Error(), "could not be reached") {
			t.Errorf("%s after %s: %v", c.url, c.after, err)
		}
	}
	if err := (&Companion{}).ended(&companion.Exit{Status: companion.StatusUnreached}); err == nil {
		t.Error("without an Absence the failure is lost")
	}
}

// Absence is not recorded through a link, or in a directory that others can write.
func TestAbsenceStaysInTheStore(t *testing.T) {
	store, outside := t.TempDir(), t.TempDir()
	if err := errors.Join(os.Chmod(store, 0o700), os.Symlink(outside, filepath.Join(store, absenceDir))); err != nil {
		t.Fatal(err)
	}
	a := &Absence{Dir: store, Now: time.Now}
	a.note("http://a.test/x")
	if err := a.check("http://a.test/x"); err != nil {
		t.Error(err)
	}
	if names, err := os.ReadDir(outside); err != nil || len(names) > 0 {
		t.Errorf("%v was written outside, %v", names, err)
	}
}

// A companion that cannot be found is an error, and no call is made without a remote.
func TestCompanionRefuses(t *testing.T) {
	missing := errors.New("there is no companion")
	c := Companion{Program: func() (string, error) { return "", missing }, Settings: Settings{URL: "http://a.test/x"}}
	if err := c.Do("push", nil, nil, nil); !errors.Is(err, missing) {
		t.Errorf("got %v, want %v", err, missing)
	}
	c.Settings.URL = ""
	if err := c.Do("push", nil, nil, nil); err == nil || errors.Is(err, missing) {
		t.Errorf("without a remote: %v", err)
	}
}

// A call takes its context from Context, and releases it.
func TestCompanionContext(t *testing.T) {
	taken, released := 0, 0
	c := Companion{
		Program: os.Executable, Settings: Settings{URL: "http://a.test/x"},
		Context: func() (context.Context, func()) {
			taken++
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			return ctx, func() { released++ }
		},
	}
	if err := c.Do("push", nil, nil, nil); err == nil || taken != 1 || released != 1 {
		t.Errorf("taken %d times, released %d times, %v", taken, released, err)
	}
}

// Settings pass through an argument unchanged, and others are refused.
func TestSettingsAsArgument(t *testing.T) {
	want := Settings{URL: "s3://bucket/prefix", Region: "eu", StoreMax: 7}
	if got, err := Decode(want.Encode()); err != nil || got.URL != want.URL || got.Region != want.Region || got.StoreMax != want.StoreMax {
		t.Errorf("got %+v, %v", got, err)
	}
	if got, err := Decode("no settings"); err == nil || got != nil {
		t.Errorf("got %+v, %v", got, err)
	}
}
