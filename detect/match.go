package detect

import (
	"slices"
	"strings"
)

// A test asks one question about one variable.
type test struct {
	variable string
	how      how
	text     string
}

type how int

const (
	isSet     how = iota // the value does not say no
	isEqual              // the value is text
	hasInside            // the value has text somewhere
)

func (t test) holds(env Env) bool {
	value, ok := truthy(env, t.variable)
	if !ok {
		return false
	}
	switch t.how {
	case isEqual:
		return value == t.text
	case hasInside:
		return strings.Contains(value, t.text)
	}
	return true
}

func (m marker) holds(env Env) bool {
	for _, t := range m {
		if !t.holds(env) {
			return false
		}
	}
	return true
}

// marks reports whether env has one of the agent's markers. named is the id
// that AI_AGENT gives there.
func (a *agent) marks(env Env, named string) bool {
	if a.id == named {
		return true
	}
	for _, m := range a.markers {
		if m.holds(env) {
			return true
		}
	}
	return false
}

// signals returns the names of the variables that mark the agent in env, where AI_AGENT
// names the agent with the id named.
func (a *agent) signals(env Env, named string) []string {
	names := make([]string, 0, 8)
	for _, m := range a.markers {
		if !m.holds(env) {
			continue
		}
		for _, t := range m {
			names = appendNew(names, t.variable)
		}
	}
	if named == a.id {
		names = append(names, "AI_AGENT")
	}
	return names
}

func appendNew(names []string, name string) []string {
	if slices.Contains(names, name) {
		return names
	}
	return append(names, name)
}

func set(variable string) test            { return test{variable, isSet, ""} }
func equal(variable, text string) test    { return test{variable, isEqual, text} }
func contains(variable, text string) test { return test{variable, hasInside, text} }

// An agent is one row: the variables that it sets on the commands it runs.
type agent struct {
	id string
	// markers are alternatives; each is a list of tests that must all hold.
	// A name of the agent in AI_AGENT is a marker too, and is in no row.
	markers []marker
	over    []string // ids of agents whose markers this one sets as well
	lowest  bool     // any other agent is nearer than this one
	source  string   // who says so
	note    string   // what must not be taken for a marker
}

type marker []test
