package cli

import "testing"

func TestNearest(t *testing.T) {
	names := []string{"run", "detect", "version", "validate", "format", "timeout", "idle-timeout"}
	for in, want := range map[string]string{
		"vresion":  "version",
		"formt":    "format",
		"timout":   "timeout",
		"Detect":   "detect",
		"rum":      "run",
		"git":      "",
		"":         "",
		"x":        "",
		"valideta": "validate",
		"zzzzzz":   "",
	} {
		if got := Nearest(in, names); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}
