package envelope

import (
	"encoding/json"
	"strings"
	"testing"
)

// Consumers of foxctl/v1 read numbers into float64, which refuses 1e400: JSON with
// such a number is text there, and anywhere else in data the number is a string.
func TestFoxctlNumbers(t *testing.T) {
	printed := newRun(0, "", "", "printf")
	if err := printed.Stdout.Interpret([]byte("{\"a\":1e400}\n"), ParseAuto); err != nil || printed.Stdout.JSON != nil || !printed.Stdout.Beyond {
		t.Fatalf("the output is JSON, or nothing is said of its number: %v, %+v", err, printed.Stdout)
	}
	fine := newRun(0, "", "", "printf")
	_ = fine.Stdout.Interpret([]byte(`{"a":1e300,"b":1e-400,"c":"1e400","d":12345678901234567890}`), ParseAuto)
	spilled := newRun(0, "", "", "printf")
	spilled.Stdout = inStore(`[{"a":1e400}]`, digestA)
	adopted := mustAdopt(t, &protocolV1, printed, 0)
	for name, c := range map[string]struct {
		r    *Result
		text bool
	}{"printed": {printed, true}, "fine": {fine, false}, "spilled": {spilled, false}, "adopted": {adopted, true}} {
		doc, err := Encode(&foxctlV1, c.r, EncodeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		var into struct {
			Data map[string]any
			Meta any
		}
		if err := json.Unmarshal(doc, &into); err != nil {
			t.Errorf("%s: %v\n%s", name, err, doc)
		}
		if faults := Validate(&foxctlV1, doc, ValidateOptions{}); faults != nil {
			t.Errorf("%s: %v\n%s", name, faults, doc)
		}
		stdout, _ := into.Data["stdout"].(map[string]any)
		if _, text := stdout["text"]; text != c.text {
			t.Errorf("%s: text is %v\n%s", name, text, doc)
		}
		if text, _ := stdout["text"].(string); c.text && strings.TrimSuffix(text, "\n") != "{\"a\":1e400}" {
			t.Errorf("%s: %q", name, stdout["text"])
		}
	}
}
