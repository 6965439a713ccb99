package wrap_test

import (
	"context"
	"os/exec"
	"strconv"
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
// summary, digest and file.
func BenchmarkFlood(b *testing.B) {
	const size = 256 << 20
	store, err := artifact.Open(artifact.Options{Dir: b.TempDir()})
	if err != nil {
		b.Fatal(err)
	}
	redactor := redact.New(redact.Options{})
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		res, err := wrap.Run(context.Background(), &wrap.Command{
			Process: wrap.Process{
				Argv: []string{"head", "-c", strconv.Itoa(size), "/dev/zero"},
				Env:  []string{"PATH=/usr/bin:/bin"},
			},
			Limits:  wrap.Limits{InlineLimit: 32 << 10, Excerpt: 4 << 10},
			Capture: wrap.Capture{Redactor: redactor, Store: func() (*artifact.Store, string, error) { return store, "", nil }},
		})
		if err != nil {
			b.Fatal(err)
		}
		if res.Stdout.Bytes != size {
			b.Fatalf("captured %d bytes", res.Stdout.Bytes)
		}
	}
}
