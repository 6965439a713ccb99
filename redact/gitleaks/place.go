package gitleaks

import "strings"

// places record in which lines of the file its rules are. TOML decoders forget
// it.
type places struct {
	heads []int // the line of each [[rules]], from 1
	lines []string
}

// findPlaces looks for the tables of rules. Headers within strings of several
// lines are none.
func findPlaces(text string) places {
	p := places{lines: strings.Split(text, "\n")}
	var inside string // the quotes of such a string
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
func (p places) rule(i int) int {
	if i >= len(p.heads) {
		return 0
	}
	return p.heads[i]
}

// key returns the line of a key of rule i, the rule's own where it has no such key.
func (p places) key(i int, key string) int {
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
