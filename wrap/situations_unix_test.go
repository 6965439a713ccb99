//go:build unix

package wrap

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/redact"
)

// A situation is a command that was run for real, or whose output was written after its
// documentation, and what envwrap is to say of it.
type situation struct {
	name, kind, code string
	retryable        bool
	says, hint       string // parts of the message and of the hint; "" is any message, no hint
	anyHint          bool
	endsIn           string // the message's end
	argv             []string
	status           int
	stdout, stderr   string
}

// readSituations reads a file of situations: a line "@ KIND CODE STATUS $ COMMAND", with
// "retry" after the code where it is retryable, "< PART" for the message ("<$ PART" for its
// end), "! PART" for the
// hint ("!-" for any), and the output's lines after "1|" and "2|".
func readSituations(t *testing.T, file string) (all []situation) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		if head, ok := strings.CutPrefix(line, "@ "); ok {
			facts, command, _ := strings.Cut(head, " $ ")
			f := strings.Fields(facts)
			s := situation{name: command, kind: f[0], code: f[1], retryable: f[2] == "retry"}
			if s.status, err = strconv.Atoi(f[len(f)-1]); err != nil {
				t.Fatalf("%q: %v", line, err)
			}
			s.argv = words(command)
			all = append(all, s)
			continue
		}
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		s := &all[len(all)-1]
		switch mark, rest := line[:2], line[2:]; mark {
		case "1|":
			s.stdout += rest + "\n"
		case "2|":
			s.stderr += rest + "\n"
		case "< ":
			s.says = rest
		case "<$":
			s.endsIn = strings.TrimSpace(rest)
		case "! ":
			s.hint = rest
		case "!-":
			s.anyHint = true
		default:
			t.Fatalf("%s: %q is no line of a situation", s.name, line)
		}
	}
	if len(all) == 0 {
		t.Fatalf("%s has no situations", file)
	}
	return all
}

// words splits a command line at blanks, but for single quotes.
func words(line string) (argv []string) {
	for i, part := range strings.Split(line, "'") {
		switch {
		case i%2 == 1:
			argv = append(argv, part)
		default:
			argv = append(argv, strings.Fields(part)...)
		}
	}
	return argv
}

// The record of each situation says what happened, whether to try again, why, and what to
// do about it.
func TestSituations(t *testing.T) {
	file := "testdata/situations.txt"
	if other := os.Getenv("SITUATIONS"); other != "" {
		file = other
	}
	for _, s := range readSituations(t, file) {
		c := &Command{
			Process: Process{Argv: s.argv, Env: []string{"PATH=/nowhere"}, Dir: "/"},
			Limits:  Limits{MaxCapture: 1 << 20, MaxArtifact: 1 << 30, InlineLimit: 32 << 10, Excerpt: 8 << 10},
			Capture: Capture{Redactor: redact.New(redact.Options{})},
		}
		r := newRun(c)
		r.started = time.Unix(1_800_000_000, 0)
		r.ended = r.started.Add(time.Second)
		r.end = exitState{code: s.status}
		r.stdout, r.stderr = r.replayedStream("stdout", &RecordedStream{}), r.replayedStream("stderr", &RecordedStream{})
		for i, stream := range r.both() {
			stream.masked = r.mask.redactor.Writer(stream.capture)
			_, _ = stream.masked.Write([]byte([]string{s.stdout, s.stderr}[i]))
			_ = stream.masked.Close()
			stream.capture.end()
		}
		res := r.record()
		o := &res.Outcome
		r.streams.close()
		if added := briefAdds(t, res, s); added > briefMost {
			t.Errorf("%s (%d): brief/v1 adds %d bytes to the output, beside the hint", s.name, s.status, added)
		}
		code := string(o.Code)
		if code == "" {
			code = "-"
		}
		got := fmt.Sprintf("%s %s", o.Kind, code)
		if o.Retryable {
			got += " retry"
		}
		want := s.kind + " " + s.code
		if s.retryable {
			want += " retry"
		}
		if s.kind == "?" {
			fmt.Printf("$ %s (%d)\n   %s by %s\n   M %s\n   H %s\n", s.name, s.status, got, o.ClassifiedBy, o.Message, o.Hint)
			continue
		}
		hintFits := s.anyHint || strings.Contains(o.Hint, s.hint) && (s.hint != "" || o.Hint == "")
		if got != want || !strings.Contains(o.Message, s.says) || !strings.HasSuffix(o.Message, s.endsIn) || !hintFits {
			t.Errorf("%s (%d)\n   %s by %s, want %s\n   message %q, want %q\n   hint %q, want %q", s.name, s.status, got, o.ClassifiedBy, want, o.Message, s.says+s.endsIn, o.Hint, s.hint)
		}
	}
}

// briefMost is the most that brief/v1 adds to a failure's output beside the hint, in bytes. The
// longest measured was 72 bytes, 24 tokens of o200k_base.
const briefMost = 74

// briefAdds returns how many bytes brief/v1 adds to the output of a failure that took 12.3 s,
// beside the hint.
func briefAdds(t *testing.T, res *envelope.Result, s situation) int {
	t.Helper()
	brief, _ := envelope.Lookup("brief/v1")
	res.Duration = 12300 * time.Millisecond
	doc, err := envelope.Encode(brief, res, envelope.EncodeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if res.Outcome.OK() {
		return 0
	}
	return len(doc) - len(s.stdout) - len(s.stderr) - len(res.Outcome.Hint)
}
