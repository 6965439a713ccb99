package launch

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/envwrap/envwrap/internal/test/testenv"
)

func TestMain(m *testing.M) { os.Exit(testenv.Run(m)) }

// A ctx that is done ends the wait for a program, and for the interpreter of a script.
func TestRunOnHungDir(t *testing.T) {
	t.Parallel()
	hung := testenv.NewHungDir(t)
	script := filepath.Join(t.TempDir(), "script")
	if err := os.WriteFile(script, []byte("#!"+hung.Path+"/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	cause := errors.New("enough")
	for _, cmd := range []exec.Cmd{
		{Path: hung.Path + "/sh"},
		{Path: hung.Path + "/sh", Dir: filepath.Dir(script)},
		{Path: "./sh", Dir: hung.Path},
		{Path: script},
	} {
		ctx, cancel := context.WithCancelCause(t.Context())
		go func() {
			hung.AwaitAccess(t)
			cancel(cause)
		}()
		if err := Run(ctx, &cmd); !errors.Is(err, cause) {
			t.Errorf("%s in %q: %v", cmd.Path, cmd.Dir, err)
		}
	}
}

// A command is run as its own method runs it.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "script"), []byte("#!/bin/sh\nexit 3\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("./script")
	cmd.Dir = dir
	exit, ok := errors.AsType[*exec.ExitError](Run(t.Context(), cmd))
	if !ok || exit.ExitCode() != 3 {
		t.Error(exit)
	}
	if err := Run(t.Context(), exec.Command("/no/such/program")); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// No garbage is collected until the last of several starts is over.
func TestUncollected(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(50))
	refused := errors.New("refused")
	off := func() error {
		if got := debug.SetGCPercent(-1); got != -1 {
			t.Errorf("percent %d while one starts", got)
		}
		return refused
	}
	err := Uncollected(func() error { return errors.Join(off(), Uncollected(off), off()) })
	if got := debug.SetGCPercent(-1); got != 50 || !errors.Is(err, refused) {
		t.Errorf("percent %d after, %v", got, err)
	}
}

// The heap grows slowly after a collection, unless GOGC is set; while a program starts,
// nothing is collected all the same.
func TestGrowSlowly(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(usualPercent))
	collected := make(chan struct{})
	afterCollection(func() {
		growSlowly()
		close(collected)
	})
	runtime.GC()
	<-collected
	if got := debug.SetGCPercent(usualPercent); got != slowPercent {
		t.Errorf("percent %d after a collection", got)
	}
	err := Uncollected(func() error {
		growSlowly()
		if got := debug.SetGCPercent(-1); got != -1 {
			t.Errorf("percent %d while one starts", got)
		}
		return nil
	})
	if got := debug.SetGCPercent(usualPercent + 1); got != slowPercent || err != nil {
		t.Errorf("percent %d after a start, %v", got, err)
	}
	if growSlowly(); debug.SetGCPercent(usualPercent) != usualPercent+1 {
		t.Error("the percent of GOGC is changed")
	}
}
