package testreport

import (
	"encoding/json"
	"iter"
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
	for i, first := at, at; i < len(lines); i++ { // the subtest that failed
		line := strings.TrimLeft(lines[i], " ")
		if i > first && line == lines[i] {
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

// goTestJSON reads the events of "go test -json": the output of the tests that did not pass
// is the report that goTest reads. The first line of a build that failed is the reason, too.
func goTestJSON(lines []string) (test, why string) {
	type event struct{ Action, Package, Test, Output string }
	type name struct{ Package, Test string }
	var events []event
	passed := map[name]bool{}
	for _, line := range lines {
		var e event
		if json.Unmarshal([]byte(line), &e) != nil {
			continue
		}
		if e.Action == "build-output" && !strings.HasPrefix(e.Output, "# ") {
			return "", e.Output
		}
		passed[name{e.Package, e.Test}] = e.Action == "pass" || e.Action == "skip"
		events = append(events, e)
	}
	var report strings.Builder
	for _, e := range events {
		if e.Action == "output" && !passed[name{e.Package, e.Test}] {
			report.WriteString(e.Output)
		}
	}
	return goTest(strings.Split(report.String(), "\n"))
}

func isGoMark(line string) bool {
	line = strings.TrimLeft(line, " ")
	return strings.HasPrefix(line, "=== ") || strings.HasPrefix(line, "--- ")
}

// goLog returns the line of a test's log that says why it failed, with the message of testify:
// the first that compares or speaks of a failure, else the last. What a test logs and what it
// fails with look alike.
func goLog(lines []string) string {
	last := ""
	for line := range goLogged(lines) {
		if speaksOfFailure(line) {
			return line
		}
		last = line
	}
	return last
}

func speaksOfFailure(line string) bool {
	_, message, _ := strings.Cut(strings.ToLower(line), ": ")
	return slices.ContainsFunc([]string{"want", "got ", "expect", "!=", "==", "fail", "error", "unexpected", "not equal", "mismatch", "should", "must", "panic"}, func(word string) bool {
		return strings.Contains(message, word)
	})
}

// goLogged yields the lines that a test logged.
func goLogged(lines []string) iter.Seq[string] {
	return func(yield func(string) bool) {
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
			if !yield(strings.TrimSpace(place) + ": " + message) {
				return
			}
		}
	}
}

// isGoPlace reports whether s is the place of a log line: "    a_test.go:41".
func isGoPlace(s string) bool {
	_, number, ok := strings.Cut(s, ".go:")
	return ok && number != "" && strings.Trim(number, "0123456789") == ""
}
