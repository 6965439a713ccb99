//go:build unix

package companion

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

var errIO = errors.New("a fault of the disk")

type badWriter struct{}

func (badWriter) Write([]byte) (int, error) { return 0, errIO }

// A call that fails says why: what could not be written or read counts before what the
// companion makes of it.
func TestRunSaysWhatFailed(t *testing.T) {
	text := strings.NewReader
	for _, c := range []struct {
		name, script string
		in           io.Reader
		out          io.Writer
		status       int // of the Exit; 0 if it did not exit
		want         string
	}{
		{"nothing", "cat", text("x"), nil, 0, ""},
		{"an input that nobody reads", "exit 0", text(strings.Repeat("x", 1<<20)), nil, 0, ""},
		{"no input", "test -z \"$(cat)\"", nil, nil, 0, ""},
		{"its message", "echo 'envwrap-net: it is so' >&2; exit 4", nil, nil, StatusExpression, "it is so"},
		{"no message", "exit 3", nil, nil, StatusNotFound, `run "/bin/sh": exit status 3`},
		{"a signal", "kill -9 $$", nil, nil, -1, `run "/bin/sh": signal: killed`},
		{"a crash", "echo 'runtime: stack\nfatal error: stack overflow\n\ngoroutine 1' >&2; exit 2", nil, nil, 2, "envwrap-net crashed: stack overflow"},
		{"an output that cannot be written", "yes", nil, badWriter{}, 0, errIO.Error()},
		{"an input that cannot be read", "cat; echo 'it ends too soon' >&2; exit 1", iotest.ErrReader(errIO), nil, 0, errIO.Error()},
	} {
		call := Call{Program: "/bin/sh", Args: []string{"-c", c.script}, Stdin: c.in, Stdout: c.out}
		got := ""
		err := call.Run(t.Context())
		if err != nil {
			got = err.Error()
		}
		exit, _ := errors.AsType[*Exit](err)
		if got != c.want || (exit != nil) != (c.status != 0) || exit != nil && exit.Status != c.status {
			t.Errorf("%s: got %q, %+v; want %q, status %d", c.name, got, exit, c.want, c.status)
		}
	}
	call := Call{Program: "/no/such/program"}
	if err := call.Run(t.Context()); err == nil || !strings.Contains(err.Error(), `"/no/such/program"`) {
		t.Errorf("a program that is missing: %v", err)
	}
}

// A context that is done kills the companion, and its cause is the error.
func TestRunEndsWithItsContext(t *testing.T) {
	ctx, stop := context.WithCancelCause(t.Context())
	reads, says := io.Pipe()
	go func() {
		_, _ = reads.Read(make([]byte, 1))
		stop(errIO)
	}()
	call := Call{Program: "/bin/sh", Args: []string{"-c", "echo; exec sleep 600"}, Stdout: says}
	if err := call.Run(ctx); !errors.Is(err, errIO) {
		t.Errorf("got %v", err)
	}
}

func TestDecode(t *testing.T) {
	want := Query{Null: true, MaxMemory: 1 << 40, Digest: "sha256:1"}
	var got Query
	if err := Decode(Encode(want), &got); err != nil || got != want {
		t.Errorf("got %+v, %v", got, err)
	}
	if err := Decode(`{"of_a_later_version":1}`, &got); err == nil || !strings.Contains(err.Error(), "have to be of one version") {
		t.Errorf("got %v", err)
	}
}
