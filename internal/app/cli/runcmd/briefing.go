package runcmd

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/excerpt"
	"github.com/envwrap/envwrap/internal/shared/term"
)

// How much of a command's output brief shows before the answer, and when.
const (
	briefAfter = 900 * time.Millisecond // a command that ends before has its answer only
	briefEvery = 5 * time.Second        // between two lines that sum up what came since
	briefFirst = 4 << 10                // bytes of output that are shown as they come
	briefMarks = 3 << 10                // bytes of lines that sum up, after which they get rare
	briefLine  = 100                    // characters of a line of output in such a line
)

// A briefing shows what a command prints while it runs, to the reader of a brief answer:
// the first 4 KiB and each prompt in the order that they come, then from time to time a line
// that sums up. It is safe for concurrent use.
type briefing struct {
	mu      sync.Mutex
	out     io.Writer
	now     func() time.Time
	start   time.Time
	ticks   *time.Ticker
	done    chan struct{}
	streams [2]briefStream

	begun    func(shown string) // is called once, when something was shown; may be nil
	recorded sync.WaitGroup     // for begun

	pending []byte // is shown once briefAfter is over
	shown   strings.Builder
	open    bool // briefAfter is over
	over    bool // nothing more is shown
	broken  bool // the last thing that was shown has no newline
	last    *briefStream
	room    int    // bytes left of briefFirst
	marks   int    // bytes left of briefMarks
	skip    int    // how many ticks come before the next line
	more    string // the command that shows more while the run goes on; "" once a line named it
	counted int64  // lines that the last mark has counted
	newest  string // the last line that was printed
}

// A briefStream is the part of one stream that was shown.
type briefStream struct {
	b     *briefing
	line  []byte // the line that has no end yet
	part  int    // bytes of its cleaned text that were shown
	lines int64  // whole lines that came
	whole int64  // of these, how many from the first on were shown
	stops bool   // nothing more of it is shown
}

// newBriefing returns a briefing that writes to out once begin was called.
func newBriefing(out io.Writer, now func() time.Time) *briefing {
	b := &briefing{out: out, now: now, start: now(), room: briefFirst, marks: briefMarks, done: make(chan struct{}), ticks: time.NewTicker(briefEvery)}
	for i := range b.streams {
		b.streams[i].b = b
	}
	go func() {
		for {
			select {
			case <-b.ticks.C:
				b.sumUp()
			case <-b.done:
				return
			}
		}
	}()
	return b
}

// begin shows what has come so far.
func (b *briefing) begin() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.over {
		return
	}
	b.open = true
	b.write(b.pending)
	b.pending = nil
}

// end ends the briefing, and returns what was shown: nil if the command ended so soon that
// it was nothing.
func (b *briefing) end() *envelope.Shown {
	if b == nil {
		return nil
	}
	b.ticks.Stop()
	close(b.done)
	b.mu.Lock()
	defer b.recorded.Wait()
	defer b.mu.Unlock()
	if b.over = true; b.shown.Len() == 0 {
		return nil
	}
	shown := &envelope.Shown{}
	for i, to := range []*envelope.ShownStream{&shown.Stdout, &shown.Stderr} {
		s := &b.streams[i]
		to.Lines = s.whole
		if s.part > 0 {
			to.Part = string(cleanLine(s.line)[:s.part])
		}
	}
	if b.broken && b.last != nil && b.last.part == 0 { // another stream's line follows
		b.write([]byte("\n"))
	}
	shown.Text = b.shown.String()
	return shown
}

// Write takes a part of a stream, as it is masked. An unfinished line comes only where the
// command waits: it is a prompt.
func (s *briefStream) Write(p []byte) (int, error) {
	s.b.mu.Lock()
	defer s.b.mu.Unlock()
	for rest := p; len(rest) > 0; {
		line, after, ended := bytes.Cut(rest, []byte("\n"))
		if len(s.line) < briefFirst {
			s.line = append(s.line, line...)
		}
		rest = after
		if ended {
			s.endLine()
		}
	}
	if len(s.line) > 0 && !bytes.ContainsAny(s.line, "\r\x1b") {
		s.show(cleanLine(s.line), "")
	}
	return len(p), nil
}

// endLine takes a line that has come to its end.
func (s *briefStream) endLine() {
	text := cleanLine(s.line)
	s.lines++
	if bare := strings.TrimSpace(string(text)); bare != "" {
		s.b.newest = bare
	}
	long := len(s.line) >= briefFirst || bytes.IndexByte(s.line, 0) >= 0
	if !long && s.show(text, "\n") {
		s.whole = s.lines
	} else {
		s.stops = true
	}
	s.line, s.part = s.line[:0], 0
}

// cleanLine returns a line as an answer has it.
func cleanLine(line []byte) []byte {
	return []byte(strings.TrimSuffix(envelope.Guard(excerpt.Clean(string(line))), "\n"))
}

// show shows the part of a line that was not shown yet, and its end, and reports whether
// there is room for that.
func (s *briefStream) show(text []byte, end string) bool {
	if s.stops || s.whole != s.lines && end == "" || s.whole != s.lines-1 && end != "" {
		return false
	}
	if len(text) < s.part {
		s.part = len(text)
	}
	fresh := string(text[s.part:]) + end
	if len(fresh) > s.b.room || !utf8.ValidString(fresh) {
		s.b.room = 0 // lines stay in their order
		return false
	}
	if s.b.broken && s.b.last != s && fresh != "" {
		fresh = "\n" + fresh
	}
	s.b.room -= len(fresh)
	s.part = len(text)
	s.b.put(fresh, s)
	return true
}

// put shows a text now, or when the briefing begins.
func (b *briefing) put(text string, from *briefStream) {
	if text == "" {
		return
	}
	b.broken, b.last = !strings.HasSuffix(text, "\n"), from
	if !b.open {
		b.pending = append(b.pending, text...)
		return
	}
	b.write([]byte(text))
}

// write writes to the reader. If that is gone, nothing changes for the command.
func (b *briefing) write(p []byte) {
	if len(p) == 0 {
		return
	}
	b.shown.Write(p)
	_, _ = b.out.Write(p)
	if begun, text := b.begun, b.shown.String(); begun != nil {
		b.begun = nil
		b.recorded.Go(func() { begun(text) })
	}
}

// nameCommand has the next line that sums up name a command that shows more.
func (b *briefing) nameCommand(line string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.more = line
}

// sumUp shows a line with time, lines and the last line, if there is news that was not shown.
func (b *briefing) sumUp() {
	b.mu.Lock()
	defer b.mu.Unlock()
	lines := b.streams[0].lines + b.streams[1].lines
	news := lines > b.counted && lines > b.streams[0].whole+b.streams[1].whole
	if b.skip > 0 {
		b.skip--
		return
	}
	if !b.open || !news || b.over {
		return
	}
	b.counted = lines
	text := term.Text(b.newest)
	if runes := []rune(text); len(runes) > briefLine {
		text = string(runes[:briefLine]) + "..."
	}
	mark := fmt.Sprintf("[envwrap: %d s, %d lines: %s", int(b.now().Sub(b.start).Seconds()), lines, strings.NewReplacer("[", "(", "]", ")").Replace(text))
	if b.more != "" {
		mark += "; more: " + b.more
		b.more = ""
	}
	mark += "]\n"
	if b.broken {
		mark = "\n" + mark
	}
	if b.marks -= len(mark); b.marks <= 0 { // one a minute
		b.skip = int(time.Minute/briefEvery) - 1
	}
	b.put(mark, nil)
}
