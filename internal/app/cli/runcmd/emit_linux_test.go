package runcmd

import (
	"io"
	"os"
	"testing"
	"time"

	"github.com/envwrap/envwrap/internal/test/testenv"
	"github.com/envwrap/envwrap/wrap"
)

// A terminal is handed to the command, which envwrap then does not see: unless it has to
// know when something is printed, or what.
func TestPassthroughOfATerminal(t *testing.T) {
	_, terminal := testenv.Terminal(t)
	defer terminal.Close()
	file, err := os.Create(t.TempDir() + "/file")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for name, c := range map[string]struct {
		to     *os.File
		change func(*RunOptions)
		own    bool
	}{
		"terminal":     {terminal, func(*RunOptions) {}, true},
		"file":         {file, func(*RunOptions) {}, false},
		"idle timeout": {terminal, func(o *RunOptions) { o.IdleTimeout = time.Minute }, false},
		"cache":        {terminal, func(o *RunOptions) { o.Cache.TTL = time.Minute }, false},
	} {
		r := &Runner{O: DefaultRunOptions(), cmd: &wrap.Command{}}
		c.change(r.O)
		p := r.passthrough(c.to, "stdout", func(f *os.File) io.Writer { return f })
		if (p.Own != nil) != c.own || (p.To != nil) == c.own || len(r.cmd.Warnings) > 0 != c.own {
			t.Errorf("%s: %+v, %q", name, p, r.cmd.Warnings)
		}
	}
	if !sameStream(terminal, terminal) || sameStream(terminal, file) {
		t.Error("sameStream")
	}
}
