package testreport

import (
	"cmp"
	"slices"
	"strings"
)

// pytest reads "FAILED test_a.py::test_b - assert 2 == 3" in the summary.
func pytest(lines []string) (test, why string) {
	at := slices.IndexFunc(lines, func(line string) bool { return strings.Contains(line, "short test summary info ") })
	for _, line := range lines[max(at, 0):] {
		rest, ok := strings.CutPrefix(line, "FAILED ")
		if !ok {
			rest, ok = strings.CutPrefix(line, "ERROR ")
		}
		if !ok {
			continue
		}
		test, why, _ = strings.Cut(rest, " - ")
		if _, block := pytestBlock(lines); block != "" && (why == "" || strings.HasSuffix(why, "...")) {
			why = block
		}
		return test, why
	}
	return "", ""
}

// pytestBlock reads the first block "____ test_a ____" and its line "E   assert 2 == 3".
func pytestBlock(lines []string) (test, why string) {
	code := false // of a SyntaxError, which names the file first
	for _, line := range lines {
		if strings.HasPrefix(line, "____") && strings.HasSuffix(line, "_") {
			test = strings.Trim(line, "_ ")
		}
		rest, ok := strings.CutPrefix(line, "E   ")
		code = code || strings.HasPrefix(rest, "  File ")
		if ok && test != "" && !(code && strings.HasPrefix(rest, " ")) {
			return test, rest
		}
	}
	return "", ""
}

// unittest reads "FAIL: test_a (mod.Class.test_a)", after which a traceback ends with the
// exception.
func unittest(lines []string) (test, why string) {
	for i, line := range lines {
		rest, ok := strings.CutPrefix(line, "FAIL: ")
		if !ok {
			rest, ok = strings.CutPrefix(line, "ERROR: ")
		}
		if !ok || i == 0 || !strings.HasPrefix(lines[i-1], "====") {
			continue
		}
		test, _, _ = strings.Cut(rest, " ")
		traceback := false
		for _, line := range lines[i+1:] {
			switch {
			case strings.HasPrefix(line, "====") || strings.HasPrefix(line, "Ran "):
				return test, why
			case strings.HasPrefix(line, "Traceback "):
				traceback, why = true, ""
			case traceback && line != "" && line[0] != ' ':
				why, traceback = line, false
			}
		}
		return test, why
	}
	return "", ""
}

// rspec reads "  1) suite test" and what follows "Failure/Error:".
func rspec(lines []string) (test, why string) {
	lines = numbered(lines, "Failures:")
	for i, line := range lines {
		if i == 0 {
			test = strings.TrimPrefix(strings.TrimLeft(line, " "), "1) ")
			continue
		}
		if !strings.Contains(line, "Failure/Error:") {
			continue
		}
		said := lines[i+1:]
		ends := func(line string) bool {
			return strings.HasPrefix(strings.TrimLeft(line, " "), "# ") || strings.Contains(line, "(compared using")
		}
		if end := slices.IndexFunc(said, ends); end >= 0 {
			said = said[:end]
		}
		blank := max(0, slices.Index(said, "")) // after the code, where that has several lines
		return test, cmp.Or(text(said[blank:], 2, ends), line)
	}
	return "", ""
}

// phpunit reads "1) ATest::testB" and the reason on the next line.
func phpunit(lines []string) (test, why string) {
	lines = numbered(lines, ":")
	if len(lines) < 2 {
		return "", ""
	}
	return strings.TrimPrefix(lines[0], "1) "), lines[1]
}
