package cli

import (
	"fmt"
	"strings"
)

// lines spells an answer for people.
func (a *answer) lines() string {
	var b strings.Builder
	if len(a.Codes) == 1 {
		a.Codes[0].paragraph(&b)
	} else {
		for _, c := range a.Codes {
			fmt.Fprintf(&b, "%-17s %s\n", c.Code, c.Meaning)
		}
	}
	for i, s := range a.Statuses {
		if a.Status == nil {
			s.line(&b, a.Tool)
			continue
		}
		if i > 0 {
			b.WriteByte('\n')
		}
		s.paragraph(&b, a.Tool)
	}
	if a.Note != "" {
		fmt.Fprintln(&b, a.Note)
	}
	return b.String()
}

func (c *codeAnswer) paragraph(b *strings.Builder) {
	fmt.Fprintf(b, "%s: %s\n", c.Code, c.Meaning)
	fmt.Fprintf(b, "  when:      %s\n", c.When)
	fmt.Fprintf(b, "  retryable: %s\n", c.Retryable)
	fmt.Fprintf(b, "  do:        %s\n", c.Hint)
}

// line is one status in a list.
func (s *statusAnswer) line(b *strings.Builder, tool string) {
	fmt.Fprintf(b, "%-8s %-10s %s", s.Status, s.Outcome, s.Meaning)
	if s.Scope != "" {
		fmt.Fprintf(b, " (%s %s)", tool, s.Scope)
	}
	b.WriteByte('\n')
}

// paragraph is one status by itself.
func (s *statusAnswer) paragraph(b *strings.Builder, tool string) {
	fmt.Fprintf(b, "%s, status %s: %s\n", strings.TrimSpace(tool+" "+s.Scope), s.Status, s.Meaning)
	if s.Code == "" {
		fmt.Fprintf(b, "  outcome:   %s (ok)\n", s.Outcome)
	} else {
		fmt.Fprintf(b, "  outcome:   %s (%s)\n", s.Outcome, s.Code)
		fmt.Fprintf(b, "  retryable: %s\n", map[bool]string{true: "yes", false: "no"}[s.Retryable])
	}
	if s.Source != "-" {
		fmt.Fprintf(b, "  source:    %s\n", s.Source)
	}
}
