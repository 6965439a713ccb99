// Package redact masks secrets in byte streams and strings.
//
// What is masked falls into two kinds. Known values are told beforehand (the
// secret-named variables of an environment, values a caller gives) and are
// found in every usual spelling. Shapes are found by tables of token formats
// and by matchers for key blocks, URLs, headers and assignments.
//
// A secret becomes [Mask], whatever its length. A JSON document stays one, and
// masking twice changes nothing. Redaction is a safety net, not a boundary: a
// secret without a known value, a known shape or a telling name passes.
package redact

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"sync"
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

// A Redactor is a set of rules and known values. It is immutable and safe for
// concurrent use. It holds the values out of reach of fmt.
type Redactor struct {
	mode  Mode
	known func() *knownSet
	joint func() *joint   // nil, or returns nil, where nothing is looked for together
	user  func() *userSet // nil where there are no further rules
}

// New returns a Redactor. It is cheap; tables are made on the first byte.
func New(o Options) *Redactor {
	r := &Redactor{mode: o.Mode}
	values := slices.Clone(o.Values)
	r.known = sync.OnceValue(func() *knownSet { return newKnownSet(values) })
	if o.Mode == All && len(values) > 0 {
		r.joint = sync.OnceValue(func() *joint { return newJoint(builtin(), r.known()) })
	}
	if rules := slices.Clone(o.Rules); len(rules) > 0 && o.Mode == All {
		r.user = sync.OnceValue(func() *userSet { return newUserSet(rules) })
	}
	return r
}

// Counts is how many spans were masked, by rule.
type Counts map[string]int

// Writer returns a Writer to dst. Close it to flush; dst is not closed.
func (r *Redactor) Writer(dst io.Writer) *Writer {
	return &Writer{dst: dst, sc: newScanner(r), lim: usual}
}

// Bytes returns p with secrets masked; p is not changed, and is itself
// returned where there was nothing to mask.
func (r *Redactor) Bytes(p []byte) ([]byte, Counts) {
	if r.mode == Off || len(p) == 0 {
		return p, nil
	}
	var b bytes.Buffer
	w := r.Writer(&b)
	// A bytes.Buffer never fails.
	_, _ = w.Write(p)
	_ = w.Close()
	if len(w.Counts()) == 0 {
		return p, nil
	}
	return b.Bytes(), w.Counts()
}

// String returns s with secrets masked.
func (r *Redactor) String(s string) (string, Counts) {
	if r.mode == Off || s == "" {
		return s, nil
	}
	b, c := r.Bytes([]byte(s))
	if len(c) == 0 {
		return s, nil
	}
	return string(b), c
}
