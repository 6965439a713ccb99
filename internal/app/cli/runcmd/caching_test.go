package runcmd

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/internal/app/cli"
)

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
