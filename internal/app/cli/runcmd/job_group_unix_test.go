//go:build unix

package runcmd

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/clitest"
	"github.com/envwrap/envwrap/job"
)

// A line of a group's file ends with LF or CRLF, or the file; what cannot be an argument is
// an error that says what to do.
func TestMemberLines(t *testing.T) {
	env := clitest.EnvIn(t, t.TempDir())
	r := &Runner{Env: env}
	for text, want := range map[string]string{
		"":            "Write a line for each member",
		"a\nb\x00c\n": `tr '\0' '\n'`,
		strings.Repeat("x", job.MemberLineMost+1) + "\n": "name of a file",
		"a\r\nb\n\r\nc\r\r\nd\r":                         "",
	} {
		if err := os.WriteFile(filepath.Join(env.Directory(), "lines"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		a, err := r.parseArray("lines")
		var usage *cli.UsageError
		if (err == nil) != (want == "") || err != nil && (!errors.As(err, &usage) || !strings.Contains(usage.Hint, want)) {
			t.Errorf("%.40q: %+v, %+v", text, a, err)
		}
	}
	var lines []string
	for line := range job.MemberLines(strings.NewReader("a\r\nb\n\r\nc\r\r\nd\r")) {
		lines = append(lines, line)
	}
	if want := []string{"a", "b", "", "c\r", "d"}; !slices.Equal(lines, want) {
		t.Errorf("%q", lines)
	}
}

// A member's envwrap that the group's signal ended before it could print an envelope did
// not start its command. Any other end without an envelope is a failure.
func TestEndedUnstarted(t *testing.T) {
	for _, c := range []struct {
		script, doc string
		stopped     syscall.Signal
		want        bool
	}{
		{"kill -TERM $$", "", syscall.SIGTERM, true},
		{"kill -INT $$", "", syscall.SIGTERM, true},
		{"kill -TERM $$", "", 0, false},
		{"kill -TERM $$", "{", syscall.SIGTERM, false},
		{"kill -KILL $$", "", syscall.SIGTERM, false},
		{"exit 143", "", syscall.SIGTERM, false},
	} {
		cmd := exec.Command("sh", "-c", c.script)
		_ = cmd.Run()
		g := &group{}
		if c.stopped != 0 {
			g.stopped = c.stopped
		}
		if got := g.endedUnstarted(cmd.ProcessState, []byte(c.doc)); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
	if (&group{stopped: syscall.SIGTERM}).endedUnstarted(nil, nil) {
		t.Error("a program that could not be started was ended")
	}
}

// A group ends with the status of its first member that did not end well, wherever in the order
// of the ends that is, unless it was stopped or an end could not be kept.
func TestGroupEnds(t *testing.T) {
	bad, worse, stopped := job.Member{Number: 5, Status: 3, State: job.Failed}, job.Member{Number: 2, Status: 4, State: job.Failed}, job.Member{Number: 1, Status: 143, State: job.Canceled}
	well := job.Member{Number: 3, State: job.OK}
	for name, c := range map[string]struct {
		ends    []job.Member
		signal  os.Signal
		fault   error // of feed
		out     error // of the group's output
		status  int
		code    envelope.Code
		message string
		hint    bool
	}{
		"well":             {[]job.Member{well}, nil, nil, nil, 0, "", "", false},
		"one fails":        {[]job.Member{bad, well}, nil, nil, nil, 3, envelope.ERUNTIME, "1 of 4 members failed", true},
		"the first counts": {[]job.Member{bad, worse, well}, nil, nil, nil, 4, envelope.ERUNTIME, "2 of 4 members failed", true},
		"in order":         {[]job.Member{worse, well, bad}, nil, nil, nil, 4, envelope.ERUNTIME, "2 of 4 members failed", true},
		"stopped":          {[]job.Member{stopped, worse}, syscall.SIGINT, nil, nil, 130, envelope.ECANCELED, "the group was canceled", false},
		"no more lines":    {[]job.Member{bad}, nil, errors.New("fewer lines"), nil, 125, envelope.EIO, "fewer lines", false},
		"a full disk":      {[]job.Member{bad, worse}, nil, nil, syscall.ENOSPC, 125, envelope.EIO, "keep the envelope of member 5: no space", true},
	} {
		var out strings.Builder
		g := &group{supervised: &supervised{Runner: &Runner{}}, array: &job.Array{Members: 4, First: 1, Parallel: 1}, running: map[*exec.Cmd]bool{}, stopped: c.signal}
		var to io.Writer = &out
		if c.out != nil {
			to = broken{err: c.out}
		}
		ended, runs := &exec.Cmd{ProcessState: &os.ProcessState{}}, &exec.Cmd{}
		g.running[ended], g.running[runs] = true, true
		for _, m := range c.ends {
			g.end(to, m, []byte("{}"))
		}
		if !g.running[runs] || g.running[ended] {
			t.Errorf("%s: %v run", name, g.running)
		}
		if stops := g.stops(); stops != (c.signal != nil || c.out != nil) {
			t.Errorf("%s: it starts no more: %t", name, stops)
		}
		if err := g.start(t.Context(), &exec.Cmd{}); errors.Is(err, errStopped) != g.stops() {
			t.Errorf("%s: %v", name, err)
		}
		o := g.outcome(c.fault)
		if o.Code != c.code || !strings.Contains(o.Message, c.message) || (o.Message == "") != (c.message == "") || (o.Hint != "") != c.hint || strings.Count(o.Message, "\n") != 0 {
			t.Errorf("%s: %+v", name, o)
		}
		if got := g.status(); got != c.status {
			t.Errorf("%s: %d", name, got)
		}
		if unkept := g.array.Unkept; c.out != nil && !slices.Equal(unkept, c.ends) || c.out == nil && unkept != nil {
			t.Errorf("%s: the record has %v", name, unkept)
		}
		if lines := strings.Count(out.String(), "\n"); c.out == nil && lines != len(c.ends) {
			t.Errorf("%s: %q", name, out.String())
		}
	}
}

// Where there is no room for what a member has printed, its line has the rest.
func TestGroupEndsWithoutOutput(t *testing.T) {
	d := envelope.Dialects()[0]
	printed := envelope.Stream{Bytes: 5000, Lines: 1, Text: strings.Repeat("x", 5000)}
	res := &envelope.Result{Stdout: printed, Stderr: printed}
	res.Outcome = envelope.Outcome{Kind: envelope.Failure, Code: envelope.ENOTFOUND, Message: "no such thing"}
	doc, err := envelope.Encode(d, res, envelope.EncodeOptions{Layout: envelope.LayoutCompact})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := envelope.Decode(d, withoutOutput(doc)); err != nil {
		t.Error(err)
	}
	var out room
	g := &group{array: &job.Array{Members: 2}}
	g.end(&out, job.Member{Number: 1, Status: 3, State: job.Failed}, doc)
	g.end(&out, job.Member{Number: 2, State: job.OK}, []byte(`{"no":"`+strings.Repeat("x", 5000)))
	if text := string(out); strings.Count(text, "\n") != 1 || !strings.Contains(text, `"bytes":5000,`) || !strings.Contains(text, "no such thing") || len(g.array.Unkept) != 1 || g.fault == nil {
		t.Errorf("%q, %v, %v", text, g.array.Unkept, g.fault)
	}
}

// A room takes texts of up to 2,000 bytes.
type room []byte

func (r *room) Write(p []byte) (int, error) {
	if len(p) > 2000 {
		return 0, syscall.ENOSPC
	}
	*r = append(*r, p...)
	return len(p), nil
}

// The members of a group get the lines of its file by their numbers.
func TestGroupFeeds(t *testing.T) {
	for name, c := range map[string]struct {
		array   job.Array
		lines   string
		stopped bool
		want    []string
		fault   string
	}{
		"numbers":   {job.Array{Members: 3, First: 7}, "", false, []string{"7", "8", "9"}, ""},
		"lines":     {job.Array{Members: 2, First: 1, File: "f"}, "a\nb\nc\n", false, []string{"a", "b"}, ""},
		"some":      {job.Array{Members: 2, First: 2, Only: "2,4", File: "f"}, "a\nb\nc\nd\ne\n", false, []string{"b", "d"}, ""},
		"too few":   {job.Array{Members: 3, First: 1, File: "f"}, "a\nb\n", false, []string{"a", "b"}, `"f" was changed`},
		"too long":  {job.Array{Members: 2, First: 1, File: "f"}, "a\n" + strings.Repeat("x", job.MemberLineMost+1), false, []string{"a"}, `read "f"`},
		"stopped":   {job.Array{Members: 3, First: 1}, "", true, nil, ""},
		"stopped 2": {job.Array{Members: 3, First: 1, File: "f"}, "a\n", true, nil, ""},
	} {
		path := filepath.Join(t.TempDir(), "lines")
		if err := os.WriteFile(path, []byte(c.lines), 0o600); err != nil {
			t.Fatal(err)
		}
		stdin, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer stdin.Close()
		g := &group{supervised: &supervised{Runner: &Runner{Env: &cli.Env{Stdin: stdin}}}, array: &c.array}
		if c.stopped {
			g.stopped = syscall.SIGTERM
		}
		work := make(chan member, 9)
		err = g.feed(work)
		close(work)
		var got []string
		for m := range work {
			got = append(got, m.text)
		}
		if !slices.Equal(got, c.want) || (err == nil) != (c.fault == "") || err != nil && !strings.Contains(err.Error(), c.fault) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

// The first signal goes to the members as it is, and another one makes them kill their commands.
// One that does not ask to end is for nobody.
func TestGroupPassesSignals(t *testing.T) {
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, syscall.SIGINT) // else members would ignore one that this process was started to ignore
	defer signal.Stop(caught)
	for _, again := range []bool{false, true} {
		cmd := exec.Command("sleep", "60")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		g := &group{supervised: &supervised{Runner: &Runner{signals: make(chan os.Signal)}}, running: map[*exec.Cmd]bool{cmd: true}}
		want := syscall.SIGTERM
		if again {
			g.stopped, want = syscall.SIGHUP, syscall.SIGINT
		}
		done := make(chan struct{})
		go g.passSignals(done)
		g.signals <- syscall.SIGWINCH
		g.signals <- syscall.SIGTERM
		_ = cmd.Wait()
		close(done)
		if got := cmd.ProcessState.Sys().(syscall.WaitStatus).Signal(); got != want {
			t.Errorf("%t: %v", again, got)
		}
		if !g.stops() || again != (g.stopped == syscall.SIGHUP) {
			t.Errorf("%t: the group ends for %v", again, g.stopped)
		}
	}
}
