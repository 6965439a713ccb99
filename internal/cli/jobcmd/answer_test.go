package jobcmd

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/internal/cli"
)

// What a list passes over is in its envelope too, masked, and no more than some.
func TestUnreadable(t *testing.T) {
	stderr, err := os.Create(t.TempDir() + "/stderr")
	if err != nil {
		t.Fatal(err)
	}
	defer stderr.Close()
	w := &cli.World{Stderr: stderr, Environ: []string{"API_TOKEN=swordfish-4711"}}
	var all []error
	for range warningsMost + 3 {
		all = append(all, errors.New("read swordfish-4711: it is damaged"))
	}
	got := unreadable(w, errors.Join(all...))
	if len(got) != warningsMost+1 || got[0] != "read ***: it is damaged" || !strings.HasPrefix(got[warningsMost], "3 more") {
		t.Errorf("%q", got)
	}
	said, err := os.ReadFile(stderr.Name())
	if n := strings.Count(string(said), "read ***"); n != len(all) || err != nil {
		t.Errorf("stderr names %d: %s, %v", n, said, err)
	}
	if got := unreadable(w, nil); got != nil {
		t.Errorf("%q", got)
	}
}
