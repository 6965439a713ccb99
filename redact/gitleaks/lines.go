package gitleaks

import "strings"

// ruleLines has the lines of the file at which its rules begin, which TOML decoders do not
// report.
type ruleLines struct {
	heads []int // the line of each [[rules]], from 1
	lines []string
}

// findRules returns the lines of the tables of rules. Headers within strings of several
// lines do not count.
func findRules(text string) ruleLines {
	p := ruleLines{lines: strings.Split(text, "\n")}
	var inside string // the quotes of a string of several lines
	for i, l := range p.lines {
		if inside != "" {
			if strings.Contains(l, inside) {
				inside = ""
			}
			continue
		}
		if t, _, _ := strings.Cut(strings.ReplaceAll(l, " ", ""), "#"); strings.TrimSpace(t) == "[[rules]]" {
			p.heads = append(p.heads, i+1)
		}
		for _, q := range [...]string{`"""`, "'''"} {
			if strings.Count(l, q)%2 == 1 {
				inside = q
			}
		}
	}
	return p
}

// rule returns the line at which rule i begins, from 1; 0 if unknown.
func (p ruleLines) rule(i int) int {
	if i >= len(p.heads) {
		return 0
	}
	return p.heads[i]
}

// key returns the line of a key of rule i, or the rule's own if it has no such key.
func (p ruleLines) key(i int, key string) int {
	from := p.rule(i)
	if from == 0 {
		return 0
	}
	to := len(p.lines)
	if i+1 < len(p.heads) {
		to = p.heads[i+1] - 1
	}
	for n, l := range p.lines[from:to] {
		if k, _, ok := strings.Cut(l, "="); ok && strings.Trim(k, " \t\"'") == key {
			return from + n + 1
		}
	}
	return from
}
