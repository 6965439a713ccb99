package envelope

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/envwrap/envwrap/internal/test/matrix"
)

// More output of a success never shows less text, but for the words of the frame: the gap, the
// command that reads on, the artifact and its summary.
func TestMoreOutputShowsNoLess(t *testing.T) {
	const least, frame = 8 << 10, 1200
	rnd := rand.New(rand.NewPCG(19, 27))
	texts := map[string]string{}
	for kind, line := range map[string]func(i int) string{
		"source": func(i int) string {
			return fmt.Sprintf("\tif err := f%d(x, %q); err != nil { // %x\n", i, "a", rnd.Uint64()>>rnd.IntN(50))
		},
		"long lines": func(int) string {
			return strings.Repeat(fmt.Sprintf("word%x ", rnd.Uint32()), 1+rnd.IntN(300)) + "\n"
		},
		"wide": func(i int) string { return fmt.Sprintf("Zeile %d ändert „Größe“ 日本 %x\n", i, rnd.Uint64()) },
	} {
		rnd = rand.New(rand.NewPCG(19, 27))
		var b strings.Builder
		for i := 0; b.Len() < 100_000; i++ {
			b.WriteString(line(i))
		}
		texts[kind] = b.String()
	}
	sizes := []int{8000, 8900, 9500, 20_000, 26_000, 27_900, 28_500, 29_500, 30_500, 32_000, 33_500, 36_000, 60_000, 100_000}
	if matrix.Whole() {
		for n := 4000; n < 100_000; n += 100 + n/20 {
			sizes = append(sizes, n)
		}
		slices.Sort(sizes)
	}
	turn := 0 // each option has each kind with another dialect
	for _, d := range []*dialect{&protocolV1, &foxctlV1, &helperV1, &briefV1} {
		for _, o := range []EncodeOptions{{}, {Detail: DetailLean}, {Budget: 28_000}, {Budget: 9_000, Detail: DetailLean}, {Budget: 36_000}} {
			if turn++; turn/3%matrix.Every(3) > 0 {
				continue
			}
			for i, kind := range []string{"source", "long lines", "wide"} {
				if turn%3 != i && !matrix.Whole() {
					continue
				}
				most, text := 0, texts[kind]
				for _, n := range sizes {
					doc := encodeSuccess(t, d, o, text[:n], 32<<10, least)
					shown := 0
					for line := range bytes.Lines(shownText(d, doc)) {
						if !bytes.HasPrefix(line, []byte("... ")) {
							shown += len(line)
						}
					}
					if shown < most-frame {
						t.Errorf("%s %+v: of %d bytes of %s %d are shown, of fewer %d", d.Name(), o, n, kind, shown, most)
						break
					}
					most = max(most, shown)
				}
				if most < least/2 {
					t.Errorf("%s %+v: of %s at most %d bytes are shown", d.Name(), o, kind, most)
				}
			}
		}
	}
}

// encodeSuccess returns the envelope of a command that printed text.
func encodeSuccess(t *testing.T, d Dialect, o EncodeOptions, text string, limit int64, least int) []byte {
	t.Helper()
	zero := 0
	r := &Result{Command: "exec/cat", Tool: "cat", Argv: []string{"cat", "x"}, Started: time.Unix(1, 0), Ended: time.Unix(2, 0)}
	r.Outcome = Outcome{Kind: Success, ExitCode: &zero}
	sum := Summarizer{ExcerptMax: int(limit)}
	_, _ = sum.Write([]byte(text))
	if err := r.Stdout.Interpret([]byte(text), ParseAuto); err != nil {
		t.Fatal(err)
	}
	if p := d.Placement(o); !p.Fits(r, limit) {
		digest := "sha256:" + strings.Repeat("3f", 32)
		r.Stdout = sum.SpilledReading(digest, "envwrap artifact cat "+ShortDigest(digest), int(limit))
		p.ShrinkExcerpts(r, limit, least)
	}
	doc, err := Encode(d, r, o)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// shownText returns the text that an envelope shows of stdout.
func shownText(d Dialect, doc []byte) []byte {
	if d.IsText() {
		return doc[:bytes.LastIndex(doc, []byte("[exit "))]
	}
	r, err := Decode(d, doc)
	if err != nil {
		return nil
	}
	if r.Stdout.Excerpt != nil {
		return []byte(r.Stdout.Excerpt.Text)
	}
	return []byte(r.Stdout.Text)
}

// What fits does not depend on the time that a run took, nor on its use of the machine: the
// same output has the same excerpt.
func TestExcerptDoesNotDependOnUsage(t *testing.T) {
	text := ""
	for i := range 2000 {
		text += fmt.Sprintf("\tif err := f%x(x); err != nil {\n", i*7919)
	}
	var sizes []int
	for _, usage := range []*Usage{nil, {}, {UserMS: 123_456, SysMS: 123_456, MaxRSSBytes: 9_876_543_210}} {
		sum := Summarizer{ExcerptMax: 32 << 10}
		_, _ = sum.Write([]byte(text))
		r := newRun(0, "", "", "cat")
		r.Stdout, r.Usage = sum.SpilledReading(digestA, "envwrap artifact cat "+digestA, 32<<10), usage
		protocolV1.Placement(EncodeOptions{}).ShrinkExcerpts(r, 32<<10, 8<<10)
		if sizes = append(sizes, len(r.Stdout.Excerpt.Text)); r.Usage != usage || sizes[0] < 16<<10 || sizes[0] != sizes[len(sizes)-1] {
			t.Errorf("usage %+v: excerpts of %d bytes", r.Usage, sizes)
		}
	}
}
