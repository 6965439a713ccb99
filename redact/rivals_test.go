package redact_test

import (
	"bytes"
	"os/exec"
	"testing"
	"time"

	"github.com/envwrap/envwrap/redact"
)

// The engine beside gitleaks, which only reports what it finds, on the same log.
// Most of what gitleaks takes for it is no start-up.
func BenchmarkBesideGitleaks(b *testing.B) {
	text := logs(4 << 20)
	b.Run("envwrap", func(b *testing.B) { benchmark(b, redact.New(redact.Options{}), text) })
	b.Run("gitleaks", func(b *testing.B) {
		program, err := exec.LookPath("gitleaks")
		if err != nil {
			b.Skip("gitleaks is not in PATH: go install github.com/zricethezav/gitleaks/v8@v8.30.1")
		}
		b.SetBytes(int64(len(text)))
		var used time.Duration
		for b.Loop() {
			cmd := exec.Command(program, "stdin", "--no-banner", "--exit-code", "0", "--log-level", "error")
			cmd.Stdin = bytes.NewReader(text)
			if out, err := cmd.CombinedOutput(); err != nil {
				b.Fatalf("gitleaks: %v\n%s", err, out)
			}
			used += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		}
		b.ReportMetric(float64(len(text))*float64(b.N)/1e6/used.Seconds(), "MB/cpu-s")
	})
}
