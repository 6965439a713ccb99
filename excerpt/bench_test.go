package excerpt_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/envwrap/envwrap/excerpt"
)

// logs are texts of a megabyte, as programs print them.
func logs() map[string][]byte {
	var tests, service, build, mixed bytes.Buffer
	for i := 0; tests.Len() < 1<<20; i++ {
		fmt.Fprintf(&tests, "=== RUN   TestStore%d\n    store_test.go:%d: opened %d objects\n--- PASS: TestStore%d (0.0%ds)\n", i, i%400, i, i, i%9)
	}
	for i := 0; service.Len() < 1<<20; i++ {
		fmt.Fprintf(&service, "2026-11-20T10:%02d:%02d.%03dZ INFO  [worker-%d] processed request %d of session %x in %d ms\n", i/60%60, i%60, i%1000, i%8, i, i*7919, i%90)
	}
	for i := 0; build.Len() < 1<<20; i++ {
		fmt.Fprintf(&build, "\x1b[32m[%3d%%]\x1b[0m Building CXX object src/CMakeFiles/app.dir/part%d.cpp.o\n", i%100, i)
	}
	verbs := []string{"GET /v1/orders", "compiling pkg", "cache hit for", "retrying job", "token refreshed for", "session closed by", "wrote object", "checked out"}
	for r := rand.New(rand.NewPCG(1, 2)); mixed.Len() < 1<<20; {
		fmt.Fprintf(&mixed, "2026-11-20T10:%02d:%02d.%03dZ INFO worker-%d %s %d/%x in %d ms\n", r.IntN(60), r.IntN(60), r.IntN(1000), r.IntN(16), verbs[r.IntN(len(verbs))], r.IntN(1e6), r.Uint64(), r.IntN(900))
	}
	return map[string][]byte{"tests": tests.Bytes(), "service": service.Bytes(), "colours": build.Bytes(), "digests": mixed.Bytes()}
}

func BenchmarkWriter(b *testing.B) {
	for name, text := range logs() {
		b.Run(name, func(b *testing.B) {
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
	text := logs()["tests"]
	b.ReportAllocs()
	for b.Loop() {
		w := excerpt.Writer{Max: 8 << 10}
		_, _ = w.Write(text)
		if x := w.Excerpt(8 << 10); len(x.Text) == 0 {
			b.Fatal("nothing is shown")
		}
	}
}
