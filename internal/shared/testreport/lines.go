package testreport

import (
	"slices"
	"strings"
)

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
