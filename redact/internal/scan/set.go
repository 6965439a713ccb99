package scan

import (
	"sync"

	"github.com/envwrap/envwrap/redact/internal/known"
)

// A Set is everything that scanners look for: built-in rules, known values, a user's
// rules. It is immutable and safe for concurrent use. Its parts are made when they are
// first needed.
type Set struct {
	builtin  bool
	known    func() *known.Set
	combined func() *combined // nil, or returns nil, if known values are searched for by themselves
	user     func() *userSet  // nil without rules of a user
}

// NewSet returns the set of known values, rules of a user and, if builtin is set, the
// built-in rules.
func NewSet(rules bool, values []known.Value, user []Rule) *Set {
	s := &Set{builtin: rules}
	s.known = sync.OnceValue(func() *known.Set { return known.NewSet(values) })
	if rules && len(values) > 0 {
		s.combined = sync.OnceValue(func() *combined { return newCombined(s.known()) })
	}
	if len(user) > 0 {
		s.user = sync.OnceValue(func() *userSet { return newUserSet(user) })
	}
	return s
}
