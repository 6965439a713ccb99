package configcmd

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/envwrap/envwrap/internal/app/cli"
	"golang.org/x/sys/unix"
)

// envwrap opens no file that an untrusted project's file names: it may be a device, or lie
// on a server that logs readers.
func TestNothingReadUntrusted(t *testing.T) {
	dir := t.TempDir()
	words := filepath.Join(dir, "words")
	text := "redact-config = \"words\"\nsecret-file = \"words\"\nstdin = \"words\"\nrequest = \"words\"\n"
	if err := errors.Join(os.WriteFile(filepath.Join(dir, cli.ProjectFile), []byte(text), 0o600), os.WriteFile(words, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	watch, err := unix.InotifyInit1(unix.IN_NONBLOCK | unix.IN_CLOEXEC)
	if err != nil {
		t.Skip(err)
	}
	defer unix.Close(watch)
	if _, err := unix.InotifyAddWatch(watch, words, unix.IN_OPEN); err != nil {
		t.Fatal(err)
	}
	opened := func() bool {
		n, err := unix.Read(watch, make([]byte, 4096))
		return err == nil && n > 0
	}
	env := trustEnv(t, dir)
	if s, err := env.Settings(); err != nil || len(s.Files) != 1 || s.Files[0].State != "untrusted" {
		t.Fatalf("got %+v, %v", s, err)
	}
	if opened() {
		t.Error("the file that it names was opened")
	}
	if err := trustFile((&cli.Call{Env: env, Verb: &cli.Verb{}}), env.Session().StateDir()[0], filepath.Join(dir, cli.ProjectFile)); err != nil || !opened() {
		t.Errorf("trusting it does not open the file: %v", err)
	}
}
