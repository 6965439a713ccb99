//go:build unix

package wrap_test

import (
	"os"
	"testing"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/wrap"
)

// The progress never decreases: a line with a smaller percentage, or with none, leaves it
// unchanged.
func TestPercentageGoesUpOnly(t *testing.T) {
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	defer writer.Close()
	c := command(t, "exit")
	c.Argv = []string{"sh", "-c", "for p in start 40% 20% 60% end; do echo $p; read go; done"}
	c.Stdin.File = reader
	c.ProgressEvery = time.Millisecond
	last, got := "", map[string]float64{}
	c.Progress = func(p envelope.Progress) {
		if p.Message == last {
			return
		}
		last, got[p.Message] = p.Message, -1
		if p.Pct != nil {
			got[p.Message] = *p.Pct
		}
		_, _ = writer.WriteString("go\n") // the next line comes when this one was reported
	}
	want(t, run(t, c), envelope.Success, "", 0)
	for line, pct := range map[string]float64{"start": -1, "40%": 40, "20%": 40, "60%": 60, "end": 60} {
		if got[line] != pct {
			t.Errorf("at %q %v are done, want %v", line, got[line], pct)
		}
	}
}

func TestPercentage(t *testing.T) {
	for _, c := range []struct {
		line string
		pct  float64
		ok   bool
	}{
		{"", 0, false},
		{"50", 0, false},
		{"%", 0, false},
		{"of %", 0, false},
		{"0%", 0, true},
		{"9%", 9, true},
		{"[###] 12.5 % of 3 files", 12.5, true},
		{"10% 20%", 20, true},
		{"100%", 100, true},
		{"100.1%", 100.1, false},
		{"1.2.3%", 0, false},
		{"x1/2: 7%", 7, true},
	} {
		if pct, ok := wrap.Percentage(c.line); ok != c.ok || ok && pct != c.pct {
			t.Errorf("%q: %v, %v", c.line, pct, ok)
		}
	}
}
