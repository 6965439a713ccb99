package cli

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/envwrap/envwrap/internal/app/remoteconfig"
	"github.com/envwrap/envwrap/internal/test/testenv"
)

// While a remote does not answer, a line on the terminal says what is waited for; it is gone
// when the answer is there.
func TestFetchLine(t *testing.T) {
	master, terminal := testenv.Terminal(t)
	program := filepath.Join(t.TempDir(), "companion")
	if err := os.WriteFile(program, []byte("#!/bin/sh\ncat \"$0.answer\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(program+".answer", 0o600); err != nil {
		t.Fatal(err)
	}
	env := &Env{Stderr: terminal, Environ: []string{"PATH=" + os.Getenv("PATH"), "COLUMNS=200"}}
	f := &shownFetcher{&remoteconfig.Companion{
		Program: func() (string, error) { return program, nil }, Environ: env.Environ,
		Settings: remoteconfig.Settings{URL: "http://127.0.0.1:1/x"},
	}, env, time.Millisecond}
	var answer bytes.Buffer
	fetched := make(chan error)
	go func() {
		fetched <- f.Fetch("sha256:0123", &answer)
		terminal.Close()
	}()

	shown, part := "", make([]byte, 1<<10)
	for !strings.Contains(shown, "fetching sha256:0123 from http://127.0.0.1:1/x: 0 B") {
		n, err := master.Read(part)
		if err != nil {
			t.Fatalf("the terminal shows %q: %v", shown, err)
		}
		shown += string(part[:n])
	}
	if err := os.WriteFile(program+".answer", []byte("hello"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := <-fetched; err != nil || answer.String() != "hello" {
		t.Errorf("fetched %q, %v", answer.String(), err)
	}
	rest, _ := io.ReadAll(master) // the error is that of a terminal nobody has open
	if shown += string(rest); !strings.HasSuffix(shown, "\r\x1b[K") {
		t.Errorf("the line is not erased: %.300q", shown)
	}
}
