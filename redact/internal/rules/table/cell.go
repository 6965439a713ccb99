package table

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/names"
	"github.com/envwrap/envwrap/redact/internal/value"
)

const (
	minColumns = 2
	maxName    = 40 // of a column
)

// SecretCell reports whether b, a cell of a column with a name of strength st, is a
// secret.
func SecretCell(st names.Strength, b []byte) bool {
	t := value.TraitsOf(b)
	switch {
	case t.Len < 6 || t.Spaces > 0 || b[0] == '-' && (b[1] == '-' || ascii.Run(b, ascii.Lower|ascii.Dash) == len(b)) || t.Placeholder() || t.Path():
		return false
	case st == names.Password:
		return t.Digits > 0 && !value.Mentions(t.Bytes) || t.Random(6) || t.Coined()
	}
	return st == names.Strong && (t.Random(8) || t.UUID())
}

// hashOf returns the FNV-1a hash of b.
func hashOf(b []byte) uint32 {
	h := uint32(2166136261)
	for _, c := range b {
		h = (h ^ uint32(c)) * 16777619
	}
	return h
}

// rule reports whether b is a ruled line: |---|:--:|, ----+----.
func rule(b []byte) bool {
	return len(b) > 0 && len(bytes.Trim(b, "-+=|: ")) == 0
}
