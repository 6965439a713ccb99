package envelope

import (
	"bytes"

	"github.com/envwrap/envwrap/envelope/internal/wire"
	"github.com/envwrap/envwrap/internal/jsontext"
)

// A Checker checks the envelopes of one input in their order, each by itself
// and all together: progress events are numbered and end in one result. The
// zero value finds the dialects by itself. It is not safe for concurrent use.
type Checker struct {
	Dialect Dialect // nil: whatever each document looks like
	Options ValidateOptions

	documents int
	stream    streamState
}

// Checked is what a Checker says of one document.
type Checked struct {
	Dialect Dialect // nil where it is none
	Faults  []Fault // nil where nothing is wrong
}

// Check checks the next document.
func (c *Checker) Check(doc []byte) Checked { return c.follow(c.examine(doc)) }

// An examined document has been checked by itself.
type examined struct {
	Checked
	inStream bool           // it may be part of a stream
	status   protocolStatus // and this is its part
	seq      *wire.Count
	pct      *float64 // of a progress event, where it tells
}

// examine checks a document by itself. It does not touch the stream's state,
// so that many documents may be examined at a time.
func (c *Checker) examine(text []byte) examined {
	if c.Dialect == nil && !bytes.Contains(text, []byte(toolMark)) {
		doc := parse(text)
		defer doc.reader.Release()
		if d, known := guess(doc.reader.Top.Has); known && !doc.broken {
			w, faults := d.take(&doc, "", c.Options.Strict)
			return newExamined(d, w, append(faults, c.Options.inspect(d, text)...))
		}
	}
	d := c.Dialect
	if d == nil {
		var known bool
		if d, known = Guess(text); !known {
			return examined{Checked: Checked{Faults: unknownFaults(text)}}
		}
	}
	w, faults := d.self().validate(text, c.Options)
	return newExamined(d, w, faults)
}

func newExamined(d Dialect, w wireDoc, faults []wire.Fault) examined {
	x := examined{Checked: Checked{d, faults}}
	switch p := w.(type) {
	case *protocol:
		x.inStream, x.status, x.seq = true, p.Status, p.Meta.Seq
		x.pct = pctIn(p.Status, p.Data)
	case *foxctl:
		x.inStream, x.status, x.seq = true, p.Status, p.Meta.Seq
		x.pct = pctIn(p.Status, p.Data)
	}
	return x
}

// follow adds what an examined document means to the stream that it is in.
func (c *Checker) follow(x examined) Checked {
	c.documents++
	if x.inStream {
		x.Faults = append(x.Faults, c.stream.next(&x)...)
	}
	return x.Checked
}

// End returns what is wrong with the input as a whole, once all of it was
// checked.
func (c *Checker) End() []Fault {
	switch {
	case c.documents == 0:
		return []wire.Fault{{Pointer: "", Rule: "stream/empty", Text: "there is no envelope"}}
	case c.stream.open:
		return []wire.Fault{{Pointer: "", Rule: "stream/no-end", Text: "the progress events are followed by no result"}}
	}
	return nil
}

// ArtifactState is what a store says of an artifact.
type ArtifactState int

const (
	ArtifactWhole   ArtifactState = iota // it is there, and is what its digest says
	ArtifactMissing                      // the store does not have it
	ArtifactCorrupt                      // its content is not what its digest says
)

// ValidateOptions are what is checked beyond the format itself.
type ValidateOptions struct {
	Strict bool // members that the document does not name are faults

	// Mask masks the secrets in a JSON document and leaves it one; what it
	// changes is a fault. Nil: secrets are not looked for.
	Mask func(doc []byte) []byte
	// Artifact tells of the artifact with a digest, sha256:<64 hex>. Nil:
	// artifacts are not looked for.
	Artifact func(digest string) ArtifactState
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
			faults = append(faults, wire.Fault{Pointer: "", Rule: "secret/clear", Text: "a secret stands in the clear in the text"})
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
			faults = secretsIn(doc, masked)
		}
	}
	if o.Artifact != nil {
		o.artifactsIn(d, doc, &faults)
	}
	return faults
}
