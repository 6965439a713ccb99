// Package below puts envwrap between a coding agent's client and the shell that runs its
// commands. The client judges a command as the model wrote it, by its own rules, path
// checks and sandbox, and envwrap runs what the client then starts.
//
// [Decide] says what to do with a command line that a client started. [Client.Install] and
// [Client.Remove] make the changes of a client's settings that lead it here. What arrives,
// exactly, was measured on Linux with Claude Code 2.1.330, Codex 0.169.0 and Gemini CLI
// 0.61.0.
package below

import (
	"path"
	"strings"

	"github.com/envwrap/envwrap/internal/shared/shell"
)

// An Arrival is a command line that a client started in the place of a shell.
type Arrival struct {
	// Client is the client that starts such lines.
	Client string
	// Argv is the command line of the shell. Its first element is the shell's name or,
	// if the client gave that, its path.
	Argv []string
	// Wrap means that the line is a command of the model, which runs under envwrap.
	// Everything else runs as if envwrap were not there.
	Wrap bool
	// Why says why, in a few words.
	Why string
}

// Decide returns the arrival of a call of envwrap by the name of one of its links, and
// false if that is another name. A call as "bash" is an arrival only if the caller has made
// sure that the link is the one for Gemini CLI.
func Decide(args []string, lookup func(string) (string, bool)) (Arrival, bool) {
	switch path.Base(args[0]) {
	case ClaudeShell:
		return arrivalOfClaude(args[1:], lookup), true
	case CodexShell:
		return arrivalOfCodex(args[1:], lookup), true
	case GeminiShell:
		return arrivalOfGemini(args[1:]), true
	}
	return Arrival{}, false
}

// arrivalOfClaude reads the one argument of the shell prefix. Hooks and MCP servers come the same
// way: a hook that is wrapped does not refuse any more, so in doubt nothing is.
func arrivalOfClaude(args []string, lookup func(string) (string, bool)) Arrival {
	a := Arrival{Client: ClaudeCode, Argv: []string{"bash", "-c"}}
	text := strings.Join(args, " ")
	if strings.Contains(text, "/snapshot-zsh-") {
		a.Argv[0] = "zsh"
	}
	a.Argv = append(a.Argv, text)
	agent, _ := lookup("AI_AGENT")
	switch {
	case len(args) != 1:
		a.Why = "Claude Code gives one argument"
	case strings.HasSuffix(agent, "_harness"):
		a.Why = "AI_AGENT says that it is a hook or a server of the client's"
	case !strings.Contains(text, "eval ") || !endsInDirectory(text):
		a.Why = "it is not in the frame of a command: eval '...' && pwd -P >| FILE"
	default:
		a.Wrap, a.Why = true, "it is in the frame of a command"
	}
	return a
}

// endsInDirectory reports whether a text ends as Claude Code's commands do, by writing the
// shell's directory to a file.
func endsInDirectory(text string) bool {
	const record = " && pwd -P >| "
	i := strings.LastIndex(text, record)
	if i < 0 {
		return false
	}
	file := text[i+len(record):]
	if quoted := strings.Trim(file, "'"); len(quoted) == len(file)-2 {
		return !strings.ContainsAny(quoted, "'\n")
	}
	return file != "" && !strings.ContainsAny(file, " \t\n;&|<>()'\"`$\\")
}

// arrivalOfCodex reads the shell's path, its text, its name and its arguments, as the start-up file
// of bash hands them over.
func arrivalOfCodex(args []string, lookup func(string) (string, bool)) Arrival {
	a := Arrival{Client: Codex}
	if len(args) < 2 {
		a.Argv, a.Why = append([]string{"bash"}, args...), "bash's start-up file gives its path and the text"
		return a
	}
	a.Argv = append([]string{args[0], "-c"}, args[1:]...)
	call, ok := lookup("CODEX_TOOL_CALL_ID")
	switch {
	case !ok || call == "":
		a.Why = "CODEX_TOOL_CALL_ID is not set"
	case strings.HasPrefix(args[1], codexSnapshot):
		a.Why = "it is the snapshot of the user's shell"
	default:
		a.Wrap, a.Why = true, "it is the command of a call"
	}
	return a
}

// arrivalOfGemini reads the arguments of bash.
func arrivalOfGemini(args []string) Arrival {
	a := Arrival{Client: Gemini, Argv: append([]string{"bash"}, args...)}
	if len(args) != 2 || args[0] != "-c" {
		a.Why = "Gemini CLI runs a command as bash -c TEXT"
		return a
	}
	text, err := shell.Parse(args[1], shell.Bash)
	if err == nil {
		if f, ok := text.Frame(); ok && f.Client == "gemini" {
			a.Wrap, a.Why = true, "it is in the frame of a command"
			return a
		}
	}
	if a.Wrap = strings.Contains(args[1], "_bgpids_file=") && strings.HasSuffix(args[1], "\n)\n__code=$?\nexit $__code"); a.Wrap {
		a.Why = "it is in the frame of a command"
		return a
	}
	a.Why = "it is not in the frame of a command: ( trap ... EXIT; ... ); exit $__code"
	return a
}
