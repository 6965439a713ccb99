package wrap_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/test/testenv"
	"github.com/envwrap/envwrap/redact"
	"github.com/envwrap/envwrap/wrap"
)

// command is a run of this binary in a role, with the defaults of the command
// line and a store of its own.
func command(t *testing.T, role string, args ...string) *wrap.Command {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	store := sync.OnceValues(func() (*artifact.Store, error) {
		s, err := artifact.Open(artifact.Options{Dir: filepath.Join(t.TempDir(), "store"), NoMaintenance: true})
		if err == nil {
			t.Cleanup(func() { _ = s.Close() })
		}
		return s, err
	})
	return &wrap.Command{
		Process: wrap.Process{Argv: append([]string{self}, args...), Env: inRole(role)},
		Limits: wrap.Limits{
			MaxCapture:  1 << 20,
			MaxArtifact: 1 << 30,
			InlineLimit: 32 << 10,
			Excerpt:     4 << 10,
			KillAfter:   200 * time.Millisecond,
			// A child of another test holds our pipes, too, from fork(2) to execve(2); on a
			// busy machine that takes a while.
			DrainQuiet: 10 * time.Second,
		},
		Capture: wrap.Capture{
			Redactor: redact.New(redact.Options{}),
			Store: func() (*artifact.Store, string, error) {
				s, err := store()
				return s, "", err
			},
		},
	}
}

// timeout is the time limit of a command, which counts from when its child is ready
// ([ready]), however long a busy machine takes to start it.
func timeout(t *testing.T, c *wrap.Command) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "ready")
	c.Env = append(c.Env, readyVariable+"="+file)
	c.Started = func(int) { testenv.Await(t, file) }
	c.Timeout = 50 * time.Millisecond
}

func run(t *testing.T, c *wrap.Command) *envelope.Result {
	t.Helper()
	res, err := wrap.Run(t.Context(), c)
	if err != nil {
		t.Fatalf("Run: %v", err)
	}
	return res
}

// want checks how a run ended.
func want(t *testing.T, res *envelope.Result, kind envelope.Kind, code envelope.Code, status int) {
	t.Helper()
	if res.Outcome.Kind != kind || res.Outcome.Code != code || res.ExitStatus != status {
		t.Errorf("got %s, code %q, status %d (%s); want %s, %q, %d", res.Outcome.Kind, res.Outcome.Code,
			res.ExitStatus, res.Outcome.Message, kind, code, status)
	}
	if code != "" && (res.Outcome.Message == "" || res.Outcome.ClassifiedBy == "") {
		t.Errorf("an error without message or classifier: %+v", res.Outcome)
	}
}

func TestStatusOfAnExitedChild(t *testing.T) {
	for status, code := range map[int]envelope.Code{
		0: "", 1: envelope.ERUNTIME, 3: envelope.ERUNTIME, 64: envelope.EARG, 65: envelope.EPARSE,
		77: envelope.EPOLICY, 124: envelope.ERUNTIME, 127: envelope.ERUNTIME, 255: envelope.ERUNTIME,
	} {
		res := run(t, command(t, "exit", strconv.Itoa(status)))
		kind := envelope.Failure
		if status == 0 {
			kind = envelope.Success
		}
		want(t, res, kind, code, status)
		if res.Outcome.ExitCode == nil || *res.Outcome.ExitCode != status {
			t.Errorf("status %d: exit code %v", status, res.Outcome.ExitCode)
		}
	}
}

func TestOutputIsInline(t *testing.T) {
	res := run(t, command(t, "print", "to stdout\n", "to stderr"))
	if res.Stdout.Text != "to stdout\n" || res.Stdout.Lines != 1 {
		t.Errorf("stdout: %+v", res.Stdout)
	}
	if res.Stderr.Text != "to stderr" || res.Stderr.Bytes != 9 || res.Stderr.Lines != 1 {
		t.Errorf("stderr: %+v", res.Stderr)
	}
}

// error.message ends with the last non-empty line of stderr for each kind of failure.
func TestMessageHasTheLastLineOfStderr(t *testing.T) {
	t.Parallel()
	stderr := "first\n\x1b[31mboom\x1b[0m\n\n"
	for _, tc := range []struct {
		name  string
		role  []string
		setup func(*testing.T, *wrap.Command)
		code  envelope.Code
		want  string
	}{
		{"status", []string{"nosuchrole"}, func(*testing.T, *wrap.Command) {}, envelope.ERUNTIME, "ended with status 99: no such role: nosuchrole"},
		{"no JSON", []string{"print", "x", stderr}, func(_ *testing.T, c *wrap.Command) { c.Parse = envelope.ParseJSON }, envelope.EPARSE, ": boom"},
		{"overflow", []string{"print", "xxx", stderr}, func(_ *testing.T, c *wrap.Command) { c.MaxCapture = 2 }, envelope.EOUTPUTTOOLARGE, "over the capture limit of 2: boom"},
		{
			"broken envelope",
			[]string{"print", `{"version":2,"status":"ok","command":"a/b","data":{},"meta":{},"error":{}}`, stderr},
			func(*testing.T, *wrap.Command) {}, envelope.EENVELOPE, ": boom",
		},
		{"timeout", []string{"moan", stderr}, timeout, envelope.ETIMEOUT, "timed out after 0.05 s: boom"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			c := command(t, tc.role[0], tc.role[1:]...)
			tc.setup(t, c)
			res := run(t, c)
			if o := res.Outcome; o.Code != tc.code || !strings.HasSuffix(o.Message, tc.want) {
				t.Errorf("%s %q; want %s and an end of %q", o.Code, o.Message, tc.code, tc.want)
			}
		})
	}
}

func TestCallersOwnMeanings(t *testing.T) {
	c := command(t, "exit", "3")
	c.OkExit = []int{1, 3}
	want(t, run(t, c), envelope.Success, "", 3)

	c = command(t, "exit", "75")
	c.ExitMap = map[int]wrap.Mapping{75: {Code: envelope.ERATELIMIT}}
	res := run(t, c)
	want(t, res, envelope.Failure, envelope.ERATELIMIT, 75)
	if !res.Outcome.Retryable || res.Outcome.ClassifiedBy != envelope.ByOption {
		t.Errorf("outcome %+v", res.Outcome)
	}

	c = command(t, "exit", "23")
	c.ExitMap = map[int]wrap.Mapping{23: {Kind: envelope.Partial}}
	res = run(t, c)
	want(t, res, envelope.Partial, envelope.ERUNTIME, 23)
	if len(res.SkippedSources) == 0 {
		t.Error("a partial run that does not say what was skipped")
	}
}

func TestGrandchildHoldsThePipes(t *testing.T) {
	t.Parallel()
	pid := filepath.Join(t.TempDir(), "pid")
	c := command(t, "hold", "7", pid)
	c.DrainQuiet = 0
	res := run(t, c)
	t.Cleanup(func() { killPID(t, pid) })
	want(t, res, envelope.Failure, envelope.ERUNTIME, 7)
	if len(res.Warnings) != 1 || !strings.Contains(res.Warnings[0], "kept its output open") {
		t.Errorf("warnings: %q", res.Warnings)
	}
}

func TestOutputOfAGrandchildIsReadWhileItComes(t *testing.T) {
	t.Parallel()
	res := run(t, command(t, "chatter", "1s"))
	want(t, res, envelope.Success, "", 0)
	if !strings.HasSuffix(res.Stdout.Text, "the last word\n") || len(res.Warnings) != 0 {
		t.Errorf("stdout %q, warnings %q", res.Stdout.Text, res.Warnings)
	}
}

func TestTimeout(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		role string
		args []string
	}{
		{"deaf", nil},
		{"polite", []string{"0"}},
		{"polite", []string{"9"}},
	} {
		t.Run(tc.role+strings.Join(tc.args, " "), func(t *testing.T) {
			t.Parallel()
			c := command(t, tc.role, tc.args...)
			timeout(t, c)
			res := run(t, c)
			want(t, res, envelope.Timeout, envelope.ETIMEOUT, 124)
			if !strings.HasPrefix(res.Stdout.Text, "ready\n") || res.Outcome.Timeout != envelope.HardTimeout ||
				!strings.HasPrefix(res.Outcome.Hint, "Raise --timeout,") {
				t.Errorf("stdout %q, %+v", res.Stdout.Text, res.Outcome)
			}
		})
	}
}

func TestIdleTimeout(t *testing.T) {
	t.Parallel()
	t.Run("silence", func(t *testing.T) {
		t.Parallel()
		c := command(t, "hang")
		c.IdleTimeout = 300 * time.Millisecond
		res := run(t, c)
		want(t, res, envelope.Timeout, envelope.ETIMEOUT, 124)
		if res.Outcome.Timeout != envelope.IdleTimeout || !strings.HasPrefix(res.Outcome.Hint, "Raise --idle-timeout,") {
			t.Errorf("outcome %+v", res.Outcome)
		}
	})
	c := command(t, "chatter", "3500ms", "talks itself")
	c.IdleTimeout = 3 * time.Second
	want(t, run(t, c), envelope.Success, "", 0)
}

func TestOverflow(t *testing.T) {
	t.Run("error", func(t *testing.T) {
		res := run(t, command(t, "flood", "1048577", "0"))
		want(t, res, envelope.Partial, envelope.EOUTPUTTOOLARGE, 0)
		if res.Stdout.Bytes != 1048577 || res.Stdout.Artifact == "" || !res.Stdout.Truncated {
			t.Errorf("stdout %+v", res.Stdout)
		}
	})
	t.Run("just not", func(t *testing.T) {
		want(t, run(t, command(t, "flood", "1048576", "0")), envelope.Success, "", 0)
	})
	t.Run("stderr is no error", func(t *testing.T) {
		res := run(t, command(t, "flood", "0", "2000000"))
		want(t, res, envelope.Success, "", 0)
		if res.Stderr.Artifact == "" || res.Stderr.Bytes != 2000000 {
			t.Errorf("stderr %+v", res.Stderr)
		}
	})
	t.Run("truncate", func(t *testing.T) {
		c := command(t, "flood", "3000000", "0")
		c.OnOverflow = wrap.OverflowTruncate
		res := run(t, c)
		want(t, res, envelope.Success, "", 0)
		if res.Stdout.Artifact == "" || !res.Stdout.Truncated || res.Stdout.Excerpt == nil {
			t.Errorf("stdout %+v", res.Stdout)
		}
	})
	t.Run("kill", func(t *testing.T) {
		c := command(t, "flood", "1000000000", "0")
		c.OnOverflow = wrap.OverflowKill
		want(t, run(t, c), envelope.Partial, envelope.EOUTPUTTOOLARGE, 125)
	})
	// Which comes first, the stop or the child's own end, changes nothing. A
	// child whose output fits the pipe has mostly ended before it is read.
	t.Run("kill too late", func(t *testing.T) {
		for range 8 {
			c := command(t, "flood", "3000", "0")
			c.OnOverflow, c.MaxCapture = wrap.OverflowKill, 2000
			want(t, run(t, c), envelope.Partial, envelope.EOUTPUTTOOLARGE, 125)
		}
	})
	t.Run("no limit", func(t *testing.T) {
		c := command(t, "flood", "3000000", "0")
		c.MaxCapture = 0
		res := run(t, c)
		want(t, res, envelope.Success, "", 0)
		if res.Stdout.Truncated {
			t.Error("truncated")
		}
	})
	t.Run("artifact limit", func(t *testing.T) {
		c := command(t, "flood", "3000000", "0")
		c.MaxCapture, c.MaxArtifact = 0, 1<<20
		res := run(t, c)
		want(t, res, envelope.Success, "", 0)
		if !res.Stdout.Truncated || res.Stdout.Summary.SizeBytes != 1<<20 || len(res.Warnings) != 1 {
			t.Errorf("stdout %+v, warnings %q", res.Stdout, res.Warnings)
		}
	})
}

// Text with a few bytes that are no UTF-8 stays in the envelope as text, and the
// store has the bytes. Where there is no store, the envelope has them.
func TestExactBytesAreKept(t *testing.T) {
	const printed = "Gr\xfc\xdfe aus dem Norden\n"
	c := command(t, "print", printed, "")
	res := run(t, c)
	want(t, res, envelope.Success, "", 0)
	if res.Stdout.Text != "Gr\ufffd\ufffde aus dem Norden\n" || res.Stdout.Replaced != 2 || res.Stdout.Artifact != "" {
		t.Fatalf("stdout %+v", res.Stdout)
	}
	store, _, err := c.Store()
	if err != nil {
		t.Fatal(err)
	}
	object, err := store.Get(res.Stdout.Exact)
	if err != nil {
		t.Fatal(err)
	}
	defer object.Close()
	if got, err := io.ReadAll(object); err != nil || string(got) != printed {
		t.Errorf("the store has %q, %v", got, err)
	}

	c.Store = func() (*artifact.Store, string, error) { return nil, "", errors.New("open store: no room") }
	res = run(t, c)
	want(t, res, envelope.Success, "", 0)
	if string(res.Stdout.Binary) != printed || res.Stdout.Text != "" || res.Stdout.Replaced != 0 {
		t.Errorf("without a store: %+v", res.Stdout)
	}
}

// A dialect of text does not show what is no text, which therefore is in the store.
func TestBinaryOutputIsKept(t *testing.T) {
	for name, want := range map[string]bool{"brief/v1": true, "protocol/v1": false} {
		d, _ := envelope.Lookup(name)
		c := command(t, "print", "\x01\xff\xfe\xfd", "")
		c.Placement = d.Placement(envelope.EncodeOptions{})
		res := run(t, c)
		exact := res.Stdout.Exact
		if (exact != "") != want || len(res.Stdout.Binary) != 4 {
			t.Errorf("%s: %+v", name, res.Stdout)
		} else if want && string(stored(t, c, exact)) != "\x01\xff\xfe\xfd" {
			t.Error("the store has other bytes")
		}
	}
}

// stored returns the bytes of an artifact in the store of c.
func stored(t *testing.T, c *wrap.Command, digest string) []byte {
	t.Helper()
	store, _, err := c.Store()
	if err != nil {
		t.Fatal(err)
	}
	object, err := store.Get(digest)
	if err != nil {
		t.Fatal(err)
	}
	defer object.Close()
	data, err := io.ReadAll(object)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestArtifactHoldsTheStream(t *testing.T) {
	c := command(t, "flood", "200000", "0")
	res := run(t, c)
	want(t, res, envelope.Success, "", 0)
	if got := stored(t, c, res.Stdout.Artifact); len(got) != 200000 {
		t.Fatalf("artifact of %d bytes", len(got))
	}
	e := res.Stdout.Excerpt
	if e.OmittedBytes < 190_000 || len(e.Text) > 4<<10 || !strings.HasPrefix(e.Gap, "--") {
		t.Errorf("excerpt: %+v", e)
	}
}

func TestLargestStreamSpillsFirst(t *testing.T) {
	c := command(t, "flood", "20000", "25000")
	res := run(t, c)
	if res.Stderr.Artifact == "" || res.Stdout.Artifact != "" {
		t.Errorf("stdout %q, stderr %q", res.Stdout.Artifact, res.Stderr.Artifact)
	}
	c = command(t, "flood", "40000", "50000")
	res = run(t, c)
	if res.Stderr.Artifact == "" || res.Stdout.Artifact == "" {
		t.Errorf("stdout %q, stderr %q", res.Stdout.Artifact, res.Stderr.Artifact)
	}
}

func TestKeepSmallOutputs(t *testing.T) {
	c := command(t, "print", "small", "")
	c.Placement.Keep = envelope.KeepAll
	if res := run(t, c); res.Stdout.Artifact == "" || res.Stderr.Artifact != "" {
		t.Errorf("%+v", res)
	}
	c = command(t, "print", "small", "")
	c.Placement.Keep = envelope.KeepFailed
	if res := run(t, c); res.Stdout.Artifact != "" {
		t.Errorf("%+v", res.Stdout)
	}
}

// An envelope of the child stays as it is, whatever is kept.
func TestEnvelopeOfTheChildIsNotKept(t *testing.T) {
	c := command(t, "print", `{"version":1,"status":"ok","command":"db/load","data":{"rows":3},`+
		`"meta":{"ts":"2026-11-20T10:00:00.123Z","duration_ms":1},"error":{"code":null,"message":null}}`, "")
	c.Placement.Keep = envelope.KeepAll
	if res := run(t, c); res.Exec == nil || res.Exec.Stdout.Artifact != "" || res.Stdout.Artifact != "" {
		t.Errorf("stdout %q, exec %+v", res.Stdout.Artifact, res.Exec)
	}
}

// A dialect that shows no payload beside an error names the artifact that has
// it, also where the child's payload is too large to stay.
func TestFailedEnvelopeOfTheChildIsKept(t *testing.T) {
	for _, payload := range []string{"small", strings.Repeat("x", 40_000)} {
		printed := `{"version":1,"status":"error","command":"db/load","data":{"rows":"` + payload +
			`"},"meta":{"ts":"2026-11-20T10:00:00.123Z","duration_ms":1},"error":{"code":"EIO","message":"db: gone"}}`
		c := command(t, "print", printed, "")
		c.Placement.Keep = envelope.KeepFailed
		res := run(t, c)
		if res.Exec == nil || res.Outcome.Code != envelope.EIO || res.ExitStatus != 0 {
			t.Fatalf("%+v", res)
		}
		store, _, err := c.Store()
		if err != nil {
			t.Fatal(err)
		}
		object, err := store.Get(res.Exec.Stdout.Artifact)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = object.Close() })
		if got, err := io.ReadAll(object); err != nil || string(got) != printed {
			t.Errorf("the artifact holds %.200q, %v", got, err)
		}
		for _, name := range []string{"delegator", "tool-envelope", "agent-response"} {
			d, _ := envelope.Lookup(name)
			doc, err := envelope.Encode(d, res, envelope.EncodeOptions{Layout: envelope.LayoutCompact})
			if err != nil {
				t.Fatal(err)
			}
			back, err := envelope.Decode(d, doc)
			if err != nil {
				t.Fatal(err)
			}
			if said, err := json.Marshal(back); err != nil || !strings.Contains(string(said), res.Exec.Stdout.Artifact) {
				t.Errorf("%s does not name it: %v\n%s", name, err, doc)
			}
		}
		c.Placement.Keep = envelope.KeepLarge
		if res = run(t, c); res.Exec.Stdout.Artifact != "" {
			t.Errorf("kept for a dialect that shows the payload: %+v", res.Exec.Stdout)
		}
	}
}

func TestFailingStoreLosesNothingElse(t *testing.T) {
	c := command(t, "flood", "100000", "10")
	c.Placement.Keep = envelope.KeepAll // asks for it a second time
	c.Store = func() (*artifact.Store, string, error) { return nil, "", errors.New("open store: no room") }
	res := run(t, c)
	want(t, res, envelope.Failure, envelope.EIO, 0)
	if res.Outcome.Retryable { // the command has run
		t.Error("a finished command is said to be worth another try")
	}
	missing := regexp.MustCompile(`ended with status 0, and its output could not be stored \(\d+ of 100000 bytes of stdout missing\): open store: no room`)
	if !missing.MatchString(res.Outcome.Message) || !res.Stdout.Truncated || !strings.Contains(res.Stdout.Text, "lines) are lost") || res.Stderr.Text == "" {
		t.Errorf("%+v", res)
	}
	c = command(t, "print", "small", "")
	c.Placement.Keep = envelope.KeepAll
	c.Store = func() (*artifact.Store, string, error) { return nil, "", errors.New("open store: no room") }
	if res = run(t, c); res.Outcome.Code != envelope.EIO || !strings.HasSuffix(res.Outcome.Message, "its output could not be stored: open store: no room") {
		t.Errorf("%+v", res.Outcome)
	}
	c.MaxCapture = 2 // it would be in the store alone
	if res = run(t, c); !strings.HasPrefix(res.Stdout.Text, "small") || res.Stdout.Truncated {
		t.Errorf("%+v", res.Stdout)
	}
	c = command(t, "flood", "100000", "10")
	c.Placement.Keep = envelope.KeepExact // a dialect of text shows all that is in memory
	c.Store = func() (*artifact.Store, string, error) { return nil, "", errors.New("open store: no room") }
	if res = run(t, c); res.Outcome.Code != envelope.EIO || len(res.Stdout.Text) != 100000 || res.Stdout.Truncated {
		t.Errorf("%+v, %d bytes", res.Outcome, len(res.Stdout.Text))
	}
	c = command(t, "print", "small", "")
	c.Store = func() (*artifact.Store, string, error) {
		t.Error("the store was opened for nothing")
		return nil, "", nil
	}
	want(t, run(t, c), envelope.Success, "", 0)
}

func TestMergeKeepsTheOrder(t *testing.T) {
	c := command(t, "weave")
	c.Merge = true
	res := run(t, c)
	if !strings.HasPrefix(res.Stdout.Text, "out 0\nerr 0\nout 1\nerr 1\n") || res.Stderr.Bytes != 0 {
		t.Errorf("stdout %.80q, stderr %.80q", res.Stdout.Text, res.Stderr.Text)
	}
}

func TestStdin(t *testing.T) {
	read := func(mode wrap.StdinMode, f *os.File) string {
		c := command(t, "echo")
		c.Stdin = wrap.Stdin{Mode: mode, File: f}
		res := run(t, c)
		want(t, res, envelope.Success, "", 0)
		return res.Stdout.Text
	}
	file := filepath.Join(t.TempDir(), "in")
	writeFile(file, "from a file")
	open := func() *os.File {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	for mode, wantText := range map[wrap.StdinMode]string{
		wrap.StdinAuto: "from a file", wrap.StdinInherit: "from a file", wrap.StdinFile: "from a file", wrap.StdinNull: "",
	} {
		f := open()
		if got := read(mode, f); got != wantText {
			t.Errorf("mode %d: %q", mode, got)
		}
		if _, err := f.Stat(); err != nil {
			t.Errorf("mode %d: the caller's file was closed: %v", mode, err)
		}
	}
	if got := read(wrap.StdinAuto, nil); got != "" {
		t.Errorf("no stdin: %q", got)
	}
}

func TestLiveCopies(t *testing.T) {
	var out, errs bytes.Buffer
	c := command(t, "print", "one\n", "two\n")
	c.LiveStdout, c.LiveStderr = &out, &errs
	run(t, c)
	if out.String() != "one\n" || errs.String() != "two\n" {
		t.Errorf("live %q and %q", out.String(), errs.String())
	}
	c = command(t, "flood", "100000", "0")
	c.LiveStdout = brokenWriter{}
	if res := run(t, c); res.Stdout.Bytes != 100000 {
		t.Errorf("a reader that went away cut the capture to %d bytes", res.Stdout.Bytes)
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, syscall.EPIPE }

func TestDoneContextCancels(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	c := command(t, "hang")
	c.LiveStdout = writerFunc(func([]byte) { cancel() })
	res, err := wrap.Run(ctx, c)
	if err != nil {
		t.Fatal(err)
	}
	want(t, res, envelope.Canceled, envelope.ECANCELED, 128+15)
}

type writerFunc func([]byte)

func (f writerFunc) Write(p []byte) (int, error) { f(p); return len(p), nil }

func TestDirectory(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	c := command(t, "pwd")
	c.Dir = dir
	if res := run(t, c); res.Stdout.Text != dir+" "+dir {
		t.Errorf("stdout %q", res.Stdout.Text)
	}
	c.PWD, c.Env = true, append(slices.DeleteFunc(slices.Clone(c.Env), func(e string) bool { return strings.HasPrefix(e, "PWD=") }), "PWD=/x")
	if res := run(t, c); res.Stdout.Text != dir+" /x" {
		t.Errorf("with a PWD of its own: %q", res.Stdout.Text)
	}
}

func TestNoCommandIsAnError(t *testing.T) {
	if _, err := wrap.Run(t.Context(), &wrap.Command{}); err == nil {
		t.Error("no error")
	}
}

func TestSecretsInArgvAndMessages(t *testing.T) {
	const secret = "hunter2-hunter2"
	c := command(t, "print", "the word is "+secret+"\n", "and again "+secret+"\n")
	c.Argv = append(c.Argv, secret)
	c.OkExit = nil
	c.Parse = envelope.ParseJSON
	c.Redactor = redact.New(redact.Options{Values: []redact.Value{{Rule: "env:WORD", Secret: secret}}})
	res := run(t, c)
	text, err := envelope.Encode(envelope.Dialects()[0], res, envelope.EncodeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(text, []byte(secret)) {
		t.Error("the secret is in the envelope")
	}
	if res.Redactions.ByRule["env:WORD"] != 5 { // two streams, three arguments
		t.Errorf("redactions %+v", res.Redactions)
	}
}

func readPID(t *testing.T, file string) int {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return number(string(text))
}

func killPID(t *testing.T, file string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		return
	}
	if p, err := os.FindProcess(number(string(text))); err == nil {
		_ = p.Kill()
	}
}

// The first output is reported at once.
func TestProgress(t *testing.T) {
	t.Parallel()
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	if _, err := writer.WriteString("one\nstill here\n"); err != nil {
		t.Fatal(err)
	}
	var seen []envelope.Progress
	c := command(t, "echo")
	c.Stdin.File, c.ProgressEvery = reader, time.Hour
	c.Progress = func(p envelope.Progress) {
		seen = append(seen, p)
		_ = writer.Close() // the command goes on until it was reported
	}
	want(t, run(t, c), envelope.Success, "", 0)
	if len(seen) != 1 {
		t.Fatalf("%d reports", len(seen))
	}
	if p := seen[0]; p.Message != "still here" || p.Lines != 2 || p.StdoutBytes != 15 || p.Stage != "running" || p.Elapsed <= 0 {
		t.Errorf("%+v", p)
	}
}
