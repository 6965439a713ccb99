package envelopecmd

import (
	"fmt"
	"strings"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/shared/term"
)

// text spells an answer for people: a list where there is a choice, paragraphs
// where it is about one thing.
func (a *answer) text(s term.Screen) string {
	var b strings.Builder
	switch {
	case len(a.Codes) > 1:
		codesTable(a.Codes).Write(&b, s)
	case len(a.Codes) == 1:
		a.Codes[0].paragraph(&b, s)
	case a.Status == nil:
		statusesTable(a.Statuses, a.Tool).Write(&b, s)
	default:
		for i, st := range a.Statuses {
			if i > 0 {
				b.WriteByte('\n')
			}
			st.paragraph(&b, a.Tool, s)
		}
	}
	if a.Note != "" {
		s.Prose(&b, a.Note)
	}
	return b.String()
}

func codesTable(codes []codeAnswer) *term.Table {
	t := &term.Table{Columns: []term.Column{{Name: "CODE"}, {Name: "MEANS", Fit: term.Folded, Least: 10}}}
	for _, c := range codes {
		t.Add(string(c.Code), c.Meaning)
	}
	return t
}

func statusesTable(statuses []statusAnswer, tool string) *term.Table {
	t := &term.Table{Columns: []term.Column{
		{Name: "STATUS"}, {Name: "OUTCOME"}, {Name: "MEANS", Fit: term.Folded, Least: 10},
	}}
	for _, s := range statuses {
		meaning := s.Meaning
		if s.Scope != "" {
			meaning += " (" + tool + " " + s.Scope + ")"
		}
		if s.Text != "" {
			meaning += fmt.Sprintf(", where it prints %q", s.Text)
		}
		t.Add(s.Status, string(s.Outcome), meaning)
	}
	return t
}

func (c *codeAnswer) paragraph(b *strings.Builder, s term.Screen) {
	s.Prose(b, fmt.Sprintf("%s: %s", c.Code, c.Meaning))
	t := factsTable()
	t.Add("  when:", c.When)
	t.Add("  retryable:", c.Retryable)
	t.Add("  do:", c.Hint)
	t.Write(b, s)
}

// paragraph writes the facts about one status.
func (s *statusAnswer) paragraph(b *strings.Builder, tool string, on term.Screen) {
	on.Prose(b, fmt.Sprintf("%s, status %s: %s", strings.TrimSpace(tool+" "+s.Scope), s.Status, s.Meaning))
	t := factsTable()
	if s.Text != "" {
		t.Add("  where it prints:", s.Text)
	}
	if s.Code == "" {
		t.Add("  outcome:", string(s.Outcome)+" (ok)")
	} else {
		t.Add("  outcome:", fmt.Sprintf("%s (%s)", s.Outcome, s.Code))
		t.Add("  retryable:", map[bool]string{true: "yes", false: "no"}[s.Retryable])
	}
	if s.Source != "-" {
		t.Add("  source:", s.Source)
	}
	t.Write(b, on)
}

// factsTable returns a table of two columns: a name and a fact about it.
func factsTable() *term.Table {
	return &term.Table{Columns: []term.Column{{}, {Fit: term.Folded, Least: 10}}, Gap: " "}
}

// An answer is the output of explain: codes, or statuses of one tool.
type answer struct {
	Codes    []codeAnswer   `json:"codes,omitempty"`
	Tool     string         `json:"tool,omitempty"`
	Status   *int           `json:"status,omitempty"`
	Statuses []statusAnswer `json:"statuses,omitempty"`
	Note     string         `json:"note,omitempty"`

	unknown bool // there is nothing to say
}

type codeAnswer struct {
	Code      envelope.Code `json:"code"`
	Meaning   string        `json:"meaning"`
	When      string        `json:"when"`
	Retryable string        `json:"retryable"`
	Hint      string        `json:"hint"`
}

type statusAnswer struct {
	Status    string        `json:"status"`
	Scope     string        `json:"scope,omitempty"` // the calls it speaks of; "" means all
	Text      string        `json:"text,omitempty"`  // what the program has to print as well
	Meaning   string        `json:"meaning"`
	Outcome   envelope.Kind `json:"outcome"`
	Code      envelope.Code `json:"code,omitempty"`
	Retryable bool          `json:"retryable"`
	Source    string        `json:"source"`
}
