package redact_test

import (
	"strings"
	"testing"

	"github.com/envwrap/envwrap/redact"
)

// A password that is given to a program is masked wherever on the line it
// stands, also one that is weak; a sentence about passwords stays.
func TestPasswordAnywhereOnTheLine(t *testing.T) {
	r := redact.New(redact.Options{})
	for _, text := range []string{
		"password=hunter2",
		"connect: password=hunter2",
		"echo \"password=hunter2\" | head",
		"login --password hunter2 now",
		"login --password=hunter2 now",
		"GET /login?password=hunter2&next=/ HTTP/1.1",
		`{"line":"login password=hunter2 failed"}`,
	} {
		want := strings.Replace(text, "hunter2", "***", 1)
		if got, _ := r.String(text); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	for _, text := range []string{
		"a password has 2 parts: password policy2 and salt",
		"password = hash2sum(x)",
		"if password == input1 {",
		"--password-file secrets1.txt",
	} {
		if got, _ := r.String(text); got != text {
			t.Errorf("got %q, want %q", got, text)
		}
	}
}
