// Package testreport finds in the output of a test runner why the first test failed.
//
// Runners print what passing tests log, in places where it reads like the reason of a
// failure. Each runner marks the block of a test that failed, and the package reads only
// these. It knows the formats of go test, pytest, unittest, jest, vitest, mocha, cargo test,
// Maven Surefire, Gradle, RSpec, CTest, PHPUnit, and TAP, as the versions of 2026 print them.
//
// Its functions keep no state. They read a text once for each runner whose mark is in it.
package testreport

import (
	"slices"
	"strings"
)

// A runner recognizes its report by a part of it.
type runner struct {
	name string
	mark string // is in each report of a failed run
	// reason returns the name of the first test that failed, and why; "" where the report
	// does not say.
	reason func(lines []string) (test, why string)
}

// runners are asked in this order.
var runners = [...]runner{
	{"go test", "--- FAIL: ", goTest},
	{"pytest", "short test summary info ", pytest},
	{"pytest", "\n____", pytestBlock},
	{"unittest", "\nRan ", unittest},
	{"jest", "Test Suites: ", jest},
	{"vitest", " FAIL ", vitest},
	{"mocha", " failing", mocha},
	{"cargo test", " stdout ----", cargoTest},
	{"Surefire", "[ERROR] Tests run: ", surefire},
	{"Gradle", " FAILED", gradle},
	{"RSpec", "\nFailures:", rspec},
	{"CTest", " tests failed out of ", ctest},
	{"PHPUnit", "\nThere w", phpunit},
	{"TAP", "not ok ", tap},
}

// Reason returns the first test that failed and why, in one line, from the output of a run
// without control sequences. It returns "" if the output is no report of failed tests. Of a
// long output the beginning and the end do.
func Reason(output string) string {
	var lines []string
	for _, r := range runners {
		if !strings.Contains(output, r.mark) {
			continue
		}
		if lines == nil {
			lines = strings.Split(strings.ReplaceAll(output, "\r\n", "\n"), "\n")
		}
		test, why := r.reason(lines)
		test, why = strings.TrimSpace(test), strings.TrimSpace(why)
		if why == "" {
			continue
		}
		if test == "" || strings.Contains(why, test) {
			return why
		}
		return test + ": " + why
	}
	return ""
}

// from returns the lines that follow the first one with a prefix, and the rest of that one.
func from(lines []string, prefix string) (rest string, following []string) {
	for i, line := range lines {
		if rest, ok := strings.CutPrefix(line, prefix); ok {
			return rest, lines[i+1:]
		}
	}
	return "", nil
}

// text joins the next lines that are not blank, at most n, up to the first that end
// reports.
func text(lines []string, n int, end func(string) bool) string {
	var parts []string
	for _, line := range lines {
		if end(line) {
			break
		}
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if parts = append(parts, line); len(parts) == n {
			break
		}
	}
	return strings.Join(parts, " ")
}

func never(string) bool { return false }

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

// isCodeFrame reports whether a line is of the code that jest shows: "  > 41 |   expect(a)".
func isCodeFrame(line string) bool {
	line = strings.TrimLeft(line, " >")
	rest := strings.TrimLeft(line, "0123456789")
	return rest != line && strings.HasPrefix(rest, " |")
}

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
	for _, line := range lines {
		if strings.HasPrefix(line, "____") && strings.HasSuffix(line, "_") {
			test = strings.Trim(line, "_ ")
		}
		if rest, ok := strings.CutPrefix(line, "E   "); ok && test != "" {
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

// numbered returns the lines that follow the first line that ends with a heading, from the
// first numbered entry on.
func numbered(lines []string, heading string) []string {
	at := slices.IndexFunc(lines, func(line string) bool { return strings.HasSuffix(strings.TrimRight(line, " "), heading) })
	if at < 0 {
		return nil
	}
	lines = lines[at+1:]
	for i, line := range lines {
		if strings.HasPrefix(strings.TrimLeft(line, " "), "1) ") {
			return lines[i:]
		}
	}
	return nil
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

// cargoTest reads "---- name stdout ----" and the panic in it.
func cargoTest(lines []string) (test, why string) {
	for i, line := range lines {
		name, ok := strings.CutSuffix(line, " stdout ----")
		if !ok {
			continue
		}
		for k, line := range lines[i+1:] {
			if strings.HasPrefix(line, "---- ") {
				break
			}
			_, place, ok := strings.Cut(line, "panicked at ")
			if !ok || !strings.HasPrefix(line, "thread '") {
				continue
			}
			why = text(lines[i+2+k:], 3, func(line string) bool {
				return strings.HasPrefix(line, "note: ") || strings.HasPrefix(line, "stack backtrace") || line == ""
			})
			return "", place + " " + why
		}
		return strings.TrimPrefix(name, "---- "), text(lines[i+1:], 1, never)
	}
	return "", ""
}

// surefire reads the entry that follows "[ERROR] Failures:" or "[ERROR] Errors:".
func surefire(lines []string) (test, why string) {
	for i, line := range lines {
		if line = strings.TrimSpace(line); (line == "[ERROR] Failures:" || line == "[ERROR] Errors:") && i+1 < len(lines) {
			return "", strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(lines[i+1]), "[ERROR]"))
		}
	}
	return "", ""
}

// gradle reads "ATest > adds() FAILED" and the indented exception that follows.
func gradle(lines []string) (test, why string) {
	for i, line := range lines {
		name, ok := strings.CutSuffix(line, " FAILED")
		if ok && strings.Contains(name, " > ") && i+1 < len(lines) && strings.HasPrefix(lines[i+1], "    ") {
			return name, lines[i+1]
		}
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
		blank := slices.Index(lines[i:], "")
		if blank < 0 {
			return test, line
		}
		return test, text(lines[i+blank:], 2, func(line string) bool {
			return strings.HasPrefix(strings.TrimLeft(line, " "), "# ") || strings.Contains(line, "(compared using")
		})
	}
	return "", ""
}

// ctest reads what follows "Test #2: name ...***Failed", or the list of failed tests.
func ctest(lines []string) (test, why string) {
	for i, line := range lines {
		before, _, ok := strings.Cut(line, "***")
		if !ok {
			continue
		}
		_, name, _ := strings.Cut(before, ": ")
		name, _, _ = strings.Cut(name, " ")
		printed := text(lines[i+1:], 1, func(line string) bool {
			return strings.Contains(line, "Test #") || strings.HasPrefix(strings.TrimSpace(line), "Start ") || strings.Contains(line, "tests passed, ")
		})
		if printed != "" {
			return name, printed
		}
		break
	}
	_, list := from(lines, "The following tests FAILED:")
	return "", text(list, 1, never)
}

// phpunit reads "1) ATest::testB" and the reason on the next line.
func phpunit(lines []string) (test, why string) {
	lines = numbered(lines, ":")
	if len(lines) < 2 {
		return "", ""
	}
	return strings.TrimPrefix(lines[0], "1) "), lines[1]
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
