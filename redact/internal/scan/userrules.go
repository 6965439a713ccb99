package scan

import (
	"strings"

	"github.com/envwrap/envwrap/redact/internal/literal"
	"github.com/envwrap/envwrap/redact/internal/match"
)

const (
	// ruleBefore and ruleAfter are how much of a line a rule is shown before
	// and after one of its keywords.
	ruleBefore = 512
	ruleAfter  = 3584
)

// A Rule is a user's own way of finding secrets in a line.
type Rule struct {
	Name     string
	Keywords []string // without any, Find is called for each line
	Find     func(text []byte, found func(start, end int))
}

// A userSet is the rules of a user, ready for use.
type userSet struct {
	rules  []Rule
	owners [][]int // by literal: the rules with that keyword
	always []int   // the rules without a keyword that a prefilter can find
	filter *literal.Searcher
}

func newUserSet(rules []Rule) *userSet {
	u := &userSet{rules: rules}
	index := map[string]int{}
	var lits []literal.Literal
	for i, r := range rules {
		if len(r.Keywords) == 0 {
			u.always = append(u.always, i)
		}
		for _, k := range r.Keywords {
			k = strings.ToLower(k)
			if len(k) < 3 {
				u.always = append(u.always, i)
				break
			}
			l, ok := index[k]
			if !ok {
				l = len(lits)
				index[k] = l
				lits = append(lits, literal.Literal{Text: k, Fold: true})
				u.owners = append(u.owners, nil)
			}
			u.owners[l] = append(u.owners[l], i)
		}
	}
	u.filter = literal.New(lits)
	return u
}

// find calls the rules for the line, whose keywords are hits.
func (u *userSet) find(v *match.View, hits []literal.Hit) {
	var seen [8]struct{ rule, to int } // the last windows, for keywords come in crowds
	n := 0
	for _, h := range hits {
		from, to := max(v.Lo, h.Pos-ruleBefore), min(v.Hi, h.Pos+ruleAfter)
	owners:
		for _, r := range u.owners[h.Index] {
			for _, s := range seen {
				if s.to == to && s.rule == r && to == v.Hi && h.Pos-v.Lo < ruleBefore {
					continue owners // all of the line was shown
				}
			}
			seen[n%len(seen)] = struct{ rule, to int }{r, to}
			n++
			ask(v, &u.rules[r], from, to)
		}
	}
	for _, r := range u.always {
		for from := v.Lo; from < v.Hi; from += ruleAfter {
			ask(v, &u.rules[r], max(v.Lo, from-ruleBefore), min(v.Hi, from+ruleAfter))
		}
	}
}

// ask calls a rule for a piece of the line.
func ask(v *match.View, r *Rule, from, to int) {
	r.Find(v.Text[from:to:to], func(start, end int) {
		if start >= 0 && start < end && end <= to-from && string(v.Text[from+start:from+end]) != match.Mask {
			v.Add(from+start, from+end, r.Name)
		}
	})
}
