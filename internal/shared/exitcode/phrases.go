package exitcode

import (
	"bytes"
	"strings"
)

// everyError is the pseudo-tool of the rows in texts.psv that say more about a status that
// a program has for every error.
const everyError = "generic"

// LookupPhrase returns what a line says about the failure of the command argv, whose
// status the table calls generic or does not know. The line is the one that names the
// reason. Where the table does not know the status, it has to begin with the program's name,
// since what else the program prints may be about something else.
func LookupPhrase(argv []string, status int, line string) (Match, bool) {
	tool := Tool(argv)
	line = strings.ToLower(line)
	if tool == "" {
		return Match{}, false
	}
	if _, known := Lookup(argv, status); !known && !strings.HasPrefix(line, strings.ToLower(tool)+": ") {
		return Match{}, false
	}
	for row := range TextRows(everyError) {
		if row.Tools == everyError && matchStatus(row.Status, status) != 0 && row.in([]byte(line), tool) {
			return match(row.Row, tool, status), true
		}
	}
	return Match{}, false
}

// LookupUsage returns the meaning of the status 2 of a program that the table does not know,
// where a line of the output begins with a summary of its usage: "usage: NAME [-h] FILE",
// "Usage of NAME:". The libraries for command lines of Python, Go, Rust and others end so.
func LookupUsage(argv []string, status int, outputs ...[]byte) (Match, bool) {
	if _, known := Lookup(argv, status); known || status != 2 || Tool(argv) == "" {
		return Match{}, false
	}
	usage := TextRow{Text: "^usage"}
	for _, output := range outputs {
		if usage.in(bytes.ToLower(output), "") {
			row := Row{Class: "usage", Meaning: "wrong usage"}
			return match(row, Tool(argv), status), true
		}
	}
	return Match{}, false
}
