package mcpserver

import (
	"encoding/json"
	"testing"
	"time"
)

// A duration is a number of seconds, also in a text, or a text with units.
func TestSpan(t *testing.T) {
	for raw, want := range map[string]time.Duration{
		`0`: 0, `1.5`: 1500 * time.Millisecond, `1000000`: 1e6 * time.Second, `"30"`: 30 * time.Second, `"0"`: 0, `"1e6"`: 1e6 * time.Second, `"5m"`: 5 * time.Minute, `"2000h"`: 2000 * time.Hour,
		`-1`: -1, `1000001`: -1, `"-1"`: -1, `"1000001"`: -1, `"-5m"`: -1, `"soon"`: -1, `""`: -1, `true`: -1, `[]`: -1, `"NaN"`: -1,
	} {
		var s span
		err := json.Unmarshal([]byte(raw), &s)
		if (err != nil) != (want < 0) || err == nil && time.Duration(s) != want {
			t.Errorf("%s: got %v, %v", raw, s, err)
		}
	}
}
