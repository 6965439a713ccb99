package excerpt_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/envwrap/envwrap/excerpt"
)

// lines make the lines of texts as programs print them.
var lines = map[string]func(i int, r *rand.Rand) string{
	"ascii": func(i int, _ *rand.Rand) string {
		return fmt.Sprintf("2026-11-20T10:%02d:%02d.%03dZ INFO  [worker-%d] processed request %d of session %x in %d ms\n", i/60%60, i%60, i%1000, i%8, i, i*7919, i%90)
	},
	"binary": func(_ int, r *rand.Rand) string { return string([]byte{byte(r.IntN(256)), 0xff, 0x80, '\n'}) },
	"boxes": func(i int, _ *rand.Rand) string {
		return fmt.Sprintf("│ module-%d │ %6d │ ✓ up to date │\n", i, i*7)
	},
	"CJK": func(i int, _ *rand.Rand) string {
		return fmt.Sprintf("試験 %d: 合格、所要時間 %d ミリ秒\n", i, i%99)
	},
	"colours": func(i int, _ *rand.Rand) string {
		return fmt.Sprintf("\x1b[32m[%3d%%]\x1b[0m Building CXX object src/CMakeFiles/app.dir/part%d.cpp.o\n", i%100, i)
	},
	"Cyrillic": func(i int, _ *rand.Rand) string {
		return fmt.Sprintf("Распаковывается пакет-%d (%d.%d-1) …\n", i, i%40, i%9)
	},
	"digests": func(_ int, r *rand.Rand) string {
		verbs := []string{"GET /v1/orders", "compiling pkg", "cache hit for", "retrying job", "token refreshed for", "session closed by", "wrote object", "checked out"}
		return fmt.Sprintf("2026-11-20T10:%02d:%02d.%03dZ INFO worker-%d %s %d/%x in %d ms\n", r.IntN(60), r.IntN(60), r.IntN(1000), r.IntN(16), verbs[r.IntN(len(verbs))], r.IntN(1e6), r.Uint64(), r.IntN(900))
	},
	"empty": func(int, *rand.Rand) string { return "\n" },
	"errors": func(i int, r *rand.Rand) string {
		return fmt.Sprintf("2026-11-23T10:%02d:%02d.%03dZ %s [worker-%d] request id=%016x user=%d path=/api/v1/items/%d status=%d dur=%dms\n", r.IntN(60), r.IntN(60), r.IntN(1000), []string{"INFO", "ERROR"}[i&1], r.IntN(64), r.Uint64(), r.IntN(1e5), r.IntN(1e6), 200+300*r.IntN(2), r.IntN(900))
	},
	"JSON": func(i int, _ *rand.Rand) string {
		return fmt.Sprintf(`{"ts":%d,"level":"info","msg":"handled request","path":"/v1/orders/%d","status":200,"ms":%d}`+"\n", 1763800000+i, i, i%90)
	},
	"new": func(i int, r *rand.Rand) string { // each line is another one, and one in 20 has a word of evidence
		syllables := []string{"ka", "lo", "mi", "ren", "Tu", "sor", "pel", "van", "dri", "qua", "zen", "Bor", "hi", "fex", "ul", "gam"}
		line := []byte("\t"[:i&1])
		for range 8 {
			for range 1 + r.IntN(4) {
				line = append(line, syllables[r.IntN(len(syllables))]...)
			}
			line = append(line, " .("[r.IntN(3)])
		}
		return string(line) + []string{"", "failed "}[i%20/19] + "\n"
	},
	"short": func(i int, _ *rand.Rand) string { return fmt.Sprintf("step %d done\n", i) },
	"tabs": func(i int, _ *rand.Rand) string {
		return fmt.Sprintf("ok  \texample.com/app/pkg%d\t%d.%03ds\tcoverage: %d%% of statements\n", i%300, i%9, i%1000, i%100)
	},
	"tests": func(i int, _ *rand.Rand) string {
		return fmt.Sprintf("=== RUN   TestStore%d\n    store_test.go:%d: opened %d objects\n--- PASS: TestStore%d (0.0%ds)\n", i, i%400, i, i, i%9)
	},
	"UUIDs": func(i int, r *rand.Rand) string {
		return fmt.Sprintf("job %08x-%04x-%04x-%04x-%012x is queued on host-%d\n", r.Uint32(), r.IntN(1<<16), r.IntN(1<<16), r.IntN(1<<16), r.Uint64()>>16, i%50)
	},
	"words": func(_ int, r *rand.Rand) string {
		words := []string{"lease", "holder", "renews", "before", "deadline", "store", "object", "client"}
		return fmt.Sprintln(words[r.IntN(8)], words[r.IntN(8)], words[r.IntN(8)], words[r.IntN(8)], words[r.IntN(8)], words[r.IntN(8)])
	},
}

// logOf returns a megabyte of lines.
func logOf(line func(int, *rand.Rand) string) []byte {
	var text bytes.Buffer
	r := rand.New(rand.NewPCG(1, 2))
	for i := 0; text.Len() < 1<<20; i++ {
		text.WriteString(line(i, r))
	}
	return text.Bytes()
}

func BenchmarkWriter(b *testing.B) {
	for name, line := range lines {
		b.Run(name, func(b *testing.B) {
			text := logOf(line)
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			var w excerpt.Writer
			for b.Loop() {
				_, _ = w.Write(text)
			}
		})
	}
}

func BenchmarkExcerpt(b *testing.B) {
	text := logOf(lines["tests"])
	b.ReportAllocs()
	for b.Loop() {
		w := excerpt.Writer{Max: 8 << 10}
		_, _ = w.Write(text)
		if x := w.Excerpt(8 << 10); len(x.Text) == 0 {
			b.Fatal("nothing is shown")
		}
	}
}
