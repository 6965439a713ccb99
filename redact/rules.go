package redact

import "sync"

// An entry is a literal and what is done where it is found.
type entry struct {
	literal
	quick func(b []byte, pos, end int) bool // whether it is worth a look
	find  func(v *view, pos int)
}

// A ruleSet is the built-in rules, ready for use.
type ruleSet struct {
	entries []entry
	filter  *prefilter
}

// builtin makes the rule set when it is first needed.
var builtin = sync.OnceValue(newRuleSet)

// find appends what is worth a look in b to hits.
func (r *ruleSet) find(hits []hit, b []byte) []hit {
	from := len(hits)
	hits = r.filter.find(hits, b)
	kept := hits[:from]
	for _, h := range hits[from:] {
		if e := &r.entries[h.lit]; e.quick(b, h.pos, h.pos+len(e.text)) {
			kept = append(kept, h)
		}
	}
	return kept
}

//go:generate go test -run=TestWindows -generate

func newRuleSet() *ruleSet {
	r := &ruleSet{entries: newEntries()}
	r.filter = newPrefilter(windowsOf(r.entries))
	return r
}

// newEntries lists the literals of all rules. Each needs three bytes or more.
func newEntries() []entry {
	entries := tokenEntries()
	on := func(text string, fold bool, find func(*view, int)) {
		entries = append(entries, entry{literal{text, fold}, always, find})
	}
	for i := range keywords {
		k := &keywords[i]
		entries = append(entries, entry{literal{k.text, true}, k.quick, assignment})
	}
	for i := range infixes {
		x := &infixes[i]
		if len(x.literal) >= 3 {
			on(x.literal, false, x.find)
			continue
		}
		for d := byte('0'); d <= '9'; d++ {
			on(string(d)+x.literal, false, func(v *view, pos int) { x.find(v, pos+1) })
		}
	}
	for i := range webhooks {
		on(webhooks[i].literal, false, webhooks[i].find)
	}
	for i := range programs {
		on(programs[i].name+" ", true, programs[i].commandLine)
	}
	on("://", false, urlCredentials)
	on("authorization", true, authorization)
	on("bearer ", true, bearer)
	on("-----BEGIN ", false, privateKey)
	on("machine ", false, netrc)
	on(":5432:", false, pgpass)
	on("cookie:", true, cookies)
	on("identified", true, identifiedBy)
	on(`"kty"`, false, jwk)
	entries = append(entries,
		entry{literal{"apiVersion", false}, lineStart, apiVersion},
		entry{literal{"kind", false}, lineStart, kind})
	on("---- BEGIN ", false, privateKey)
	on("Private-Lines:", false, puttyKey)
	for _, k := range []string{"MII", "MHcCAQEE", "MIGHAgEA", "MIGkAgEB", "MIGTAgEA", "MC4CAQAw", "MIHcAgEB", "MFECAQEw", "MIG2AgEA", "MIHuAgEA"} {
		on(k, false, derKey)
	}
	on("LS0tLS1CRUdJTi", false, pem64)
	on("eyJ", false, jwt)
	on("ZXlK", false, jwt64)
	for _, h := range hashes {
		on("$"+h.id+"$", false, cryptHash)
	}
	return entries
}

// A windowRecord is the windows of a literal, as chosen by go generate.
type windowRecord struct {
	text    string
	choices [2]windowChoice
}

// windowsOf lists the literals of entries with their windows. One that has
// none on record gets those at its start.
func windowsOf(entries []entry) ([]literal, [][2]windowChoice) {
	lits := make([]literal, len(entries))
	choices := make([][2]windowChoice, len(entries))
	for i, e := range entries {
		lits[i] = e.literal
		if i < len(windows) && windows[i].text == e.text {
			choices[i] = windows[i].choices
			continue
		}
		choices[i] = firstWindows(i)
	}
	return lits, choices
}

// firstWindows are the windows at the start of the literal i, for one that has
// none on record.
func firstWindows(i int) [2]windowChoice {
	return [2]windowChoice{{0, uint8(i % buckets)}, {-1, uint8(i % buckets)}}
}

// A prefixed is the tokens that begin alike.
type prefixed struct {
	tokens []*token
	rules  []string
}

// tokenEntries makes one entry for each prefix.
func tokenEntries() []entry {
	entries := make([]entry, 0, len(windows)+len(windows)/8)
	byPrefix := make(map[string]*prefixed, len(windows)/2)
	for _, f := range families() {
		for i := range f.tokens {
			t := &f.tokens[i]
			p := byPrefix[t.prefix]
			if p == nil {
				p = &prefixed{}
				byPrefix[t.prefix] = p
				for _, l := range literalsOf(t.prefix, t.class) {
					entries = append(entries, entry{literal{l, false}, p.quick, p.find})
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
	if n == 0 {
		return
	}
	v.add(pos, pos+n, rule)
	if size := pairOf(rule); size > 0 {
		v.next.pair = partner{size: size, lines: maxPairLines}
		v.secretOf(v.next.pair, pos+n)
	}
}
