// Package redact masks secrets in byte streams and strings.
//
// What is masked falls into two kinds. Known values are given beforehand (the
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
	"io"
	"slices"
	"sync"
)

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
