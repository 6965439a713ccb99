package blackbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/test/matrix"
	"github.com/envwrap/envwrap/internal/test/testenv"
)

// An end is one of the things that a standard stream can be. open returns the
// child's file and what was written to it, or nil where that cannot be read.
type end struct {
	name   string
	open   func(t *testing.T) (file *os.File, read func() []byte)
	broken bool // nothing can be written to it
}

// An outcome is a command, with envwrap's exit status and the envelope's code.
type outcome struct {
	name   string
	argv   []string
	status int
	code   envelope.Code
}

var outcomes = []outcome{
	{"success", []string{"true"}, 0, ""},
	{"failure", []string{"sh", "-c", "echo out; echo err >&2; exit 3"}, 3, envelope.ERUNTIME},
	{"signal", []string{"sh", "-c", "kill -9 $$"}, 137, envelope.ERUNTIME},
	{"missing", []string{"no-such-program"}, 127, envelope.ENOTFOUND},
	{"timeout", []string{"sleep", "10"}, 124, envelope.ETIMEOUT},
	{"reads stdin", []string{"sh", "-c", "cat; exit 0"}, 0, ""},
}

func inputs() []end {
	return []end{
		{name: "null", open: device("/dev/null", os.O_RDONLY)},
		{name: "file", open: func(t *testing.T) (*os.File, func() []byte) { return fileOf(t, "input"), nil }},
		{name: "ended pipe", open: func(t *testing.T) (*os.File, func() []byte) {
			r, w := pipe(t)
			w.Close()
			return r, nil
		}},
		{name: "open socket", open: func(t *testing.T) (*os.File, func() []byte) {
			a, _ := socketPair(t)
			return a, nil
		}},
		{name: "terminal", open: func(t *testing.T) (*os.File, func() []byte) {
			master, slave := testenv.Terminal(t)
			t.Cleanup(func() { master.Close() })
			return slave, nil
		}},
		{name: "full", open: device("/dev/full", os.O_WRONLY)}, // it cannot be read at all
	}
}

func outputs() []end {
	return []end{
		{name: "null", open: device("/dev/null", os.O_WRONLY)},
		{name: "full", open: device("/dev/full", os.O_WRONLY), broken: true},
		{name: "file", open: func(t *testing.T) (*os.File, func() []byte) {
			f := fileOf(t, "")
			return f, func() []byte { text, _ := os.ReadFile(f.Name()); return text }
		}},
		{name: "pipe", open: func(t *testing.T) (*os.File, func() []byte) {
			r, w := pipe(t)
			return w, collect(r, w)
		}},
		{name: "pipe without reader", open: func(t *testing.T) (*os.File, func() []byte) {
			r, w := pipe(t)
			r.Close()
			return w, nil
		}, broken: true},
		{name: "socket", open: func(t *testing.T) (*os.File, func() []byte) {
			a, b := socketPair(t)
			return a, collect(b, a)
		}},
		{name: "terminal", open: func(t *testing.T) (*os.File, func() []byte) {
			master, slave := testenv.Terminal(t)
			return slave, collect(master, slave)
		}},
	}
}

// For any kind of stdin, stdout and stderr, envwrap ends with the child's status, and with
// an envelope if one can be written.
func TestStandardStreams(t *testing.T) {
	t.Parallel()
	ins, outs := inputs(), outputs()
	for _, at := range matrix.Cases(len(ins), len(outs), len(outs), len(outcomes)) {
		in, out, errs, o := ins[at[0]], outs[at[1]], outs[at[2]], outcomes[at[3]]
		switch {
		case o.name == "reads stdin" && in.name == "terminal":
			continue // nobody types
		case o.name != "failure" && errs.name != "pipe" && errs.name != "full" && matrix.Whole():
			continue // only a command that writes to stderr has to do with it
		}
		t.Run(fmt.Sprintf("%s,%s,%s,%s", in.name, out.name, errs.name, o.name), func(t *testing.T) {
			t.Parallel()
			checkStreams(t, in, out, errs, o)
		})
	}
}

// checkStreams runs envwrap with three streams, and checks its exit status and
// its envelope.
func checkStreams(t *testing.T, in, out, errs end, o outcome) {
	t.Helper()
	stdin, _ := in.open(t)
	defer stdin.Close()
	stdout, read := out.open(t)
	defer stdout.Close()
	stderr, _ := errs.open(t)
	defer stderr.Close()
	status := runWith(t, stdin, stdout, stderr, o.argv)
	if in.name == "full" && o.name == "reads stdin" { // cat cannot read it
		return
	}
	want := o.status
	if out.broken {
		want = 125
	}
	if status != want {
		t.Errorf("exit status %d, want %d", status, want)
	}
	if read != nil {
		checkEnvelope(t, read(), o.code)
	}
}

func runWith(t *testing.T, stdin, stdout, stderr *os.File, argv []string) int {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), hangs)
	defer cancel()
	cmd := exec.CommandContext(ctx, "envwrap", append([]string{"--timeout", "100ms", "--compact", "--"}, argv...)...)
	if argv[0] != "sleep" {
		cmd.Args = append([]string{"envwrap", "--compact", "--"}, argv...)
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, stdout, stderr
	cmd.Env = append(os.Environ(), "NO_COLOR=1")
	err := cmd.Run()
	if ctx.Err() != nil {
		t.Fatal("it hangs")
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode()
}

func checkEnvelope(t *testing.T, text []byte, code envelope.Code) {
	t.Helper()
	d := envelope.Dialects()[0]
	text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")) // a terminal's line ends
	if i := bytes.LastIndex(text, []byte("\x1b[K")); i >= 0 {
		text = text[i+len("\x1b[K"):] // the live line was erased
	}
	if faults := envelope.Validate(d, text, envelope.ValidateOptions{Strict: true}); len(faults) > 0 {
		t.Errorf("%v in %q", faults[0], text)
		return
	}
	res, err := envelope.Decode(d, text)
	if err != nil {
		t.Error(err)
		return
	}
	if res.Outcome.Code != code {
		t.Errorf("code %q, want %q", res.Outcome.Code, code)
	}
}

func device(path string, flag int) func(*testing.T) (*os.File, func() []byte) {
	return func(t *testing.T) (*os.File, func() []byte) {
		f, err := os.OpenFile(path, flag, 0)
		if err != nil {
			t.Fatal(err)
		}
		return f, nil
	}
}

func fileOf(t *testing.T, text string) *os.File {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "f"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	return f
}

func pipe(t *testing.T) (r, w *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	return r, w
}

func socketPair(t *testing.T) (a, b *os.File) {
	t.Helper()
	fds, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	return os.NewFile(uintptr(fds[0]), "a"), os.NewFile(uintptr(fds[1]), "b")
}

// collect reads r, of which other is the far end, while the child runs.
func collect(r, other *os.File) func() []byte {
	text := make(chan []byte, 1)
	go func() {
		all, _ := io.ReadAll(r) // a terminal ends with EIO
		r.Close()
		text <- all
	}()
	return func() []byte {
		other.Close()
		return <-text
	}
}

// On a terminal a person sees colours, unless it has none or they want none.
func TestColours(t *testing.T) {
	for variable, want := range map[string]bool{
		"TERM=xterm": true, "TERM=dumb": false, "TERM=": false, "NO_COLOR=1": false, "CLICOLOR=0": false, "CLICOLOR=1": true,
	} {
		master, slave := testenv.Terminal(t)
		read := collect(master, slave)
		cmd := exec.CommandContext(t.Context(), "envwrap", "--", "true")
		cmd.Env = append(os.Environ(), "NO_COLOR=", "CLICOLOR=", "CLICOLOR_FORCE=", "TERM=xterm", variable)
		cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
		if err := cmd.Run(); err != nil {
			t.Error(err)
		}
		text := read()
		if got := bytes.Contains(text, []byte("\x1b[34m\"status\"")); got != want {
			t.Errorf("%s: colours %v, in %q", variable, got, text)
		}
	}
}
