package envelope

import (
	"bytes"
	"fmt"

	"github.com/envwrap/envwrap/envelope/internal/wire"
	"github.com/envwrap/envwrap/internal/shared/jsontext"
)

// Validate reports everything that is wrong with one envelope of dialect d; nil
// where nothing is.
func Validate(d Dialect, doc []byte, o ValidateOptions) []Fault {
	_, faults := d.self().validate(doc, o)
	return faults
}

func (d *dialect) validate(doc []byte, o ValidateOptions) (wireDoc, []wire.Fault) {
	w, faults := d.read(doc, o.Strict)
	return w, append(faults, o.inspect(d, doc)...)
}

// documentDepth is the deepest nesting of a document that is read.
const documentDepth = 1000

// read takes one document apart. The wire struct is nil where it is no JSON.
func (d *dialect) read(doc []byte, strict bool) (wireDoc, []wire.Fault) {
	text := ""
	if d.unframe != nil {
		var fault *wire.Fault
		if doc, text, fault = d.unframe(doc); fault != nil {
			return nil, []wire.Fault{*fault}
		}
	}
	p := parse(doc)
	defer p.reader.Release()
	return d.take(&p, text, strict)
}

// A parsed document is JSON whose outermost members are known.
type parsed struct {
	doc    []byte           // without a byte order mark
	size   int              // with it
	reader *jsontext.Reader // it has the members of an object in Top; to be released
	faults []wire.Fault
	broken bool // it is no JSON
}

// parse reads the JSON of a document.
func parse(doc []byte) parsed {
	p := parsed{doc: doc, size: len(doc)}
	p.reader = jsontext.Whole(documentDepth, func(f jsontext.Fault) bool {
		p.faults = append(p.faults, wire.Fault{Pointer: f.Pointer, Rule: f.Rule, Text: f.Text})
		return true
	})
	p.reader.Keep = true
	if bytes.HasPrefix(doc, []byte("\xEF\xBB\xBF")) {
		p.faults = append(p.faults, wire.Fault{Pointer: "", Rule: "json/bom", Text: "the text begins with a byte order mark"})
		p.doc = doc[3:]
	}
	if isUTF16(doc) {
		p.faults, p.broken = []wire.Fault{{Pointer: "", Rule: "json/utf8", Text: "the text is UTF-16 by its first bytes; it must be UTF-8"}}, true
		return p
	}
	if f := p.reader.Read(p.doc); f != nil {
		p.faults, p.broken = append(p.faults, wire.Fault{Pointer: f.Pointer, Rule: f.Rule, Text: fmt.Sprintf("%s (byte %d)", f.Text, f.Offset)}), true
	}
	return p
}

// isUTF16 reports whether a text begins like JSON in UTF-16, with a byte order
// mark or without.
func isUTF16(text []byte) bool {
	for _, mark := range []string{"\xFF\xFE", "\xFE\xFF", "{\x00", "\x00{"} {
		if bytes.HasPrefix(text, []byte(mark)) {
			return true
		}
	}
	return false
}

// take reads a document's members into the dialect's wire struct. text is the text around
// the JSON. A document that may be the lean form of a run is read as one if it has no
// faults as such.
func (d *dialect) take(doc *parsed, text string, strict bool) (wireDoc, []wire.Fault) {
	if doc.broken {
		return nil, doc.faults
	}
	if whole := d.fullForm(doc.reader.Top); whole != nil && doc.faults == nil {
		full := parse(whole)
		defer full.reader.Release()
		full.size = doc.size
		if w, faults := d.takeAsIs(&full, text, strict); faults == nil {
			return w, nil
		}
	}
	return d.takeAsIs(doc, text, strict)
}

// takeAsIs reads a document in which nothing is left out.
func (d *dialect) takeAsIs(doc *parsed, text string, strict bool) (wireDoc, []wire.Fault) {
	p := wire.Problems{Strict: strict, Size: doc.size, Faults: doc.faults}
	w := d.blank()
	p.ReadDocument(doc.doc, doc.reader.Top, w)
	if w, ok := w.(interface{ setText(string) }); ok {
		w.setText(text)
	}
	w.check(&p)
	return w, p.Faults
}
