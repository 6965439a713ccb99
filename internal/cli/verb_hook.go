package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/envwrap/envwrap/internal/hook"
)

// hookVerb leads to the verbs that agents call before they run a command.
func hookVerb(*World) *verb {
	return &verb{
		name:    "hook",
		args:    "AGENT",
		summary: "answer an agent that is about to run a command",
		text:    "An agent calls it by itself; docs/agents.md has the settings.",
		example: "envwrap hook claude-code <event.json",
		verbs:   []row{{"claude-code", hookClaudeVerb}},
	}
}

func hookClaudeVerb(*World) *verb {
	var allow bool
	return &verb{
		name:    "claude-code",
		summary: "make a Bash command of Claude Code run under envwrap",
		text: `It reads a PreToolUse event on stdin. Where the command is one program with its
arguments, it answers with the command that runs it under envwrap, and leaves the
decision about it to Claude Code. Pipelines, here-documents, redirections, interactive
programs, commands in the background and all that it does not understand stay as
they are: it then answers nothing. So does every command that your permission rules
do not allow as it is, or that a rule which denies or asks could match, and all of
them where rules may be that cannot be read.`,
		example: "envwrap hook claude-code <event.json",
		options: []*option{
			{name: "allow", noEnv: true, help: "approve what is rewritten, so that Claude Code does not ask", set: into(&allow, boolean)},
		},
		run: func(_ context.Context, c *call) error {
			if err := c.noWords(); err != nil {
				return err
			}
			return c.hookClaude(allow)
		},
	}
}

// A toolEvent is what is read of Claude Code's PreToolUse event (its reference
// of hooks, "PreToolUse input").
type toolEvent struct {
	Event string                     `json:"hook_event_name"`
	Tool  string                     `json:"tool_name"`
	Input map[string]json.RawMessage `json:"tool_input"`
	Dir   string                     `json:"cwd"`
}

// A toolAnswer changes the tool's input. The input stands for the old one as a
// whole.
type toolAnswer struct {
	Output struct {
		Event    string                     `json:"hookEventName"`
		Decision string                     `json:"permissionDecision,omitempty"`
		Reason   string                     `json:"permissionDecisionReason,omitempty"`
		Input    map[string]json.RawMessage `json:"updatedInput"`
	} `json:"hookSpecificOutput"`
}

// hookClaude answers one event. It never ends with 2, by which a hook forbids
// the command.
func (c *call) hookClaude(allow bool) error {
	event, err := c.readEvent()
	if err != nil {
		return fmt.Errorf("read the PreToolUse event: %w", err)
	}
	command, ok := event.rewritten(c.World)
	if !ok {
		return nil
	}
	event.Input["command"] = command
	var answer toolAnswer
	answer.Output.Event, answer.Output.Input = "PreToolUse", event.Input
	if allow {
		answer.Output.Decision, answer.Output.Reason = "allow", "it runs under envwrap"
	}
	return c.answerJSON(answer)
}

func (c *call) readEvent() (*toolEvent, error) {
	if c.Stdin == nil {
		return nil, errors.New("stdin is closed")
	}
	text, err := io.ReadAll(io.LimitReader(c.Stdin, requestLimit))
	if err != nil {
		return nil, cause(err)
	}
	event := &toolEvent{}
	if err := json.Unmarshal(text, event); err != nil {
		return nil, errors.New("stdin is no such JSON object")
	}
	return event, nil
}

// rewritten is the event's command as it runs under envwrap; false where it
// stays as it is. In the background its output is read as it comes, which an
// envelope would keep back.
func (e *toolEvent) rewritten(w *World) (json.RawMessage, bool) {
	var line string
	var background bool
	if e.Tool != "Bash" || e.Event != "PreToolUse" || json.Unmarshal(e.Input["command"], &line) != nil {
		return nil, false
	}
	_ = json.Unmarshal(e.Input["run_in_background"], &background) // absent is false
	if background {
		return nil, false
	}
	rules, err := w.claudeRules(e.Dir)
	if err != nil || !rules.Permit(line) {
		return nil, false
	}
	line, ok := hook.Rewrite(line, func(program string) bool { return w.isProgram(e.Dir, program) })
	if !ok {
		return nil, false
	}
	text, err := json.Marshal(line)
	return text, err == nil
}

// isProgram reports whether a name is that of a program file, on PATH or seen
// from dir.
func (w *World) isProgram(dir, name string) bool {
	executable := func(path string) bool {
		info, err := os.Stat(path)
		return err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o111 != 0
	}
	if filepath.Base(name) != name {
		if !filepath.IsAbs(name) {
			name = filepath.Join(firstOf(dir, w.directory()), name)
		}
		return executable(name)
	}
	path, _ := w.lookup("PATH")
	for _, d := range filepath.SplitList(path) {
		if executable(filepath.Join(d, name)) {
			return true
		}
	}
	return false
}
