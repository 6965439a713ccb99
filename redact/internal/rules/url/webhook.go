package url

import (
	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/value"
)

// A webhook is an address that is itself a secret: whoever has it can post. webhooks.txt has
// them.
type webhook struct {
	Literal string // of its host and path
	After   int    // the least number of bytes that follow
}

// Find marks the whole address around the literal at pos.
func (w *webhook) Find(v *match.View, pos int) {
	n := v.Run(pos+len(w.Literal), ascii.Token|ascii.Colon)
	if n < w.After {
		return
	}
	end := pos + len(w.Literal) + n
	end -= ascii.RunBack(v.Text[pos:end], ascii.Dot)
	if w.Literal == "/hooks/" && ascii.Run(v.Text[pos+len(w.Literal):min(end, pos+len(w.Literal)+27)], ascii.Lower|ascii.Digit) != 26 {
		return
	}
	if b := v.Text[pos+len(w.Literal) : end]; placeholderURL(b[:min(len(b), value.MaxExamined)]) {
		return
	}
	start := pos - ascii.RunBack(v.Text[max(v.Lo, pos-80):pos], ascii.URLSafe|ascii.Dot|ascii.Plus|ascii.Colon)
	if start > v.Lo && v.Text[start-1] == '%' {
		start = pos // digits of an escape
	}
	v.Add(start, end, match.RuleWebhook)
}

// placeholderURL reports whether b is a path without a secret.
func placeholderURL(b []byte) bool {
	t := value.TraitsOf(b)
	return t.Digits == 0 && value.Wordy(b) || t.Distinct < 8 || value.Sample(b)
}
