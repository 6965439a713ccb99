package exitcode

import (
	_ "embed"
	"strings"
)

// table holds one row a line, columns separated by "|":
//
//	tools    names, separated by commas
//	scope    which calls of the tool the row speaks of; "" is all (scope.go)
//	status   which exit statuses (status.go)
//	class    what kind of end that is (class.go)
//	retry    y, n, ? (it depends on the output) or - (no question)
//	meaning  a few words for people
//	source   manual, documentation or program that says so
//	evidence D documented, M measured
//
//go:embed table.psv
var table string

// A Row is one line of the table. Its strings are slices of the embedded file.
type Row struct {
	Tools     string // names, separated by commas
	Scope     string // which calls; "" is every call
	Status    string // a pattern, as it is in the table
	Class     string // "generic", "usage", "network", ...
	Retryable bool   // y in the table; anything else is no
	Meaning   string
	Source    string
	Evidence  string // D documented, M measured, DM both
}

const columns = 8

// parseRow splits one line. It reports false where the line is not a row.
func parseRow(line string) (Row, bool) {
	line = strings.TrimRight(line, "\r\n")
	var cell [columns]string
	for i := range columns - 1 {
		var found bool
		if cell[i], line, found = strings.Cut(line, "|"); !found {
			return Row{}, false
		}
	}
	if strings.Contains(line, "|") {
		return Row{}, false
	}
	cell[columns-1] = line
	return Row{
		Tools: cell[0], Scope: cell[1], Status: cell[2], Class: cell[3],
		Retryable: cell[4] == "y", Meaning: cell[5], Source: cell[6], Evidence: cell[7],
	}, true
}

// rowsOf calls yield for each row of tool, in the table's order, until yield
// returns false.
func rowsOf(tool string) func(yield func(Row) bool) {
	return func(yield func(Row) bool) {
		for rest := table; rest != ""; {
			end := strings.IndexByte(rest, '\n') + 1
			if end == 0 {
				end = len(rest)
			}
			line := rest[:end]
			rest = rest[end:]
			if !inList(line[:max(0, strings.IndexByte(line, '|'))], ',', tool) {
				continue
			}
			if row, ok := parseRow(line); ok && !yield(row) {
				return
			}
		}
	}
}
