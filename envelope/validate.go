package envelope

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/envwrap/envwrap/envelope/internal/check"
	"github.com/envwrap/envwrap/envelope/internal/wire"
	"github.com/envwrap/envwrap/internal/shared/jsontext"
)

// Validate reports everything that is wrong with one envelope of dialect d, or nil. The
// reading of a document ends where it is no JSON, and after 100 faults that JSON allows, such
// as repeated names. It takes time linear in the size of the document.
func Validate(d Dialect, doc []byte, o ValidateOptions) []Fault {
	_, faults := d.self().validate(doc, o)
	return faults
}

func (d *dialect) validate(doc []byte, o ValidateOptions) (wireDoc, []wire.Fault) {
	w, faults := d.read(doc, o.Strict)
	return w, append(faults, o.inspect(d, doc)...)
}

// mostFaults is how many repeated names, texts that are not UTF-8 and the like are reported
// of one document. Its reading ends with the next one.
const mostFaults = 100

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
	p := parsed{doc: doc, size: len(bytes.TrimRight(doc, "\r\n"))}
	p.reader = jsontext.Whole(documentDepth, func(f jsontext.Fault) bool {
		if len(p.faults) == mostFaults {
			return false
		}
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
		if len(p.faults) == mostFaults {
			f.Text += fmt.Sprintf("; there were %d such faults before, and the rest of the document was not read", mostFaults)
		}
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

// artifactsIn reports the digests in a document whose artifacts are not whole.
func (o *ValidateOptions) artifactsIn(d *dialect, doc []byte, faults *[]wire.Fault) {
	isOwn := func([]jsontext.Step) bool { return true }
	if d.own != nil {
		isOwn = d.own(doc)
	}
	jsontext.Strings(doc, documentDepth, func(r *jsontext.Reader, str []byte) {
		if !isOwn(r.Path) {
			return
		}
		for _, id := range artifactsAt(r.Path, string(jsontext.Unquote(str))) {
			switch o.Artifact(id) {
			case ArtifactMissing:
				*faults = append(*faults, wire.Fault{Pointer: r.Pointer(), Rule: "artifact/missing", Text: id + " is not in the store"})
			case ArtifactCorrupt:
				*faults = append(*faults, wire.Fault{Pointer: r.Pointer(), Rule: "artifact/corrupt", Text: "the content of " + id + " does not match it"})
			case ArtifactWhole:
			}
		}
	})
}

// artifactsAt returns the digests of artifacts that a text at path names. What a
// command printed has none: a container has digests of its own.
func artifactsAt(path []jsontext.Step, text string) (list []string) {
	last := ""
	for _, p := range path {
		if p.Index >= 0 {
			continue
		}
		if last = string(p.Name); last == "json" {
			return nil
		}
	}
	switch {
	case last == "details":
		return artifactsInDetails(text)
	case wire.IsDigest(text) && slices.Contains([]string{"artifact", "artifacts", "cas_digest", "ref"}, last):
		return []string{text}
	}
	return nil
}

// artifactsInDetails returns the digests in the details of a tool-envelope's error,
// as [view.toolDetails] makes them.
func artifactsInDetails(text string) (list []string) {
	for line := range strings.SplitSeq(text, "\n") {
		stream, rest, _ := strings.Cut(line, ": ")
		id, _, sized := strings.Cut(rest, " (")
		if sized && wire.IsDigest(id) && (stream == "stdout" || stream == "stderr") {
			list = append(list, id)
		}
	}
	return list
}

// inspect looks for secrets and artifacts in a document, where that is wanted.
func (o *ValidateOptions) inspect(d *dialect, doc []byte) []wire.Fault {
	if !o.Strict {
		return nil
	}
	if d.unframe != nil {
		inner, text, fault := d.unframe(doc)
		if fault != nil {
			return nil
		}
		var faults []wire.Fault
		if o.Mask != nil && !bytes.Equal(o.Mask([]byte(text)), []byte(text)) {
			faults = append(faults, wire.Fault{Pointer: "", Rule: "secret/clear", Text: "a secret is in the clear in the text"})
		}
		return append(faults, o.inspectJSON(d, inner)...)
	}
	return o.inspectJSON(d, doc)
}

func (o *ValidateOptions) inspectJSON(d *dialect, doc []byte) []wire.Fault {
	if !jsontext.Valid(doc) {
		return nil
	}
	var faults []wire.Fault
	if o.Mask != nil {
		if masked := o.Mask(doc); !bytes.Equal(masked, doc) && jsontext.Valid(masked) {
			faults = check.Secrets(doc, masked)
		}
	}
	if o.Artifact != nil {
		o.artifactsIn(d, doc, &faults)
	}
	return faults
}
