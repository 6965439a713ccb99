package envelope

import (
	"encoding/json"
	"strings"

	"github.com/envwrap/envwrap/envelope/internal/wire"
	"github.com/envwrap/envwrap/internal/shared/jsontext"
)

// vetJSON vets the stream objects in a JSON value that an envelope has, as vetStream
// does, and takes out of lists of artifacts what the store lacks.
func (a *adoption) vetJSON(raw json.RawMessage) json.RawMessage {
	changed := false
	vetted := func(name string, value json.RawMessage) json.RawMessage {
		v := a.vetJSON(value)
		if (name == "stdout" || name == "stderr") && jsontext.Kind(v) == '{' {
			v = a.vetStreamObject(v)
		}
		if name == "artifacts" && jsontext.Kind(v) == '[' {
			v = a.vetArtifacts(v)
		}
		changed = changed || len(v) != len(value) || len(v) > 0 && &v[0] != &value[0]
		return v
	}
	var out json.RawMessage
	switch jsontext.Kind(raw) {
	case '{':
		f := wire.FieldsIn(raw)
		for i := range f {
			f[i].Value = vetted(f[i].Name, f[i].Value)
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
			out = append(out, vetted("", e)...)
		}
		out = append(out, ']')
	}
	if !changed {
		return raw // with its white space
	}
	return out
}

// vetArtifacts vets a member that is called artifacts. Its elements are digests, or objects
// whose ref is one; any other stays.
func (a *adoption) vetArtifacts(raw json.RawMessage) json.RawMessage {
	out, changed := json.RawMessage{'['}, false
	for _, e := range jsontext.Elements(raw) {
		digest := wire.StringIn(e)
		if digest == "" {
			digest = wire.StringIn(wire.FieldsIn(e).Get("ref"))
		}
		if wire.IsDigest(digest) && !a.has(digest) {
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

// vetStreamObject vets a member that is called stdout or stderr.
func (a *adoption) vetStreamObject(raw json.RawMessage) json.RawMessage {
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
		a.vetStream(&s)
		return wire.MustEncode((&view{Result: new(Result)}).stream(&s))
	default:
		f = f.Without("read", "artifact", "exact", "summary")
	}
	return wire.EncodeObject(f)
}

// gapIn returns the option of "envwrap artifact cat" in a command that an envelope names,
// "--lines 118:529" or "--bytes 0:4096"; "" unless the command is such a call, or one of
// "artifact show", for the object with the digest, and nothing else.
func gapIn(command, digest string) string {
	words := strings.Split(command, " ")
	id := words[len(words)-1]
	if len(words) < 4 || words[0] != "envwrap" || words[1] != "artifact" || words[2] != "cat" && words[2] != "show" || !isDigestOf(id, digest) {
		return ""
	}
	gap := ""
	for rest := words[3 : len(words)-1]; len(rest) > 0; rest = rest[2:] {
		switch {
		case len(rest) < 2:
			return ""
		case rest[0] == "--store" && isPlainPath(rest[1]):
		case (rest[0] == "--lines" || rest[0] == "--bytes") && gap == "" && isSpan(rest[1]):
			gap = rest[0] + " " + rest[1]
		default:
			return ""
		}
	}
	return gap
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

// isPlainPath reports whether a word is a path that no shell changes.
func isPlainPath(word string) bool {
	return word != "" && strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+@%:=,") == ""
}
