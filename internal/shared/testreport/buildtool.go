package testreport

import (
	"slices"
	"strings"
)

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
			if why := panicked(line, lines[i+2+k:]); why != "" {
				return "", why
			}
		}
		return strings.TrimPrefix(name, "---- "), text(lines[i+1:], 1, never)
	}
	return "", ""
}

// cargoPanic reads the first panic of a run with --nocapture, which prints it on stderr.
func cargoPanic(lines []string) (test, why string) {
	for i, line := range lines {
		if why = panicked(line, lines[i+1:]); why != "" {
			return "", why
		}
	}
	return "", ""
}

// panicked returns the place and the message of a panic of Rust that a line begins, else "".
func panicked(line string, following []string) string {
	_, place, ok := strings.Cut(line, "panicked at ")
	if !ok || !strings.HasPrefix(line, "thread '") {
		return ""
	}
	return place + " " + text(following, 3, func(line string) bool {
		return strings.HasPrefix(line, "note: ") || strings.HasPrefix(line, "stack backtrace") || line == ""
	})
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

// ctest reads what follows "Test #2: name ...***Failed", with -V the last line that the test
// printed before it ("2: ..."), or the list of failed tests.
func ctest(lines []string) (test, why string) {
	for i, line := range lines {
		before, _, ok := strings.Cut(line, "***")
		if !ok {
			continue
		}
		at, name, _ := strings.Cut(before, ": ")
		name, _, _ = strings.Cut(name, " ")
		if _, number, ok := strings.Cut(at, "#"); ok {
			said := slices.DeleteFunc(slices.Clone(lines[:i]), func(line string) bool { return !strings.HasPrefix(line, number+": ") })
			if len(said) > 0 {
				if last := said[len(said)-1]; !isCTestNote(last) {
					return name, strings.TrimPrefix(last, number+": ")
				}
				break
			}
		}
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

// isCTestNote reports whether a line of a test's output, with ctest -V, is ctest's own.
func isCTestNote(line string) bool {
	for _, note := range [...]string{": Test command: ", ": Working Directory: ", ": Test timeout computed to be: "} {
		if strings.Contains(line, note) {
			return true
		}
	}
	return false
}
