// Package gitleaks reads redaction rules from a configuration of gitleaks
// (https://github.com/gitleaks/gitleaks#configuration).
//
// It uses id, regex, secretGroup, entropy, keywords and allowlists of a rule. Rules run
// on pieces of lines around their keywords, so that a regular expression that spans
// lines finds nothing. Members that have no meaning for a stream (paths, commits,
// required rules) are ignored with a notice.
package gitleaks

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"regexp/syntax"
	"strings"
	"sync"

	"github.com/envwrap/envwrap/internal/shared/tomltext"
	"github.com/envwrap/envwrap/redact"
)

// An Error means that a configuration cannot be used.
type Error struct {
	File string
	Line int    // from 1; 0 if unknown
	Rule string // the rule's id; "" if the error is not in a rule
	Err  error
}

// Error returns one line: file, line, rule and fault.
func (e *Error) Error() string {
	s := fmt.Sprintf("read redaction rules: %q", e.File)
	if e.Line > 0 {
		s += fmt.Sprintf(", line %d", e.Line)
	}
	if e.Rule != "" {
		s += fmt.Sprintf(", rule %q", e.Rule)
	}
	return s + ": " + e.Err.Error()
}

// Unwrap returns the fault without its file and line.
func (e *Error) Unwrap() error { return e.Err }

// A document has the keys of the file that are read.
type document struct {
	Title       string
	Description string
	MinVersion  string
	Extend      map[string]any
	Rules       []rule
	Allowlist   *allowlist  // the old spelling
	Allowlists  []allowlist `toml:"allowlists"`
}

type rule struct {
	ID          string `toml:"id"`
	Description string
	Regex       *string
	SecretGroup int `toml:"secretGroup"`
	Entropy     float64
	Keywords    []string
	Path        *string
	Tags        []string
	SkipReport  bool `toml:"skipReport"`
	Required    []map[string]any
	Allowlist   *allowlist
	Allowlists  []allowlist
}

type allowlist struct {
	Description string
	Condition   string // "OR", which is the default, or "AND"
	Commits     []string
	Paths       []string
	RegexTarget string `toml:"regexTarget"` // "match", "line", or the secret
	Regexes     []string
	StopWords   []string `toml:"stopwords"`
	TargetRules []string `toml:"targetRules"`
}

// Load parses the rules in text, the content of the file name. It checks the regular
// expressions, which are compiled when their rule is first used. notices are sentences
// about what was ignored. An error is an *Error.
func Load(name string, text []byte) (rules []redact.Rule, notices []string, err error) {
	var doc document
	toml, err := tomltext.Decode(text, &doc)
	if fault, ok := errors.AsType[*tomltext.Error](err); ok {
		return nil, nil, &Error{File: name, Line: fault.Line, Err: errors.New(fault.Reason)}
	}
	l := loader{file: name, lines: findRules(string(text))}
	for _, k := range toml.Undecoded() {
		l.notice(0, "key %q is not known", k.String())
	}
	if len(doc.Extend) > 0 {
		l.notice(0, "[extend] is ignored: the rules that are built in are always there")
	}
	global := doc.Allowlists
	if doc.Allowlist != nil {
		global = append(global, *doc.Allowlist)
	}
	if err := l.checkAllowlists(global, 0, ""); err != nil {
		return nil, nil, err
	}
	shared := newAllowed(global)
	for i := range doc.Rules {
		r, err := l.rule(i, &doc.Rules[i], shared)
		if err != nil {
			return nil, nil, err
		}
		if r != nil {
			rules = append(rules, *r)
		}
	}
	if more := l.noticed - len(l.notices); more > 0 {
		l.notices = append(l.notices, fmt.Sprintf("%q: and %d notices more", name, more))
	}
	return rules, l.notices, nil
}

// A loader makes rules of a file.
type loader struct {
	file    string
	lines   ruleLines
	notices []string // the first mostNotices
	noticed int
	cost    int // of the regular expressions so far, see costOf
}

// mostNotices is how many notices about one file are returned.
const mostNotices = 20

func (l *loader) notice(line int, format string, args ...any) {
	if l.noticed++; l.noticed > mostNotices {
		return
	}
	where := fmt.Sprintf("%q", l.file)
	if line > 0 {
		where += fmt.Sprintf(", line %d", line)
	}
	l.notices = append(l.notices, where+": "+fmt.Sprintf(format, args...))
}

// rule makes the rule with index i; nil if it is left out.
// global are the allowlists of all rules.
func (l *loader) rule(i int, r *rule, global []allowed) (*redact.Rule, error) {
	line := l.lines.rule(i)
	fail := func(key, format string, args ...any) error {
		return &Error{File: l.file, Line: l.lines.key(i, key), Rule: r.ID, Err: fmt.Errorf(format, args...)}
	}
	if r.ID == "" {
		return nil, fail("id", "a rule without an id: give it one")
	}
	if len(r.Required) > 0 {
		l.notice(line, "rule %q: required rules are ignored", r.ID)
	}
	if r.Path != nil {
		l.notice(l.lines.key(i, "path"), "rule %q: path is ignored: a stream has none", r.ID)
	}
	if r.Regex == nil || r.SkipReport {
		if r.Regex == nil && r.Path == nil {
			return nil, fail("id", "neither regex nor path is given")
		}
		return nil, nil
	}
	tree, err := l.parse(*r.Regex)
	if err != nil {
		return nil, fail("regex", "regex: %w", err)
	}
	if r.SecretGroup < 0 || r.SecretGroup > tree.MaxCap() {
		return nil, fail("secretGroup", "secretGroup is %d, but the regex has %d groups", r.SecretGroup, tree.MaxCap())
	}
	if len(r.Keywords) == 0 {
		l.notice(line, "rule %q has no keywords: every line is searched for it, which is slow", r.ID)
	}
	lists := r.Allowlists
	if r.Allowlist != nil {
		lists = append(lists, *r.Allowlist)
	}
	if err := l.checkAllowlists(lists, line, r.ID); err != nil {
		return nil, err
	}
	f := newFinder(r, newAllowed(lists), global)
	return &redact.Rule{Name: r.ID, Keywords: r.Keywords, Find: f.find}, nil
}

// checkAllowlists returns an error for the first fault in lists, of the rule id or of all
// rules.
func (l *loader) checkAllowlists(lists []allowlist, line int, id string) error {
	for _, a := range lists {
		for _, re := range a.Regexes {
			if _, err := l.parse(re); err != nil {
				return &Error{File: l.file, Line: line, Rule: id, Err: fmt.Errorf("allowlist: %w", err)}
			}
		}
		switch a.Condition {
		case "", "OR", "or", "||", "AND", "and", "&&":
		default:
			return &Error{File: l.file, Line: line, Rule: id, Err: fmt.Errorf("allowlist: condition is %q, want OR or AND", a.Condition)}
		}
		switch a.RegexTarget {
		case "", "secret", "match", "line":
		default:
			return &Error{File: l.file, Line: line, Rule: id, Err: fmt.Errorf("allowlist: regexTarget is %q, want match, line or secret", a.RegexTarget)}
		}
		if len(a.Paths)+len(a.Commits) > 0 {
			l.notice(line, "allowlist: paths and commits are ignored: a stream has none")
		}
	}
	return nil
}

// A finder is a rule at work.
type finder struct {
	id      string
	regex   func() *regexp.Regexp
	group   int
	entropy float64
	own     []allowed
	global  []allowed
}

func newFinder(r *rule, own, global []allowed) *finder {
	return &finder{id: r.ID, regex: lazily(*r.Regex), group: r.SecretGroup, entropy: r.Entropy, own: own, global: global}
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

// nothing returns an expression that matches nothing.
func nothing() *regexp.Regexp { return regexp.MustCompile(`[^\x00-\x{10FFFF}]`) }

// find calls found with the bounds of each secret in text.
func (f *finder) find(text []byte, found func(start, end int)) {
	for _, m := range f.regex().FindAllSubmatchIndex(text, -1) {
		start, end := f.secret(m)
		if start == end {
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

// secret returns the bounds of the secret in a match: those of the group that the
// rule names, else of the first that took part, else of all of it.
func (f *finder) secret(m []int) (start, end int) {
	if f.group > 0 {
		return m[2*f.group], m[2*f.group+1]
	}
	for i := 2; i < len(m); i += 2 {
		if m[i] < m[i+1] {
			return m[i], m[i+1]
		}
	}
	return m[0], m[1]
}

func (f *finder) allows(secret, match string, line []byte) bool {
	for _, lists := range [...][]allowed{f.own, f.global} {
		for i := range lists {
			if lists[i].isFor(f.id) && lists[i].allows(secret, match, line) {
				return true
			}
		}
	}
	return false
}

// entropy returns Shannon's, in bits a character.
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
	rules     map[string]bool // ids of those that it is for; empty is all
	regexes   []func() *regexp.Regexp
	target    string
	stopWords []string
	all       bool // every part must hold
	nothing   bool // it is about paths and commits, or about nothing at all
}

func newAllowed(lists []allowlist) []allowed {
	var out []allowed
	for _, a := range lists {
		one := allowed{target: a.RegexTarget, rules: map[string]bool{}}
		for _, id := range a.TargetRules {
			one.rules[id] = true
		}
		for _, re := range a.Regexes {
			one.regexes = append(one.regexes, lazily(re))
		}
		for _, w := range a.StopWords {
			one.stopWords = append(one.stopWords, strings.ToLower(w))
		}
		switch a.Condition {
		case "AND", "and", "&&":
			one.all = true
			// A path or a commit that must hold, too, never does in a stream.
			one.nothing = len(a.Paths)+len(a.Commits) > 0
		}
		out = append(out, one)
	}
	return out
}

// isFor reports whether the list is for a rule.
func (a *allowed) isFor(id string) bool { return len(a.rules) == 0 || a.rules[id] }

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

// parse parses a regular expression, unless those of the file become too expensive with
// it.
func (l *loader) parse(expr string) (*syntax.Regexp, error) {
	if l.cost += costOf(expr); l.cost > mostCost {
		return nil, errTooExpensive()
	}
	tree, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return nil, err
	}
	if l.cost += programSize(tree) / 4; l.cost > mostCost {
		return nil, errTooExpensive()
	}
	return tree, nil
}

// errTooExpensive returns the error of a file above mostCost. It is no variable, since to
// make it takes 0.02 ms at each start of the program.
func errTooExpensive() error {
	return fmt.Errorf("the regular expressions of the file are too expensive together (a byte costs 1, \\p 128, a repeated part a quarter of its length for each time, and a range beyond ASCII more if case does not count; the limit is %d): leave some out", mostCost)
}
