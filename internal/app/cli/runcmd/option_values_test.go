package runcmd

import (
	"strings"
	"testing"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli/clitest"
)

func TestCommandName(t *testing.T) {
	for _, c := range []struct {
		in  string
		bad bool
	}{
		{in: "exec/git"},
		{in: "0a-b/c-9"},
		{in: "git", bad: true},
		{in: "exec/", bad: true},
		{in: "/git", bad: true},
		{in: "exec/-git", bad: true},
		{in: "exec/Git", bad: true},
		{in: "exec/git/x", bad: true},
		{in: "exec/git status", bad: true},
		{in: "exec/gît", bad: true},
	} {
		got, err := commandName(c.in)
		clitest.Expect(t, c.in, got, err, c.in, c.bad)
	}
}

// An assignment that cannot be read is not repeated: it may be a secret.
func TestAssignmentKeepsSecrets(t *testing.T) {
	var env []string
	for _, in := range []string{"hunter2", "=hunter2", "A=hunter2\x00"} {
		err := assignment(&env)(in)
		if err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%q: got the error %v", in, err)
		}
	}
	if len(env) > 0 {
		t.Errorf("took %q", env)
	}
}

// A switch has a third state, which is the dialect's choice, and no fourth.
func TestInclude(t *testing.T) {
	for in, want := range map[string]envelope.Include{"true": envelope.IncludeAlways, "false": envelope.IncludeNever} {
		if got, err := include(in); got != want || err != nil {
			t.Errorf("%s: %v, %v", in, got, err)
		}
	}
	if _, err := include("perhaps"); err == nil {
		t.Error("perhaps is taken")
	}
}
