package envelope

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/envwrap/envwrap/envelope/internal/check"
	"github.com/envwrap/envwrap/envelope/internal/wire"
	"github.com/envwrap/envwrap/internal/shared/jsontext"
)

// dialects are all of them, the default first.
var dialects = [...]*dialect{&protocolV1, &foxctlV1, &helperV1, &delegatorV36, &toolEnvelopeV1, &agentResponseV1}

// Dialects returns all dialects, the default first.
func Dialects() []Dialect {
	list := make([]Dialect, len(dialects))
	for i, d := range dialects {
		list[i] = d
	}
	return list
}

// Formats returns all formats that [Encode] writes: the dialects, and brief/v1, a text
// that [Decode] cannot read.
func Formats() []Dialect { return append(Dialects(), &briefV1) }

// Lookup returns the format with a name, which may lack the version ("helper" for
// "helper/v1").
func Lookup(name string) (Dialect, bool) {
	for _, d := range Formats() {
		short, _, _ := strings.Cut(d.Name(), "/")
		if name == d.Name() || name == short {
			return d, true
		}
	}
	return nil, false
}

// variantOf returns the dialect of a document that has the members of d: d, or a dialect
// with the same members whose variant function accepts the document.
func (d *dialect) variantOf(doc []byte) *dialect {
	for _, o := range dialects {
		if o.variant != nil && slices.Equal(o.members, d.members) && o.variant(doc) {
			return o
		}
	}
	return d
}

// marked returns the dialect whose mark begins the last line of a text, or nil.
func marked(text []byte) *dialect {
	for _, d := range dialects {
		if d.mark != "" && bytes.Contains(text, []byte(d.mark)) && strings.HasPrefix(lastLine(string(text)), d.mark) {
			return d
		}
	}
	return nil
}

// Identify returns the dialect that doc claims to be in: by the mark in its last line,
// or by having all members that the dialect requires. It does not check doc. A document
// that may be protocol/v1 or foxctl/v1 is protocol/v1.
func Identify(doc []byte) (Dialect, bool) {
	if d := marked(doc); d != nil {
		return d, true
	}
	names, ok := topLevelNames(doc)
	if !ok {
		return nil, false
	}
	if d, ok := identify(names.has); ok {
		return d, true
	}
	return nil, false
}

// identify does what Identify does, by the names of a document's members.
func identify(has func(name string) bool) (*dialect, bool) {
	for _, d := range dialects {
		if d.unframe == nil && !slices.ContainsFunc(d.members, func(name string) bool { return !has(name) }) {
			return d, true
		}
	}
	return nil, false
}

// A nameList holds the names of an object's members as slices of the document.
type nameList [][]byte

func (l nameList) has(name string) bool {
	return slices.ContainsFunc(l, func(n []byte) bool { return string(n) == name })
}

const longestName = len("duration_seconds")

// topLevelNames returns the names of the members of doc, and reports whether doc is an
// object, complete or cut off, that no other value follows. Names longer than those of
// the dialects are left out.
func topLevelNames(doc []byte) (nameList, bool) {
	doc = bytes.TrimPrefix(doc, []byte("\xEF\xBB\xBF"))
	start := jsontext.SkipSpace(doc, 0)
	if start == len(doc) || doc[start] != '{' {
		return nil, false
	}
	names := make(nameList, 0, 16)
	end := jsontext.Walk(doc[start:], func(name []byte, _ json.RawMessage) bool {
		if len(name) <= longestName {
			names = append(names, name)
		}
		return true
	})
	after := jsontext.SkipSpace(doc, start+end)
	return names, after == len(doc) || doc[after] != '{'
}

// Guess returns the dialect that doc is most likely meant to be in: the one that
// [Identify] returns, or one of whose members it has more than half. A document that
// may be protocol/v1 or foxctl/v1 is foxctl/v1 if it looks like one that envwrap wrote.
func Guess(doc []byte) (Dialect, bool) {
	if d, ok := Identify(doc); ok {
		return d.self().variantOf(doc), true
	}
	names, _ := topLevelNames(doc)
	d, ok := guess(names.has)
	if !ok {
		return nil, false
	}
	return d, true
}

// guess does what Guess does, by the names of a document's members.
func guess(has func(name string) bool) (best *dialect, ok bool) {
	if d, ok := identify(has); ok {
		return d, true
	}
	most := 0.5
	for _, d := range dialects {
		if d.unframe != nil {
			continue
		}
		known := d.known
		if known == nil {
			known = d.members
		}
		if share := shareOf(has, known); share > most {
			best, most = d, share
		}
	}
	return best, best != nil
}

func shareOf(has func(string) bool, known []string) float64 {
	n := 0
	for _, name := range known {
		if has(name) {
			n++
		}
	}
	return float64(n) / float64(len(known))
}

// unknownFaults returns the faults of a document in no known dialect: one that says what
// the document is, and those of broken JSON.
func unknownFaults(text []byte) []wire.Fault {
	body := bytes.TrimPrefix(text, []byte("\xEF\xBB\xBF"))
	if k := jsontext.Kind(body); k != '{' && k != '[' && !isUTF16(text) {
		return []wire.Fault{unknownFault(check.Scalar(body))}
	}
	doc := parse(text)
	defer doc.reader.Release()
	what := check.Shape(body)
	if what == "" || isUTF16(text) {
		what = "JSON that is broken"
	}
	return append([]wire.Fault{unknownFault(what)}, doc.faults...)
}

func unknownFault(what string) wire.Fault {
	return wire.Fault{Pointer: "", Rule: "format/unknown", Text: "the document is no known envelope: " + what + "; name the format"}
}
