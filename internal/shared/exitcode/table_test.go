package exitcode

import (
	"strings"
	"testing"

	"github.com/envwrap/envwrap/internal/shared/outcome"
)

// allRows parses the table, and fails the test at a line that is no row.
func allRows(t *testing.T) []Row {
	t.Helper()
	var rows []Row
	for line := range strings.Lines(table) {
		row, ok := parseRow(line)
		if !ok {
			t.Fatalf("not a row: %q", line)
		}
		if retry := strings.Split(line, "|")[4]; !inList("y n ? -", ' ', retry) {
			t.Errorf("retry is %q: %q", retry, line)
		}
		rows = append(rows, row)
	}
	if len(rows) < 570 {
		t.Fatalf("only %d rows", len(rows))
	}
	return rows
}

func TestTable(t *testing.T) {
	used := map[string]bool{}
	for _, row := range allRows(t) {
		if row.Tools == "" || row.Meaning == "" || row.Source == "" {
			t.Errorf("empty column: %v", row)
		}
		if len(samples(row.Status)) == 0 {
			t.Errorf("status pattern %q fits no status: %v", row.Status, row)
		}
		if !inList("D M DM", ' ', row.Evidence) {
			t.Errorf("evidence %q: %v", row.Evidence, row)
		}
		c, ok := classOf(row.Class)
		if !ok {
			t.Errorf("class %q is not known: %v", row.Class, row)
			continue
		}
		used[c.name] = true
		if c.kind.OK() != (c.code == "") {
			t.Errorf("class %q: kind %q with code %q", c.name, c.kind, c.code)
		}
	}
	for _, c := range classes {
		if !used[c.name] {
			t.Errorf("class %q stands in no row", c.name)
		}
	}
}

// Every row is the answer to some call: of each of its tools, in each
// alternative of its scope, with each flag of which one is enough.
func TestEveryRowIsFound(t *testing.T) {
	calls := 0
	for _, row := range allRows(t) {
		for tool := range strings.SplitSeq(row.Tools, ",") {
			for _, scope := range scopes(row.Scope) {
				argv := append([]string{"/usr/bin/" + tool}, strings.Fields(scope)...)
				for _, status := range samples(row.Status) {
					calls++
					checkFound(t, row, tool, argv, status)
				}
			}
		}
	}
	if calls < 1000 {
		t.Errorf("only %d calls", calls)
	}
}

func checkFound(t *testing.T, row Row, tool string, argv []string, status int) {
	t.Helper()
	m, ok := Lookup(argv, status)
	switch {
	case isPseudo(tool) || strings.Contains(row.Scope, "("):
		if ok && m.Row == row {
			t.Errorf("%q: %d: a row about another program was found: %v", argv, status, row)
		}
		return
	case !ok:
		t.Errorf("%q: %d: no row, want %v", argv, status, row)
		return
	}
	if m.Row.Tools != row.Tools || rankOf(m.Row, tool, argv[1:], status) < rankOf(row, tool, argv[1:], status) {
		t.Errorf("%q: %d: got %v, want %v", argv, status, m.Row, row)
	}
	if m.Kind.OK() != (m.Code == "") || (m.Kind.OK() && m.Retryable) {
		t.Errorf("%q: %d: kind %q, code %q, retryable %t", argv, status, m.Kind, m.Code, m.Retryable)
	}
	if m.Kind == outcome.Success && status != 0 {
		t.Errorf("%q: %d is success", argv, status)
	}
}

func rankOf(row Row, tool string, args []string, status int) int {
	n, ok := matchScope(tool, row.Scope, args)
	if !ok {
		return 0
	}
	return rank(n, matchStatus(row.Status, status))
}

// samples returns statuses that a pattern fits: the ends of each range.
func samples(pattern string) []int {
	var found []int
	for status := range 256 {
		fits := matchStatus(pattern, status) != 0 || bitOf(pattern) == status && status != 0
		if !fits {
			continue
		}
		if n := len(found); n > 1 && found[n-1] == status-1 && found[n-2] == status-2 {
			found[n-1] = status
			continue
		}
		found = append(found, status)
	}
	return found
}

// scopes spells each alternative of a scope as arguments.
func scopes(scope string) []string {
	if scope == "" {
		return []string{""}
	}
	var calls []string
	for alternative := range strings.SplitSeq(scope, ",") {
		spelled := []string{""}
		for token := range strings.FieldsSeq(alternative) {
			var longer []string
			for one := range strings.SplitSeq(token, "/") {
				for _, begun := range spelled {
					longer = append(longer, begun+" "+one)
				}
			}
			spelled = longer
		}
		calls = append(calls, spelled...)
	}
	return calls
}

func TestParseRowRefuses(t *testing.T) {
	for _, line := range []string{"", "a", "a|b", "a|b|1|generic|n|m|s", "a|b|1|generic|n|m|s|D|more"} {
		if row, ok := parseRow(line); ok {
			t.Errorf("%q: %v", line, row)
		}
	}
}
