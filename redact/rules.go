package redact

import "sync"

// An entry is a literal and what is done where it is found.
type entry struct {
	literal
	find func(v *view, pos int)
}

// A ruleSet is the built-in rules, ready for use.
type ruleSet struct {
	entries []entry
	filter  *prefilter
}

// builtin makes the rule set when it is first needed.
var builtin = sync.OnceValue(newRuleSet)

// keywords begin a search for an assignment.
var keywords = []string{
	"pass", "pwd", "secret", "token", "key", "auth", "cred", "access", "private", "bearer", "cookie", "session", "jwt",
}

func newRuleSet() *ruleSet {
	r := &ruleSet{}
	for i := range tokens {
		t := &tokens[i]
		r.entries = append(r.entries, entry{literal{t.prefix, false}, t.match})
	}
	for _, k := range keywords {
		r.entries = append(r.entries, entry{literal{k, true}, assignment})
	}
	r.entries = append(r.entries,
		entry{literal{"://", false}, urlCredentials},
		entry{literal{"authorization", true}, authorization},
		entry{literal{"-----BEGIN ", false}, privateKey})
	lits := make([]literal, len(r.entries))
	choices := make([][2]windowChoice, len(r.entries))
	for i, e := range r.entries {
		lits[i] = e.literal
		b := uint8(i % buckets)
		choices[i] = [2]windowChoice{{0, b}, {1, b}}
		if len(e.text) < 4 {
			choices[i][1].off = -1
		}
	}
	r.filter = newPrefilter(lits, choices)
	return r
}
