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
	"pass", "pwd", "secret", "token", "key", "auth", "cred", "access", "private", "session", "jwt",
	"pw:", "pw=", "pw\"", "_pw", "_pat", "-pat", "sig=", "signature", "salt", "nonce", "license", "mnemonic", "otp",
	"dsn", "xsrf", "csrf", "sid=", "pswd", "psw", "senha", "sonar", "secure:", "kennwort", "seed", "_sas", "_hmac", "tkn", "webhook",
}

func newRuleSet() *ruleSet {
	r := &ruleSet{entries: tokenEntries()}
	on := func(text string, fold bool, find func(*view, int)) {
		r.entries = append(r.entries, entry{literal{text, fold}, find})
	}
	for _, k := range keywords {
		on(k, true, assignment)
	}
	for i := range infixes {
		on(infixes[i].literal, false, infixes[i].find)
	}
	for i := range webhooks {
		on(webhooks[i].literal, false, webhooks[i].find)
	}
	seen := map[string]bool{}
	for _, f := range flags {
		if !seen[f.program] {
			seen[f.program] = true
			on(f.program+" ", true, commandLine)
		}
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
	on("apiVersion", false, apiVersion)
	on("kind", false, kind)
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
	r.filter = newPrefilter(literalsOfEntries(r.entries))
	return r
}

// literalsOfEntries lists the literals, with a window for each.
func literalsOfEntries(entries []entry) ([]literal, [][2]windowChoice) {
	lits := make([]literal, len(entries))
	choices := make([][2]windowChoice, len(entries))
	for i, e := range entries {
		lits[i] = e.literal
		b := uint8(i % buckets)
		choices[i] = [2]windowChoice{{0, b}, {1, b}}
		if len(e.text) < 4 {
			choices[i][1].off = -1
		}
	}
	return lits, choices
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
	if n == 0 {
		return
	}
	v.add(pos, pos+n, rule)
	if size := pairOf(rule); size > 0 {
		v.pair = partner{size: size, lines: maxPairLines}
		v.secretOf(v.pair, pos+n)
	}
}
