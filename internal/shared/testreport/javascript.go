package testreport

import "strings"

// jest reads "  ● suite › test", after which the reason precedes the code.
func jest(lines []string) (test, why string) {
	for i, line := range lines {
		name, ok := strings.CutPrefix(line, "  ● ")
		if !ok || name == "Console" {
			continue
		}
		reason := text(lines[i+1:], 3, func(line string) bool { return isCodeFrame(line) || strings.HasPrefix(line, "  ● ") })
		if _, expected, ok := strings.Cut(reason, " Expected"); ok {
			reason = "Expected" + expected
		}
		return name, reason
	}
	return "", ""
}

// isCodeFrame reports whether a line is of the code that jest shows: "  > 41 |   expect(a)".
func isCodeFrame(line string) bool {
	line = strings.TrimLeft(line, " >")
	rest := strings.TrimLeft(line, "0123456789")
	return rest != line && strings.HasPrefix(rest, " |")
}

// vitest reads " FAIL  a.test.ts > suite > test" and the error on the next line.
func vitest(lines []string) (test, why string) {
	for i, line := range lines {
		if name, ok := strings.CutPrefix(line, " FAIL  "); ok && i+1 < len(lines) {
			if why = text(lines[i+1:], 1, never); !strings.HasPrefix(why, "FAIL  ") { // else one error of several
				return name, why
			}
		}
	}
	return "", ""
}

// mocha reads "  1) suite", "       test:" and the error, after "1 failing".
func mocha(lines []string) (test, why string) {
	lines = numbered(lines, " failing")
	for i, line := range lines {
		test = strings.TrimSpace(test + " " + strings.TrimSpace(strings.TrimPrefix(strings.TrimLeft(line, " "), "1) ")))
		if name, ok := strings.CutSuffix(test, ":"); ok {
			return name, text(lines[i+1:], 2, func(line string) bool {
				line = strings.TrimSpace(line)
				return strings.HasPrefix(line, "+ expected") || strings.HasPrefix(line, "at ")
			})
		}
		if i > 8 {
			break
		}
	}
	return "", ""
}

// tap reads "not ok 2 - name", and "error:" in the YAML block of it.
func tap(lines []string) (test, why string) {
	for i, line := range lines {
		line = strings.TrimLeft(line, " ")
		rest, ok := strings.CutPrefix(line, "not ok ")
		if !ok || strings.Contains(rest, "# TODO") || strings.Contains(rest, "# SKIP") {
			continue
		}
		_, test, _ = strings.Cut(rest, " - ")
		why = line
		for k, line := range lines[i+1 : min(len(lines), i+20)] {
			line = strings.TrimSpace(line)
			message, ok := strings.CutPrefix(line, "error: ")
			switch {
			case line == "...", strings.HasPrefix(line, "not ok "), strings.HasPrefix(line, "ok "):
				return test, why
			case ok && strings.HasPrefix(message, "|"):
				return test, text(lines[i+2+k:], 2, func(line string) bool { return strings.HasPrefix(strings.TrimSpace(line), "code: ") })
			case ok:
				return test, strings.Trim(message, `'"`)
			}
		}
		return test, why
	}
	return "", ""
}
