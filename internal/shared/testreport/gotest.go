package testreport

import (
	"slices"
	"strings"
)

// goTest reads "--- FAIL: TestA (0.00s)". What the test logged follows, with four more
// blanks; with -v it precedes, up to "=== RUN".
func goTest(lines []string) (test, why string) {
	if rest, _ := from(lines, "panic: "); rest != "" {
		rest, _, _ = strings.Cut(rest, " [recovered")
		return "", "panic: " + rest
	}
	at := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(strings.TrimLeft(line, " "), "--- FAIL: ") })
	if at < 0 {
		return "", ""
	}
	for i := at; i < len(lines); i++ { // the subtest that failed
		line := strings.TrimLeft(lines[i], " ")
		if !strings.HasPrefix(line, "--- ") || i > at && line == lines[i] {
			break
		}
		if name, ok := strings.CutPrefix(line, "--- FAIL: "); ok && (test == "" || strings.HasPrefix(name, test+"/")) {
			at = i
			test, _, _ = strings.Cut(name, " ")
		}
	}
	if logged := goLog(lines[at+1:]); logged != "" {
		return "", logged
	}
	run := slices.IndexFunc(lines, func(line string) bool {
		return strings.HasSuffix(line, " "+test) && strings.HasPrefix(line, "=== RUN ")
	})
	if run >= 0 {
		if logged := goLog(lines[run+1 : max(at, run+1)]); logged != "" {
			return "", logged
		}
	}
	begin := at
	for begin > 0 && !isGoMark(lines[begin-1]) {
		begin--
	}
	return "", goLog(lines[begin:at])
}

func isGoMark(line string) bool {
	line = strings.TrimLeft(line, " ")
	return strings.HasPrefix(line, "=== ") || strings.HasPrefix(line, "--- ")
}

// goLog returns the first line that a test logged, with the message of testify.
func goLog(lines []string) string {
	for i, line := range lines {
		if !strings.HasPrefix(line, "    ") || isGoMark(line) {
			break
		}
		place, message, ok := strings.Cut(line, ": ")
		if !ok || !isGoPlace(place) {
			place, ok = strings.CutSuffix(strings.TrimRight(line, " "), ":")
			if !ok || !isGoPlace(place) {
				continue
			}
		}
		if message = strings.TrimSpace(message); message == "" {
			for _, next := range lines[i+1 : min(len(lines), i+8)] {
				if _, testify, ok := strings.Cut(next, "Error:"); ok && !strings.Contains(next, "Error Trace") {
					message = strings.TrimSpace(testify)
					break
				}
			}
		}
		return strings.TrimSpace(place) + ": " + message
	}
	return ""
}

// isGoPlace reports whether s is the place of a log line: "    a_test.go:41".
func isGoPlace(s string) bool {
	_, number, ok := strings.Cut(s, ".go:")
	return ok && number != "" && strings.Trim(number, "0123456789") == ""
}
