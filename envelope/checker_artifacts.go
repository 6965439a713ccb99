package envelope

import (
	"slices"
	"strings"
)

// artifactsIn reports the digests in a document whose artifacts are not whole.
func (o *ValidateOptions) artifactsIn(d *dialect, doc []byte, faults *[]Fault) {
	isOwn := func([]step) bool { return true }
	if d.own != nil {
		isOwn = d.own(doc)
	}
	scanTexts(doc, func(s *scanner, quoted []byte) {
		if !isOwn(s.path) {
			return
		}
		for _, id := range artifactsAt(s.path, string(unquoted(quoted))) {
			switch o.Artifact(id) {
			case ArtifactMissing:
				*faults = append(*faults, Fault{s.pointer(), "artifact/missing", id + " is not in the store"})
			case ArtifactCorrupt:
				*faults = append(*faults, Fault{s.pointer(), "artifact/corrupt", "the content of " + id + " does not match it"})
			case ArtifactWhole:
			}
		}
	})
}

// artifactsAt are the digests of artifacts that a text at path names. What a
// command printed has none: a container has digests of its own.
func artifactsAt(path []step, text string) (list []string) {
	last := ""
	for _, p := range path {
		if p.index >= 0 {
			continue
		}
		if last = string(p.name); last == "json" {
			return nil
		}
	}
	switch {
	case last == "details":
		return artifactsInDetails(text)
	case isDigest(text) && slices.Contains([]string{"artifact", "artifacts", "cas_digest", "ref"}, last):
		return []string{text}
	}
	return nil
}

// artifactsInDetails are the digests in the details of a tool-envelope's error,
// as [view.toolDetails] makes them.
func artifactsInDetails(text string) (list []string) {
	for line := range strings.SplitSeq(text, "\n") {
		stream, rest, _ := strings.Cut(line, ": ")
		id, _, sized := strings.Cut(rest, " (")
		if sized && isDigest(id) && (stream == "stdout" || stream == "stderr") {
			list = append(list, id)
		}
	}
	return list
}
