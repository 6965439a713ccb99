package runcmd

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/job"
)

// A job's record has the names of the variables, and no value.
func TestVariableNames(t *testing.T) {
	got := variableNames([]string{"B=1", "A=b=c", "B=2", "C", "=C:=C:\\", ""})
	if want := []string{"A", "B"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// Where there are no jobs the error says what to do; another one is as it is.
func TestUnsupported(t *testing.T) {
	other := errors.New("the disk is full")
	if got := unsupported(other); got.Error() != other.Error() {
		t.Errorf("%v", got)
	}
	err := fmt.Errorf("open: %w", job.ErrUnsupported)
	if got := unsupported(err); !errors.Is(got, job.ErrUnsupported) || got.Error() == err.Error() {
		t.Errorf("%v", got)
	}
}

// The nearer one of --pretty and --compact holds; two from one place contradict each
// other.
func TestSettleLayout(t *testing.T) {
	line, file := &cli.Option{}, &cli.Option{}
	file.From = cli.InAFile
	for _, c := range []struct {
		name                         string
		pretty, compact              bool
		prettyFrom, compactFrom      *cli.Option
		wantPretty, wantCompact, bad bool
	}{
		{"one", true, false, line, line, true, false, false},
		{"pretty is nearer", true, true, line, file, true, false, false},
		{"compact is nearer", true, true, file, line, false, true, false},
		{"both on the line", true, true, line, line, true, true, true},
	} {
		o := &RunOptions{Pretty: c.pretty, Compact: c.compact}
		err := o.resolveLayout(c.prettyFrom, c.compactFrom)
		if (err != nil) != c.bad || o.Pretty != c.wantPretty || o.Compact != c.wantCompact {
			t.Errorf("%s: %v, pretty %t, compact %t", c.name, err, o.Pretty, o.Compact)
		}
	}
}
