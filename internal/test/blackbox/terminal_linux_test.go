package blackbox

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"unicode/utf8"
	"unsafe"

	"github.com/envwrap/envwrap/internal/test/matrix"
	"github.com/envwrap/envwrap/internal/test/testenv"
)

// resize gives a terminal its width.
func resize(t *testing.T, f *os.File, columns int) {
	t.Helper()
	size := [4]uint16{24, uint16(columns)} // struct winsize, ioctl_tty(2)
	if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), syscall.TIOCSWINSZ, uintptr(unsafe.Pointer(&size))); errno != 0 {
		t.Fatal(errno)
	}
}

// onTerminal returns the output of envwrap on a terminal with that many
// columns, with more variables.
func onTerminal(t *testing.T, dir string, columns int, env []string, args ...string) string {
	t.Helper()
	text, err := runOnTerminal(t, dir, columns, env, args...)
	if err != nil {
		t.Errorf("%v: %v", args, err)
	}
	return text
}

// runOnTerminal is onTerminal of a command that may fail.
func runOnTerminal(t *testing.T, dir string, columns int, env []string, args ...string) (string, error) {
	t.Helper()
	master, slave := testenv.Terminal(t)
	resize(t, slave, columns)
	read := collect(master, slave)
	cmd := exec.CommandContext(t.Context(), "envwrap", args...)
	cmd.Dir = dir
	cmd.Env = append(peopleEnv(dir), env...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
	err := cmd.Run()
	return strings.ReplaceAll(string(read()), "\r\n", "\n"), err
}

// A usage error on a terminal says once where the options are listed.
func TestUsageErrorsOnATerminal(t *testing.T) {
	for _, c := range []struct{ option, want string }{
		{"--nope", "envwrap: unknown option \"--nope\"\n`envwrap help run` lists the options; those of the command belong after --.\n"},
		{"--timout", "envwrap: unknown option \"--timout\"\nDid you mean --timeout?\n`envwrap help run` lists the options.\n"},
	} {
		if got, err := runOnTerminal(t, t.TempDir(), 80, nil, c.option, "--", "x"); err == nil || got != c.want {
			t.Errorf("%s: %q, %v; want %q", c.option, got, err, c.want)
		}
	}
}

// peopleEnv is the environment of a person at a terminal whose home is dir.
func peopleEnv(dir string) []string {
	return []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "XDG_STATE_HOME=" + dir, "TMPDIR=" + dir, "TERM=xterm", "ENVWRAP_AGENT=none", "LC_ALL=C.UTF-8",
		"GORACE=" + os.Getenv("GORACE"),
	}
}

// listed is a directory with a store in which there is something to list.
func listed(t *testing.T) string {
	t.Helper()
	dir := testenv.TempDir(t)
	long := "s=0123456789abcdef; i=0; while [ $i -lt 12 ]; do s=$s$s; i=$((i+1)); done; echo $s # 日本語のとても長いコマンド"
	shims := filepath.Join(dir, ".local/share/envwrap/shims")
	for _, args := range [][]string{
		{"--", "sh", "-c", long},
		{"--command", "exec/a-name-that-is-longer-than-most", "--", "seq", "20000"},
		{"--emit", "auto", "--", "sh", "-c", long},
		{"--cache", "1h", "--", "sh", "-c", "exit 0 # " + strings.Repeat("long ", 60)},
		{"--emit", "auto", "--", "sh", "-c", "exit 0 # " + strings.Repeat("long ", 60)},
		{"--wait", "1m", "--", "sh", "-c", "exit 0 # " + strings.Repeat("long ", 60)},
		{"shim", "install", "sh", "no-such-program-" + strings.Repeat("x", 30)},
	} {
		cmd := exec.CommandContext(t.Context(), "envwrap", args...)
		cmd.Env = append(peopleEnv(dir), "PATH="+shims+":"+os.Getenv("PATH"))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v, %s", args, err, out)
		}
	}
	return dir
}

var lists = [][]string{
	{"artifact", "ls"},
	{"artifact", "du"},
	{"artifact", "doctor"},
	{"cache", "ls"},
	{"history"},
	{"job", "ls"},
	{"job", "status"},
	{"config"},
	{"shim", "list"},
	{"explain"},
	{"explain", "curl"},
	{"explain", "EAUTH"},
	{"explain", "rsync", "23"},
	{"help"},
	{"help", "run"},
}

var colourCode = regexp.MustCompile(`\x1b\[[0-9;]*m`)

// Lists are formatted for terminals and for pipes.
func TestLists(t *testing.T) {
	t.Parallel()
	dir := listed(t)
	t.Run("fit", func(t *testing.T) { checkFit(t, dir) })
	t.Run("are aligned", func(t *testing.T) { checkAligned(t, dir) })
	t.Run("in pipes", func(t *testing.T) { checkPiped(t, dir) })
	t.Run("colours", func(t *testing.T) { checkColours(t, dir) })
}

// On a terminal no line of a list is broken: none is wider than the terminal.
func checkFit(t *testing.T, dir string) {
	t.Helper()
	for _, columns := range []int{40, 80, 200} {
		for i, args := range lists {
			if columns > 40 && (i+columns/40)%matrix.Every(2) > 0 { // the narrow one says the most
				continue
			}
			text := onTerminal(t, dir, columns, nil, args...)
			if strings.Count(text, "\n") < 2 {
				t.Errorf("%v on %d columns: got %q", args, columns, text)
			}
			text, _, _ = strings.Cut(colourCode.ReplaceAllString(text, ""), "Examples:\n")
			for line := range strings.Lines(text) {
				line = strings.TrimSuffix(line, "\n")
				if n := cells(line); n > columns && !strings.HasPrefix(line, "  envwrap ") && !strings.HasPrefix(line, "/") { // what is there to be copied
					t.Errorf("%v on %d columns: a line takes %d: %q", args, columns, n, line)
				}
			}
		}
	}
	if text := onTerminal(t, dir, 200, []string{"COLUMNS=40"}, "artifact", "ls"); strings.Contains(text, "sha256:") {
		t.Errorf("COLUMNS is not heard: %q", text)
	}
}

// cells is the width of a line in which only Japanese is wide.
func cells(line string) int {
	return utf8.RuneCountInString(line) + len(regexp.MustCompile(`[\p{Han}\p{Hiragana}\p{Katakana}]`).FindAllString(line, -1))
}

// The columns of a row begin where those of the others do.
func checkAligned(t *testing.T, dir string) {
	t.Helper()
	for _, columns := range []int{60, 80, 200} {
		text := onTerminal(t, dir, columns, []string{"NO_COLOR=1"}, "artifact", "ls")
		head, rows, _ := strings.Cut(text, "\n")
		at := strings.Index(head, "COMMAND") // all of it is ASCII
		if at < 0 {
			t.Fatalf("no heading in %q", text)
		}
		for line := range strings.Lines(rows) {
			row := []rune(line)
			if len(row) <= at || row[at-1] != ' ' || row[at] == ' ' {
				t.Errorf("on %d columns a row is out of line:\n%s", columns, text)
			}
		}
	}
}

// ages match the texts that change from one call to the next: times, and the room on the
// disk.
var ages = regexp.MustCompile(`\b[0-9.]+(µs|ms|s|m|h|d)\b *|[0-9.]+ [KMGT]iB +(are free|on this disk)|\d{4}-\d\d-\d\d[T ][0-9:.]+Z?`)

// speed is the check of artifact doctor that depends on how busy the disk is.
var speed = regexp.MustCompile(`(?m)^ +(ok|note) +sync .*\n( +-> .*\n)?`)

// Elsewhere a list is whole, whatever the width, and has neither names of
// columns nor colours.
func checkPiped(t *testing.T, dir string) {
	t.Helper()
	for i, args := range lists {
		if i%matrix.Every(2) > 0 {
			continue
		}
		var before string
		for _, columns := range []int{0, 40} {
			cmd := exec.CommandContext(t.Context(), "envwrap", args...)
			cmd.Dir = dir
			cmd.Env = append(peopleEnv(dir), "CLICOLOR_FORCE=1")
			if columns > 0 {
				cmd.Env = append(cmd.Env, "COLUMNS="+strconv.Itoa(columns))
			}
			out, err := cmd.Output()
			if err != nil || strings.Contains(string(out), "\x1b") || strings.Contains(string(out), "…") || strings.HasPrefix(string(out), "ARTIFACT") {
				t.Errorf("%v: %v, %q", args, err, out)
			}
			text := speed.ReplaceAllString(ages.ReplaceAllString(string(out), "AGE"), "") // they change meanwhile
			text = regexp.MustCompile(" +").ReplaceAllString(text, " ")                   // a longer word makes its column wider
			if columns > 0 && text != before {
				t.Errorf("%v: COLUMNS changes what a pipe gets, from\n%s\nto\n%s", args, before, text)
			}
			before = text
		}
	}
}

// A list has colours on the terminals where an envelope has them.
func checkColours(t *testing.T, dir string) {
	t.Helper()
	for i, c := range []struct {
		env  []string
		want bool
	}{
		{[]string{"TERM=xterm"}, true},
		{[]string{"TERM=dumb"}, false},
		{[]string{"TERM="}, false},
		{[]string{"NO_COLOR=1"}, false},
		{[]string{"NO_COLOR="}, true},
		{[]string{"CLICOLOR=0"}, false},
		{[]string{"CLICOLOR=1"}, true},
		{[]string{"TERM=dumb", "CLICOLOR_FORCE=1"}, true},
		{[]string{"TERM=dumb", "CLICOLOR_FORCE=0"}, false},
		{[]string{"NO_COLOR=1", "CLICOLOR_FORCE=1"}, false},
	} {
		for j, args := range [][]string{{"artifact", "ls"}, {"--", "true"}} {
			if (i+j)%matrix.Every(2) > 0 {
				continue
			}
			text := onTerminal(t, dir, 80, c.env, args...)
			if got := strings.Contains(text, "\x1b["); got != c.want {
				t.Errorf("%v, %v: colours %v, in %q", c.env, args, got, text)
			}
		}
	}
}

// A person who runs a command sees an envelope that is indented.
func TestEnvelopeForPeople(t *testing.T) {
	dir := t.TempDir()
	text := onTerminal(t, dir, 80, nil, "--", "echo", "out")
	if plain := colourCode.ReplaceAllString(text, ""); !strings.HasPrefix(plain, "{\n  \"version\": 1,\n  \"status\": \"ok\",\n") {
		t.Errorf("got %q", text)
	}
	if !strings.Contains(text, "\x1b[34m\"status\"\x1b[0m: \x1b[32m\"ok\"\x1b[0m") {
		t.Errorf("without colours: %q", text)
	}
}
