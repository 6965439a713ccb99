//go:build unix

package wrap_test

import (
	"os"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/wrap"
)

// TestBeforeStart starts no command before BeforeStart has returned.
func TestBeforeStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := command(t, "exit")
		ready, started := make(chan struct{}), false
		c.BeforeStart, c.Started = func() { <-ready }, func(int) { started = true }
		done := make(chan error)
		go func() {
			_, err := wrap.Run(t.Context(), c)
			done <- err
		}()
		synctest.Wait() // until Run waits for ready, or is over
		if started {
			t.Error("the command started before BeforeStart returned")
		}
		close(ready)
		if err := <-done; err != nil || !started {
			t.Errorf("started %v, %v", started, err)
		}
	})
}

// TestMeanwhile calls Meanwhile while the command runs.
func TestMeanwhile(t *testing.T) {
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	c := command(t, "exit")
	c.Argv, c.Stdin, c.Timeout = []string{"cat"}, wrap.Stdin{Mode: wrap.StdinFile, File: read}, 10*time.Second
	c.Meanwhile = func() {
		_, _ = write.WriteString("meanwhile")
		_ = write.Close()
	}
	if res := run(t, c); res.Stdout.Text != "meanwhile" {
		t.Errorf("stdout %q, %+v", res.Stdout.Text, res.Outcome)
	}
}

// TestSignalBeforeStart takes a signal that came before the command started as
// the reason of its end, whichever of the two is seen first.
func TestSignalBeforeStart(t *testing.T) {
	t.Parallel()
	for range 200 {
		c := command(t, "exit", "3")
		signals := make(chan os.Signal, 1)
		signals <- syscall.SIGTERM
		c.Signals = signals
		want(t, run(t, c), envelope.Canceled, envelope.ECANCELED, 128+15)
	}
}
