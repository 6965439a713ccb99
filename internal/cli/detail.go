package cli

import (
	"io/fs"
	"os"

	"github.com/envwrap/envwrap/detect"
	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/proc"
	"github.com/envwrap/envwrap/internal/session"
	"github.com/envwrap/envwrap/internal/term"
)

// detail says whether an envelope has all members or is lean (--detail).
type detail int

const (
	detailAuto detail = iota // lean where the agent itself reads stdout
	detailFull
	detailLean
)

func detailWords() []word[detail] {
	return []word[detail]{{"auto", detailAuto}, {"full", detailFull}, {"lean", detailLean}}
}

// of is the detail of an envelope; reads reports whether the agent itself reads
// it.
func (d detail) of(reads bool) envelope.Detail {
	if d == detailLean || d == detailAuto && reads {
		return envelope.DetailLean
	}
	return envelope.DetailFull
}

// budgetFor is the budget in characters, 0 for none. That of an agent binds only
// where the agent itself reads the envelope.
func budgetFor(n int, reads bool, agent string) int {
	switch {
	case n != budgetAuto:
		return n
	case reads:
		return session.BudgetOf(agent)
	}
	return 0
}

// A stdoutReader is who reads our stdout.
type stdoutReader int

const (
	readerUnknown stdoutReader = iota // not looked for yet
	otherReader
	agentReader
)

// stdoutReader finds who reads our stdout, once.
func (w *World) stdoutReader() stdoutReader {
	if w.reader == readerUnknown {
		w.reader = otherReader
		if agent := detect.Detect(w.lookup, w.Ancestors); agent.Found && w.agentReadsAny(agent) {
			w.reader = agentReader
		}
	}
	return w.reader
}

// agentReadsAny is agentReads for a stdout of any kind. An agent may also hand a
// file that it has open, or a terminal of its own making, to the shell that it
// starts; a file that only a shell has open is a redirection, and a terminal that
// is the agent's own stdout has a person before it.
func (w *World) agentReadsAny(agent detect.Result) bool {
	out, err := w.Stdout.Stat()
	if err != nil || w.Callers == nil {
		return false
	}
	terminal := term.IsTerminal(w.Stdout)
	switch {
	case out.Mode()&(fs.ModeNamedPipe|fs.ModeSocket) != 0:
		return w.agentReads(agent)
	case !terminal && !out.Mode().IsRegular():
		return false
	}
	callers, ok := w.Callers()
	if !ok {
		return false
	}
	name := proc.Link(w.Stdout)
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
	return leadsToAgent(capture{out, name}, agent, outerOf(w.lookup), seen)
}
