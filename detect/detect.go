// Package detect finds out which coding agent runs a process, from the environment
// variables that agents set for the commands they run.
//
// The answer is a hint, not an authorisation: anybody can set a variable. Only exact
// names count. Variables with a prefix such as CODEX_ or CLINE_ are configuration that
// people export themselves, and an editor in whose terminal a person types is a host,
// not an agent.
//
// The package has no state and reads only its arguments, so all of it is safe for
// concurrent use. A call takes some microseconds, and allocates nothing if no agent is
// found.
package detect

import (
	"strings"
)

// Unknown is the id of an agent that is not in the table, and of none.
const Unknown = "unknown"

// A Result is the calling agent and how it was found out. It has names of variables,
// never their values.
type Result struct {
	Agent string // the agent's id, or Unknown
	Found bool   // there is an agent, possibly an unknown one
	// Raw is the name that an unknown agent gave itself, made safe to print: at most 64
	// of a-z, 0-9, dot, dash and underscore. It is "" for a known one.
	Raw        string
	Signals    []string // names of the variables that identify Agent
	Host       string   // the editor or service that it runs in, or ""
	Ambiguous  bool     // several agents are possible, and it is not known which
	Candidates []string // ids of all possible agents, if there are several
}

// Detect finds the agent from env. ancestors may be nil; it is called only if several
// agents are possible, for instance when one runs inside another. The nearest one is
// then the agent whose variables are missing in the nearest ancestor.
//
// ENVWRAP_AGENT overrides all other variables: none, human, or a false value such as 0
// or no means no agent; any other value is an agent, by its known name or Unknown.
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
	r.Agent, r.Signals = a.id, a.signals(env, nameInEnv(env))
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

// A hosting row is an editor or service in whose terminals people and agents
// type alike.
type hosting struct {
	id    string
	tests []test // one is enough
}

// hosts go from the particular to the general: forks of an editor set its
// variables too, and an editor may run on a service's machine.
var hosts = [...]hosting{
	{"cursor", []test{set("CURSOR_TRACE_ID"), equal("TERM_PROGRAM", "cursor")}},
	{"antigravity", []test{set("ANTIGRAVITY_CLI_ALIAS")}},
	{"windsurf", []test{set("WINDSURF_CASCADE_TERMINAL_KIND")}},
	{"kiro", []test{equal("TERM_PROGRAM", "kiro")}},
	{"zed", []test{set("ZED_TERM"), equal("TERM_PROGRAM", "zed")}},
	{"warp", []test{equal("TERM_PROGRAM", "WarpTerminal")}},
	{"jetbrains", []test{equal("TERMINAL_EMULATOR", "JetBrains-JediTerm")}},
	{"vscode", []test{equal("TERM_PROGRAM", "vscode"), set("VSCODE_INJECTION"), set("VSCODE_IPC_HOOK_CLI")}},
	{"codespaces", []test{set("CODESPACES")}},
	{"replit", []test{set("REPL_ID")}},
	{"firebase-studio", []test{set("MONOSPACE_ENV")}},
	{"bolt", []test{equal("SHELL", "/bin/jsh")}},
}

// host returns the id of the host that env shows, or "".
func host(env Env) string {
	for i := range hosts {
		for _, t := range hosts[i].tests {
			if t.holds(env) {
				return hosts[i].id
			}
		}
	}
	return ""
}
