package redact

import (
	"fmt"
	"io"
)

// Mask replaces every secret, whatever its length.
const Mask = "***"

// Mode chooses which secrets are masked.
type Mode int

const (
	All   Mode = iota // built-in rules and known values
	Known             // known values only
	Off               // nothing
)

// A Value is a secret that is known beforehand. Package fmt prints it masked.
type Value struct {
	Rule   string // name in counts, for instance "env:GITHUB_TOKEN"
	Secret string
}

// String returns the rule and the mask, never the secret.
func (v Value) String() string { return v.Rule + "=" + Mask }

// Format writes the result of String for every verb, including %#v and %d.
func (v Value) Format(f fmt.State, _ rune) {
	// Package fmt reports an error of the write itself.
	_, _ = io.WriteString(f, v.String())
}

// MarshalText returns the result of String, so that encoders do not show the secret.
func (v Value) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// Options configure a [Redactor]. The zero value masks what the built-in rules find.
type Options struct {
	Mode   Mode
	Values []Value
	Rules  []Rule // further rules, for the mode All
}

// Counts maps the name of a rule to the number of spans that it masked.
type Counts map[string]int

// A Rule is a user's own way of finding secrets. It sees one line at a time, so it
// cannot find a secret that spans lines.
type Rule struct {
	// Name is the rule's key in [Counts].
	Name string
	// Keywords limit the lines that Find is called for to those that contain one of
	// them, in small or capital letters. Without keywords it is called for every line,
	// which is slow.
	Keywords []string
	// Find calls found with the bounds of each secret in text: a piece of a line, at
	// most 4 KiB around a keyword, without colour codes and line end. It must be safe
	// for concurrent use.
	Find func(text []byte, found func(start, end int))
}

// A Finding is a span that was masked.
type Finding struct {
	Rule string
	// Shows lists the features of the value that decided, for a rule that goes by
	// names.
	Shows string
	// Name is the word for a secret that precedes the span, as in password=x, or "".
	Name string
	// Column is the position of the span's first byte in its line, in bytes from 1,
	// colour codes not counted. It is 0 if unknown: the line is very long, or the span
	// was found only after others had been masked.
	Column int
}
