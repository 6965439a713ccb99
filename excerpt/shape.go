package excerpt

import (
	"bytes"
)

// A Shape says how a text is read, and so what an excerpt of it shows.
type Shape int

const (
	// Report is a log, a build, the run of tests: lines are chosen by evidence.
	Report Shape = iota
	// Document is a source, a document, a diff, JSON: it is read from its beginning.
	Document
	// Listing is a list of files, or of lines found in files: each file or directory counts.
	Listing
)

// ShapeOf returns the shape of a text that begins with head.
func ShapeOf(head []byte) Shape {
	lines, reports, listed, alike, bare := 0, 0, 0, 0, 0
	var before []byte
	headed := false // a line such as "src:" names the directory of those that follow
	for line := range bytes.Lines(head) {
		line = bytes.TrimRight(line, "\r\n")
		if len(line) == 0 {
			headed = false
			continue
		}
		if lines++; lines > shapeLines {
			break
		}
		headed = headed || line[len(line)-1] == ':' && groupOf(line) != nil
		text := bytes.TrimRight(bytes.Map(withoutDigits, line), " ")
		if len(bytes.Trim(text, " \t.,:;-+/|")) == 0 {
			bare++
		}
		switch {
		case reportsWork(line):
			reports++
		case headed || groupOf(line) != nil:
			listed++
		case len(text) > 0 && bytes.Equal(text, before) && !isRow(line):
			alike++
		}
		before = text
	}
	switch {
	case reports*100 >= lines*reportPercent && reports > 0, (alike*2 >= lines || bare*2 > lines) && lines >= listedLines:
		return Report
	case listed*100 >= lines*listedPercent && lines >= listedLines:
		return Listing
	}
	return Document
}

// isRow reports whether a line has three columns or more, as in CSV or a table that a database
// prints: rows that differ in numbers only are data, and not repetitions of a message.
func isRow(line []byte) bool {
	columns := 0
	for i, c := range line {
		switch c {
		case '%': // a bar of progress
			return false
		case '\t', '|':
			columns++
		case ',', ';':
			if i+1 == len(line) || line[i+1] != ' ' {
				columns++
			}
		}
	}
	return columns >= 2
}

func withoutDigits(c rune) rune {
	if '0' <= c && c <= '9' {
		return -1
	}
	return c
}

const (
	shapeLines    = 400
	reportPercent = 15
	listedPercent = 80
	listedLines   = 20
)

// workMarks begin lines of logs, builds and test runs.
var workMarks = []string{
	"=== RUN", "--- PASS", "--- FAIL", "--- SKIP", "ok  \t", "PASS", "FAIL", "test ", "Compiling ", "Downloading ", "Downloaded ", "Installing ", "Building ",
	"[INFO]", "[WARN", "[ERROR]", "[DEBUG]", "INFO", "WARN", "ERROR", "DEBUG", "TRACE", "> Task ", "Step ", "ok ", "not ok ", "✓", "✔", "√", "npm ", "gcc ", "g++ ", "cc ", "clang ", "make", "Get:", "Unpacking ",
	"Setting up ", "Selecting ", "Collecting ", "remote: ", "CC ", "LD ", "AR ", "Scanning ", "##[", "❯ ",
}

// reportsWork reports whether a line is of a log, a build or a run of tests: it begins with
// a time, a level or the mark of a tool, or ends with the result of a test.
func reportsWork(line []byte) bool {
	if t := untimed(line); len(t) != len(line) {
		return true
	}
	if isStamped(line) {
		return true
	}
	t := bytes.TrimLeft(line, " \t")
	for _, mark := range workMarks {
		if len(t) >= len(mark) && string(t[:len(mark)]) == mark {
			return true
		}
	}
	if len(t) > 3 && t[0] == '[' && (classes[t[1]] == digitClass || t[1] == ' ') && bytes.IndexByte(t, ']') > 0 { // [ 12%], [3/40]
		return true
	}
	for _, result := range [...]string{" PASSED", " FAILED", " ok", " ... ok", "%]", " passed", " UP-TO-DATE"} {
		if bytes.HasSuffix(t, []byte(result)) {
			return true
		}
	}
	return bytes.Contains(t, []byte("level=")) || bytes.Contains(t, []byte(" INFO ")) || bytes.Contains(t, []byte(" ERROR ")) || bytes.Contains(t, []byte(" WARN "))
}

// isStamped reports whether a line begins with a date or the time of day, also in brackets or
// quotes.
func isStamped(line []byte) bool {
	t := bytes.TrimLeft(line, " [(\"'{")
	shape := func(pattern string) bool {
		if len(t) < len(pattern) {
			return false
		}
		for i := range len(pattern) {
			if digit := classes[t[i]] == digitClass; pattern[i] == '9' && !digit || pattern[i] != '9' && pattern[i] != t[i] {
				return false
			}
		}
		return true
	}
	return shape("9999-99-99") || shape("99:99:99") || shape("9999/99/99") || shape("99/99/9999")
}

// groupOf returns the file or directory that a line of a list belongs to: the path before
// the number in "src/a.go:12:text", the directory of "src/a.go", and what "src:" heads. It
// returns nil for any other line.
func groupOf(line []byte) []byte {
	if len(line) == 0 || line[0] == ' ' || line[0] == '\t' || len(line) > 4<<10 {
		return nil
	}
	if i := bytes.IndexByte(line, ':'); i > 0 {
		path := line[:i]
		number := numberEnd(line, i+1)
		switch {
		case !isPath(path):
			return nil
		case number > i+1 && number < len(line) && (line[number] == ':' || line[number] == '-'):
			return path
		case i == len(line)-1: // ls -R
			return path
		case bytes.IndexByte(path, '/') >= 0 || bytes.IndexByte(path, '.') > 0: // grep without -n
			return path
		}
		return nil
	}
	if !isPath(line) || bytes.IndexByte(line, '/') < 0 {
		return nil
	}
	return line[:bytes.LastIndexByte(bytes.TrimRight(line, "/"), '/')+1]
}

// isPath reports whether t may be the path of a file: without blanks and signs of code.
func isPath(t []byte) bool {
	return len(t) > 0 && !bytes.ContainsAny(t, " \t\"'`(){}<>=;,|&*$\\")
}
