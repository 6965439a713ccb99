package testreport

import (
	"slices"
	"strings"
)

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

// phpunit reads "1) ATest::testB" and the reason on the next line.
func phpunit(lines []string) (test, why string) {
	lines = numbered(lines, ":")
	if len(lines) < 2 {
		return "", ""
	}
	return strings.TrimPrefix(lines[0], "1) "), lines[1]
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
