package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"github.com/envwrap/envwrap/internal/shared/limitbuf"
)

// A caller runs the envwrap program.
type caller struct{ Config }

// ownVariables are options that would change where or how an envelope is
// written, and so what the server reads.
var ownVariables = [...]string{
	"ENVWRAP", "ENVWRAP_FORMAT", "ENVWRAP_OUTPUT", "ENVWRAP_EMIT", "ENVWRAP_PRETTY", "ENVWRAP_COMPACT", "ENVWRAP_STREAM",
	"ENVWRAP_STREAM_LINES", "ENVWRAP_TEE", "ENVWRAP_WAIT", "ENVWRAP_BUDGET", "ENVWRAP_DETAIL", "ENVWRAP_WHOLE", "ENVWRAP_INLINE_LIMIT",
	"ENVWRAP_STDIN", "ENVWRAP_CWD", "ENVWRAP_PROGRESS", "ENVWRAP_EXIT_CODE",
}

// stopGrace is how long envwrap may take to end a command after a call was
// canceled: its own --kill-after of 5 s, and some.
const stopGrace = 10 * time.Second

// maxAnswer is how many bytes of one answer are read at most.
const maxAnswer = 32 << 20

// A request is one use of the envwrap program.
type request struct {
	args  []string
	env   []string // more variables, NAME=value
	stdin *string  // nil means empty
	most  int      // bytes of stdout; 0 is maxAnswer
}

// errTooLarge says that an answer has more bytes than were asked for.
var errTooLarge = errors.New("the answer is too large")

// An output holds both streams of one use of envwrap, and its exit status.
type output struct {
	stdout []byte
	stderr string // without space at its ends
	status int
}

// run runs envwrap. An end of ctx stops it, and with it the command, by SIGTERM, and so
// does more output than r.most. An exit status is no error.
func (c *caller) run(ctx context.Context, r request) (output, error) {
	limited, stop := context.WithCancel(ctx)
	defer stop()
	cmd := exec.CommandContext(limited, c.Program, r.args...)
	cmd.Dir = c.Dir
	cmd.Env = append(append(c.environ(), c.callerIn(ctx).Variable()), r.env...)
	cmd.Cancel = func() error { return interrupt(cmd.Process) }
	cmd.WaitDelay = stopGrace
	if r.stdin != nil {
		cmd.Stdin = strings.NewReader(*r.stdin)
	}
	if r.most == 0 {
		r.most = maxAnswer
	}
	out := limitbuf.NewBuffer(r.most)
	complaints := limitbuf.NewBuffer(16 << 10)
	cmd.Stdout, cmd.Stderr = stoppingWriter{out, stop}, complaints
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return output{}, ctx.Err()
	case out.Over():
		err = errTooLarge
	case errors.As(err, &exit):
		err = nil
	case err != nil:
		return output{}, fmt.Errorf("run envwrap: %w", err)
	}
	return output{out.Bytes(), strings.TrimSpace(complaints.String()), cmd.ProcessState.ExitCode()}, err
}

// A stoppingWriter writes to a buffer, and calls stop when that is full.
type stoppingWriter struct {
	*limitbuf.Buffer
	stop func()
}

func (w stoppingWriter) Write(p []byte) (int, error) {
	n, err := w.Buffer.Write(p)
	if w.Over() {
		w.stop()
	}
	return n, err
}

// complaint returns what envwrap said on stderr of what it was asked for: not the
// warnings that any use of the store gives in this place.
func (c *caller) complaint(ctx context.Context, o output) string {
	said := o.stderr
	if said != "" {
		if other, err := c.run(ctx, request{args: []string{"artifact", "ls", "-n", "1"}}); err == nil {
			said = strings.TrimSpace(strings.TrimPrefix(said, other.stderr))
		}
	}
	if at := strings.LastIndex(said, "\nSee `envwrap help "); at >= 0 {
		said = said[:at] // a model that calls tools has no such page
	}
	return strings.TrimPrefix(said, "envwrap: ")
}

// masked returns text as envwrap redact prints it. If that fails, it returns why instead.
func (c *caller) masked(ctx context.Context, text string) string {
	o, err := c.run(ctx, request{args: []string{"redact"}, stdin: &text})
	switch {
	case ctx.Err() != nil: // by the client, or the server ends
		return "the call was canceled"
	case err != nil: // it names the program, not the text
		return "the secrets in the answer could not be masked: " + err.Error()
	case o.status != 0:
		return "envwrap could not mask the secrets in its answer"
	}
	return string(o.stdout)
}

// environ returns the environment without the options that are the server's.
func (c *caller) environ() []string {
	kept := make([]string, 0, len(c.Environ))
	for _, pair := range c.Environ {
		name, _, _ := strings.Cut(pair, "=")
		own := false
		for _, variable := range ownVariables {
			own = own || name == variable
		}
		if !own {
			kept = append(kept, pair)
		}
	}
	return kept
}

// interrupt asks envwrap to stop its command. Where there are no signals it is
// ended.
func interrupt(p *os.Process) error {
	if err := p.Signal(syscall.SIGTERM); err == nil || errors.Is(err, os.ErrProcessDone) {
		return err
	}
	return p.Kill()
}
