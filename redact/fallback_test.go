package redact_test

import (
	"testing"

	"github.com/envwrap/envwrap/redact"
)

// A value that replaces a missing one is masked, an argument of a call is not.
func TestFallback(t *testing.T) {
	r := redact.New(redact.Options{})
	for text, hidden := range map[string]bool{
		`password = os.getenv("PW") or "hunter2x9"`:      true,
		`password = os.getenv("PW"); x = y or "hunter2"`: false,
		`password = lookup(name or "hunter2x9", 1)`:      false,
	} {
		if got, _ := r.String(text); (got != text) != hidden {
			t.Errorf("%q became %q", text, got)
		}
	}
}
