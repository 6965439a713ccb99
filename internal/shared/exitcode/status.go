package exitcode

import (
	"strconv"
	"strings"
)

// exactness says how precisely a status pattern fits; 0 is not at all.
type exactness int

const (
	anyStatus    exactness = iota + 1 // *
	rangeStatus                       // 2-255, 128+n
	singleStatus                      // 1, or one element of 1,3
)

// The statuses that a shell and most programs use for a child that signal n
// ended: 128+n, for the 64 signals that Linux has.
const firstSignal, lastSignal = 128 + 1, 128 + 64

// matchStatus fits status against a pattern of the table: a number, a range
// "2-255", a list "1,3", "128+n", or "*" for any status but 0. Patterns of the
// form "bit:4" never fit here; see worstBits.
func matchStatus(pattern string, status int) exactness {
	switch pattern {
	case "*":
		return when(status != 0, anyStatus)
	case "128+n":
		return when(firstSignal <= status && status <= lastSignal, rangeStatus)
	}
	for item := range strings.SplitSeq(pattern, ",") {
		if e := matchItem(item, status); e != 0 {
			return e
		}
	}
	return 0
}

func matchItem(item string, status int) exactness {
	from, to, isRange := strings.Cut(item, "-")
	low, err := strconv.Atoi(from)
	if err != nil {
		return 0
	}
	if !isRange {
		return when(status == low, singleStatus)
	}
	high, err := strconv.Atoi(to)
	return when(err == nil && low <= status && status <= high, rangeStatus)
}

func when(ok bool, e exactness) exactness {
	if !ok {
		return 0
	}
	return e
}

// worstBits reads status as a mask of the tool's "bit:N" rows. It returns the
// row of the worst bit that is set, the first of equals, with the meanings of
// all of them. A status with a bit that the table does not know, or with none,
// has no row: an unknown status is never taken for success.
func worstBits(tool string, status int) (Row, bool) {
	var worst Row
	var meanings []string
	known := 0
	for row := range rowsOf(tool) {
		bit := bitOf(row.Status)
		if bit&status == 0 {
			continue
		}
		known |= bit
		meanings = append(meanings, row.Meaning)
		if worst.Class == "" || severity(row.Class) > severity(worst.Class) {
			worst = row
		}
	}
	if known == 0 || known != status {
		return Row{}, false
	}
	worst.Meaning = strings.Join(meanings, "; ")
	return worst, true
}

// bitOf returns N of the pattern "bit:N", or 0 where it is another pattern.
func bitOf(pattern string) int {
	digits, ok := strings.CutPrefix(pattern, "bit:")
	if !ok {
		return 0
	}
	bit, err := strconv.Atoi(digits)
	if err != nil {
		return 0
	}
	return bit
}

// best returns the row of tool that fits args and status best, bits aside. The
// first of two equals wins.
func best(tool string, args []string, status int) (Row, bool) {
	var found Row
	top := 0
	for row := range rowsOf(tool) {
		exactness := matchStatus(row.Status, status)
		if exactness == 0 {
			continue
		}
		scope, ok := matchScope(tool, row.Scope, args)
		if !ok {
			continue
		}
		if rank := rank(scope, exactness); rank > top {
			found, top = row, rank
		}
	}
	return found, top > 0
}

// rank orders rows: first whether there is a scope, then how exact the status
// is, then how many words of scope there are.
func rank(scope int, e exactness) int {
	r := int(e)*100 + scope
	if scope > 0 {
		r += 10_000
	}
	return r
}
