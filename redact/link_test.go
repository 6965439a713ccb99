package redact_test

import (
	"strings"
	"testing"

	"github.com/envwrap/envwrap/redact"
)

// A link within a secret does not hide it, and a secret in a link's address is masked.
func TestLinks(t *testing.T) {
	r := redact.New(redact.Options{Values: []redact.Value{{Rule: "env:X", Secret: "plainvalue42"}}})
	const begin, end = "\x1b]8;id=1;https://example.com/a\x1b\\", "\x1b]8;;\x1b\\"
	for in, want := range map[string]string{
		"is " + begin + "plain" + end + "value42 here\n":                        "is " + begin + "***" + end + " here\n",
		"is plain" + begin + "value" + end + "42 here\n":                        "is ***" + begin + end + " here\n",
		"is plain\x1b]8;;https://example.com/a\avalue\x1b]8;;\a42 here\n":       "is ***\x1b]8;;https://example.com/a\a\x1b]8;;\a here\n",
		"see \x1b]8;;https://ada:hunter2xQ@example.com/\x1b\\this" + end + "\n": "see \x1b]8;;https://ada:***@example.com/\x1b\\this" + end + "\n",
		"see \x1b]8;;https://example.com/plainvalue42\x1b\\this" + end + "\n":   "see \x1b]8;;https://example.com/***\x1b\\this" + end + "\n",
		"DB_PASSWORD=" + begin + "hunter2xQ9" + end + "\n":                      "DB_PASSWORD=" + begin + "***" + end + "\n",
		"\x1b]8;;no end plainvalue42\n\x1b]8;;\n":                               "\x1b]8;;no end ***\n\x1b]8;;\n",
		begin + "text" + end + " " + strings.Repeat(end, 3) + "\n":              begin + "text" + end + " " + strings.Repeat(end, 3) + "\n",
	} {
		got, _ := r.String(in)
		if got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
		if again, _ := r.String(got); again != got {
			t.Errorf("%q became %q once more", got, again)
		}
	}
}

// Secrets in overstruck text (character, backspace, character) are found.
func TestStruck(t *testing.T) {
	r := redact.New(redact.Options{Mode: redact.Known, Values: []redact.Value{{Rule: "env:X", Secret: "s3cr3t/V4lue"}}})
	var bold, under strings.Builder
	for _, c := range "s3cr3t/V4lue" {
		bold.WriteString(string(c) + "\b" + string(c))
		under.WriteString("_\b" + string(c))
	}
	for _, s := range []string{bold.String(), under.String()} {
		if got, _ := r.String("is " + s + "\n"); got != "is ***\n" {
			t.Errorf("%q became %q", s, got)
		}
	}
}
