package cli

import (
	"slices"
	"strings"

	"github.com/envwrap/envwrap/envelope"
)

// Format parses the name of a format that can be written.
func Format(s string) (envelope.Dialect, error) { return formatOf(s, envelope.Formats()) }

// Dialect parses the name of a format that can be read, too.
func Dialect(s string) (envelope.Dialect, error) { return formatOf(s, envelope.Dialects()) }

func formatOf(s string, known []envelope.Dialect) (envelope.Dialect, error) {
	names := formatNames(known)
	if d, ok := envelope.Lookup(s); ok && slices.Contains(names, d.Name()) {
		return d, nil
	}
	hint := "Dialects are " + strings.Join(names, ", ") + "."
	for _, n := range names {
		short, _, _ := strings.Cut(n, "/")
		names = append(names, short)
	}
	if n := Nearest(s, names); n != "" {
		d, _ := envelope.Lookup(n)
		hint = "Did you mean " + d.Name() + "? " + hint
	}
	return nil, BadValue(s, "dialect", hint)
}

// DialectNames returns the formats that are read and written.
func DialectNames() []string { return formatNames(envelope.Dialects()) }

// OutputNames returns the formats that are written.
func OutputNames() []string { return formatNames(envelope.Formats()) }

func formatNames(formats []envelope.Dialect) []string {
	return mapped(formats, envelope.Dialect.Name)
}

// ErrorCodes returns a function that appends a list of codes such as
// ERATELIMIT,ETIMEOUT.
func ErrorCodes(dst *[]envelope.Code) func(string) error {
	return func(s string) error {
		for part := range strings.SplitSeq(s, ",") {
			code := envelope.Code(strings.ToUpper(strings.TrimSpace(part)))
			if !code.Known() {
				return BadValue(part, "code", "Codes are "+Joined(envelope.Codes())+".")
			}
			*dst = append(*dst, code)
		}
		return nil
	}
}

// CodeNames returns the codes of the catalog.
func CodeNames() []string { return texts(envelope.Codes()) }

// Joined returns words separated by commas.
func Joined[T ~string](words []T) string { return strings.Join(texts(words), ", ") }

func texts[T ~string](words []T) []string {
	return mapped(words, func(w T) string { return string(w) })
}

// Layout returns the layout that was asked for, else indentation if the envelope goes
// to a terminal, else the dialect's default.
func Layout(pretty, compact, terminal bool) envelope.Layout {
	switch {
	case pretty, terminal && !compact:
		return envelope.LayoutPretty
	case compact:
		return envelope.LayoutCompact
	}
	return envelope.LayoutDefault
}
