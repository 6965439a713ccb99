package envelope

import (
	"bytes"
	"slices"
	"strings"

	"github.com/envwrap/envwrap/envelope/internal/check"
	"github.com/envwrap/envwrap/envelope/internal/wire"
	"github.com/envwrap/envwrap/internal/shared/jsontext"
)

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
