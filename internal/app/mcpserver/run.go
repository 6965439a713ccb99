package mcpserver

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A span is a duration in an argument: seconds, or a text such as "5m". nil
// pointers are durations that were not given.
type span time.Duration

// UnmarshalJSON reads a number of seconds or a duration.
func (s *span) UnmarshalJSON(raw []byte) error {
	var seconds float64
	if json.Unmarshal(raw, &seconds) == nil {
		if seconds < 0 || seconds > 1e6 {
			return fmt.Errorf("%s seconds: give 0 to 1000000", raw)
		}
		*s = span(seconds * float64(time.Second))
		return nil
	}
	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		return fmt.Errorf("%s is no duration: give seconds, or a text such as \"5m\"", raw)
	}
	if n, err := strconv.ParseFloat(text, 64); err == nil && n >= 0 && n <= 1e6 {
		*s = span(n * float64(time.Second))
		return nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		return fmt.Errorf("%q is no duration: give seconds, or a text such as \"5m\"", text)
	}
	*s = span(d)
	return nil
}

func (s span) String() string { return time.Duration(s).String() }

// command are the arguments that run and shell share.
type command struct {
	Cwd     string            `json:"cwd"`
	Env     map[string]string `json:"env"`
	Stdin   *string           `json:"stdin"`
	Timeout *span             `json:"timeout"`
	Wait    *span             `json:"wait"`
	Cache   *span             `json:"cache"`
}

type runInput struct {
	Argv []string `json:"argv"`
	command
}

type shellInput struct {
	Command string `json:"command"`
	command
}

func (c *caller) runTool(ctx context.Context, req *mcp.CallToolRequest, in runInput) ([]byte, error) {
	return c.start(ctx, req, in.Argv, in.command)
}

func (c *caller) shellTool(ctx context.Context, req *mcp.CallToolRequest, in shellInput) ([]byte, error) {
	return c.start(ctx, req, []string{"bash", "-c", in.Command}, in.command)
}

// start runs a command, in the foreground for a while or as a job from the
// beginning.
func (c *caller) start(ctx context.Context, req *mcp.CallToolRequest, argv []string, in command) ([]byte, error) {
	for i, arg := range argv {
		if strings.IndexByte(arg, 0) >= 0 {
			return nil, fmt.Errorf("argv[%d] has a NUL byte, which no argument of a program can hold: pass the bytes as stdin", i)
		}
	}
	r := request{stdin: in.Stdin}
	var err error
	if r.env, err = in.variables(); err != nil {
		return nil, err
	}
	wait := c.Wait
	if in.Wait != nil {
		wait = min(wait, time.Duration(*in.Wait))
	}
	options := c.common()
	if wait == 0 {
		r.args = append([]string{"job", "submit"}, options...)
	} else {
		r.args = append([]string{"run", "--wait", wait.String()}, options...)
	}
	r.args = append(r.args, in.options()...)
	r.args = append(append(r.args, "--"), argv...)
	defer c.progress(ctx, req)()
	return c.envelope(ctx, r)
}

// common returns the options of all commands.
func (c *caller) common() []string {
	return []string{
		"--format", "protocol/v1", "--compact", "--budget", "0", "--inline-limit", strconv.Itoa(c.Inline),
		"--on-overflow", "truncate", "--non-interactive",
	}
}

func (in *command) options() []string {
	options := []string{"--stdin", "null"}
	if in.Stdin != nil {
		options[1] = "inherit"
	}
	if in.Cwd != "" {
		options = append(options, "--cwd", in.Cwd)
	}
	if in.Timeout != nil && *in.Timeout > 0 {
		options = append(options, "--timeout", in.Timeout.String())
	}
	if in.Cache != nil && *in.Cache > 0 {
		options = append(options, "--cache", in.Cache.String())
	}
	return options
}

// variables returns the variables for the command. Those that are envwrap's options
// are refused: they would be taken for them.
func (in *command) variables() ([]string, error) {
	var env []string
	for name, value := range in.Env {
		switch {
		case name == "" || strings.ContainsAny(name, "=\x00"):
			return nil, fmt.Errorf("env: %q is no name of a variable", name)
		case strings.IndexByte(value, 0) >= 0:
			return nil, fmt.Errorf("env: the value of %q has a NUL byte", name)
		case strings.HasPrefix(name, "ENVWRAP"):
			return nil, fmt.Errorf("env: %q is an option of envwrap; it is set where the server is configured", name)
		}
		env = append(env, name+"="+value)
	}
	return env, nil
}

// envelope runs envwrap and returns the envelope that it printed.
func (c *caller) envelope(ctx context.Context, r request) ([]byte, error) {
	o, err := c.run(ctx, r)
	if err != nil {
		return nil, err
	}
	if doc := bytes.TrimSpace(o.stdout); len(doc) > 0 {
		return doc, nil
	}
	return nil, errors.New(cmp.Or(o.stderr, "envwrap printed nothing"))
}

// progressEvery is how often a client that asked for progress hears of a call.
const progressEvery = 5 * time.Second

// progress notifies the client of a call that takes its time, until the
// function that it returns is called.
func (c *caller) progress(ctx context.Context, req *mcp.CallToolRequest) (end func()) {
	token := req.Params.GetProgressToken()
	if token == nil {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		ticker := time.NewTicker(progressEvery)
		defer ticker.Stop()
		for elapsed := time.Duration(0); ; elapsed += progressEvery {
			if req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
				ProgressToken: token,
				Progress:      elapsed.Seconds(),
				Message:       fmt.Sprintf("it has run for %s", elapsed),
			}) != nil {
				return
			}
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			}
		}
	}()
	return func() {
		cancel()
		<-done
	}
}
