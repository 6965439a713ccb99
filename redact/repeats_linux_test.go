package redact_test

import (
	"io"
	"math"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/envwrap/envwrap/internal/test/matrix"
	"github.com/envwrap/envwrap/internal/test/redactcases"
	"github.com/envwrap/envwrap/redact"
)

// A line that is 32 times as long costs about as much as 32 such lines, and so
// the cost is not quadratic: that would be 32 times as much, and seconds for some.
// The test measures processor time of one thread, which does not grow while the
// machine has other work.
func TestRepeatsAreLinear(t *testing.T) {
	const short, times = 2 << 10, 32
	const precision = 20 * time.Millisecond // two ticks of a system that counts in ticks
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	r := redact.New(redact.Options{Values: []redact.Value{{Rule: "env:A", Secret: "kq09ZxLm2TnB5vRc8f3A"}}})
	r.Bytes(make([]byte, 64<<10)) // makes the tables
	for i, s := range redactcases.Repeats {
		if i%matrix.Every(2) > 0 {
			continue
		}
		line := strings.Repeat(s, short/len(s))
		long, many := time.Duration(math.MaxInt64), time.Duration(math.MaxInt64)
		for try := 0; try == 0 || try < 10 && long >= 16*many+precision; try++ {
			many = min(many, cost(t, r, line, times))
			long = min(long, cost(t, r, strings.Repeat(line, times), 1))
		}
		if long >= 16*many+precision {
			t.Errorf("%q: %d lines of %d bytes cost %v, one line of as much %v", s, times, short, many, long)
		}
	}
}

// cost returns the processor time that a Redactor needs for some lines of a text.
func cost(t *testing.T, r *redact.Redactor, line string, lines int) time.Duration {
	t.Helper()
	text := []byte(strings.Repeat(line+"\n", lines))
	before := threadTime(t)
	w := r.Writer(io.Discard)
	if _, err := w.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return threadTime(t) - before
}

// threadTime returns the processor time that the calling thread has used.
func threadTime(t *testing.T) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_THREAD, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
