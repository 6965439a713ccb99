// Package tomltext decodes TOML files that others wrote, in bounded time and memory.
//
// The decoder, github.com/BurntSushi/toml, takes time and memory that grow with the
// square of a key's levels and with each key's length: 20 KB of a.a.a...=1 cost 15 s and
// 1.4 GB. So one pass over the bytes counts levels, keys and values first, and refuses a
// text above the limits, which are far above those of real files: the configuration that
// gitleaks comes with has 3 levels and 4,700 parts.
package tomltext

import (
	"errors"
	"fmt"
	"strings"

	"github.com/BurntSushi/toml"
)

// A Document holds the facts about a decoded text besides its values.
type Document struct {
	toml.MetaData
	lines map[string]int
}

// Line returns the line, from 1, on which a name first occurs at the top level: as a
// key, as the first name of a dotted key, or of a table. 0 is unknown: the name does not
// occur, or only in quotes with an escape.
func (d *Document) Line(name string) int { return d.lines[name] }

// Decode decodes text into v, as toml.Decode does. The error is an *Error.
func Decode(text []byte, v any) (*Document, error) {
	s := &scanner{text: string(text), lines: map[string]int{}}
	fault := s.scan()
	if limit, ok := errors.AsType[*Error](fault); ok {
		return nil, limit
	}
	meta, err := decode(s.text[:s.seen()], v)
	if err == nil {
		err = fault // the decoder accepts what was scanned, and the scanner not what follows
	}
	if err != nil {
		return nil, asError(err, s)
	}
	return &Document{meta, s.lines}, nil
}

// decode calls the decoder, which panics where it finds a fault in itself.
func decode(text string, v any) (meta toml.MetaData, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("the decoder failed: %v", fault)
		}
	}()
	return toml.Decode(text, v)
}

// asError returns an error of the decoder as an *Error.
func asError(err error, s *scanner) *Error {
	if p, ok := errors.AsType[toml.ParseError](err); ok && p.Message != "" {
		return &Error{p.Position.Line, p.Message}
	}
	if errors.Is(err, errSyntax) {
		return &Error{s.lineAt(s.pos), err.Error()}
	}
	e := &Error{Reason: strings.TrimPrefix(err.Error(), "toml: ")}
	// Wrong types are reported in words only: line 2 (last key "a"): ...
	var line int
	var key string
	if _, err := fmt.Sscanf(e.Reason, "line %d (last key %q): ", &line, &key); err == nil {
		_, reason, _ := strings.Cut(e.Reason, "): ")
		e.Line, e.Reason = line, fmt.Sprintf("key %q: %s", key, reason)
	}
	return e
}
