package hints

import (
	_ "embed"
	"strings"
)

// table holds one row a line, columns separated by "|": the programs that a
// package has (names separated by commas), then the package's name in Debian,
// Homebrew, npm, PyPI, the Go module proxy and crates.io, then other names that
// the program or one that does as well may go by. A column may be empty.
//
//go:embed install.psv
var table string

// installers are the commands for the columns after the first.
var installers = [...]struct{ before, after string }{
	{"apt-get install ", ""},
	{"brew install ", ""},
	{"npm install -g ", ""},
	{"pip install ", ""},
	{"go install ", "@latest"},
	{"cargo install ", ""},
}

const columns = len(installers) + 2

// Install returns the commands that install the program name, separated by commas, or
// "" if the table has no row for it:
//
//	apt-get install ripgrep, brew install ripgrep, cargo install ripgrep
func Install(name string) string {
	cell, ok := rowOf(name)
	if !ok {
		return ""
	}
	var commands []string
	for i, in := range installers {
		if pkg := cell[i+1]; pkg != "" {
			commands = append(commands, in.before+pkg+in.after)
		}
	}
	return strings.Join(commands, ", ")
}

// alternatives returns other programs that may be there in place of name.
func alternatives(name string) []string {
	cell, _ := rowOf(name)
	var others []string
	for other := range strings.SplitSeq(cell[columns-1], ",") {
		if other != "" && other != name {
			others = append(others, other)
		}
	}
	return others
}

// rowOf finds the first row that has the program. It reads the table from its
// beginning, some ten microseconds.
func rowOf(name string) (cell [columns]string, ok bool) {
	for line := range strings.Lines(table) {
		names, rest, _ := strings.Cut(strings.TrimRight(line, "\r\n"), "|")
		if !hasItem(names, name) {
			continue
		}
		cell[0] = names
		for i := 1; i < columns; i++ {
			cell[i], rest, _ = strings.Cut(rest, "|")
		}
		return cell, true
	}
	return cell, false
}

// hasItem reports whether item is one of the elements of a list with commas.
func hasItem(list, item string) bool {
	for element := range strings.SplitSeq(list, ",") {
		if element == item {
			return true
		}
	}
	return false
}
