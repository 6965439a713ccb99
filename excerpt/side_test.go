package excerpt

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// A text that is read by another goroutine has the same excerpt, and leaves the same pieces in
// memory, whether its lines are new, known, long, empty or all of that in turns.
func TestForkChangesNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	parts := []func(*bytes.Buffer){
		func(b *bytes.Buffer) {
			fmt.Fprintf(b, "func %x(lease %x) error { return %x }\n", r.Uint64(), r.Uint32(), r.Uint64())
		},
		func(b *bytes.Buffer) {
			for range 2 + r.IntN(9) {
				b.WriteString([]string{"ka", "lo ", "mi", "ren.", "Tu", "sor ", "pel", "van "}[r.IntN(8)])
			}
			b.WriteString([]string{"\n", " failed\n", "\n- Error: no lease (code 3)\n"}[r.IntN(40)/38*r.IntN(3)])
		},
		func(b *bytes.Buffer) { fmt.Fprintf(b, "INFO request %d took %d ms\n", r.IntN(1e6), r.IntN(900)) },
		func(b *bytes.Buffer) { b.WriteString(strings.Repeat("\n", r.IntN(400))) },
		func(b *bytes.Buffer) { b.WriteString(strings.Repeat("abc def\r", r.IntN(9000)) + "\n") },
		func(b *bytes.Buffer) { fmt.Fprintf(b, "\x1b[31m%d of ä %x\x1b[0m\n", r.IntN(9), r.Uint32()) },
	}
	var text bytes.Buffer
	for text.Len() < 3<<20 {
		part := parts[[]int{0, 0, 1, 1, 1, 1, 1, 2, 2, 3, 4, 5}[r.IntN(12)]]
		for to := text.Len() + 1 + r.IntN(150<<10); text.Len() < to; {
			part(&text)
		}
	}
	direct := Writer{Max: 8 << 10}
	_, _ = direct.Write(text.Bytes())
	want, all := direct.Excerpt(8<<10), direct.candidates()
	for range 2 {
		forked := Writer{Max: 8 << 10}
		for rest := text.Bytes(); len(rest) > 0; {
			if r.IntN(9) == 0 {
				forked.Join()
			}
			forked.Fork()
			n := min(1+r.IntN(400<<10), len(rest))
			_, _ = forked.Write(rest[:n])
			rest = rest[n:]
		}
		if got := forked.Excerpt(8 << 10); got.Text != want.Text {
			t.Errorf("the excerpt is\n%s\nand without Fork\n%s", got.Text, want.Text)
		}
		if got := forked.candidates(); len(got) != len(all) || forked.skimmed != direct.skimmed || forked.num != direct.num {
			t.Errorf("%d pieces are left, %d of %d lines were skipped; without Fork %d, %d of %d", len(got), forked.skimmed, forked.num, len(all), direct.skimmed, direct.num)
		}
	}
	if direct.skimmed == 0 {
		t.Error("each line was read")
	}
}
