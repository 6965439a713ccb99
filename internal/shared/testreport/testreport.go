// Package testreport finds in the output of a test runner why the first test failed.
//
// Runners print what passing tests log, in places where it reads like the reason of a
// failure. Each runner marks the block of a test that failed, and the package reads only
// these. It knows the formats of go test, pytest, unittest, jest, vitest, mocha, cargo test,
// Maven Surefire, Gradle, RSpec, CTest, PHPUnit, and TAP, as the versions of 2026 print them.
//
// Its functions keep no state. They read a text once for each runner whose mark is in it.
package testreport

import "strings"

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
