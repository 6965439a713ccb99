package remoteconfig

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/internal/app/companion"
)

// Check refuses each kind of URL that is no remote's, and names the mend.
func TestSettingsCheck(t *testing.T) {
	for url, want := range map[string]string{
		"s3://bucket": "", "s3://bucket/prefix": "", "http://h:80/path": "", "https://h/path": "",
		"":                    "give --remote URL",
		"https://a b/":        "cannot be read",
		"https://u:p@h/path":  "credentials in it",
		"s3:///prefix":        "write s3://BUCKET/PREFIX",
		"https://h/path?q=1":  "write s3://BUCKET/PREFIX",
		"https://h/path#part": "write s3://BUCKET/PREFIX",
		"ftp://h/path":        "write s3://BUCKET/PREFIX",
		"bucket/prefix":       "write s3://BUCKET/PREFIX",
	} {
		s := Settings{URL: url}
		if err := s.Check(); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", url, err, want)
		}
	}
}

// An object is corrupt in the remote that sent it, for every process of the store, until it
// was replaced.
func TestCorrupt(t *testing.T) {
	store := filepath.Join(t.TempDir(), "store")
	if err := os.Mkdir(store, 0o700); err != nil {
		t.Fatal(err)
	}
	c := Corrupt{URL: "http://a.test/x", Dir: store}
	if c.Has("sha256:1") {
		t.Error("an object is corrupt before it was fetched")
	}
	c.Note("sha256:1")
	c.Note("sha256:2")
	other := Corrupt{URL: "http://b.test/x", Dir: store}
	if again := (Corrupt{URL: c.URL, Dir: store}); !again.Has("sha256:1") || other.Has("sha256:1") || c.Has("sha256:3") {
		t.Error("another object than the noted one of the remote is corrupt")
	}
	c.Forget("sha256:1")
	if c.Has("sha256:1") || !c.Has("sha256:2") {
		t.Error("Forget did not forget one object alone")
	}
	for _, dir := range []string{"", filepath.Join(store, "missing")} {
		nowhere := Corrupt{URL: c.URL, Dir: dir}
		nowhere.Note("sha256:1")
		nowhere.Forget("sha256:1")
		if nowhere.Has("sha256:1") {
			t.Errorf("%q remembers", dir)
		}
	}
}

// The status of the companion says that an object is missing, and every other error stays.
func TestCompanionEnded(t *testing.T) {
	c := Companion{Settings: Settings{URL: "http://a.test/x"}}
	for _, status := range []int{1, companion.StatusNotFound, companion.StatusExpression} {
		exit := &companion.Exit{Status: status}
		err := c.ended(exit)
		if missing := status == companion.StatusNotFound; errors.Is(err, artifact.ErrNotFound) != missing || errors.Is(err, exit) == missing {
			t.Errorf("status %d: %v", status, err)
		}
	}
	store := filepath.Join(t.TempDir(), "store")
	if err := os.Mkdir(store, 0o700); err != nil {
		t.Fatal(err)
	}
	c.Absence = &Absence{Dir: store, Now: time.Now}
	for _, status := range []int{1, companion.StatusUnreached} {
		_ = c.ended(&companion.Exit{Status: status})
		if err := c.Absence.check(c.Settings.URL); (err != nil) != (status == companion.StatusUnreached) {
			t.Errorf("status %d: the remote is called absent: %v", status, err)
		}
	}
	if err := c.ended(nil); err != nil {
		t.Errorf("success: %v", err)
	}
	if err := c.ended(os.ErrClosed); !errors.Is(err, os.ErrClosed) {
		t.Errorf("an error of the call: %v", err)
	}
}
