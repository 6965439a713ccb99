package wrap

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/excerpt"
)

// lastLineMost is the most characters of output in a message.
const lastLineMost = 200

// pointsToHelp reports whether a line says where the usage is explained, or explains it:
// "Try 'tar --help' for more information.", "Run 'go help build' for details."
func pointsToHelp(line string) bool {
	for _, begin := range [...]string{"Try '", "Run '", "See '", "hint: ", "usage: ", "Usage: "} {
		if strings.HasPrefix(line, begin) {
			return true
		}
	}
	return false
}

// timesCommand reports whether a line is of the times that bash, zsh or time(1) prints
// after a command: "sys 0m0.002s", "false  0.00s user 0.00s system 88% cpu 0.002 total".
func timesCommand(line string) bool {
	for _, begin := range [...]string{"real ", "user ", "sys "} {
		if rest, ok := strings.CutPrefix(line, begin); ok && strings.Trim(rest, "0123456789.,ms ") == "" {
			return true
		}
	}
	return strings.Contains(line, "% cpu ") && strings.HasSuffix(line, " total") ||
		strings.Contains(line, "elapsed ") && strings.Contains(line, "%CPU (") || strings.HasSuffix(line, "pagefaults 0swaps")
}

// lastLine returns the last non-empty line of stderr, or of the one stream where both were
// merged, that is not of times and does not only point to help; if all point to help, the
// last of them.
func lastLine(res *envelope.Result, merged bool) string {
	tail := res.Stderr.Tail
	if merged {
		tail = res.Stdout.Tail
	}
	text, help := strings.ToValidUTF8(string(tail), "\ufffd"), ""
	for text != "" {
		i := strings.LastIndexAny(text, "\n\r")
		switch line := oneLine(text[i+1:]); {
		case line == "", timesCommand(line):
		case pointsToHelp(line):
			help = cmp.Or(help, line)
		default:
			return line
		}
		text = text[:max(i, 0)]
	}
	return help
}

// oneLine drops colours and control characters, and cuts to lastLineMost characters.
func oneLine(s string) string {
	s = strings.TrimSpace(strings.Map(printable, excerpt.Clean(s)))
	if runes := []rune(s); len(runes) > lastLineMost {
		return string(runes[:lastLineMost])
	}
	return s
}

func printable(c rune) rune {
	switch {
	case c == '\t', c == '\n', c == '\r':
		return ' '
	case c < ' ', c == 0x7f, c >= 0x80 && c < 0xa0:
		return -1
	}
	return c
}

// seconds spells a duration as the message has it: "1 s", "1.5 s".
func seconds(d time.Duration) string {
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.3f", d.Seconds()), "0"), ".") + " s"
}

// withoutMeter removes the progress meter of curl, which does not end its line before
// the message.
func withoutMeter(line string) string {
	if !strings.Contains(line, " --:--:-- ") {
		return line
	}
	return cmp.Or(strings.TrimLeft(line, "0123456789:-.kMGTP% "), line)
}

// newestLine returns the last line of p that is not empty, or, of a line that was
// rewritten with carriage returns, its last state.
func newestLine(p []byte) string {
	const most = 4 << 10
	if len(p) > most {
		p = p[len(p)-most:]
	}
	for len(p) > 0 {
		i := bytes.LastIndexAny(p, "\r\n")
		if line := oneLine(strings.ToValidUTF8(string(p[i+1:]), "\ufffd")); line != "" {
			return line
		}
		p = p[:max(i, 0)]
	}
	return ""
}
