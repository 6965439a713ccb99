package gitleaks

import (
	"math"
	"regexp"
	"strings"
	"sync"
)

// A finder is a rule at work.
type finder struct {
	regex   func() *regexp.Regexp
	group   int
	entropy float64
	allowed []allowed
}

func newFinder(r *rule, lists []allowlist) *finder {
	f := &finder{regex: lazily(*r.Regex), group: r.SecretGroup, entropy: r.Entropy}
	for _, a := range lists {
		f.allowed = append(f.allowed, newAllowed(a))
	}
	return f
}

// lazily compiles an expression that parses when it is first needed. One that
// does not compile all the same matches nothing.
func lazily(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp {
		re, err := regexp.Compile(expr)
		if err != nil {
			return nothing()
		}
		return re
	})
}

// nothing is an expression that matches nothing.
func nothing() *regexp.Regexp { return regexp.MustCompile(`[^\x00-\x{10FFFF}]`) }

// find calls found with the bounds of each secret in text.
func (f *finder) find(text []byte, found func(start, end int)) {
	for _, m := range f.regex().FindAllSubmatchIndex(text, -1) {
		start, end := f.secret(m)
		if start < 0 || start == end {
			continue
		}
		secret := text[start:end]
		if f.entropy > 0 && entropy(secret) <= f.entropy {
			continue
		}
		if !f.allows(string(secret), string(text[m[0]:m[1]]), text) {
			found(start, end)
		}
	}
}

// secret are the bounds of the secret in a match: those of the group that the
// rule names, else of the first that took part, else of all of it.
func (f *finder) secret(m []int) (start, end int) {
	if f.group > 0 {
		return m[2*f.group], m[2*f.group+1]
	}
	for i := 2; i < len(m); i += 2 {
		if m[i] >= 0 && m[i] < m[i+1] {
			return m[i], m[i+1]
		}
	}
	return m[0], m[1]
}

func (f *finder) allows(secret, match string, line []byte) bool {
	for i := range f.allowed {
		if f.allowed[i].allows(secret, match, line) {
			return true
		}
	}
	return false
}

// entropy is Shannon's, in bits a character.
func entropy(b []byte) float64 {
	var counts [256]int
	for _, c := range b {
		counts[c]++
	}
	e := 0.0
	for _, n := range counts {
		if n > 0 {
			p := float64(n) / float64(len(b))
			e -= p * math.Log2(p)
		}
	}
	return e
}

// An allowed is an allowlist at work.
type allowed struct {
	regexes   []func() *regexp.Regexp
	target    string
	stopWords []string
	all       bool // every part must hold
	nothing   bool // it is about paths and commits, or about nothing at all
}

func newAllowed(a allowlist) allowed {
	out := allowed{target: a.RegexTarget}
	for _, re := range a.Regexes {
		out.regexes = append(out.regexes, lazily(re))
	}
	for _, w := range a.StopWords {
		out.stopWords = append(out.stopWords, strings.ToLower(w))
	}
	switch a.Condition {
	case "AND", "and", "&&":
		out.all = true
		// A path or a commit that must hold, too, never does in a stream.
		out.nothing = len(a.Paths)+len(a.Commits) > 0
	}
	return out
}

func (a *allowed) allows(secret, match string, line []byte) bool {
	if a.nothing || len(a.regexes)+len(a.stopWords) == 0 {
		return false
	}
	regex, word := a.matches(secret, match, line), a.stops(secret)
	if a.all {
		return (regex || len(a.regexes) == 0) && (word || len(a.stopWords) == 0)
	}
	return regex || word
}

func (a *allowed) matches(secret, match string, line []byte) bool {
	target := []byte(secret)
	switch a.target {
	case "match":
		target = []byte(match)
	case "line":
		target = line
	}
	for _, re := range a.regexes {
		if re().Match(target) {
			return true
		}
	}
	return false
}

func (a *allowed) stops(secret string) bool {
	secret = strings.ToLower(secret)
	for _, w := range a.stopWords {
		if strings.Contains(secret, w) {
			return true
		}
	}
	return false
}
