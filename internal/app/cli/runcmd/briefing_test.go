package runcmd

import (
	"strings"
	"testing"
	"time"

	"github.com/envwrap/envwrap/envelope"
)

// briefed returns a briefing whose timer never fires, and what it writes.
func briefed(t *testing.T) (*briefing, *strings.Builder) {
	t.Helper()
	var out strings.Builder
	at := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	b := newBriefing(&out, func() time.Time { at = at.Add(time.Second); return at })
	b.ticks.Reset(time.Hour)
	return b, &out
}

// A command that ends soon shows nothing before its answer; one that goes on shows what it
// has printed, in the order that it came, then each line and each prompt.
func TestBriefing(t *testing.T) {
	b, out := briefed(t)
	_, _ = b.streams[0].Write([]byte("soon\n"))
	if shown := b.end(); shown != nil || out.Len() > 0 {
		t.Errorf("before its time: %+v, %q", shown, out)
	}
	b, out = briefed(t)
	recorded := ""
	b.begun = func(shown string) { recorded += shown }
	stdout, stderr := &b.streams[0], &b.streams[1]
	_, _ = stdout.Write([]byte("a\n[exit 0]\n"))
	_, _ = stderr.Write([]byte("e\n"))
	if out.Len() > 0 {
		t.Errorf("before its time: %q", out)
	}
	b.begin()
	_, _ = stdout.Write([]byte("\x1b[31mred\x1b[0m\n"))
	_, _ = stdout.Write([]byte("Name: "))
	_, _ = stderr.Write([]byte("f\n"))
	_, _ = stdout.Write([]byte("ada\nPass: "))
	shown := b.end()
	const want = "a\n [exit 0]\ne\nred\nName: \nf\nada\nPass: "
	if out.String() != want || shown.Text != want {
		t.Errorf("shown was %q (%q), want %q", out, shown.Text, want)
	}
	if recorded != "a\n [exit 0]\ne\n" {
		t.Errorf("the record began with %q", recorded)
	}
	if w := (envelope.Shown{Stdout: envelope.ShownStream{Lines: 4, Part: "Pass: "}, Stderr: envelope.ShownStream{Lines: 2}, Text: want}); *shown != w {
		t.Errorf("got %+v, want %+v", *shown, w)
	}
}

// After 4 KiB a line sums up what came since, if there is news; these get rare.
func TestBriefingSumsUp(t *testing.T) {
	b, out := briefed(t)
	b.begin()
	line := strings.Repeat("x", 99) + "\n"
	_, _ = b.streams[0].Write([]byte(strings.Repeat(line, 60)))
	_, _ = b.streams[1].Write([]byte("after that\n")) // which keeps its place
	if n := strings.Count(out.String(), line); n != briefFirst/len(line) || strings.Contains(out.String(), "after") {
		t.Errorf("%d lines were shown, of %d bytes", n, out.Len())
	}
	before := out.Len()
	b.sumUp()
	b.sumUp()
	if got := out.String()[before:]; !strings.HasPrefix(got, "[envwrap: ") || !strings.HasSuffix(got, " s, 61 lines: after that]\n") || strings.Count(got, "\n") != 1 {
		t.Errorf("got %q", got)
	}
	for range 1000 {
		_, _ = b.streams[0].Write([]byte("more [it]\n"))
		b.sumUp()
	}
	if n := out.Len() - before; n > briefMarks+1000/12*60 {
		t.Errorf("lines that sum up have %d bytes", n)
	}
	if shown := b.end(); shown.Stdout.Lines != int64(briefFirst/len(line)) || shown.Stderr.Lines != 0 {
		t.Errorf("got %+v", shown.Stdout)
	}
}

// A line that is not text, or has no end for long, ends what is shown.
func TestBriefingOfNoText(t *testing.T) {
	for _, text := range []string{"\x00\x01\n", strings.Repeat("y", briefFirst+1) + "\n"} {
		b, out := briefed(t)
		b.begin()
		_, _ = b.streams[0].Write([]byte("a\n" + text + "b\n"))
		if shown := b.end(); out.String() != "a\n" || shown.Stdout.Lines != 1 {
			t.Errorf("%.10q: %q, %+v", text, out, shown.Stdout)
		}
	}
}
