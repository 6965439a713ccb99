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

// truthy looks up a variable whose value, without blanks around it, does not
// say no.
func truthy(env Env, name string) (string, bool) {
	value, ok := env(name)
	if !ok {
		return "", false
	}
	value = strings.TrimSpace(value)
	return value, !saysNo(value)
}

// saysNo reports whether a value is as good as none: wrappers clear a variable
// by setting it to nothing, and people by a word.
func saysNo(value string) bool {
	switch len(value) {
	case 0:
		return true
	case 1, 2, 3, 5:
		for _, no := range [...]string{"0", "no", "off", "false"} {
			if strings.EqualFold(value, no) {
				return true
			}
		}
	}
	return false
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

// signals returns the names of the variables that mark the agent in env.
func (a *agent) signals(env Env) []string {
	names := make([]string, 0, 8)
	for _, m := range a.markers {
		if !m.holds(env) {
			continue
		}
		for _, t := range m {
			names = appendNew(names, t.variable)
		}
	}
	if nameInEnv(env) == a.id {
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
