package engine

import (
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"
)

// What a script has printed says when its command started, how it ended, and what it
// printed, however long that is and whatever the engine adds.
func TestLogReader(t *testing.T) {
	t.Parallel()
	const started = "envwrap-started n 1700000000\n"
	dir := t.TempDir()
	for name, c := range map[string]struct {
		log    string
		text   string
		starts bool
		status int // -1 if it has not ended
	}{
		"empty":            {"", "", false, -1},
		"of another job":   {"envwrap-started m 1700000000\nx", "", false, -1},
		"cut in the mark":  {"envwrap-started n 17", "", false, -1},
		"runs":             {started + "out\n", "out\n", true, -1},
		"no output":        {started + "\nenvwrap-ended n 0\n", "", true, 0},
		"line unfinished":  {"motd\n" + started + "50%\nenvwrap-ended n 7\nslurmstepd: x\n", "50%", true, 7},
		"line finished":    {started + "out\n\nenvwrap-ended n 7\n", "out\n", true, 7},
		"cut in the end":   {started + "out\n\nenvwrap-ended n 7", "out\n", true, -1},
		"end of another":   {started + "out\nenvwrap-ended m 7\n", "out\nenvwrap-ended m 7\n", true, -1},
		"lines of MS-DOS":  {"envwrap-started n 1700000000\r\nout\r\n\nenvwrap-ended n 7\r\n", "out\r\n", true, 7},
		"start is lost":    {"out\n\nenvwrap-ended n 7\n", "", false, -1},
		"start is broken":  {"envwrap-started n 17x\nout\n", "", false, -1},
		"longer than kept": {started + strings.Repeat("x", 100) + "\nenvwrap-ended n 3\n", strings.Repeat("x", 81), true, 3},
	} {
		for _, size := range []int{1, 7, 1 << 20} {
			file, err := os.CreateTemp(dir, "")
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			r := NewLogReader(file, int64(len(started)+81))
			for at := 0; at < len(c.log); at += size {
				_, _ = r.Write([]byte(c.log[at:min(at+size, len(c.log))]))
			}
			p, err := r.Printed("n")
			text := ""
			if p.Text != nil {
				kept, _ := io.ReadAll(p.Text)
				text = string(kept)
			}
			status := -1
			if p.Exited {
				status = p.Exit
			}
			if err != nil || text != c.text || p.Started.IsZero() == c.starts || status != c.status || p.Cut != (name == "longer than kept") {
				t.Errorf("%s, in pieces of %d: %+v", name, size, p)
			}
			if p.Strange != (strings.HasPrefix(name, "start is ") || name == "cut in the mark") {
				t.Errorf("%s: strange is %v", name, p.Strange)
			}
			if c.starts && !p.Started.Equal(time.Unix(1700000000, 0)) {
				t.Error(name, p.Started)
			}
		}
	}
}

// The end of a log says how a command ended, if its last line is the script's.
func TestCutEnd(t *testing.T) {
	t.Parallel()
	for log, want := range map[string]string{
		"out\n\nenvwrap-ended n 137 timeout\n": "out\n|137 timeout",
		"\nenvwrap-ended n 127 missing\n":      "|127 missing",
		"out":                                  "out|9 ",
		"":                                     "|9 ",
		"a\nenvwrap-ended m 127 missing\n":     "a\nenvwrap-ended m 127 missing\n|9 ",
		"a\nenvwrap-ended n 127 missing\nb\n":  "a\nenvwrap-ended n 127 missing\nb\n|9 ",
		"a\nenvwrap-ended n x missing\n":       "a\nenvwrap-ended n x missing\n|9 ",
		"a\nenvwrap-ended n 127 missing\nb\nenvwrap-ended n 125 directory\n": "a\nenvwrap-ended n 127 missing\nb|125 directory",
	} {
		cut, status, how := CutEnd(io.NewSectionReader(strings.NewReader(log), 0, int64(len(log))), "n", 9)
		text, err := io.ReadAll(cut)
		if got := fmt.Sprintf("%s|%d %s", text, status, how); got != want || err != nil {
			t.Errorf("%q: %q", log, got)
		}
	}
}
