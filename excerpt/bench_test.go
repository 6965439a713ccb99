package excerpt_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/envwrap/envwrap/excerpt"
)

// logs are texts of a megabyte, as programs print them.
func logs() map[string][]byte {
	var tests, service, build bytes.Buffer
	for i := 0; tests.Len() < 1<<20; i++ {
		fmt.Fprintf(&tests, "=== RUN   TestStore%d\n    store_test.go:%d: opened %d objects\n--- PASS: TestStore%d (0.0%ds)\n", i, i%400, i, i, i%9)
	}
	for i := 0; service.Len() < 1<<20; i++ {
		fmt.Fprintf(&service, "2026-11-20T10:%02d:%02d.%03dZ INFO  [worker-%d] processed request %d of session %x in %d ms\n", i/60%60, i%60, i%1000, i%8, i, i*7919, i%90)
	}
	for i := 0; build.Len() < 1<<20; i++ {
		fmt.Fprintf(&build, "\x1b[32m[%3d%%]\x1b[0m Building CXX object src/CMakeFiles/app.dir/part%d.cpp.o\n", i%100, i)
	}
	return map[string][]byte{"tests": tests.Bytes(), "service": service.Bytes(), "colours": build.Bytes()}
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
