package redact

import (
	"encoding/json"
	"strings"
)

const (
	minLine = 8 // of a value of several lines, looked for by itself
	minLeaf = 7 // of a member of a value that is JSON
)

// parts are the pieces of a value that are looked for: all of it, its lines
// where it has several, the secret members where it is JSON, and the password
// where it is a URL. A JSON document is not looked for as a whole: its mask would
// be none.
func parts(s string) []string {
	s = strings.Trim(s, "\r\n")
	if doc, ok := decode(s); ok {
		return leaves(nil, doc, silent)
	}
	out := []string{s}
	if strings.Contains(s, "\n") {
		for l := range strings.Lines(s) {
			if l = strings.TrimSpace(l); len(l) >= minLine {
				out = append(out, l)
			}
		}
	}
	if _, rest, ok := strings.Cut(s, "://"); ok {
		if i := strings.LastIndexByte(rest, '@'); i > 0 {
			if _, pass, ok := strings.Cut(rest[:i], ":"); ok && len(pass) >= minKnown {
				out = append(out, pass)
			}
		}
	}
	return out
}

// decode decodes s if it is a JSON object or array.
func decode(s string) (any, bool) {
	if s == "" || s[0] != '{' && s[0] != '[' {
		return nil, false
	}
	d := json.NewDecoder(strings.NewReader(s))
	d.UseNumber()
	var doc any
	if err := d.Decode(&doc); err != nil || d.More() {
		return nil, false
	}
	return doc, true
}

// leaves appends the strings of doc whose names say that they are secret, or
// that look random, with their lines.
func leaves(out []string, doc any, st strength) []string {
	switch d := doc.(type) {
	case map[string]any:
		for name, v := range d {
			out = leaves(out, v, max(st, strengthOf([]byte(name), nil)))
		}
	case []any:
		for _, v := range d {
			out = leaves(out, v, st)
		}
	case string:
		b := []byte(d)
		if t := traitsOf(b); len(d) >= minLeaf && !t.placeholder() && (st >= telling || st > silent && t.random(12)) {
			out = append(out, parts(d)...)
		}
	}
	return out
}
