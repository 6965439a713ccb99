package mcpserver

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// Arguments that are absent or 0 set no option of the run.
func TestOptionsOfACall(t *testing.T) {
	for in, want := range map[string]string{
		`{}`:                               "--stdin null",
		`{"stdin":""}`:                     "--stdin inherit",
		`{"cwd":"sub","timeout":"1m"}`:     "--stdin null --cwd sub --timeout 1m0s",
		`{"cache":"1h"}`:                   "--stdin null --cache 1h0m0s",
		`{"timeout":"0s","cache":"0s"}`:    "--stdin null",
		`{"timeout":"500ms","cache":"1s"}`: "--stdin null --timeout 500ms --cache 1s",
	} {
		var c command
		if err := json.Unmarshal([]byte(in), &c); err != nil {
			t.Fatalf("%s: %v", in, err)
		}
		if got := c.options(); !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("%s: got %q, want %q", in, got, want)
		}
	}
}
