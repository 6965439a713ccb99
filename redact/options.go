package redact

import (
	"fmt"
	"io"
)

// Mask replaces every secret, whatever its length.
const Mask = "***"

// Mode chooses what is masked.
type Mode int

const (
	All   Mode = iota // built-in rules and known values
	Known             // known values only
	Off               // nothing
)

// A Value is a secret that is known beforehand. It prints as the mask.
type Value struct {
	Rule   string // name in counts, for instance "env:GITHUB_TOKEN"
	Secret string
}

// String returns the rule and the mask, never the secret.
func (v Value) String() string { return v.Rule + "=" + Mask }

// Format writes String for every verb of fmt, %#v and %d among them.
func (v Value) Format(f fmt.State, _ rune) {
	// What cannot be written is not shown.
	_, _ = io.WriteString(f, v.String())
}

// MarshalText is String, so that an encoder does not show the secret either.
func (v Value) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// Options configure a Redactor.
type Options struct {
	Mode   Mode
	Values []Value
	Rules  []Rule // further rules, for the mode All
}

// Counts is how many spans were masked, by rule.
type Counts map[string]int
