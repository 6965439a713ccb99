// Package kubernetes finds the data of Kubernetes Secrets.
package kubernetes

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/decode"
	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/syntax"
	"github.com/envwrap/envwrap/redact/internal/value"
)

// NoteAPIVersion notes that an object begins with the key at pos.
func NoteAPIVersion(v *match.View, pos int) {
	if lineKey(&v.Line, pos) && v.Next.Manifest == match.NoManifest {
		v.Next.Manifest = match.AnyObject
	}
}

// FindKind notes whether the object is a Secret, by its kind at pos, and marks the data on
// the rest of the line.
func FindKind(v *match.View, pos int) {
	if !lineKey(&v.Line, pos) {
		return
	}
	i := v.SkipSpaces(v.SkipClosing(pos + len("kind")))
	if i >= v.Hi || v.Text[i] != ':' {
		return
	}
	val, _ := v.Value(v.SkipSpaces(i + 1))
	if ascii.HasFold(v.Text[val.Start:val.End], "secret") && val.End-val.Start == len("secret") {
		v.Next.Manifest = match.SecretObject
		markJSON(v)
	} else {
		v.Next.Manifest = match.NoManifest
	}
}

// lineKey reports whether the word at pos begins its line, after quotes and signs of YAML
// and JSON, or follows a comma or brace.
func lineKey(l *syntax.Line, pos int) bool {
	for pos > l.Lo {
		pos--
		switch l.Text[pos] {
		case ' ', '\t', '"', '\'', '-', '\\', '+':
		case '{', ',':
			return true
		default:
			return false
		}
	}
	return true
}

// FindInManifest marks the data on a line of an object.
func FindInManifest(v *match.View, m match.Manifest) {
	line := v.Text[v.Lo:v.Hi]
	i := v.SkipSpaces(v.Lo)
	if bytes.HasPrefix(line, []byte("---")) || bytes.HasPrefix(line, []byte("}")) {
		v.Next.Manifest = match.NoManifest
		return
	}
	for i < v.Hi && (v.Text[i] == '"' || v.Text[i] == '\'') {
		i++
	}
	n := ascii.Run(v.Text[i:v.Hi], ascii.Word|ascii.Dash|ascii.Dot|ascii.Plus)
	key := string(v.Text[i : i+n])
	after := v.SkipSpaces(v.SkipClosing(i + n))
	if n == 0 || after >= v.Hi || v.Text[after] != ':' {
		if len(line) > 0 && ascii.Is(line[0], ascii.Alnum) {
			return // of something else
		}
		v.Next.Manifest = m
		if n > 0 && (m == match.SecretData || m == match.AnyData) && i > v.Lo {
			markData(v, m, i) // of a block scalar
		}
		return
	}
	val := v.SkipSpaces(after + 1)
	v.Next.Manifest = sectionAfter(&v.Line, m, key, val, i == v.Lo)
	if v.Next.Manifest == m && (m == match.SecretData || m == match.AnyData) && val < v.Hi {
		markData(v, m, val)
	}
}

// sectionAfter returns the position in an object after the line of a key. val is the
// offset of the key's value; outer says that the key is at the margin.
func sectionAfter(l *syntax.Line, m match.Manifest, key string, val int, outer bool) match.Manifest {
	opens := val >= l.Hi || l.Text[val] == '{'
	switch {
	case (key == "data" || key == "stringData") && opens:
		if m == match.SecretObject || m == match.SecretData {
			return match.SecretData
		}
		return match.AnyData
	case key == "metadata" || key == "annotations" || key == "labels" || outer && opens && (m == match.SecretData || m == match.AnyData):
		if m == match.SecretData || m == match.SecretObject {
			return match.SecretObject
		}
		return match.AnyObject
	}
	return m
}

// markData marks the value at i, if it is one of a Secret.
func markData(v *match.View, m match.Manifest, i int) {
	val, _ := v.Value(i)
	b := v.Text[val.Start:val.End]
	t := value.TraitsOf(b)
	if t.Len < 4 || t.Placeholder() {
		return
	}
	if m == match.AnyData && !decode.EncodedText(b) || m == match.SecretData && bytes.HasPrefix(b, []byte("LS0tLS1CRUdJTiBD")) {
		return // of something else, or a certificate
	}
	v.Add(val.Start, val.End, match.RuleKubernetes)
}

// markJSON marks the data of a Secret on the line, in JSON.
func markJSON(v *match.View) {
	if v.SecretSeen {
		return
	}
	v.SecretSeen = true
	for _, k := range [...]string{`"data":{`, `"data": {`, `"stringData":{`, `"stringData": {`} {
		n := bytes.Index(v.Text[v.Lo:v.Hi], []byte(k))
		if n < 0 {
			continue
		}
		i := v.Lo + n + len(k)
		for count := 0; i < v.Hi && count < 256; count++ {
			i = v.SkipSpaces(i)
			if i >= v.Hi || v.Text[i] != '"' {
				break
			}
			name := v.Quoted(i+1, &syntax.Quote{Mark: '"'})
			j := v.SkipSpaces(name.End + 1)
			if j >= v.Hi || v.Text[j] != ':' {
				break
			}
			val, q := v.Value(v.SkipSpaces(j + 1))
			if q.Mark == 0 {
				break
			}
			markData(v, match.SecretData, val.Start-1)
			i = v.SkipSpaces(val.End + 1)
			if i < v.Hi && v.Text[i] == ',' {
				i++
			}
		}
	}
}
