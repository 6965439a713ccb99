package engine

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// A job of an engine that shares no files with this machine, and that does not tell the
// exit status of its command, marks it in what it prints: a line that begins with
// logStarted, the name of the job and the time in seconds precedes the output, and one
// with logEnded, the name and the exit status follows it, and then a How unless that is "".
const (
	logStarted = "envwrap-started "
	logEnded   = "\nenvwrap-ended " // the script begins a line that the command left unfinished
)

// How says how a command ended that ran without envwrap, beside its exit status: "" is by itself.
type How string

// How a command ended, or why it was not started.
const (
	Stopped     How = "stopped"   // a signal had asked the script to end
	TimedOut    How = "timeout"   // Script.Timeout was over
	NoDirectory How = "directory" // Script.Work cannot be entered
	Missing     How = "missing"   // there is no such program
	Denied      How = "denied"    // the program may not be executed
	IsDirectory How = "isdir"     // the program is a directory
)

// Printed is what a script has printed that marks the output of its command.
type Printed struct {
	Started time.Time // zero if the command was not started
	Exited  bool      // the command has ended, with the status Exit
	Exit    int
	How     How
	Text    *io.SectionReader // what the command has printed; nil if it was not started
	Cut     bool              // Text is only the beginning of it
	Strange bool              // marks of the job are there, but not the whole one of its start
}

// A LogReader takes what a script has printed, and puts the first bytes into a file.
type LogReader struct {
	file LogFile
	most int64
	size int64 // of the file
	over bool  // more was read
	end  []byte
}

// A LogFile is an empty file for a LogReader.
type LogFile interface {
	io.Writer
	io.ReaderAt
}

// NewLogReader returns a LogReader that keeps at most that many bytes of the output in a file.
func NewLogReader(file LogFile, most int64) *LogReader { return &LogReader{file: file, most: most} }

const (
	logBegin = 1 << 20  // how many bytes at the beginning of a log have the line of the start
	logEnd   = 16 << 10 // and at its end that of the end
)

// Write takes more of the log. It fails as the file does.
func (r *LogReader) Write(p []byte) (int, error) {
	r.end = append(r.end, p[max(len(p)-logEnd, 0):]...)
	r.end = r.end[max(len(r.end)-logEnd, 0):]
	kept := p[:min(int64(len(p)), r.most-r.size)]
	r.over = r.over || len(kept) < len(p)
	n, err := r.file.Write(kept)
	r.size += int64(n)
	if err != nil {
		return n, err
	}
	return len(p), nil
}

// All returns what was kept, and reports whether that is only the beginning.
func (r *LogReader) All() (kept *io.SectionReader, cut bool) {
	return io.NewSectionReader(r.file, 0, r.size), r.over
}

// Printed returns what was read, which the script of the job with a name has printed.
func (r *LogReader) Printed(name string) (Printed, error) {
	begin := make([]byte, min(r.size, logBegin))
	if _, err := io.ReadFull(io.NewSectionReader(r.file, 0, r.size), begin); err != nil {
		return Printed{}, err
	}
	_, rest, ok := bytes.Cut(begin, []byte(logStarted+name+" "))
	line, text, whole := bytes.Cut(rest, []byte("\n"))
	seconds, err := strconv.ParseInt(string(bytes.TrimRight(line, "\r")), 10, 64)
	if !ok || !whole || err != nil {
		ended := bytes.Contains(r.end, []byte(logEnded[1:]+name+" "))
		return Printed{Strange: ok || ended || r.size > logBegin || r.over}, nil
	}
	from := int64(len(begin) - len(text))
	l := Printed{Started: time.Unix(seconds, 0).UTC(), Text: io.NewSectionReader(r.file, from, r.size-from), Cut: r.over}
	end, mark := r.end, []byte(logEnded+name+" ")
	if !l.Cut {
		end = end[max(int64(len(end))-l.Text.Size(), 0):]
	}
	at := bytes.LastIndex(end, mark)
	if at < 0 {
		return l, nil
	}
	if !l.Cut {
		l.Text = io.NewSectionReader(r.file, from, l.Text.Size()-int64(len(end)-at))
	}
	status, _, whole := bytes.Cut(end[at+len(mark):], []byte("\n"))
	l.Exit, l.How, err = ParseExit(status)
	l.Exited = whole && err == nil
	return l, nil
}

// CutEnd takes the line from the end of a log by which the script of the job with a name says
// more than the status that its engine knows, and returns what precedes the line, the status of
// the command, and how it ended.
func CutEnd(log *io.SectionReader, name string, status int) (*io.SectionReader, int, How) {
	text := make([]byte, min(log.Size(), logEnd))
	if _, err := log.ReadAt(text, log.Size()-int64(len(text))); err != nil && !errors.Is(err, io.EOF) {
		return log, status, "" // whoever reads it finds the same
	}
	at := bytes.LastIndex(text, []byte(logEnded+name+" "))
	if at < 0 {
		return log, status, ""
	}
	own, how, err := ParseExit(text[at+len(logEnded)+len(name):])
	if bytes.IndexByte(bytes.TrimSuffix(text[at+1:], []byte("\n")), '\n') >= 0 || err != nil {
		return log, status, ""
	}
	return io.NewSectionReader(log, 0, log.Size()-int64(len(text)-at)), own, how
}

// FormatExit is the inverse of [ParseExit].
func FormatExit(status int, how How) []byte {
	return fmt.Appendln(nil, strings.TrimSpace(fmt.Sprintf("%d %s", status, how)))
}

// ParseExit reads how a script says that its command ended: the exit status, and how.
func ParseExit(text []byte) (status int, how How, err error) {
	number, word, _ := strings.Cut(strings.TrimSpace(string(text)), " ")
	status, err = strconv.Atoi(number)
	return status, How(word), err
}

// An EnvelopeFilter passes lines on that do not begin an envelope of protocol/v1.
type EnvelopeFilter struct {
	To   io.Writer
	line []byte // begun, and maybe an envelope
	mid  bool   // in a line that is passed on
	skip bool   // in a line that is left out
}

// Write passes on the bytes that certainly belong to no envelope.
func (f *EnvelopeFilter) Write(p []byte) (int, error) {
	const begin = `{"version":1,`
	n := len(p)
	for len(p) > 0 {
		part, rest := p, []byte(nil)
		if at := bytes.IndexByte(p, '\n'); at >= 0 {
			part, rest = p[:at+1], p[at+1:]
		}
		ends := part[len(part)-1] == '\n'
		if !f.mid && !f.skip {
			f.line = append(f.line, part...)
			switch {
			case len(f.line) >= len(begin) && bytes.HasPrefix(f.line, []byte(begin)):
				f.skip = true
			case !ends && bytes.HasPrefix([]byte(begin), f.line):
				p = rest
				continue
			default:
				f.mid = true
			}
			part, f.line = f.line, nil
		}
		if f.mid {
			if _, err := f.To.Write(part); err != nil {
				return 0, err
			}
		}
		if ends {
			f.mid, f.skip = false, false
		}
		p = rest
	}
	return n, nil
}
