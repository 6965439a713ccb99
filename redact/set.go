package redact

import "sync"

// A set is what scanners look for: built-in rules, known values, a user's rules. It is
// immutable and safe for concurrent use. Its parts are made when they are first needed.
type set struct {
	builtin  bool
	known    func() *knownSet
	combined func() *combined // nil, or returns nil, where known values are looked for by themselves
	user     func() *userSet  // nil without rules of a user
}

// newSet returns the set of the built-in rules, if they are asked for, known values and
// rules of a user.
func newSet(rules bool, values []knownValue, user []userRule) *set {
	s := &set{builtin: rules}
	s.known = sync.OnceValue(func() *knownSet { return newKnownSet(values) })
	if rules && len(values) > 0 {
		s.combined = sync.OnceValue(func() *combined { return newCombined(s.known()) })
	}
	if len(user) > 0 {
		s.user = sync.OnceValue(func() *userSet { return newUserSet(user) })
	}
	return s
}
