package envelope

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/envelope/internal/wire"
	"github.com/envwrap/envwrap/internal/test/testenv"
)

// docs/reference/dialects.md shows the answers about jobs. UPDATE=1 writes it anew.
func TestDialectsPageOfJobs(t *testing.T) {
	cases := map[string]testCase{}
	for _, c := range append(taskCases(t), answerCases()...) {
		cases[c.name] = c
	}
	for _, s := range []struct{ section, name, dialects string }{
		{"job-submit", "jobs-submit-queued", "protocol delegator"},
		{"job-failed", "job-results-failed", "protocol delegator"},
		{"job-status", "jobs-info-all", "protocol delegator"},
	} {
		var b strings.Builder
		for name := range strings.FieldsSeq(s.dialects) {
			d, _ := Lookup(name)
			doc, err := Encode(d, cases[s.name].result, cases[s.name].opt)
			if err != nil {
				t.Fatal(err)
			}
			b.WriteString("### " + d.Name() + "\n\n" + shownDocument(t, d, doc) + "\n")
		}
		testenv.KeepSections(t, "../docs/reference/dialects.md", map[string]string{s.section: b.String()})
	}
}

// shownDocument is an envelope as a block of Markdown; that of a tool-envelope
// with its last line decoded.
func shownDocument(t *testing.T, d Dialect, doc []byte) string {
	t.Helper()
	if d.self().unframe == nil {
		return "```json\n" + string(doc) + "```\n"
	}
	inner, _, fault := d.self().unframe(doc)
	if fault != nil || !json.Valid(inner) {
		t.Fatalf("%v: %s", fault, doc)
	}
	return "````markdown\n" + string(doc) + "````\n\nThe last line, decoded:\n\n```json\n" + string(wire.Indent(inner)) + "\n```\n"
}
