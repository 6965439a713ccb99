package testreport

import "strings"

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
