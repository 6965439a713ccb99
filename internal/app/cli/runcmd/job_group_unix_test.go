//go:build unix

package runcmd

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/clitest"
)

// A line of a group's file ends with LF or CRLF, or the file; what cannot be an argument is
// an error that says what to do.
func TestMemberLines(t *testing.T) {
	env := clitest.EnvIn(t, t.TempDir())
	r := &Runner{Env: env}
	for text, want := range map[string]string{
		"":            "Write a line for each member",
		"a\nb\x00c\n": `tr '\0' '\n'`,
		strings.Repeat("x", memberLineMost+1) + "\n": "name of a file",
		"a\r\nb\n\r\nc\r\r\nd\r":                     "",
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
	for line := range memberLines(strings.NewReader("a\r\nb\n\r\nc\r\r\nd\r")) {
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
