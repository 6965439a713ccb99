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
	{"go test -json", `"Action":"`, goTestJSON},
	{"go test", "--- FAIL: ", goTest},
	{"pytest", "short test summary info ", pytest},
	{"pytest", "\n____", pytestBlock},
	{"unittest", "\nRan ", unittest},
	{"jest", "Test Suites: ", jest},
	{"vitest", " FAIL ", vitest},
	{"mocha", " failing", mocha},
	{"cargo test", " stdout ----", cargoTest},
	{"cargo test", "error: test failed, to rerun", cargoPanic},
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
		if test == "" || hasName(why, test) {
			return why
		}
		return test + ": " + why
	}
	return ""
}

// hasName reports whether a text has a name that is no part of a longer word.
func hasName(text, name string) bool {
	isWord := func(s string, at int) bool {
		return at >= 0 && at < len(s) && (s[at] == '_' || '0' <= s[at] && s[at] <= '9' || 'A' <= s[at]&^0x20 && s[at]&^0x20 <= 'Z')
	}
	for from := 0; ; {
		at := strings.Index(text[from:], name)
		if at < 0 {
			return false
		}
		at += from
		if !isWord(text, at-1) && !isWord(text, at+len(name)) {
			return true
		}
		from = at + 1
	}
}
