package redact_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/internal/test/redactcases"
	"github.com/envwrap/envwrap/redact"
)

// Texts that were made to be slow.
func BenchmarkHostile(b *testing.B) {
	for name, h := range redactcases.HostileTexts() {
		var values []redact.Value
		for _, s := range h.Known {
			values = append(values, redact.Value{Rule: "env:V", Secret: s})
		}
		r := redact.New(redact.Options{Values: values})
		b.Run(name, func(b *testing.B) { benchmark(b, r, h.Text) })
	}
}

// Each of the repeats on lines of 64 KB, all of it on one line, and a known
// value that repeats itself.
func BenchmarkRepeats(b *testing.B) {
	bench := func(name string, text []byte) {
		r := redact.New(redact.Options{Values: []redact.Value{{Rule: "env:A", Secret: strings.Repeat("ab", 2<<10)}}})
		b.Run(name, func(b *testing.B) { benchmark(b, r, text) })
	}
	for _, s := range redactcases.Repeats {
		line := strings.Repeat(s, (64<<10-1)/len(s))
		bench("lines of "+s, []byte(strings.Repeat(line+"\n", 4)))
		bench("one line of "+s, []byte(strings.Repeat(s, 256<<10/len(s))))
	}
	bench("known", bytes.Repeat([]byte("ab"), 128<<10))
}
