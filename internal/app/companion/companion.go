// Package companion calls the companion program, envwrap-net, which links the
// libraries that envwrap does not: those for the network, and those that start slowly.
package companion

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync/atomic"
	"time"

	"github.com/envwrap/envwrap/internal/platform/launch"
	"github.com/envwrap/envwrap/internal/shared/limitbuf"
)

// Exit statuses of the companion, beside 1 for any other failure and 2 for wrong usage.
const (
	StatusNotFound   = 3 // the remote does not have the object
	StatusExpression = 4 // the jq expression is not valid
	StatusUnreached  = 5 // the remote could not be reached
)

// A Call is one call of the companion.
type Call struct {
	Program string // its path
	Args    []string
	Environ []string
	Stdin   io.Reader // nil is an empty input
	Stdout  io.Writer // nil discards the output

	// Linger limits how long its descendants may keep its pipes open after it has ended;
	// 0 is no limit, which a slow Stdout needs.
	Linger time.Duration
}

// An Exit means that the companion failed. Its text is the companion's message.
type Exit struct {
	Status int // -1 if a signal ended it
	text   string
}

func (e *Exit) Error() string { return e.text }

// complaintLimit is the most that is kept of the companion's stderr, in bytes.
const complaintLimit = 4 << 10

// Run runs the companion until it ends. A ctx that is done kills it. The error is, in
// this order, that of Stdout, that of Stdin, the cause of ctx, or an [Exit].
func (c *Call) Run(ctx context.Context) error {
	cmd := exec.CommandContext(ctx, c.Program, c.Args...)
	complaint := limitbuf.NewBuffer(complaintLimit)
	cmd.Env, cmd.Stderr = c.Environ, complaint
	cmd.WaitDelay = c.Linger
	launch.EndWithParent(cmd)
	in, out := &input{r: c.Stdin}, &sink{w: c.Stdout}
	if c.Stdin != nil {
		cmd.Stdin = in
	}
	if c.Stdout != nil {
		cmd.Stdout = out
	}
	err := launch.Run(ctx, cmd)
	exit, ended := errors.AsType[*exec.ExitError](err)
	switch {
	case out.err() != nil:
		return out.err()
	case in.err() != nil:
		return in.err()
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case !ended:
		return fmt.Errorf("run %q: %w", c.Program, err)
	}
	text := message(complaint.String())
	if text == "" {
		text = fmt.Sprintf("run %q: %v", c.Program, err)
	}
	return &Exit{exit.ExitCode(), text}
}

// message returns the error that the companion printed on stderr.
func message(stderr string) string {
	text := strings.TrimSpace(stderr)
	for _, prefix := range []string{"envwrap-net: ", "envwrap: "} {
		text = strings.TrimPrefix(text, prefix)
	}
	if _, fault, crashed := strings.Cut(text, "fatal error: "); crashed { // of the Go runtime, before the stacks
		fault, _, _ = strings.Cut(fault, "\n")
		return "envwrap-net crashed: " + fault
	}
	return text
}

// An input keeps the error of reading, which the companion sees as the end of its input.
type input struct {
	r io.Reader
	fault
}

func (s *input) Read(b []byte) (int, error) {
	n, err := s.r.Read(b)
	if !errors.Is(err, io.EOF) {
		s.keep(err)
	}
	return n, err
}

// A sink keeps the error of writing, which ends the companion by a broken pipe.
type sink struct {
	w io.Writer
	fault
}

func (s *sink) Write(b []byte) (int, error) {
	n, err := s.w.Write(b)
	s.keep(err)
	return n, err
}

// A fault is an error that another goroutine keeps.
type fault struct{ kept atomic.Pointer[error] }

func (f *fault) keep(err error) {
	if err != nil {
		f.kept.Store(&err)
	}
}

func (f *fault) err() error {
	if err := f.kept.Load(); err != nil {
		return *err
	}
	return nil
}

// Encode returns settings as an argument for the companion.
func Encode(settings any) string {
	text, err := json.Marshal(settings)
	if err != nil { // strings, numbers and booleans only
		panic(err)
	}
	return string(text)
}

// Decode reads settings that Encode encoded.
func Decode(text string, settings any) error {
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(settings); err != nil {
		return fmt.Errorf("read settings: %w; envwrap and envwrap-net have to be of one version", err)
	}
	return nil
}
