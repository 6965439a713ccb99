package engine

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/envwrap/envwrap/internal/shared/limitbuf"
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
	Text    []byte // what the command has printed
	Cut     bool   // Text is only the beginning of it
	Strange bool   // marks of the job are there, but not the whole one of its start
}

// A LogReader takes what a script has printed, of which it keeps the first bytes.
type LogReader struct {
	kept *limitbuf.Buffer
	end  []byte
}

// NewLogReader returns a LogReader that keeps at most that many bytes of the output.
func NewLogReader(most int) *LogReader { return &LogReader{kept: limitbuf.NewBuffer(most)} }

// logEnd is how many bytes at the end of a log have its last line.
const logEnd = 1 << 10

// Write takes more of the log. It never fails.
func (r *LogReader) Write(p []byte) (int, error) {
	r.end = append(r.end, p[max(len(p)-logEnd, 0):]...)
	r.end = r.end[max(len(r.end)-logEnd, 0):]
	return r.kept.Write(p)
}

// Printed returns what was read, which the script of the job with a name has printed.
func (r *LogReader) Printed(name string) Printed {
	_, rest, ok := bytes.Cut(r.kept.Bytes(), []byte(logStarted+name+" "))
	line, text, whole := bytes.Cut(rest, []byte("\n"))
	seconds, err := strconv.ParseInt(string(bytes.TrimRight(line, "\r")), 10, 64)
	if !ok || !whole || err != nil {
		ended := bytes.Contains(r.end, []byte(logEnded[1:]+name+" "))
		return Printed{Strange: ok || ended || r.kept.Over()}
	}
	l := Printed{Started: time.Unix(seconds, 0).UTC(), Text: text, Cut: r.kept.Over()}
	end, mark := r.end, []byte(logEnded+name+" ")
	if !l.Cut {
		end = text
	}
	at := bytes.LastIndex(end, mark)
	if at < 0 {
		return l
	}
	if !l.Cut {
		l.Text = text[:at]
	}
	status, _, whole := bytes.Cut(end[at+len(mark):], []byte("\n"))
	l.Exit, l.How, err = ParseExit(status)
	l.Exited = whole && err == nil
	return l
}

// CutEnd takes the line from the end of a log by which the script of the job with a name says
// more than the status that its engine knows, and returns what precedes the line, the status of
// the command, and how it ended.
func CutEnd(log []byte, name string, status int) ([]byte, int, How) {
	text := bytes.TrimSuffix(log, []byte("\n"))
	at := bytes.LastIndex(text, []byte(logEnded+name+" "))
	if at < 0 {
		return log, status, ""
	}
	own, how, err := ParseExit(text[at+len(logEnded)+len(name):])
	if bytes.IndexByte(text[at+1:], '\n') >= 0 || err != nil {
		return log, status, ""
	}
	return text[:at], own, how
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
