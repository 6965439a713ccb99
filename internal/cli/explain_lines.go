package cli

import (
	"fmt"
	"strings"
)

// text spells an answer for people: a list where there is a choice, paragraphs
// where it is about one thing.
func (a *answer) text(s screen) string {
	var b strings.Builder
	switch {
	case len(a.Codes) > 1:
		codesTable(a.Codes).write(&b, s)
	case len(a.Codes) == 1:
		a.Codes[0].paragraph(&b, s)
	case a.Status == nil:
		statusesTable(a.Statuses, a.Tool).write(&b, s)
	default:
		for i, st := range a.Statuses {
			if i > 0 {
				b.WriteByte('\n')
			}
			st.paragraph(&b, a.Tool, s)
		}
	}
	if a.Note != "" {
		s.prose(&b, a.Note)
	}
	return b.String()
}

func codesTable(codes []codeAnswer) *table {
	t := &table{columns: []column{{name: "CODE"}, {name: "MEANS", fit: folded, least: 10}}}
	for _, c := range codes {
		t.add(string(c.Code), c.Meaning)
	}
	return t
}

func statusesTable(statuses []statusAnswer, tool string) *table {
	t := &table{columns: []column{
		{name: "STATUS"}, {name: "OUTCOME"}, {name: "MEANS", fit: folded, least: 10},
	}}
	for _, s := range statuses {
		meaning := s.Meaning
		if s.Scope != "" {
			meaning += " (" + tool + " " + s.Scope + ")"
		}
		if s.Text != "" {
			meaning += fmt.Sprintf(", where it prints %q", s.Text)
		}
		t.add(s.Status, string(s.Outcome), meaning)
	}
	return t
}

func (c *codeAnswer) paragraph(b *strings.Builder, s screen) {
	s.prose(b, fmt.Sprintf("%s: %s", c.Code, c.Meaning))
	t := factsTable()
	t.add("  when:", c.When)
	t.add("  retryable:", c.Retryable)
	t.add("  do:", c.Hint)
	t.write(b, s)
}

// paragraph is one status by itself.
func (s *statusAnswer) paragraph(b *strings.Builder, tool string, on screen) {
	on.prose(b, fmt.Sprintf("%s, status %s: %s", strings.TrimSpace(tool+" "+s.Scope), s.Status, s.Meaning))
	t := factsTable()
	if s.Text != "" {
		t.add("  where it prints:", s.Text)
	}
	if s.Code == "" {
		t.add("  outcome:", string(s.Outcome)+" (ok)")
	} else {
		t.add("  outcome:", fmt.Sprintf("%s (%s)", s.Outcome, s.Code))
		t.add("  retryable:", map[bool]string{true: "yes", false: "no"}[s.Retryable])
	}
	if s.Source != "-" {
		t.add("  source:", s.Source)
	}
	t.write(b, on)
}

// factsTable is for names and what there is to say of each.
func factsTable() *table {
	return &table{columns: []column{{}, {fit: folded, least: 10}}, gap: " "}
}
