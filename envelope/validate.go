package envelope

import (
	"bytes"
)

// Validate reports everything that is wrong with one envelope of dialect d; nil
// where nothing is.
func Validate(d Dialect, doc []byte, o ValidateOptions) []Fault {
	_, faults := d.self().validate(doc, o)
	return faults
}

func (d *dialect) validate(doc []byte, o ValidateOptions) (wire, []Fault) {
	w, faults := d.read(doc, o.Strict)
	if o.Strict {
		faults = append(faults, o.inspect(d, doc)...)
	}
	return w, faults
}

// documentDepth is the deepest nesting of a document that is read.
const documentDepth = 1000

// read takes one document apart. The wire struct is nil where it is no JSON.
func (d *dialect) read(doc []byte, strict bool) (wire, []Fault) {
	text := ""
	if d.unframe != nil {
		var fault *Fault
		if doc, text, fault = d.unframe(doc); fault != nil {
			return nil, []Fault{*fault}
		}
	}
	s := shaper{problems: problems{strict: strict, size: len(doc)}, path: make([]step, 0, 8)}
	if bytes.HasPrefix(doc, []byte("\xEF\xBB\xBF")) {
		s.add("", "json/bom", "the text begins with a byte order mark")
		doc = doc[3:]
	}
	soft := func(f Fault) bool { s.faults = append(s.faults, f); return true }
	if fault, _ := scan(doc, documentDepth, soft); fault != nil {
		return nil, append(s.faults, *fault)
	}
	w := d.blank()
	start := skipSpace(doc, 0)
	s.into(doc[start:skip(doc, start)], w)
	if framed, ok := w.(*toolEnvelope); ok {
		framed.markdown = text
	}
	w.check(&s.problems)
	return w, s.faults
}
