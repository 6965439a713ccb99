package runcmd

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli/clitest"
	"github.com/envwrap/envwrap/internal/platform/output"
)

// newStreamer returns one that writes to a file, with events for the lines of both
// streams.
func newStreamer(t *testing.T) (s *Streamer, stdout, stderr *LineEvents) {
	t.Helper()
	f, err := os.Create(t.TempDir() + "/events")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	s = &Streamer{Sink: &output.Sink{Stream: f}, Base: &envelope.Result{Command: "exec/make", Started: clitest.Now()}, Now: clitest.Now}
	stdout, stderr = &LineEvents{To: s, Stage: "stdout"}, &LineEvents{To: s, Stage: "stderr"}
	s.Lines = []*LineEvents{stdout, stderr}
	return s, stdout, stderr
}

// eventsOf returns what a streamer has written, an event a line.
func eventsOf(t *testing.T, s *Streamer) []string {
	t.Helper()
	var list []string
	for line := range strings.Lines(clitest.Contents(t, s.Sink.Stream.Name())) {
		var e struct {
			Data struct {
				Stage, Message string
				Pct            *float64
				Metrics        struct {
					Out   int `json:"stdout_bytes"`
					Err   int `json:"stderr_bytes"`
					Lines int
				}
			}
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		pct, m := "-", e.Data.Metrics
		if e.Data.Pct != nil {
			pct = fmt.Sprint(*e.Data.Pct)
		}
		list = append(list, fmt.Sprintf("%s %q %s %d+%d %d", e.Data.Stage, e.Data.Message, pct, m.Out, m.Err, m.Lines))
	}
	return list
}

// A percentage never falls, and is kept where a line has none; a report of the run has
// the counts of the lines and the newest text that says something.
func TestEvents(t *testing.T) {
	s, stdout, stderr := newStreamer(t)
	write := func(to *LineEvents, text string) { _, _ = to.Write([]byte(text)) }
	write(stdout, "10%\n50%\n20%\n")
	write(stderr, "beside\n\n")
	s.Report(envelope.Progress{Stage: "running", StdoutBytes: 999, Lines: 999})
	write(stdout, "un")
	s.Report(envelope.Progress{Stage: "running"})
	write(stdout, "ended\n")
	s.Report(envelope.Progress{Stage: "running", Message: "said"})
	write(stdout, "90%\r95%\r\nlast")
	s.Close()
	want := []string{
		`stdout "10%" 10 4+0 1`, `stdout "50%" 50 8+0 2`, `stdout "20%" 50 12+0 3`, `stderr "beside" 50 12+7 4`, `stderr "" 50 12+8 5`,
		`running "beside" 50 12+8 5`, `running "un" 50 12+8 5`, `stdout "unended" 50 20+8 6`, `running "said" 50 20+8 6`,
		`stdout "95%" 95 29+8 7`, `stdout "last" 95 33+8 8`,
	}
	if got := eventsOf(t, s); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// Without events for lines a report has its own counts.
func TestReportsAlone(t *testing.T) {
	s, _, _ := newStreamer(t)
	s.Lines = nil
	s.Report(envelope.Progress{Stage: "running", StdoutBytes: 7, Lines: 2})
	s.Close()
	if got := eventsOf(t, s); !slices.Equal(got, []string{`running "" - 7+0 2`}) {
		t.Errorf("got %q", got)
	}
}

// The event of a long line has its beginning, and no half of a character.
func TestLongLine(t *testing.T) {
	s, stdout, _ := newStreamer(t)
	for _, text := range []string{strings.Repeat("x", LineMost), "yy\n", strings.Repeat("x", LineMost-1), "é\n", "short\n"} {
		_, _ = stdout.Write([]byte(text))
	}
	want := []string{
		fmt.Sprintf("stdout %q - 515+0 1", strings.Repeat("x", LineMost)),
		fmt.Sprintf("stdout %q - 1029+0 2", strings.Repeat("x", LineMost-1)),
		`stdout "short" - 1035+0 3`,
	}
	if got := eventsOf(t, s); !slices.Equal(got, want) {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
}

// A stream that is no terminal gets the text, with escapes for hidden characters, and nothing
// more once its reader is gone.
func TestEventsGone(t *testing.T) {
	s, stdout, _ := newStreamer(t)
	_, _ = stdout.Write([]byte("a\u202eb\n"))
	if got := clitest.Contents(t, s.Sink.Stream.Name()); !strings.Contains(got, `a\u202eb`) {
		t.Errorf("got %s", got)
	}
	if err := s.Fault(); err != nil {
		t.Fatal(err)
	}
	name := s.Sink.Stream.Name()
	_ = s.Sink.Stream.Close()
	_, _ = stdout.Write([]byte("b\n"))
	fault := s.Fault()
	again, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	s.Sink = &output.Sink{Stream: again}
	_, _ = stdout.Write([]byte("c\n"))
	if got := eventsOf(t, s); fault == nil || len(got) != 1 {
		t.Errorf("%v, %q", fault, got)
	}
}
