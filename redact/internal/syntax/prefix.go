package syntax

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/value"
)

// Unprefixed returns b, the start of a line, without the prefix of a log, a search or a
// comment: a time, the name of a host, a service or a file, a level.
func Unprefixed(b []byte) []byte {
	for range maxPrefixes {
		n := prefixLen(b)
		if n == 0 {
			break
		}
		b = b[n:]
	}
	return b
}

// maxPrefixes is how many prefixes a line may have: time, level, file.
const maxPrefixes = 4

// prefixLen returns the length of the first prefix of a line at the start of b, with the
// space that follows, or 0 if it has none.
func prefixLen(b []byte) int {
	if len(b) == 0 {
		return 0
	}
	switch c := b[0]; {
	case c == '[':
		if n := bytes.IndexByte(b[:min(len(b), maxBracketed)], ']'); n > 0 && n+1 < len(b) && b[n+1] == ' ' && ascii.Is(b[1], ascii.Alnum) {
			return n + 2 // [10:00:00], [INFO]
		}
	case c == '/' && bytes.HasPrefix(b, []byte("// ")):
		return len("// ")
	case ascii.Is(c, ascii.Digit):
		if n := timeLen(b); n > 0 {
			return n
		}
	case ascii.Is(c, ascii.Upper):
		if n := syslogLen(b); n > 0 {
			return n
		}
		if n := klogLen(b); n > 0 {
			return n
		}
		if n := ascii.Run(b, ascii.Upper); n >= 4 && n <= 8 && n < len(b) && b[n] == ' ' && level(b[:n]) {
			return n + 1
		}
	}
	if n := ascii.Run(b[:min(len(b), maxService)], ascii.Word|ascii.Dash|ascii.Dot|ascii.Blank); bytes.HasPrefix(b[n:], []byte("| ")) {
		return n + len("| ") // web-1  |
	}
	if n := ascii.Run(b[:min(len(b), maxFile)], ascii.Word|ascii.Dash|ascii.Dot|ascii.Plus); n > 2 && n < len(b) && b[n] == ':' && (n+1 == len(b) || !ascii.Is(b[n+1], ascii.Blank)) && value.FileName(b[:n]) {
		n += ascii.Run(b[n+1:], ascii.Digit) + 1 // app.txt:, app.txt:12:
		if ascii.Is(b[n-1], ascii.Digit) && n < len(b) && b[n] == ':' {
			n++
		}
		return n
	}
	return 0
}

// The greatest lengths of prefixes, in bytes: they are looked for before each of many names
// on a line.
const (
	maxBracketed = 48  // in brackets
	maxService   = 128 // the name of a service, with the blanks after it
	maxFile      = 256 // the name of a file: NAME_MAX of Linux, limits.h, and one more
)

// timeLen returns the length of a time at the start of b, such as
// 2026-03-01T10:00:00.123Z or 10:00:00, and of the space that follows.
func timeLen(b []byte) int {
	n := ascii.Run(b, ascii.Digit|ascii.Dash|ascii.Colon|ascii.Dot|ascii.Plus)
	switch {
	case n >= len("2026-03-01") && n < len(b) && (b[n] == 'T' || b[n] == ' '):
		n += 1 + ascii.Run(b[n+1:], ascii.Digit|ascii.Colon|ascii.Dot|ascii.Comma)
		if n < len(b) && b[n] == 'Z' {
			n++
		}
	case n < len("10:00:00") || b[2] != ':' || b[5] != ':':
		return 0
	}
	return n + ascii.Run(b[n:], ascii.Blank)
}

// syslogLen returns the length of syslog's prefix (RFC 3164): "Mar 1 10:00:00 host
// app[123]: ".
func syslogLen(b []byte) int {
	const stamp = len("Mar  1 10:00:00 ")
	if len(b) < stamp || b[3] != ' ' || b[9] != ':' || b[12] != ':' || b[15] != ' ' {
		return 0
	}
	n := bytes.Index(b[:min(len(b), stamp+2*maxBracketed)], []byte(": "))
	if n < stamp {
		return 0
	}
	return n + len(": ")
}

// klogLen returns the length of the prefix in logs of Kubernetes: "I0301 10:00:00.123456 1
// main.go:12] ".
func klogLen(b []byte) int {
	if len(b) < len("I0301 10:00:00") || ascii.Run(b[1:], ascii.Digit) != 4 || b[5] != ' ' || b[8] != ':' {
		return 0
	}
	n := bytes.Index(b[:min(len(b), 2*maxBracketed)], []byte("] "))
	if n < 0 {
		return 0
	}
	return n + len("] ")
}

// level reports whether w is the level of a line of a log.
func level(w []byte) bool {
	switch string(w) {
	case "INFO", "WARN", "WARNING", "ERROR", "DEBUG", "TRACE", "FATAL", "NOTICE":
		return true
	}
	return false
}
