package exitcode

import (
	"bytes"
	_ "embed"
	"iter"
	"strings"
)

// texts refines rows of the table by what the program prints. It holds one row
// a line, with the columns of the table and, after the status, a text of the
// program's own. "*" means every tool, "{tool}" in the text for its name.
// A text is part of a line; ^ binds it to the line's beginning, $ to its end.
// The first row that fits decides.
//
//go:embed texts.psv
var texts string

// EveryTool is the name that means all tools in a row.
const EveryTool = "*"

// textColumn is where the text is among the columns.
const textColumn = 3

// A TextRow is a row that needs a text in the output as well as the status.
type TextRow struct {
	Row
	Text string
}

// TextRows yields the rows of a tool that need a text, in the table's order.
func TextRows(tool string) iter.Seq[TextRow] {
	return func(yield func(TextRow) bool) {
		for line := range strings.Lines(texts) {
			tools, _, _ := strings.Cut(line, "|")
			if tools != EveryTool && !inList(tools, ',', tool) {
				continue
			}
			if row, ok := parseTextRow(line); ok && !yield(row) {
				return
			}
		}
	}
}

// parseTextRow splits one line. It reports false where the line is not a row.
func parseTextRow(line string) (TextRow, bool) {
	cells := strings.Split(strings.TrimRight(line, "\r\n"), "|")
	if len(cells) != columns+1 {
		return TextRow{}, false
	}
	text := cells[textColumn]
	row, ok := parseRow(strings.Join(append(cells[:textColumn:textColumn], cells[textColumn+1:]...), "|"))
	return TextRow{Row: row, Text: text}, ok && text != ""
}

// LookupText returns what status means for the command argv, as Lookup does, from the
// rows that need a text in one of the outputs. These may be parts of what the program
// printed.
func LookupText(argv []string, status int, outputs ...[]byte) (Match, bool) {
	argv = Through(argv)
	if len(argv) == 0 || status <= 0 {
		return Match{}, false
	}
	tool := baseName(argv[0])
	for _, name := range [...]string{tool, unversioned(tool)} {
		for row := range TextRows(name) {
			if matchStatus(row.Status, status) == 0 {
				continue
			}
			if _, ok := matchScope(name, row.Scope, argv[1:]); !ok {
				continue
			}
			for _, output := range outputs {
				if row.in(output, name) {
					return match(row.Row, name, status), true
				}
			}
		}
		if name == unversioned(tool) {
			break
		}
	}
	return Match{}, false
}

// Of reports whether the row is about the call argv, of a tool that it names.
func (r *TextRow) Of(argv []string) bool {
	argv = Through(argv)
	if len(argv) == 0 || r.Tools == EveryTool {
		return false
	}
	_, ok := matchScope(baseName(argv[0]), r.Scope, argv[1:])
	return ok
}

// in reports whether a line of output has the row's text.
func (r *TextRow) in(output []byte, tool string) bool {
	text, atStart := strings.CutPrefix(r.Text, "^")
	text, atEnd := strings.CutSuffix(text, "$")
	needle := []byte(strings.ReplaceAll(text, "{tool}", tool))
	if hasLine(output, needle, atStart, atEnd) {
		return true
	}
	module := strings.ReplaceAll(tool, "-", "_") // see moduleName
	return module != tool && strings.Contains(text, "{tool}") &&
		hasLine(output, []byte(strings.ReplaceAll(text, "{tool}", module)), atStart, atEnd)
}

// hasLine reports whether needle is in a line of output, at its beginning or
// its end where that is asked for.
func hasLine(output, needle []byte, atStart, atEnd bool) bool {
	for from := 0; ; {
		at := bytes.Index(output[from:], needle)
		if at < 0 {
			return false
		}
		at += from
		end := at + len(needle)
		starts := !atStart || at == 0 || output[at-1] == '\n'
		ends := !atEnd || end == len(output) || output[end] == '\n' || output[end] == '\r'
		if starts && ends {
			return true
		}
		from = at + 1
	}
}
