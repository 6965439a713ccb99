package known

import (
	"encoding/base64"
	"encoding/json"
	"strings"

	"github.com/envwrap/envwrap/redact/internal/decode"
	"github.com/envwrap/envwrap/redact/internal/encodings"
	"github.com/envwrap/envwrap/redact/internal/names"
	"github.com/envwrap/envwrap/redact/internal/value"
)

const (
	minLine = 8 // of a value of several lines, looked for by itself
	minLeaf = 7 // of a member of a value that is JSON
)

// parts returns the pieces of a value that are searched for: all of it, its lines if it
// has several, the secret members if it is JSON, and the password if it is a URL. A JSON
// document as a whole is left out: its mask would be no document.
func parts(s string) []string {
	s = strings.Trim(s, "\r\n")
	if doc, ok := JSONDocument(s); ok {
		return leaves(nil, doc, names.None)
	}
	out := []string{s}
	if strings.Contains(s, "\n") {
		for l := range strings.Lines(s) {
			if l = strings.TrimSpace(l); len(l) >= minLine {
				out = append(out, l)
			}
		}
	}
	if pass := URLPassword(s); len(pass) >= encodings.Min {
		out = append(out, pass)
		if p := decode.URL(pass); p != pass && len(p) >= encodings.Min {
			out = append(out, p)
		}
	}
	return append(out, fields(s)...)
}

// URLPassword returns the password in s if s is a URL that has one, else "".
func URLPassword(s string) string {
	_, rest, ok := strings.Cut(s, "://")
	if !ok {
		return ""
	}
	if i := strings.IndexByte(rest, '/'); i >= 0 && strings.Contains(rest[:i], "@") {
		rest = rest[:i]
	}
	i := strings.LastIndexByte(rest, '@')
	if i < 0 {
		return ""
	}
	_, pass, _ := strings.Cut(rest[:i], ":")
	return pass
}

// fields returns the values of the secret fields of a connection string,
// "Server=db;Password=x".
func fields(s string) []string {
	var out []string
	for f := range strings.SplitSeq(s, ";") {
		name, value, ok := strings.Cut(f, "=")
		if ok && len(value) >= minLeaf && names.StrengthOf([]byte(strings.TrimSpace(name)), nil) >= names.Strong {
			out = append(out, strings.Trim(value, ` '"`))
		}
	}
	return out
}

// JSONDocument decodes s if it is a JSON object or array.
func JSONDocument(s string) (any, bool) {
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

// leaves appends the strings of doc whose names suggest a secret, or that look random,
// with their lines.
func leaves(out []string, doc any, st names.Strength) []string {
	switch d := doc.(type) {
	case map[string]any:
		for name, v := range d {
			out = leaves(out, v, max(st, names.StrengthOf([]byte(name), nil)))
		}
	case []any:
		for _, v := range d {
			out = leaves(out, v, st)
		}
	case string:
		b := []byte(d)
		if pair, err := base64.StdEncoding.DecodeString(d); st == names.Weak && err == nil {
			if _, pass, ok := strings.Cut(string(pair), ":"); ok && decode.EncodedText(b) {
				out = append(out, d)
				if len(pass) >= minLeaf {
					out = append(out, pass)
				}
				return out
			}
		}
		if t := value.TraitsOf(b); len(d) >= minLeaf && !t.Placeholder() && (st >= names.Strong || st > names.None && t.Random(12)) {
			out = append(out, parts(d)...)
		}
	}
	return out
}
