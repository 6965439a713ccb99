package output

import (
	"errors"
	"io"
	"os"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// A reader that does not read holds no writer once it is given up, and that is
// what a second signal does.
func TestReadersAreGivenUp(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	readers := NewReaders()
	signals := make(chan os.Signal, 2)
	defer readers.WatchSignals(signals, time.Hour, false)()
	to := readers.Writer(w)
	if n, err := to.Write([]byte("read")); n != 4 || err != nil {
		t.Fatal(n, err)
	}
	text := make([]byte, 4)
	if _, err := io.ReadFull(r, text); err != nil || string(text) != "read" {
		t.Fatalf("%q %v", text, err)
	}
	signals <- os.Interrupt
	signals <- os.Interrupt
	for range 2 {
		if _, err := to.Write(make([]byte, 8<<20)); !errors.Is(err, errUnread) {
			t.Fatal(err)
		}
	}
}

// A reader that was given up and reads after all gets later writes.
func TestGivenUpReaderGetsTheRest(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	readers := NewReaders()
	readers.GiveUp()
	if n, err := readers.Writer(w).Write([]byte("read")); n != 4 || err != nil {
		t.Fatal(n, err)
	}
	text := make([]byte, 4)
	if _, err := io.ReadFull(r, text); err != nil || string(text) != "read" {
		t.Fatalf("%q %v", text, err)
	}
}

// Writes give up a while after the first signal that asks envwrap to end, or at once
// after the second.
func TestWatchSignals(t *testing.T) {
	const grace, never = time.Minute, time.Hour
	for _, c := range []struct {
		asked   bool
		signals []os.Signal
		gone    time.Duration
	}{
		{false, nil, never},
		{true, nil, grace},
		{false, []os.Signal{os.Interrupt}, grace},
		{true, []os.Signal{os.Interrupt}, 0},
		{false, []os.Signal{os.Interrupt, os.Interrupt}, 0},
		{false, []os.Signal{syscall.SIGPIPE, syscall.SIGPIPE}, never},
		{true, []os.Signal{syscall.SIGPIPE}, grace},
	} {
		synctest.Test(t, func(t *testing.T) {
			readers, signals := NewReaders(), make(chan os.Signal, len(c.signals))
			for _, sig := range c.signals {
				signals <- sig
			}
			begun := time.Now()
			end := readers.WatchSignals(signals, grace, c.asked)
			select {
			case <-readers.gone:
			case <-time.After(never):
			}
			if took := time.Since(begun); took != c.gone {
				t.Errorf("%+v: given up after %v", c, took)
			}
			end()
		})
	}
}

// A writer without Readers, as a job's supervisor that writes the file of -o, takes
// signals and goes on.
func TestNoReadersAtSignals(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		signals := make(chan os.Signal, 2)
		signals <- syscall.SIGTERM
		signals <- syscall.SIGTERM
		end := (*Readers)(nil).WatchSignals(signals, time.Second, true)
		synctest.Wait()
		end()
	})
}

// The first write for which there was no room is remembered, and no other error.
func TestFull(t *testing.T) {
	for _, full := range []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG} {
		readers := NewReaders()
		for i, fails := range []error{nil, syscall.EIO, full, nil, syscall.EIO, io.ErrShortWrite} {
			to := roomChecker{failing{fails}, readers}
			if _, err := to.Write([]byte("x")); !errors.Is(err, fails) {
				t.Errorf("%v, want %v", err, fails)
			}
			if got := readers.Full(); i < 2 && got != nil || i >= 2 && !errors.Is(got, full) {
				t.Errorf("write %d of %v: %v", i, full, got)
			}
		}
	}
	if (*Readers)(nil).Full() != nil {
		t.Error("there was no room for nothing")
	}
	if n, err := (&roomChecker{io.Discard, nil}).Write([]byte("x")); n != 1 || err != nil {
		t.Error(n, err)
	}
}

// A failing writer writes nothing.
type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }
