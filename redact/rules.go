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
	r := &ruleSet{entries: tokenEntries()}
	for _, k := range keywords {
		r.entries = append(r.entries, entry{literal{k, true}, assignment})
	}
	r.entries = append(r.entries,
		entry{literal{"://", false}, urlCredentials},
		entry{literal{"authorization", true}, authorization},
		entry{literal{"-----BEGIN ", false}, privateKey},
		entry{literal{"eyJ", false}, jwt})
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

// A prefixed is the tokens that begin alike.
type prefixed struct {
	tokens []*token
	rules  []string
}

// tokenEntries makes one entry for each prefix.
func tokenEntries() []entry {
	var entries []entry
	byPrefix := map[string]*prefixed{}
	for _, f := range families() {
		for i := range f.tokens {
			t := &f.tokens[i]
			p := byPrefix[t.prefix]
			if p == nil {
				p = &prefixed{}
				byPrefix[t.prefix] = p
				for _, l := range literalsOf(t.prefix, t.class) {
					entries = append(entries, entry{literal{l, false}, p.find})
				}
			}
			p.tokens, p.rules = append(p.tokens, t), append(p.rules, f.rule)
		}
	}
	return entries
}

// literalsOf is prefix, or where that is too short for a window, prefix with
// every byte that may follow it.
func literalsOf(prefix string, k class) []string {
	if len(prefix) >= 3 {
		return []string{prefix}
	}
	var out []string
	for c := range 256 {
		if is(byte(c), k) {
			out = append(out, prefix+string(rune(c)))
		}
	}
	return out
}

// find marks the longest token at pos.
func (p *prefixed) find(v *view, pos int) {
	if !v.boundary(pos) {
		return
	}
	n, rule := 0, ""
	for i, t := range p.tokens {
		if m := t.match(v, pos); m > n {
			n, rule = m, p.rules[i]
		}
	}
	v.add(pos, pos+n, rule)
}
