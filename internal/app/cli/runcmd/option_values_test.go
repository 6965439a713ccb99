package runcmd

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
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

// Names of variables are taken from a list; what is no name may be a secret, and is not
// repeated.
func TestNamedVariables(t *testing.T) {
	for in, want := range map[string][]string{"A": {"A"}, "A, B_2 ,C": {"A", "B_2", "C"}, "": nil, " ": nil, "A,,B": {"A"}, "A=hunter2": nil, "A\x00": nil} {
		var got []string
		err := namedVariables(&got)(in)
		if bad := strings.Count(in, ",")+1 != len(want); !slices.Equal(got, want) || (err != nil) != bad {
			t.Errorf("%q: %q, %v", in, got, err)
		}
		if err != nil && strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%q: the error repeats it: %v", in, err)
		}
	}
}

// A name of an input is a file or a pattern.
func TestInputName(t *testing.T) {
	for in, bad := range map[string]bool{"go.sum": false, "*.go": false, "": true, "[": true} {
		var got []string
		err := inputName(&got)(in)
		if _, usage := errors.AsType[*cli.UsageError](err); usage != bad || (len(got) == 0) != bad {
			t.Errorf("%q: %q, %v", in, got, err)
		}
	}
}
