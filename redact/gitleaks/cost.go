package gitleaks

import (
	"regexp/syntax"
	"strconv"
	"strings"
	"unicode/utf8"
)

// mostCost is the most that the regular expressions of a file may cost together, at most
// 0.15 s and 45 MB. Those of the configuration that gitleaks comes with cost 66,000.
const mostCost = 128 << 10

// costOf returns at least how long package syntax takes to parse an expression, in
// microseconds of the slowest kinds: 1 for each byte, 128 for each class of Unicode (\p), and where case does
// not count 1 for every 32 characters of a range beyond ASCII, each of which it looks up.
func costOf(expr string) int {
	cost := len(expr) + 128*(strings.Count(expr, `\p`)+strings.Count(expr, `\P`))
	if !ignoresCase(expr) {
		return cost
	}
	for i, c := range expr {
		if c == '-' {
			cost += int(highest(expr[i+1:])) / 32
		}
	}
	return cost
}

// ignoresCase reports whether a group of flags in an expression has i.
func ignoresCase(expr string) bool {
	for {
		_, rest, ok := strings.Cut(expr, "(?")
		if !ok {
			return false
		}
		flags := rest[:len(rest)-len(strings.TrimLeft(rest, "imsU-"))]
		if strings.Contains(flags, "i") {
			return true
		}
		expr = rest
	}
}

// highest returns the character at the end of a range that ends with the beginning of
// text, or 0 if it is ASCII.
func highest(text string) rune {
	if code, ok := strings.CutPrefix(text, `\x{`); ok {
		code, _, _ = strings.Cut(code, "}")
		n, _ := strconv.ParseUint(code, 16, 21)
		return rune(n)
	}
	if r, _ := utf8.DecodeRuneInString(text); r >= utf8.RuneSelf {
		return r
	}
	return 0
}

// programSize returns about how many instructions package regexp needs for an expression,
// in which counted repetitions are written out. One is about 90 bytes.
func programSize(re *syntax.Regexp) int {
	size := max(len(re.Rune)/2, 1)
	for _, sub := range re.Sub {
		size += programSize(sub)
	}
	if re.Op == syntax.OpRepeat {
		size *= max(re.Min, re.Max, 1)
	}
	return min(size, 1<<40)
}
