package wrap_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/wrap"
)

func init() { roles["flaky"] = flaky }

// flaky counts its runs in the file args[0] and ends with status 75 until it
// was run args[1] times. It prints its stdin.
func flaky(args []string) {
	text, _ := os.ReadFile(args[0])
	runs, _ := strconv.Atoi(string(text))
	runs++
	writeFile(args[0], strconv.Itoa(runs))
	roles["echo"](nil)
	if runs < number(args[1]) {
		os.Exit(75)
	}
}

func retry(times int) wrap.Retry {
	return wrap.Retry{
		Times: times, Delay: time.Millisecond, MaxDelay: 10 * time.Millisecond,
		On: func(o *envelope.Outcome) bool { return o.Retryable },
	}
}

func runs(t *testing.T, file string) int {
	t.Helper()
	return readPID(t, file)
}

// attempts returns the record's list of them.
func attempts(res *envelope.Result) string { return string(res.Outcome.Details.Get("attempts")) }

func TestRetryUntilItWorks(t *testing.T) {
	count, in := filepath.Join(t.TempDir(), "count"), filepath.Join(t.TempDir(), "in")
	writeFile(in, "input")
	file, err := os.Open(in)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	c := command(t, "flaky", count, "3")
	c.Stdin = wrap.Stdin{File: file}
	res, err := retry(5).Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	want(t, res, envelope.Success, "", 0)
	if n := runs(t, count); n != 3 || attempts(res) != "3" {
		t.Errorf("%d runs, %s attempts", n, attempts(res))
	}
	tries := string(res.Outcome.Details.Get("tries"))
	if n := strings.Count(tries, `"code":"ERUNTIME","exit_code":75,"duration_ms":`); n != 2 {
		t.Errorf("tries %s", tries)
	}
	if res.Stdout.Text != "input" {
		t.Errorf("the last run read %q", res.Stdout.Text)
	}
}

func TestRetryGivesUp(t *testing.T) {
	count := filepath.Join(t.TempDir(), "count")
	res, err := retry(2).Run(t.Context(), command(t, "flaky", count, "99"))
	if err != nil {
		t.Fatal(err)
	}
	want(t, res, envelope.Failure, envelope.ERUNTIME, 75)
	if n := runs(t, count); n != 3 || attempts(res) != "3" {
		t.Errorf("%d runs, %s attempts", n, attempts(res))
	}
}

// The command is retried only if --retries is set and its stdin can be replayed.
func TestNoRetry(t *testing.T) {
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	defer writer.Close()
	if _, err := writer.WriteString("input"); err != nil {
		t.Fatal(err)
	}
	after := func(d time.Duration) func(*envelope.Result) (time.Duration, bool) {
		return func(*envelope.Result) (time.Duration, bool) { return d, true }
	}
	for name, tc := range map[string]struct {
		change  func(*wrap.Retry, *wrap.Command)
		warning string
	}{
		"not asked":     {func(y *wrap.Retry, _ *wrap.Command) { y.Times = 0 }, ""},
		"other code":    {func(y *wrap.Retry, _ *wrap.Command) { y.On = func(*envelope.Outcome) bool { return false } }, ""},
		"pipe on stdin": {func(_ *wrap.Retry, c *wrap.Command) { c.Stdin.File = reader; writer.Close() }, "reads a pipe"},
		"too long":      {func(y *wrap.Retry, _ *wrap.Command) { y.After = after(time.Hour) }, "3600 s"},
		"deadline":      {func(y *wrap.Retry, _ *wrap.Command) { y.Deadline = time.Millisecond }, "--deadline"},
	} {
		t.Run(name, func(t *testing.T) {
			count := filepath.Join(t.TempDir(), "count")
			c, y := command(t, "flaky", count, "9"), retry(3)
			tc.change(&y, c)
			res, err := y.Run(t.Context(), c)
			if err != nil {
				t.Fatal(err)
			}
			decided := "" // what the details have: nothing where retries were no question
			if tc.warning != "" {
				decided = "1"
			}
			if n := runs(t, count); n != 1 || attempts(res) != decided {
				t.Errorf("%d runs, %q attempts, want %q", n, attempts(res), decided)
			}
			hasAfter := slices.ContainsFunc(res.Outcome.Details, func(f envelope.Field) bool { return f.Name == "retry_after" && string(f.Value) == "3600" })
			if hasAfter != (name == "too long") {
				t.Errorf("retry_after in the details: %v", hasAfter)
			}
			if got := strings.Join(res.Warnings, "; "); !strings.Contains(got, tc.warning) || tc.warning == "" && got != "" {
				t.Errorf("warnings %q", got)
			}
		})
	}
}

func TestSignalEndsTheWait(t *testing.T) {
	count := filepath.Join(t.TempDir(), "count")
	c, y := command(t, "flaky", count, "9"), retry(3)
	y.Delay, y.MaxDelay = time.Hour, time.Hour
	signals := make(chan os.Signal, 1)
	c.Signals = signals
	y.On = func(*envelope.Outcome) bool { signals <- syscall.SIGTERM; return true }
	res, err := y.Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	want(t, res, envelope.Canceled, envelope.ECANCELED, 128+15)
}

// Jitter makes no wait longer than the longest, and none is shorter than the server
// asks for.
func TestWaits(t *testing.T) {
	t.Parallel()
	const longest = 8 * time.Millisecond
	for asked, least := range map[bool]int{true: 8, false: 0} {
		y := retry(10)
		y.Delay, y.MaxDelay = time.Millisecond, longest
		y.After = func(*envelope.Result) (time.Duration, bool) { return longest, asked }
		res, err := y.Run(t.Context(), command(t, "flaky", filepath.Join(t.TempDir(), "count"), "99"))
		if err != nil {
			t.Fatal(err)
		}
		var tries []struct {
			WaitedMS int `json:"waited_ms"`
		}
		if err := json.Unmarshal(res.Outcome.Details.Get("tries"), &tries); err != nil || len(tries) != 11 {
			t.Fatalf("%d tries: %v", len(tries), err)
		}
		for i, try := range tries[1:] {
			if try.WaitedMS < least || try.WaitedMS > 8 {
				t.Errorf("asked %v: try %d waited %d ms", asked, i+2, try.WaitedMS)
			}
		}
	}
}
