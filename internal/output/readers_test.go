package output

import (
	"errors"
	"io"
	"os"
	"testing"
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

// Who was given up and reads after all gets what is written later.
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
