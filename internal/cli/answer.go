package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/envwrap/envwrap/internal/term"
)

// jsonOption is the --json of verbs that answer a question.
func jsonOption(dst *bool) *option {
	return &option{name: "json", noEnv: true, help: "answer with one JSON object", set: into(dst, boolean)}
}

// answer prints what a verb found: as one JSON object, or as the lines that
// text writes.
func (w *World) answer(asJSON bool, v any, text func(*strings.Builder)) error {
	if asJSON {
		return w.answerJSON(v)
	}
	var b strings.Builder
	text(&b)
	if err := w.print(b.String()); err != nil {
		return fmt.Errorf("print the answer: %w", err)
	}
	return nil
}

func (w *World) answerJSON(v any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if term.IsTerminal(w.Stdout) {
		e.SetIndent("", "  ")
	}
	err := e.Encode(v)
	if err == nil {
		_, err = w.Stdout.Write(b.Bytes())
	}
	if err != nil {
		return fmt.Errorf("print the answer: %w", err)
	}
	return nil
}

// stamp spells a time as envelopes do.
func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// noWords refuses words where a verb takes none.
func (c *call) noWords() error {
	if words := c.args(); len(words) > 0 {
		return usagef("unexpected word %q", words[0])
	}
	return nil
}

// oneWord is the only word that a verb takes.
func (c *call) oneWord(name string) (string, error) {
	words := c.args()
	switch {
	case len(words) == 0:
		return "", usagef("%s is missing", name)
	case len(words) > 1:
		return "", usagef("unexpected word %q", words[1])
	}
	return words[0], nil
}
