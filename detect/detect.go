// Package detect says which coding agent is calling, from the environment
// variables that agents set on the commands they run.
//
// It is a hint, never an authorisation: anybody can set a variable. It looks
// for exact names only. A prefix such as CODEX_ or CLINE_ is configuration that
// people export by hand, and an editor whose terminal a person types in is a
// host, not an agent.
//
// The package has no state and reads nothing but what its caller hands in, so
// all of it may be used concurrently. A call costs some microseconds; where no
// agent is found it allocates nothing.
package detect

import "strings"

// Unknown is the id of an agent that cannot be named, and of none.
const Unknown = "unknown"

// A Result says who is calling and how that was found out. It holds names of
// variables and never their values.
type Result struct {
	Agent string // one of Agents, or Unknown
	Found bool   // there is an agent, be it an unknown one
	// Raw is the name that an unknown agent goes by, made fit to be shown: at
	// most 64 of a-z, 0-9, dot, dash and underscore. "" for a known one.
	Raw        string
	Signals    []string // names of the variables that gave Agent away
	Host       string   // the editor or service around, "" where none is seen
	Ambiguous  bool     // several agents are possible, and nothing says which
	Candidates []string // ids of all that are possible, where there are several
}

// Detect finds the agent from env. ancestors may be nil; it is called only
// where several agents are possible, as when one runs inside another: then the
// agent whose variables are the first to be missing further up is the one that
// is nearest to us.
//
// ENVWRAP_AGENT overrides all: none, human, or a value that says no is no
// agent; any other value is an agent, by its known name or Unknown.
func Detect(env Env, ancestors Ancestors) Result {
	r, ok := overridden(env)
	if !ok {
		r = fromRows(env, ancestors)
	}
	if !r.Found && !ok {
		r = fromGenericNames(env)
	}
	if r.Agent == "" {
		r.Agent = Unknown
	}
	r.Host = host(env)
	return r
}

const override = "ENVWRAP_AGENT"

// overridden reads ENVWRAP_AGENT. It reports false where that is unset, blank,
// or has no letter that a name could have.
func overridden(env Env) (Result, bool) {
	value, _ := env(override)
	value = strings.TrimSpace(value)
	switch {
	case value == "":
		return Result{}, false
	case saysNo(value), strings.EqualFold(value, "none"), strings.EqualFold(value, "human"):
		return Result{Signals: []string{override}}, true
	}
	r := Result{Found: true, Agent: nameOf(value), Signals: []string{override}}
	if r.Agent == "" {
		r.Raw = sanitize(value)
	}
	return r, r.Agent != "" || r.Raw != ""
}

// fromRows takes all rows of the table that match and chooses among them.
func fromRows(env Env, ancestors Ancestors) Result {
	found := matching(env).withoutSuperseded()
	if found.empty() {
		return Result{}
	}
	r := Result{Found: true}
	chosen := found
	if found.several() {
		r.Candidates = found.ids()
		chosen = innermost(found, ancestors)
		r.Ambiguous = chosen.several()
	}
	a := chosen.preferred(env)
	r.Agent, r.Signals = a.id, a.signals(env)
	return r
}

// fromGenericNames reads the variables that say nothing certain. They count
// only where no row matched: a known name in AGENT, then an agent that does not
// name itself, then the profile variables that people also set by hand.
func fromGenericNames(env Env) Result {
	agent, _ := env("AGENT")
	if id := exactNameOf(strings.TrimSpace(agent)); id != "" {
		return Result{Found: true, Agent: id, Signals: []string{"AGENT"}}
	}
	if value, ok := truthy(env, "AI_AGENT"); ok {
		return Result{Found: true, Raw: sanitize(value), Signals: []string{"AI_AGENT"}}
	}
	if strings.TrimSpace(agent) == "1" {
		return Result{Found: true, Signals: []string{"AGENT"}}
	}
	for _, weak := range [...]struct{ variable, id string }{
		{"CODEX_PROFILE", "codex"},
		{"GEMINI_PROFILE", "gemini"},
	} {
		if _, ok := truthy(env, weak.variable); ok {
			return Result{Found: true, Agent: weak.id, Signals: []string{weak.variable}}
		}
	}
	return Result{}
}
