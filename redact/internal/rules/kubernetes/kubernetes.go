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
	if m := v.Next.Manifest; lineKey(&v.Line, pos) && (m.Object != match.SecretObject || m.Data) {
		begin(v, match.AnyObject, pos)
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
		begin(v, match.SecretObject, pos)
		markJSON(v)
	} else if pos-v.Lo <= int(v.Next.Manifest.Column)+1 {
		v.Next.Manifest = match.Manifest{} // not of one that the object names, as its owner
	}
}

// begin notes an object one of whose keys is at pos.
func begin(v *match.View, o match.ManifestObject, pos int) {
	v.Next.Manifest = match.Manifest{}
	if column := pos - v.Lo; column < 1<<8 {
		v.Next.Manifest = match.Manifest{Object: o, Column: uint8(column)}
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

// FindInManifest marks the data on a line of an object. The data goes on to the next key
// in the column of the object's own keys, the object to one before that column.
func FindInManifest(v *match.View, m match.Manifest) {
	line := bytes.TrimLeft(v.Text[v.Lo:v.Hi], " \t\"'+-")
	i := v.Hi - len(line)
	switch {
	case bytes.HasPrefix(v.Text[v.Lo:v.Hi], []byte("---")):
		return
	case len(line) == 0, line[0] == '#':
		v.Next.Manifest = m
		return
	case i-v.Lo < int(m.Column):
		return // of something else
	}
	n := ascii.Run(line, ascii.Word|ascii.Dash|ascii.Dot|ascii.Plus)
	after := v.SkipSpaces(v.SkipClosing(i + n))
	isKey := n > 0 && after < v.Hi && v.Text[after] == ':'
	v.Next.Manifest = m
	key, val := string(line[:n]), v.SkipSpaces(after+1)
	opens := isKey && (key == "data" || key == "stringData") && (val >= v.Hi || v.Text[val] == '{')
	switch own := i-v.Lo == int(m.Column); {
	case opens && !m.Data && i-v.Lo < 1<<8: // also where only the first line has lost its indentation
		v.Next.Manifest = match.Manifest{Object: m.Object, Data: true, Column: uint8(i - v.Lo)}
	case own && !isKey:
		v.Next.Manifest = match.Manifest{}
	case own:
		v.Next.Manifest.Data = opens
	case m.Data && isKey:
		v.Next.Manifest.Public = false
		if val < v.Hi && (!describesData(key) || decode.EncodedText(syntax.TrimRight(v.Text[val:v.Hi]))) {
			markData(v, m.Object, val)
		}
	case m.Data && bytes.HasSuffix(syntax.TrimRight(line), []byte("-----")):
		v.Next.Manifest.Public = bytes.HasPrefix(line, []byte("BEGIN CERT")) || bytes.HasPrefix(line, []byte("BEGIN PUBLIC"))
	case m.Data && !m.Public && n > 0 && ascii.Run(line, ascii.Base64|ascii.URLSafe|ascii.Equals) >= len(syntax.TrimRight(line)):
		markData(v, m.Object, i) // of a block scalar
	}
}

// describesData reports whether key, of the data of a Secret, has what the secrets beside it
// are for.
func describesData(key string) bool {
	switch key {
	case "name", "description", "server", "url", "host", "port", "type", "project", "namespace", "database":
		return true
	}
	return false
}

// markData marks the value at i, if it is one of a Secret.
func markData(v *match.View, o match.ManifestObject, i int) {
	val, _ := v.Value(i)
	b := v.Text[val.Start:val.End]
	t := value.TraitsOf(b)
	if t.Len < 4 || t.Placeholder() || bytes.HasPrefix(b, []byte("{{")) {
		return
	}
	if o == match.AnyObject && !decode.EncodedText(b) || o == match.SecretObject && bytes.HasPrefix(b, []byte("LS0tLS1CRUdJTiBD")) {
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
		for {
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
			if !describesData(string(v.Text[name.Start:name.End])) {
				markData(v, match.SecretObject, val.Start-1)
			}
			i = v.SkipSpaces(val.End + 1)
			if i < v.Hi && v.Text[i] == ',' {
				i++
			}
		}
	}
}
