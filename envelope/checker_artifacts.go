package envelope

import (
	"encoding/json"
	"slices"
	"strings"
)

// artifactsIn reports the digests in a document whose artifacts are not whole.
func (o *ValidateOptions) artifactsIn(d *dialect, doc []byte, faults *[]Fault) {
	isOwn := ownIn(d, doc)
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

// ownIn tells by its path whether envwrap itself wrote what is in a document,
// where that may also be what a command printed.
func ownIn(d *dialect, doc []byte) func([]step) bool {
	switch d.name {
	case helperV1.name:
		own := helperOwn(doc)
		return func(path []step) bool { return len(path) > 0 && slices.Contains(own, string(path[0].name)) }
	case toolEnvelopeV1.name:
		own := toolOwn(fieldsIn(doc).Get("payload"))
		return func(path []step) bool { return len(path) > 1 && slices.Contains(own, string(path[1].name)) }
	}
	return func([]step) bool { return true }
}

// toolOwn are the members of a tool-envelope's payload that envwrap itself writes:
// those of a run and of an error, and what an answer about jobs has.
func toolOwn(payload json.RawMessage) []string {
	f := fieldsIn(payload)
	switch {
	case isToolError(payload):
		return []string{"details", "exec"}
	case isToolRun(f):
		return []string{"artifacts", "stdout", "stderr"}
	case isExec(f.Get("exec")):
		return []string{"exec"}
	case strings.HasPrefix(stringIn(f.Get("command")), "jobs/"):
		return []string{"job", "jobs", "stdout", "stderr"}
	}
	return nil
}

// helperOwn are the members of a helper/v1 envelope that envwrap itself writes:
// exec, and beside it the stream that is the whole payload; what an answer about
// jobs has. Any other member is what the helper printed.
func helperOwn(doc []byte) []string {
	f := fieldsIn(doc)
	payload := f.without(append(slices.Clone(helperNames), "exec")...)
	switch {
	case isExec(f.Get("exec")) && len(payload) == 1 && payload[0].Name == "stdout" && isStream(payload[0].Value):
		return []string{"exec", "stdout"}
	case isExec(f.Get("exec")):
		return []string{"exec"}
	case strings.HasPrefix(stringIn(f.Get("command")), "jobs/"):
		return []string{"job", "jobs", "stdout", "stderr"}
	}
	return nil
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
