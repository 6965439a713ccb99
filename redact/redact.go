// Package redact masks secrets in byte streams and strings.
//
// Two kinds of secrets are masked. The caller gives known values to [New]: those of an
// environment's secret-named variables ([EnvValues]) and any others that the caller
// knows. They are found in every usual encoding: percent-encoded, base64, hexadecimal,
// escaped for JSON or a shell. Unknown ones are found by their form: tables of token
// formats, and matchers for key blocks, URLs, headers and assignments.
//
// A secret is replaced by [Mask], whatever its length. A JSON document stays a JSON
// document, and masking twice changes nothing. Redaction is a safety net, not a security
// boundary: a secret passes if its value is not known, its form is not in the tables, and
// no name near it suggests a secret.
//
//	r := redact.New(redact.Options{Values: redact.EnvValues(os.Environ())})
//	w := r.Writer(os.Stdout)
//	defer w.Close()
//	io.Copy(w, log)
package redact

import (
	"bytes"
	"io"
	"sync"

	"github.com/envwrap/envwrap/redact/internal/known"
	"github.com/envwrap/envwrap/redact/internal/scan"
)

//go:generate go test ./internal/rules -run=TestTables -generate
//go:generate go test ./internal/literal -run=TestBuiltin -generate

// A Redactor is a set of rules and known values. It is immutable and safe for
// concurrent use. Package fmt cannot print the values that it holds.
type Redactor struct {
	mode Mode
	set  *scan.Set // nil if nothing is masked
	used sync.Pool // of scanners of texts in which nothing was masked
}

// New returns a Redactor. It is cheap: tables are built when the first byte is read.
func New(o Options) *Redactor {
	r := &Redactor{mode: o.Mode}
	if o.Mode == Off {
		return r
	}
	values := make([]known.Value, len(o.Values))
	for i, v := range o.Values {
		values[i] = known.Value(v)
	}
	var rules []scan.Rule
	if o.Mode == All {
		for _, u := range o.Rules {
			rules = append(rules, scan.Rule(u))
		}
	}
	r.set = scan.NewSet(o.Mode == All, values, rules)
	return r
}

// Writer returns a [Writer] that passes the masked text on to dst. The caller must
// Close it, which flushes it and does not close dst.
func (r *Redactor) Writer(dst io.Writer) *Writer {
	return &Writer{dst: dst, set: r.set, lines: lineWriter{dst: dst, lim: usual}}
}

// Bytes returns p with secrets masked. p is not changed; it is returned itself, not a
// copy, if nothing was masked.
func (r *Redactor) Bytes(p []byte) ([]byte, Counts) {
	if len(p) == 0 || r.set == nil {
		return p, nil
	}
	var b bytes.Buffer
	w := r.Writer(&b)
	w.lines.sc, _ = r.used.Get().(*scan.Scanner)
	// A bytes.Buffer never fails.
	_, _ = w.Write(p)
	_ = w.Close()
	if len(w.Counts()) == 0 {
		w.lines.sc.Reset()
		r.used.Put(w.lines.sc)
		return p, nil
	}
	return b.Bytes(), w.Counts()
}

// String returns s with secrets masked.
func (r *Redactor) String(s string) (string, Counts) {
	b, c := r.Bytes([]byte(s))
	if len(c) == 0 {
		return s, nil
	}
	return string(b), c
}
