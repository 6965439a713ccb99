package cli

import (
	"io/fs"
	"iter"
	"os"
	"strings"

	"github.com/envwrap/envwrap/detect"
	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/toolanswer"
	"github.com/envwrap/envwrap/internal/platform/proc"
	"github.com/envwrap/envwrap/internal/shared/term"
)

// AgentReadsStdout reports whether the calling agent reads stdout itself. It finds out
// once.
func (env *Env) AgentReadsStdout() bool {
	if env.AgentReads == nil {
		agent := detect.Detect(env.Lookup, env.Ancestors)
		env.AgentReads = new(agent.Found && env.ToolFormat() == nil && env.agentReadsAny(agent))
	}
	return *env.AgentReads
}

// ToolFormat returns the format in which a server of tools, which reads stdout, sends the
// answer on to its client's model; nil if no server runs this process.
func (env *Env) ToolFormat() envelope.Dialect {
	caller, _ := toolanswer.CallerOf(env.Lookup)
	return caller.Format
}

// Shown returns how many bytes the caller is shown of n bytes of doc, which were printed: all, or
// what a server of tools makes of them.
func (env *Env) Shown(doc []byte, n int) int {
	if format := env.ToolFormat(); format != nil && n == len(doc) {
		return toolanswer.Shown(format, doc)
	}
	return n
}

// AgentReadsPipe reports whether the agent itself reads the bytes written to stdout. Only
// a pipe or a socket can be an agent's capture: a file stores the bytes, and a terminal
// may have a person before it. A named FIFO was named by somebody else who reads it;
// some shells (dash) have it as their own stdout while they run a command with that
// redirection.
func (env *Env) AgentReadsPipe(agent detect.Result) bool {
	out, err := env.Stdout.Stat()
	if err != nil || out.Mode()&(fs.ModeNamedPipe|fs.ModeSocket) == 0 || env.Callers == nil {
		return false
	}
	name := proc.Link(env.Stdout)
	callers, ok := env.Callers()
	return ok && !strings.HasPrefix(name, "/") && leadsToAgent(capture{out, name}, agent, enclosingRun(env.Lookup), callers)
}

// agentReadsAny is AgentReadsPipe for a stdout of any kind. An agent may also hand a
// file that it has open, or a terminal of its own making, to the shell that it
// starts; a file that only a shell has open is a redirection, and a terminal that
// is the agent's own stdout has a person before it.
func (env *Env) agentReadsAny(agent detect.Result) bool {
	out, err := env.Stdout.Stat()
	if err != nil || env.Callers == nil {
		return false
	}
	terminal := term.IsTerminal(env.Stdout)
	switch {
	case out.Mode()&(fs.ModeNamedPipe|fs.ModeSocket) != 0:
		return env.AgentReadsPipe(agent)
	case !terminal && !out.Mode().IsRegular():
		return false
	}
	callers, ok := env.Callers()
	if !ok {
		return false
	}
	name := proc.Link(env.Stdout)
	seen := func(yield func(caller) bool) {
		for c := range callers {
			if own := c.stdout != nil && os.SameFile(out, c.stdout); own && c.isAgent(agent) {
				c.stdout, c.reads = nil, func(string) bool { return false }
			} else if c.isAgent(agent) {
				has := c.has
				c.reads = func(string) bool { return terminal || has != nil && has(name) }
			}
			if !yield(c) {
				return
			}
		}
	}
	return leadsToAgent(capture{out, name}, agent, enclosingRun(env.Lookup), seen)
}

// A capture describes the file that our stdout is open on.
type capture struct {
	fs.FileInfo
	name string // as proc.Link has it
}

// leadsToAgent walks up from the parent to the agent. The agent has captured
// stdout if all processes between have it for their own: one that has another
// is a pipeline, a substitution, or a program that reads us for itself. The
// first process without the agent's variables is the agent, unless it is a
// shell or the like: variables may have been set there, or by it. An agent that
// has no end of the pipe, and has it not for its own stdout, reads something
// else: a shell gave its stdout to another program for good (exec > >(tee log)).
// The envwrap that runs us, if enclosing is not 0, reads us for itself.
func leadsToAgent(out capture, agent detect.Result, enclosing int, callers iter.Seq[caller]) bool {
	for c := range callers {
		if c.pid == enclosing {
			return false
		}
		same := c.stdout != nil && os.SameFile(out.FileInfo, c.stdout)
		if c.isAgent(agent) {
			return same || c.reads == nil || c.reads(out.name)
		}
		if !same {
			return false
		}
	}
	return true
}
