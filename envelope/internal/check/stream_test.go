package check

import (
	"strings"
	"testing"

	"github.com/envwrap/envwrap/envelope/internal/wire"
)

// Progress is numbered from 0, does not fall, and has one result.
func TestStream(t *testing.T) {
	type event struct {
		seq  int64 // -1: a result
		pct  float64
		rule string // of its fault
	}
	for name, events := range map[string][]event{
		"in order":            {{0, 10, ""}, {1, 10, ""}, {5, 20, ""}, {-1, 0, ""}},
		"two streams":         {{0, 90, ""}, {-1, 0, ""}, {0, 10, ""}, {-1, 0, ""}},
		"results alone":       {{-1, 0, ""}, {-1, 0, ""}},
		"not from 0":          {{1, 10, "stream/seq"}, {2, 10, ""}},
		"the same number":     {{0, 10, ""}, {0, 10, "stream/seq"}},
		"a number falls":      {{0, 10, ""}, {2, 10, ""}, {1, 10, "stream/seq"}},
		"what is done falls":  {{0, 10, ""}, {1, 9, "stream/pct"}, {2, 10, ""}},
		"a second result":     {{0, 10, ""}, {-1, 0, ""}, {-1, 0, "stream/second-result"}},
		"results, then order": {{-1, 0, ""}, {0, 10, ""}, {-1, 0, ""}},
	} {
		var s Stream
		for i, e := range events {
			x := &Event{Progress: e.seq >= 0}
			if x.Progress {
				x.Seq, x.Pct = new(wire.Count(e.seq)), &e.pct
			}
			got := ""
			for _, fault := range s.Next(x) {
				got += fault.Rule
			}
			if got != e.rule || s.Open() != x.Progress {
				t.Errorf("%s, event %d: got %q, open %t, want %q", name, i, got, s.Open(), e.rule)
			}
		}
	}
	var s Stream
	if faults := append(s.Next(&Event{Progress: true}), s.Next(&Event{Progress: true})...); len(faults) > 0 {
		t.Errorf("without numbers: %v", faults)
	}
}

// The error about a text that is no envelope says what the text is.
func TestDescriptions(t *testing.T) {
	for text, want := range map[string]string{
		` "x" `: "a single JSON string", "true": "a single JSON boolean", "false": "a single JSON boolean",
		"null": "a single JSON null", "-1.5": "a single JSON number", "\n hello": "no JSON at byte 2",
	} {
		if got := Scalar([]byte(text)); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
	long := strings.Repeat("m", 50)
	for text, want := range map[string]string{
		"[1, 2]": "a JSON array of 2", "{}": "a JSON object of no known shape, without members", "{": "",
		`{"b":1,"a":2}`:                               `a JSON object of no known shape, with "a", "b"`,
		`{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1}`:       `a JSON object of no known shape, with "a", "b", "c", "d", "e", "f"`,
		`{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1}`: `a JSON object of no known shape, with "a", "b", "c", "d", "e", "f" and 1 more`,
		`{"` + long + `":1}`:                          `a JSON object of no known shape, with "` + long[:40] + `"`,
	} {
		if got := Shape([]byte(text)); got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}
