package wrap_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/redact"
	"github.com/envwrap/envwrap/wrap"
)

// BenchmarkRun is one run of a program that does nothing, without the
// start-up of envwrap itself.
func BenchmarkRun(b *testing.B) {
	redactor := redact.New(redact.Options{})
	b.ReportAllocs()
	for b.Loop() {
		_, err := wrap.Run(context.Background(), &wrap.Command{
			Process: wrap.Process{Argv: []string{"/bin/true"}},
			Limits:  wrap.Limits{InlineLimit: 32 << 10},
			Capture: wrap.Capture{Redactor: redactor},
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkExec is the same with os/exec, which captures and no more.
func BenchmarkExec(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := exec.Command("/bin/true").CombinedOutput(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkFlood captures what is far over the inline limit: pipe, redactor,
// summary, digest and file. Compare it with BenchmarkSHA256Sum.
func BenchmarkFlood(b *testing.B) {
	store, err := artifact.Open(artifact.Options{Dir: b.TempDir()})
	if err != nil {
		b.Fatal(err)
	}
	redactor := redact.New(redact.Options{})
	floods(b, func(b *testing.B, file string, size int64) {
		res, err := wrap.Run(context.Background(), &wrap.Command{
			Process: wrap.Process{Argv: []string{"cat", file}, Env: []string{"PATH=/usr/bin:/bin"}},
			Limits:  wrap.Limits{InlineLimit: 32 << 10, Excerpt: 4 << 10},
			Capture: wrap.Capture{Redactor: redactor, Store: func() (*artifact.Store, string, error) { return store, "", nil }},
		})
		if err != nil {
			b.Fatal(err)
		}
		if res.Stdout.Bytes < size/2 { // masks are shorter
			b.Fatalf("captured %d bytes of %d", res.Stdout.Bytes, size)
		}
	})
}

// BenchmarkSHA256Sum has the digest of the same output and nothing else.
func BenchmarkSHA256Sum(b *testing.B) {
	floods(b, func(b *testing.B, file string, _ int64) {
		if err := exec.Command("sh", "-c", `cat "$0" | sha256sum`, file).Run(); err != nil {
			b.Fatal(err)
		}
	})
}

// floods measures f for files of 256 MiB: zero bytes, and lines such as a server
// prints, a quarter of which has a word that may name a secret.
func floods(b *testing.B, f func(b *testing.B, file string, size int64)) {
	const size = 256 << 20
	verbs := []string{"cache hit for", "token refreshed for", "wrote object", "checked out"}
	r := rand.New(rand.NewPCG(1, 2))
	line := func(dst []byte) []byte {
		return fmt.Appendf(dst, "2026-11-20T10:%02d:%02d.%03dZ INFO worker-%d %s %d/%x in %d ms\n",
			r.IntN(60), r.IntN(60), r.IntN(1000), r.IntN(16), verbs[r.IntN(len(verbs))], r.IntN(1e6), r.Uint64(), r.IntN(900))
	}
	for name, next := range map[string]func([]byte) []byte{
		"logs":  line,
		"zeros": func(dst []byte) []byte { return append(dst, make([]byte, 4<<10)...) },
	} {
		b.Run(name, func(b *testing.B) {
			file := filepath.Join(b.TempDir(), name)
			var text []byte
			for len(text) < size {
				text = next(text)
			}
			if err := os.WriteFile(file, text, 0o600); err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				f(b, file, int64(len(text)))
			}
		})
	}
}
