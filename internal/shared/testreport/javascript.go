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
		if diff := jestDiff(lines[i+1:]); diff != "" {
			return name, diff
		}
		if _, expected, ok := strings.Cut(reason, " Expected"); ok {
			reason = "Expected" + expected
		}
		return name, reason
	}
	return "", ""
}

// jestDiff returns the lines that jest marks with - and + where it compares objects, at most
// four of them: "expected (-), received (+): - 3, + 2,".
func jestDiff(lines []string) string {
	var differ []string
	inside := false
	for _, line := range lines {
		if isCodeFrame(line) || strings.HasPrefix(line, "  ● ") {
			break
		}
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "- Expected  - "), strings.HasPrefix(line, "- Snapshot  - "):
			inside = true
		case !inside || strings.HasPrefix(line, "+ Received  + "):
		case strings.HasPrefix(line, "- "), strings.HasPrefix(line, "+ "):
			differ = append(differ, line[:2]+strings.TrimSpace(line[2:]))
		}
	}
	if differ == nil {
		return ""
	}
	return "expected (-), received (+): " + strings.Join(differ[:min(4, len(differ))], " ")
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
