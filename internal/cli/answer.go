package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
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
	if isTerminal(w.Stdout) {
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

// bytesText spells a number of bytes for people: 512 B, 1.2 KiB, 3.4 GiB.
func bytesText(n int64) string {
	const units = "KMGTPE"
	if n < 1024 {
		return strconv.FormatInt(n, 10) + " B"
	}
	f, i := float64(n)/1024, 0
	for f >= 1023.95 && i < len(units)-1 {
		f /= 1024
		i++
	}
	return strconv.FormatFloat(f, 'f', 1, 64) + " " + units[i:i+1] + "iB"
}

// ageText spells a duration for people, in its largest unit.
func ageText(d time.Duration) string {
	for _, u := range []struct {
		unit time.Duration
		name string
	}{{24 * time.Hour, "d"}, {time.Hour, "h"}, {time.Minute, "m"}} {
		if d >= u.unit {
			return strconv.FormatInt(int64(d/u.unit), 10) + u.name
		}
	}
	return strconv.FormatInt(int64(max(d, 0)/time.Second), 10) + "s"
}

// plural is a number with its noun.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
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
