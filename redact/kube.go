package redact

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/decode"
	"github.com/envwrap/envwrap/redact/internal/value"
)

const ruleKube = "kubernetes-secret"

// apiVersion begins a manifest at pos.
func apiVersion(v *view, pos int) {
	if v.lineKey(pos) && v.next.manifest == noManifest {
		v.next.manifest = anyObject
	}
}

// kindOfObject notes that a manifest is of a Secret, or that it is not; pos is that of
// "kind".
func kindOfObject(v *view, pos int) {
	if !v.lineKey(pos) {
		return
	}
	i := v.spaces(v.closing(pos + len("kind")))
	if i >= v.hi || v.text[i] != ':' {
		return
	}
	val, _ := v.value(v.spaces(i + 1))
	if ascii.HasFold(v.text[val.start:val.end], "secret") && val.end-val.start == len("secret") {
		v.next.manifest = aSecret
		v.jsonSecret()
	} else {
		v.next.manifest = noManifest
	}
}

// lineKey reports whether the word at pos begins its line, but for quotes and
// signs of YAML and JSON, or follows a comma or brace.
func (v *view) lineKey(pos int) bool {
	for pos > v.lo {
		pos--
		switch v.text[pos] {
		case ' ', '\t', '"', '\'', '-', '\\', '+':
		case '{', ',':
			return true
		default:
			return false
		}
	}
	return true
}

// manifestLine looks at a line within a manifest.
func (v *view) manifestLine(m manifest) {
	line := v.text[v.lo:v.hi]
	i := v.spaces(v.lo)
	if bytes.HasPrefix(line, []byte("---")) || bytes.HasPrefix(line, []byte("}")) {
		v.next.manifest = noManifest
		return
	}
	for i < v.hi && (v.text[i] == '"' || v.text[i] == '\'') {
		i++
	}
	n := ascii.Run(v.text[i:v.hi], ascii.Word|ascii.Dash|ascii.Dot|ascii.Plus)
	key := string(v.text[i : i+n])
	after := v.spaces(v.closing(i + n))
	if n == 0 || after >= v.hi || v.text[after] != ':' {
		if len(line) > 0 && ascii.Is(line[0], ascii.Alnum) {
			return // of something else
		}
		v.next.manifest = m
		if n > 0 && (m == secretData || m == anyData) && i > v.lo {
			v.manifestValue(m, i) // of a block scalar
		}
		return
	}
	val := v.spaces(after + 1)
	v.next.manifest = v.section(m, key, val, i == v.lo)
	if v.next.manifest == m && (m == secretData || m == anyData) && val < v.hi {
		v.manifestValue(m, val)
	}
}

// section returns where a manifest is after the line of a key.
func (v *view) section(m manifest, key string, val int, outer bool) manifest {
	opens := val >= v.hi || v.text[val] == '{'
	switch {
	case (key == "data" || key == "stringData") && opens:
		if m == aSecret || m == secretData {
			return secretData
		}
		return anyData
	case key == "metadata" || key == "annotations" || key == "labels" || outer && opens && (m == secretData || m == anyData):
		if m == secretData || m == aSecret {
			return aSecret
		}
		return anyObject
	}
	return m
}

// manifestValue marks the value at i, if it is one of a Secret.
func (v *view) manifestValue(m manifest, i int) {
	val, _ := v.value(i)
	b := v.text[val.start:val.end]
	t := value.TraitsOf(b)
	if t.Len < 4 || t.Placeholder() {
		return
	}
	if m == anyData && !decode.EncodedText(b) || m == secretData && bytes.HasPrefix(b, []byte("LS0tLS1CRUdJTiBD")) {
		return // of something else, or a certificate
	}
	v.add(val.start, val.end, ruleKube)
}

// jsonSecret looks for the data of a Secret on the rest of a line of JSON.
func (v *view) jsonSecret() {
	if v.oneSecret {
		return
	}
	v.oneSecret = true
	for _, k := range [...]string{`"data":{`, `"data": {`, `"stringData":{`, `"stringData": {`} {
		n := bytes.Index(v.text[v.lo:v.hi], []byte(k))
		if n < 0 {
			continue
		}
		i := v.lo + n + len(k)
		for count := 0; i < v.hi && count < 256; count++ {
			i = v.spaces(i)
			if i >= v.hi || v.text[i] != '"' {
				break
			}
			name := v.quoted(i+1, &quote{mark: '"'})
			j := v.spaces(name.end + 1)
			if j >= v.hi || v.text[j] != ':' {
				break
			}
			val, q := v.value(v.spaces(j + 1))
			if q.mark == 0 {
				break
			}
			v.manifestValue(secretData, val.start-1)
			i = v.spaces(val.end + 1)
			if i < v.hi && v.text[i] == ',' {
				i++
			}
		}
	}
}
