package wrap_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/redact"
	"github.com/envwrap/envwrap/wrap"
)

// recorded runs a command and keeps its Recording and its store.
func recorded(t *testing.T, c *wrap.Command) (*envelope.Result, func(string) (io.ReadCloser, error)) {
	t.Helper()
	c.Recording = new(wrap.Recording)
	store, _, err := c.Store()
	if err != nil {
		t.Fatal(err)
	}
	res := run(t, c)
	return res, func(digest string) (io.ReadCloser, error) { return store.Get(digest) }
}

// knowing gives a command a redactor that knows a secret.
func knowing(secret string, c *wrap.Command) *wrap.Command {
	c.Redactor = redact.New(redact.Options{Values: []redact.Value{{Rule: "env:X", Secret: secret}}})
	return c
}

// A replayed run has the same record, whatever its size and status.
func TestReplayIsTheRun(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]*wrap.Command{
		"small":   command(t, "print", "out\n", "err"),
		"json":    command(t, "print", `{"n":1.0, "n2":[1 ,2]}`, ""),
		"binary":  command(t, "print", "a\xff\x01b", ""),
		"failed":  command(t, "falter", "out", "rate limit exceeded\n"),
		"spilled": command(t, "flood", "100000", "0"),
		"both":    command(t, "flood", "3000000", "70000"),
		"secret":  knowing("tell-nobody-9", command(t, "print", "it is tell-nobody-9\n", "")),
		"adopted": command(t, "print", `{"version":1,"status":"ok","command":"a/b","data":{"x":1},"meta":{"ts":"2026-01-01T00:00:00Z","duration_ms":1},"error":{"code":null,"message":null}}`, ""),
	} {
		res, open := recorded(t, c)
		if !c.Recording.Whole {
			t.Errorf("%s: the recording is not whole", name)
			continue
		}
		replayed, err := wrap.Replay(c, c.Recording, open)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, r := range []*envelope.Result{res, replayed.Result} { // memory and disk have the same bytes
			r.Duration = r.Duration.Truncate(1000)
		}
		if !reflect.DeepEqual(replayed.Result, res) {
			t.Errorf("%s: replayed as\n%+v\nwas\n%+v", name, replayed.Result, res)
		}
	}
}

// What another machine says of a command that it did not start, or whose time was over, is told
// as if it had been here.
func TestReplayFromElsewhere(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, c := range map[string]struct {
		argv   string
		dir    string
		rec    wrap.Recording
		status int
		kind   envelope.Kind
		code   envelope.Code
		text   string
	}{
		"no program":     {"nosuchprogram", "", wrap.Recording{ExitCode: 127, NotStarted: wrap.NoProgram}, 127, envelope.NotStarted, envelope.ENOTFOUND, "nosuchprogram: program not found on PATH"},
		"no file":        {dir + "/x", "", wrap.Recording{ExitCode: 127, NotStarted: wrap.NoProgram}, 127, envelope.NotStarted, envelope.ENOTFOUND, dir + "/x: no such file"},
		"not executable": {"x", "", wrap.Recording{ExitCode: 126, NotStarted: wrap.NotExecutable}, 126, envelope.Failure, envelope.EIO, "x: permission denied"},
		"a directory":    {dir, "", wrap.Recording{ExitCode: 126, NotStarted: wrap.ProgramIsDirectory}, 126, envelope.Failure, envelope.EIO, dir + ": is a directory"},
		"no directory":   {"true", "/nosuch", wrap.Recording{ExitCode: 125, NotStarted: wrap.NoDirectory}, 125, envelope.Failure, envelope.EARG, `cannot run in directory "/nosuch": `},
		"timed out":      {"true", "", wrap.Recording{ExitCode: 7, TimedOut: true}, 124, envelope.Timeout, envelope.ETIMEOUT, "true timed out after 1 s"},
		"killed":         {"true", "", wrap.Recording{ExitCode: -1, Signal: 15, Name: "SIGTERM", TimedOut: true}, 124, envelope.Timeout, envelope.ETIMEOUT, "true timed out after 1 s"},
	} {
		cmd := command(t, "")
		cmd.Argv, cmd.Dir, cmd.Timeout = []string{c.argv}, c.dir, time.Second
		c.rec.Whole = true
		replayed, err := wrap.Replay(cmd, &c.rec, nil)
		if err != nil {
			t.Fatal(name, err)
		}
		res := replayed.Result
		if o := &res.Outcome; res.ExitStatus != c.status || o.Kind != c.kind || o.Code != c.code || !strings.HasPrefix(o.Message, c.text) || o.Hint == "" ||
			(o.ExitCode != nil) != (name == "timed out") || o.Signal != c.rec.Name || o.ClassifiedBy != envelope.ByEnvwrap {
			t.Errorf("%s: %d, %+v", name, res.ExitStatus, o)
		}
	}
}

// Replay shows a live reader every byte, also those in the store.
func TestReplayShows(t *testing.T) {
	c := command(t, "flood", "300000", "10")
	_, open := recorded(t, c)
	var live, errs, bytesOut bytes.Buffer
	c.LiveStdout, c.LiveStderr, c.Stdout = &live, &errs, wrap.Passthrough{To: &bytesOut}
	replayed, err := wrap.Replay(c, c.Recording, open)
	if err != nil {
		t.Fatal(err)
	}
	if live.Len() > 0 || bytesOut.Len() > 0 {
		t.Error("something was shown before Show")
	}
	replayed.Show()
	if live.Len() != 300000 || !bytes.Equal(live.Bytes(), bytesOut.Bytes()) || errs.Len() != 10 {
		t.Errorf("shown: %d, %d and %d bytes", live.Len(), bytesOut.Len(), errs.Len())
	}
}

// A stream that was not masked is masked as the run itself would have done, and not shown.
func TestReplayMasks(t *testing.T) {
	for _, size := range []int{10, 100 << 10} {
		printed := "it is tell-nobody-9\n" + strings.Repeat("x", size)
		c := knowing("tell-nobody-9", command(t, "print", printed, ""))
		res := run(t, knowing("tell-nobody-9", command(t, "print", printed, "")))
		var live bytes.Buffer
		c.LiveStdout = &live
		replayed, err := wrap.Replay(c, &wrap.Recording{
			Whole: true, Started: res.Started, Ended: res.Ended,
			Stdout: wrap.RecordedStream{Printed: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(printed)), nil }},
		}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if replayed.Show(); live.Len() > 0 {
			t.Errorf("shown: %d bytes", live.Len())
		}
		got := replayed.Result
		if res.Stdout.Bytes == 0 || !reflect.DeepEqual(got.Stdout, res.Stdout) || !reflect.DeepEqual(got.Redactions, res.Redactions) || got.Outcome.Code != res.Outcome.Code {
			t.Errorf("%d: replayed as\n%.2000s\nwas\n%.2000s", size, fmt.Sprintf("%+v", got), fmt.Sprintf("%+v", res))
		}
	}
	failing := wrap.RecordedStream{Printed: func() (io.ReadCloser, error) { return nil, io.ErrUnexpectedEOF }}
	if _, err := wrap.Replay(command(t, "print"), &wrap.Recording{Stderr: failing}, nil); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error(err)
	}
}

// A replayed run is classified by the options of the call that asks.
func TestReplayIsJudgedAnew(t *testing.T) {
	c := command(t, "falter", "out", "")
	_, open := recorded(t, c)
	c.OkExit = []int{9}
	replayed, err := wrap.Replay(c, c.Recording, open)
	if err != nil {
		t.Fatal(err)
	}
	want(t, replayed.Result, envelope.Success, "", 9)
	c.OkExit, c.MaxCapture = []int{9}, 1
	replayed, err = wrap.Replay(c, c.Recording, open)
	if err != nil {
		t.Fatal(err)
	}
	want(t, replayed.Result, envelope.Partial, envelope.EOUTPUTTOOLARGE, 9)
}

// Replay refuses a record that it cannot reproduce exactly.
func TestReplayRefuses(t *testing.T) {
	masked := knowing("tell-nobody-9", command(t, "print", "it is tell-nobody-9", ""))
	_, open := recorded(t, masked)
	masked.Stdout = wrap.Passthrough{To: io.Discard}
	if _, err := wrap.Replay(masked, masked.Recording, open); !errors.Is(err, wrap.ErrMasked) {
		t.Errorf("bytes that were masked: %v", err)
	}

	learned := command(t, "flood", "100000", "0")
	_, open = recorded(t, learned)
	knowing(strings.Repeat("x", 63), learned)
	if _, err := wrap.Replay(learned, learned.Recording, open); !errors.Is(err, wrap.ErrSecret) {
		t.Errorf("a secret that was learned of since: %v", err)
	}

	broken := command(t, "flood", "100000", "0")
	recorded(t, broken)
	for name, from := range map[string]io.Reader{
		"short": strings.NewReader("x"),
		"other": strings.NewReader(strings.Repeat("y", 100000)),
		"none":  io.MultiReader(strings.NewReader("x"), badSector{}),
	} {
		wrong := func(string) (io.ReadCloser, error) { return io.NopCloser(from), nil }
		if _, err := wrap.Replay(broken, broken.Recording, wrong); !errors.Is(err, wrap.ErrBroken) {
			t.Errorf("%s bytes: %v", name, err)
		}
	}
	gone := func(string) (io.ReadCloser, error) { return nil, artifact.ErrNotFound }
	if _, err := wrap.Replay(broken, broken.Recording, gone); !errors.Is(err, artifact.ErrNotFound) {
		t.Errorf("no bytes: %v", err)
	}
}

type badSector struct{}

func (badSector) Read([]byte) (int, error) { return 0, errors.New("a bad sector") }

// Only a run that came to an end of its own, with all that it printed, can be
// replayed.
func TestRecordingIsNotWhole(t *testing.T) {
	t.Parallel()
	late := command(t, "hang")
	late.Timeout = 50e6
	missing := command(t, "exit")
	missing.Argv = []string{"no-such-program-anywhere"}
	clipped := command(t, "flood", "3000000", "0")
	clipped.MaxArtifact = 1000
	small := command(t, "flood", "5000", "0")
	small.MaxArtifact, small.Placement.Keep = 1000, envelope.KeepAll
	killed := command(t, "flood", "3000000", "0")
	killed.OnOverflow = wrap.OverflowKill
	homeless := command(t, "flood", "3000000", "0")
	for name, c := range map[string]*wrap.Command{
		"timed out": late, "not started": missing, "clipped": clipped, "clipped in memory": small, "killed": killed, "no store": homeless,
	} {
		c.Recording = new(wrap.Recording)
		if name == "no store" {
			c.Store = nil
		}
		run(t, c)
		if c.Recording.Whole {
			t.Errorf("%s: the recording is whole", name)
		}
	}
}

// The Recording of a command that is run again has the times of all runs.
func TestRecordingOfRetries(t *testing.T) {
	c := command(t, "falter", "out", "")
	c.Recording = new(wrap.Recording)
	again := wrap.Retry{Times: 2, On: func(*envelope.Outcome) bool { return true }, Delay: 1e6, MaxDelay: 1e6}
	res, err := again.Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if !c.Recording.Started.Equal(res.Started) || !c.Recording.Ended.Equal(res.Ended) {
		t.Errorf("the recording is from %s to %s, the record from %s to %s", c.Recording.Started, c.Recording.Ended, res.Started, res.Ended)
	}
}
