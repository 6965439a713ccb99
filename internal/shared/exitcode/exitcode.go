// Package exitcode has the meanings of well-known programs' exit statuses.
//
// They are in a table, table.psv, with a row for each status and the manual or source
// that it was taken from. The file is embedded as text. Nothing is parsed at start;
// each [Lookup] reads it from top to bottom, which takes some ten microseconds. The
// functions keep no state and are safe for concurrent use.
//
// The package does not look at output, except in [LookupText]. A row whose meaning is
// broad (a program's catch-all status, an HTTP error, a failed child) has
// Match.Refinable set.
package exitcode

import (
	"iter"

	"github.com/envwrap/envwrap/internal/shared/outcome"
)

// A Match is the meaning of a run's exit status.
type Match struct {
	Row  Row
	Tool string // name in the table of the program whose status this is
	Kind outcome.Kind
	// Code is "" if and only if Kind is ok.
	Code      outcome.Code
	Retryable bool // running the same command again may help
	// Refinable means that the row is broad, so that a known text in the output may
	// give a better code.
	Refinable bool
}

// Lookup returns what status means for the command argv, whose first element is the
// program as it was given (a name or a path). It returns false if the table has no row,
// which does not mean that the run succeeded.
//
// Programs that run another one are looked through, as [Tool] does, and their
// own statuses are read first: 124 of "timeout 5 borg ..." is the time limit,
// not borg's. Among the rows of a tool one whose scope fits the arguments wins
// over one without a scope; then an exact status over a range, a range over
// bits and over any.
func Lookup(argv []string, status int) (Match, bool) {
	for len(argv) > 0 {
		tool := baseName(argv[0])
		inner := wrappedCommand(tool, argv[1:])
		if len(inner) == 0 {
			return findRow(tool, argv[1:], status)
		}
		if wrapperOf(tool).own {
			if m, ok := findRow(tool, nil, status); ok {
				return m, true
			}
		}
		argv = inner
	}
	return Match{}, false
}

// MeaningOf returns the table's words for status of tool, or "" if there is no row
// without a scope. Unlike Lookup it knows the pseudo-tools as well:
// "sysexits" and "shell".
func MeaningOf(tool string, status int) string {
	row, ok := best(tool, nil, status)
	if !ok {
		row, ok = worstBits(tool, status)
	}
	if !ok {
		return ""
	}
	return row.Meaning
}

// Known reports whether the table has rows, of any status, for the program whose status a
// run of argv reports.
func Known(argv []string) bool {
	tool := Tool(argv)
	return !isPseudo(tool) && (listed(tool) || listed(unversioned(tool)))
}

func listed(tool string) bool {
	for range rowsOf(tool) {
		return true
	}
	return false
}

// Rows yields the rows of a tool, in the table's order, those with a scope too.
// It knows the pseudo-tools as MeaningOf does. A name with a version, python3.12,
// has the rows of the name without where it has none of its own.
func Rows(tool string) iter.Seq[Row] {
	return func(yield func(Row) bool) {
		for _, name := range [...]string{tool, unversioned(tool)} {
			some := false
			for row := range rowsOf(name) {
				some = true
				if !yield(row) {
					return
				}
			}
			if some {
				return
			}
		}
	}
}

// Says returns what the row says about a status, whatever its scope, and false if the
// row is about other statuses.
func (r Row) Says(tool string, status int) (Match, bool) {
	if matchStatus(r.Status, status) == 0 && bitOf(r.Status)&status == 0 {
		return Match{}, false
	}
	return match(r, tool, status), true
}

// Sysexits returns what the statuses of sysexits.h mean where the table has no
// row for the program. It reports false outside 64 to 78.
func Sysexits(status int) (Match, bool) {
	if status < sysexitsBase || status >= sysexitsBase+len(sysexits) {
		return Match{}, false
	}
	row, _ := best("sysexits", nil, status)
	return Match{
		Row:       row,
		Kind:      outcome.Failure,
		Code:      sysexits[status-sysexitsBase],
		Retryable: status == 75,
	}, true
}

// findRow looks up a status among the rows of tool only.
func findRow(tool string, args []string, status int) (Match, bool) {
	if isPseudo(tool) || status < 0 {
		return Match{}, false
	}
	row, ok := best(tool, args, status)
	if !ok {
		row, ok = worstBits(tool, status)
	}
	if family := unversioned(tool); !ok && family != tool {
		return findRow(family, args, status)
	}
	if !ok {
		return Match{}, false
	}
	return match(row, tool, status), true
}

// match returns the meaning of a row. A row with an unknown class, which a test rules
// out, is a plain failure.
func match(row Row, tool string, status int) Match {
	c, ok := classOf(row.Class)
	if !ok {
		c = class{kind: outcome.Failure, code: outcome.ERUNTIME}
	}
	m := Match{
		Row: row, Tool: tool,
		Kind: c.kind, Code: c.code,
		Retryable: row.Retryable && c.code != "",
		Refinable: c.refinable,
	}
	switch row.Class {
	case "exec":
		if status == 127 {
			m.Code = outcome.ENOTFOUND
		}
	case "sysexits":
		if s, ok := Sysexits(status); ok {
			m.Code, m.Retryable = s.Code, s.Retryable
		}
	}
	return m
}
