package artifactcmd

import (
	"strings"
	"testing"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/clitest"
	"github.com/envwrap/envwrap/internal/shared/term"
)

// An index may come from an archive that somebody else wrote: what it says
// moves no cursor and begins no line.
func TestListIsPlainText(t *testing.T) {
	e := artifact.Entry{
		Digest: "sha256:" + strings.Repeat("ab", 32), Time: clitest.Now(),
		Kind: "text/\x1b[31mplain", Command: "exec/\x1b]0;title\a\u202e", Stream: "x\ny\u009b", Run: "\r1",
	}
	recorded := e
	recorded.Digest = "sha256:" + strings.Repeat("cd", 32)
	entries := []artifact.Entry{e, recorded}
	sources := map[string]*cli.Source{recorded.Digest: {Argv: []string{"run", "\x1b[2J\u202e"}, Directory: "/a\x1b]0;title\a\nb"}}
	var list, detail strings.Builder
	listingTable(len(entries), func(i int) artifact.Entry { return entries[i] }, nil, sources, clitest.Now()).Write(&list, term.Screen{})
	v := detailView{entryView: viewEntry(&e, nil)}
	v.write(&detail, &artifact.Detail{Entry: e}, clitest.Now())
	for name, text := range map[string]string{"ls": list.String(), "stat": detail.String()} {
		if i := strings.IndexAny(text, "\x1b\a\r\u009b\u202e"); i >= 0 {
			t.Errorf("%s has control characters: %q", name, text)
		}
		if !strings.Contains(text, `text/\x1b[31mplain`) {
			t.Errorf("%s does not spell them out: %q", name, text)
		}
	}
	if n := strings.Count(list.String(), "\n"); n != len(entries) {
		t.Errorf("%d entries take %d lines: %q", len(entries), n, list.String())
	}
	if got := term.Visible(`a "b" \c ü`); got != `a "b" \c ü` {
		t.Errorf("a plain text became %q", got)
	}
}

// BenchmarkListingTable measures how artifact ls prints a hundred thousand
// artifacts.
func BenchmarkListingTable(b *testing.B) {
	entries := make([]artifact.Entry, 100_000)
	for i := range entries {
		entries[i] = artifact.Entry{
			Digest: "sha256:" + strings.Repeat("ab", 32), Size: int64(40_000 + i), Time: clitest.Now(),
			Kind: "text/plain; charset=utf-8", Command: "exec/go", Stream: "stdout",
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		var text strings.Builder
		listingTable(len(entries), func(i int) artifact.Entry { return entries[i] }, nil, nil, clitest.Now()).Write(&text, term.Screen{})
	}
}
