package term

import (
	"bufio"
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/envwrap/envwrap/internal/test/testenv"
)

// environ is an environment of variables as NAME=VALUE.
func environ(list string) environment {
	return func(name string) (string, bool) {
		for v := range strings.FieldsSeq(list) {
			if value, ok := strings.CutPrefix(v, name+"="); ok {
				return value, true
			}
		}
		return "", false
	}
}

// The user says how wide the terminal is and whether it has colours, else the terminal.
func TestScreenOf(t *testing.T) {
	_, terminal := testenv.Terminal(t)
	defer terminal.Close()
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	for _, c := range []struct {
		env  string
		size uint16
		want Screen
	}{
		{"", 0, Screen{80, false}},
		{"TERM=xterm", 1, Screen{1, true}},
		{"TERM=dumb COLUMNS=1", 50, Screen{1, false}},
		{"TERM=xterm COLUMNS=0 CLICOLOR=0", 50, Screen{50, false}},
		{"TERM=xterm COLUMNS=-3 CLICOLOR=1", 50, Screen{50, true}},
		{"TERM=xterm COLUMNS=wide NO_COLOR=", 50, Screen{50, false}},
		{"CLICOLOR_FORCE=1", 0, Screen{80, true}},
		{"CLICOLOR_FORCE=0", 0, Screen{80, false}},
		{"CLICOLOR_FORCE=1 NO_COLOR=1", 0, Screen{80, false}},
	} {
		if err := unix.IoctlSetWinsize(int(terminal.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Col: c.size}); err != nil {
			t.Fatal(err)
		}
		if got := ScreenOf(terminal, environ(c.env)); got != c.want {
			t.Errorf("%q, %d columns: got %v, want %v", c.env, c.size, got, c.want)
		}
		if got := ScreenOf(null, environ(c.env)); got != (Screen{}) {
			t.Errorf("%q: /dev/null is a screen, %v", c.env, got)
		}
	}
}

// On a terminal nothing is obeyed but envwrap's own colours; elsewhere bytes stay as they
// are.
func TestTextOnTerminal(t *testing.T) {
	master, terminal := testenv.Terminal(t)
	defer terminal.Close()
	file, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	const bad = "\x1b[2Ja" + paintBold + "b"
	if got := ForScreen(terminal, bad); got != "^[[2Ja"+paintBold+"b" {
		t.Errorf("on a terminal: %q", got)
	}
	if got := ForScreen(file, bad); got != bad {
		t.Errorf("in a file: %q", got)
	}
	plain, colours := environ("TERM=dumb"), environ("TERM=xterm")
	for _, c := range []struct {
		f         *os.File
		env       environment
		doc, want string
	}{
		{file, colours, "{\"a\":\"\x7f\"}", "{\"a\":\"\x7f\"}"},
		{terminal, plain, "{\"a\":\"\x7f\"}", `{"a":"\u007f"}`},
		{terminal, colours, `{"a":1}`, "{" + paintName + `"a"` + paintNormal + ":" + paintWord + "1" + paintNormal + "}"},
		{terminal, colours, "ok \x7f", "ok ^?"},
		{terminal, colours, "", ""},
	} {
		if got := string(Painted(c.f, c.env, []byte(c.doc))); got != c.want {
			t.Errorf("%s: %q, want %q", c.doc, got, c.want)
		}
	}
	for _, c := range []struct {
		f     *os.File
		color bool
		want  string
	}{
		{file, false, "\x1b[31ma\rb\x07"}, {terminal, true, "\x1b[31ma\rb\x07"}, {terminal, false, "a\rb^G"},
	} {
		var b strings.Builder
		if _, err := Live(c.f, &b, c.color).Write([]byte("\x1b[31ma\rb\x07")); err != nil || c.f == terminal && !c.color && b.String() == "" {
			t.Error(err)
		}
		if b.String() != c.want {
			t.Errorf("live, colours %t: %q, want %q", c.color, b.String(), c.want)
		}
	}
	var shown []string
	screen := bufio.NewReader(master)
	for _, raw := range []bool{false, true} {
		w, end := Content(terminal, raw)
		if _, err := w.Write([]byte("\x1b[m.\xe6")); err != nil {
			t.Fatal(err)
		}
		if err := end(); err != nil {
			t.Fatal(err)
		}
		if _, err := terminal.WriteString("$"); err != nil {
			t.Fatal(err)
		}
		text, err := screen.ReadString('$')
		if err != nil {
			t.Fatal(err)
		}
		shown = append(shown, text)
	}
	if w, end := Content(file, false); w != file || end() != nil {
		t.Error("what is for a file is changed")
	}
	if !slices.Equal(shown, []string{"^[[m.<E6>$", "\x1b[m.\xe6$"}) {
		t.Errorf("the terminal got %q", shown)
	}
}
