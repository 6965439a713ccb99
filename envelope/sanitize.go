package envelope

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"github.com/envwrap/envwrap/envelope/internal/preview"
	"github.com/envwrap/envwrap/envelope/internal/wire"
	"github.com/envwrap/envwrap/internal/shared/jsontext"
)

// An Adoption holds the facts that the caller of [Adopt] knows beside the run itself. Nil functions
// know of nothing.
type Adoption struct {
	// Reported reports whether an envwrap below the run said that it printed doc, and
	// whether it ended with the status that the run ended with.
	Reported func(doc []byte) (printed, ended bool)
	// Masked means that secrets were masked in what the command printed. Counts in the
	// envelope may then be those of the text before.
	Masked bool
	// Stored reports whether the store of the run has an object.
	Stored func(digest string) bool
	// Read returns the command that prints an object.
	Read func(digest string) string
	// SignalName returns the name of the signal with a number: "SIGTERM".
	SignalName func(n int) string
}

// sanitizeJSON sanitizes the stream objects in a JSON value of an envelope, as
// sanitizeStream does, and removes from lists of artifacts those that the store lacks.
func (a *Adoption) sanitizeJSON(raw json.RawMessage) json.RawMessage {
	changed := false
	clean := func(name string, value json.RawMessage) json.RawMessage {
		v := a.sanitizeJSON(value)
		if (name == "stdout" || name == "stderr") && jsontext.Kind(v) == '{' {
			v = a.sanitizeStreamObject(v)
		}
		if name == "artifacts" && jsontext.Kind(v) == '[' {
			v = a.sanitizeArtifacts(v)
		}
		changed = changed || len(v) != len(value) || len(v) > 0 && &v[0] != &value[0]
		return v
	}
	var out json.RawMessage
	switch jsontext.Kind(raw) {
	case '{':
		f := wire.FieldsIn(raw)
		for i := range f {
			f[i].Value = clean(f[i].Name, f[i].Value)
		}
		if changed {
			out = wire.EncodeObject(f)
		}
	case '[':
		out = append(out, '[')
		for i, e := range jsontext.Elements(raw) {
			if i > 0 {
				out = append(out, ',')
			}
			out = append(out, clean("", e)...)
		}
		out = append(out, ']')
	}
	if !changed {
		return raw // with its white space
	}
	return out
}

// sanitizeArtifacts sanitizes a member that is called artifacts. It removes elements that
// are a digest the store lacks, or an object whose ref or sha256 is one.
func (a *Adoption) sanitizeArtifacts(raw json.RawMessage) json.RawMessage {
	out, changed := json.RawMessage{'['}, false
	for _, e := range jsontext.Elements(raw) {
		f := wire.FieldsIn(e)
		names := []string{wire.StringIn(e), wire.StringIn(f.Get("ref")), "sha256:" + wire.StringIn(f.Get("sha256"))}
		if slices.ContainsFunc(names, func(name string) bool { return wire.IsDigest(name) && !a.has(name) }) {
			changed = true
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(out, e...)
	}
	if !changed {
		return raw
	}
	return append(out, ']')
}

// sanitizeStreamObject sanitizes a member that is called stdout or stderr.
func (a *Adoption) sanitizeStreamObject(raw json.RawMessage) json.RawMessage {
	f := wire.FieldsIn(raw)
	digest := wire.StringIn(f.Get("artifact"))
	if digest == "" {
		digest = wire.StringIn(f.Get("exact"))
	}
	var w wireStream
	switch {
	case digest == "" && f.Get("read") == nil:
		return raw
	case a.has(digest) && f.Get("read") != nil:
		f.Set("read", wire.MustEncode(a.reading(wire.StringIn(f.Get("read")), digest)))
	case a.has(digest):
		return raw
	case wire.ReadInto(raw, &w):
		s := w.result(nil)
		a.sanitizeStream(&s)
		return wire.MustEncode((&view{Result: new(Result)}).stream(&s))
	default:
		f = f.Without("read", "artifact", "exact", "summary")
	}
	return wire.EncodeObject(f)
}

// nextIn returns what a command that an envelope names prints of the object with the digest:
// the zero Excerpt unless the command is a call of envwrap that reads it, and nothing else.
func nextIn(command, digest string) *Excerpt {
	query := queryIn(command)
	if query != "" {
		command = strings.Replace(command, queryVerb+query, catVerb[:len(catVerb)-1], 1)
	}
	gap, ok := gapIn(command, digest)
	if !ok || gap != "" && query != "" {
		return &Excerpt{}
	}
	return &Excerpt{Gap: gap, Query: query}
}

// gapIn returns the option of "envwrap artifact cat" in a command that an envelope names,
// "--lines 118:529" or "--bytes 0:4096", and whether the command is such a call, or one of
// "artifact show", for the object with the digest, and nothing else.
func gapIn(command, digest string) (gap string, ok bool) {
	words := strings.Split(command, " ")
	id := words[len(words)-1]
	if len(words) < 4 || words[0] != "envwrap" || words[1] != "artifact" || words[2] != "cat" && words[2] != "show" || !isDigestOf(id, digest) {
		return "", false
	}
	for rest := words[3 : len(words)-1]; len(rest) > 0; rest = rest[2:] {
		switch {
		case len(rest) < 2:
			return "", false
		case rest[0] == "--store" && isPlainPath(rest[1]):
		case (rest[0] == "--lines" || rest[0] == "--bytes") && gap == "" && isSpan(rest[1]):
			gap = rest[0] + " " + rest[1]
		default:
			return "", false
		}
	}
	return gap, true
}

// queryIn returns the options and the quoted expression of an "envwrap artifact query" in a
// command that an envelope names, or "". Expressions read nothing but the artifact.
func queryIn(command string) string {
	rest, ok := strings.CutPrefix(command, "envwrap"+queryVerb)
	if !ok {
		return ""
	}
	raw := ""
	if after, found := strings.CutPrefix(rest, "-r "); found {
		raw, rest = "-r ", after
	}
	expr, _, closed := strings.Cut(strings.TrimPrefix(rest, "'"), "'")
	if !closed || rest[0] != '\'' || len(expr) > preview.QueryMost || strings.ContainsFunc(expr, unicode.IsControl) {
		return ""
	}
	return raw + "'" + expr + "'"
}

// isDigestOf reports whether an id is a digest, or the beginning of its digits.
func isDigestOf(id, digest string) bool {
	const least = 6
	digits := strings.TrimPrefix(id, "sha256:")
	return len(digits) >= least && strings.HasPrefix(strings.TrimPrefix(digest, "sha256:"), digits)
}

// isSpan reports whether a word is two numbers with a colon between.
func isSpan(word string) bool {
	from, to, ok := strings.Cut(word, ":")
	return ok && isDigits(from) && isDigits(to)
}

func isDigits(s string) bool { return s != "" && len(s) < 19 && strings.Trim(s, "0123456789") == "" }

// isPlainPath reports whether a word is a path without characters special to a shell.
func isPlainPath(word string) bool {
	return word != "" && strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+@%:=,") == ""
}

// has reports whether the store of the run has an object.
func (a *Adoption) has(digest string) bool {
	return wire.IsDigest(digest) && a.Stored != nil && a.Stored(digest)
}

// sanitizeStream keeps the digest of a stream if the store of the run has the object, and
// sets envwrap's own command to read it. Any other stream keeps only its text in the
// envelope.
func (a *Adoption) sanitizeStream(s *Stream) {
	if a.Masked && s.Text != "" && s.Replaced == 0 && !s.Truncated {
		s.Bytes, s.Lines = int64(len(s.Text)), lineCount([]byte(s.Text))
	}
	digest := s.Stored()
	if digest == "" {
		s.Read = ""
		return
	}
	if a.has(digest) {
		s.Read = a.reading(s.Read, digest)
		return
	}
	if s.Text == "" && s.Excerpt != nil {
		s.Text = s.Excerpt.Text
	} else if s.Text == "" {
		s.Text = string(s.Tail)
	}
	s.Truncated = s.Truncated || s.Artifact != ""
	s.Artifact, s.Exact, s.Read, s.Summary, s.Excerpt = "", "", "", nil, nil
}

// reading returns envwrap's command that prints an object. From the command in the
// envelope it takes only the lines, bytes or query to print, and only if it is a call for that
// object.
func (a *Adoption) reading(command, digest string) string {
	own := Stream{Artifact: digest}
	if a.Read != nil {
		own.Read = a.Read(digest)
	}
	return own.readingGap(nextIn(command, digest))
}
