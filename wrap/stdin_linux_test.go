package wrap

import (
	"os"
	"syscall"
	"testing"
)

// Whether another run would read the same depends on the kind of stdin, and on whether it
// is passed on unchanged.
func TestSourceKind(t *testing.T) {
	open := func(name string) *os.File {
		t.Helper()
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = f.Close() })
		return f
	}
	pipe := func(text string) (reader, writer *os.File) {
		t.Helper()
		reader, writer, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { reader.Close(); writer.Close() })
		if _, err := writer.WriteString(text); err != nil {
			t.Fatal(err)
		}
		return reader, writer
	}
	pair, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	socket, peer := os.NewFile(uintptr(pair[0]), "socket"), os.NewFile(uintptr(pair[1]), "peer")
	defer socket.Close()
	defer peer.Close()
	closed := open(os.DevNull)
	_ = closed.Close()
	idle, _ := pipe("")
	full, writer := pipe("text")
	_ = writer.Close()
	ended, writer := pipe("")
	_ = writer.Close()
	for name, c := range map[string]struct {
		in     Stdin
		source stdinRepeat
		kind   StdinKind
	}{
		"nothing":                    {Stdin{}, stdinSteady, StdinEmpty},
		"a file":                     {Stdin{File: open("/proc/self/exe")}, stdinSeekable, StdinRegular},
		"a file that is not read":    {Stdin{Mode: StdinNull, File: open("/proc/self/exe")}, stdinSteady, StdinEmpty},
		"the null device":            {Stdin{Mode: StdinInherit, File: open(os.DevNull)}, stdinSteady, StdinEmpty},
		"another device":             {Stdin{File: open("/dev/zero")}, stdinSteady, StdinUnknown},
		"a socket":                   {Stdin{Mode: StdinInherit, File: socket}, stdinConsumed, StdinUnknown},
		"a socket that is not given": {Stdin{File: socket}, stdinSteady, StdinEmpty},
		"a pipe":                     {Stdin{File: idle}, stdinConsumed, StdinIdle},
		"a pipe with text":           {Stdin{File: full}, stdinConsumed, StdinUnknown},
		"a pipe that has ended":      {Stdin{File: ended}, stdinConsumed, StdinEmpty},
		"a closed file":              {Stdin{Mode: StdinInherit, File: closed}, stdinSteady, StdinEmpty},
	} {
		if got := newStdinState(c.in).kind; got != c.source {
			t.Errorf("%s: source %d, want %d", name, got, c.source)
		}
		if got := c.in.Kind(); got != c.kind {
			t.Errorf("%s: kind %d, want %d", name, got, c.kind)
		}
	}
}
