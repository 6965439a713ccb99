package blackbox

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/internal/test/testenv"
)

// hostile is a name that sets the clipboard and the colour of a terminal, clears
// it (in 8 bits and in 7), rings, and writes over the line.
const hostile = "a\x1b]52;c;eA==\x07\x9b2J\x1b[2J\u009b31m\rb\x1b[31m"

// seen returns the bytes that a terminal gets from envwrap, without the returns that it
// adds itself.
func seen(t *testing.T, dir string, args ...string) string {
	t.Helper()
	master, slave := testenv.Terminal(t)
	resize(t, slave, 200)
	read := collect(master, slave)
	cmd := exec.CommandContext(t.Context(), "envwrap", args...)
	cmd.Dir, cmd.Env = dir, append(peopleEnv(dir), "NO_COLOR=1")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
	_ = cmd.Run() // most of the calls fail
	return strings.ReplaceAll(string(read()), "\r\n", "\n")
}

// obeyed returns what a terminal would obey in a text.
func obeyed(text string) string {
	for _, control := range []string{"\x1b", "\x07", "\x9b2J", "\u009b", "\r", "\b", "\x7f"} {
		if strings.Contains(text, control) {
			return control
		}
	}
	return ""
}

// No message has what a terminal obeys, whatever names it has from outside.
func TestMessagesOnTerminals(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, args := range [][]string{
		{hostile},
		{"--" + hostile, "--", "true"},
		{"--timeout", hostile, "--", "true"},
		{"--cwd", hostile, "--", "true"},
		{"--env", hostile + "=" + hostile, "--cwd", hostile, "--", "true"},
		{"-o", hostile + "/x", "--", "true"},
		{"--store", hostile + "/x", "--", "true"},
		{"--", hostile},
		{"help", hostile},
		{"redact", hostile},
		{"redact", "--secret-file", hostile, "x"},
		{"validate", hostile},
		{"convert", "--to", "foxctl/v1", hostile},
		{"convert", "--to", hostile, "x"},
		{"schema", hostile},
		{"explain", hostile},
		{"completion", hostile},
		{"artifact", hostile},
		{"artifact", "put", hostile},
		{"artifact", "put", "--store", hostile, "/dev/null"},
		{"artifact", "cat", hostile},
		{"artifact", "cat", "--store", hostile, "abcdef"},
		{"artifact", "doctor", "--store", hostile},
		{"artifact", "import", hostile},
		{"artifact", "du", "--store", hostile},
		{"shim", "install", hostile},
		{"shim", "install", "--dir", hostile, "true"},
		{"shim", "list", "--dir", hostile},
		{"last", "--store", hostile},
		{"history", "--store", hostile},
		{"job", "status", hostile},
		{"job", "wait", hostile},
		{"job", "submit", "--" + hostile, "--", "true"},
		{"cache", "explain", "--", hostile},
		{"config", hostile},
		{"hook", hostile},
		{"detect", "--explain", hostile},
	} {
		if text := seen(t, dir, args...); obeyed(text) != "" {
			t.Errorf("%q: the terminal gets %q in %q", args, obeyed(text), text)
		}
	}
}

// A terminal gets the content of artifacts as less(1) shows it, unless --raw asks
// for it; a pipe always gets it byte for byte.
func TestContentOnTerminals(t *testing.T) {
	dir := t.TempDir()
	const content = "one\ttwo\n" + hostile + "\n日本\n"
	const shown = "one\ttwo\na^[]52;c;eA==^G<9B>2J^[[2J<U+009B>31m^Mb^[[31m\n日本\n"
	if err := os.WriteFile(filepath.Join(dir, "content"), []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) []byte {
		cmd := exec.CommandContext(t.Context(), "envwrap", args...)
		cmd.Dir, cmd.Env = dir, peopleEnv(dir)
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%q: %v", args, err)
		}
		return out
	}
	id := strings.TrimSpace(string(run("artifact", "put", "content")))
	for _, verb := range []string{"cat", "head", "tail"} {
		if got := seen(t, dir, "artifact", verb, id); got != shown {
			t.Errorf("%s on a terminal: got %q, want %q", verb, got, shown)
		}
		if got := seen(t, dir, "artifact", verb, "--raw", id); got != content {
			t.Errorf("%s --raw on a terminal: got %q, want %q", verb, got, content)
		}
		if got := run("artifact", verb, id); !bytes.Equal(got, []byte(content)) {
			t.Errorf("%s in a pipe: got %q, want %q", verb, got, content)
		}
	}
	if got := seen(t, dir, "artifact", "grep", "52", id); obeyed(got) != "" || !strings.Contains(got, "^[]52") {
		t.Errorf("grep on a terminal: got %q", got)
	}
	if got := run("artifact", "grep", "52", id); !bytes.Contains(got, []byte(hostile)) {
		t.Errorf("grep in a pipe: got %q", got)
	}
}

// Live output keeps the carriage returns of a progress bar and loses control sequences;
// --color passes it on unchanged.
func TestLiveOutputOnTerminals(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "content"), []byte("10%\r20%\n"+hostile+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, to := range []string{"", " >&2"} {
		command := []string{"--progress", "off", "--", "sh", "-c", "cat content" + to}
		for _, options := range [][]string{{"-o", "envelope"}, {"-o", "envelope", "--tee"}} {
			got := seen(t, dir, append(options, command...)...)
			if rest, ok := strings.CutPrefix(got, "10%\r20%\n"); !ok || obeyed(strings.ReplaceAll(rest, "\r", "")) != "" {
				t.Errorf("%v%s: got %q", options, to, got)
			}
		}
		got := seen(t, dir, append([]string{"-o", "envelope", "--color"}, command...)...)
		if !strings.Contains(got, hostile) {
			t.Errorf("--color%s: got %q", to, got)
		}
	}
}

// redact and the events of a stream have nothing on a terminal that this obeys,
// unless redact has --raw; a pipe gets what redact reads byte for byte.
func TestFilteredOnTerminals(t *testing.T) {
	dir := testenv.TempDir(t)
	const content = "one\ttwo\n" + hostile + "\n"
	if err := os.WriteFile(filepath.Join(dir, "content"), []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := seen(t, dir, "redact", "content"); obeyed(got) != "" || !strings.Contains(got, "^[]52;c;eA==") {
		t.Errorf("redact on a terminal: got %q", got)
	}
	if got := seen(t, dir, "redact", "--raw", "content"); got != content {
		t.Errorf("redact --raw on a terminal: got %q", got)
	}
	cmd := exec.CommandContext(t.Context(), "envwrap", "redact", "content")
	cmd.Dir, cmd.Env = dir, peopleEnv(dir)
	if got, err := cmd.Output(); err != nil || string(got) != content {
		t.Errorf("redact in a pipe: got %q, %v", got, err)
	}
	const command = "printf '\\302\\2332J\\177\\342\\200\\256x\\n'"
	id := submitted(t, dir, command)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--stream", "--stream-lines", "--", "sh", "-c", command}, `\u202ex`},
		{[]string{"job", "tail", "--json", "-f", id}, `\u202ex`},
		{[]string{"job", "tail", "-f", id}, `<U+202E>x`},
		{[]string{"job", "tail", id}, `<U+202E>x`},
	} {
		got := seen(t, dir, c.args...)
		if obeyed(got) != "" || strings.Contains(got, "\u202e") || !strings.Contains(got, c.want) {
			t.Errorf("%v: the terminal gets %q", c.args, got)
		}
	}
}

// submitted is the id of a job that runs a shell's command and is over.
func submitted(t *testing.T, dir, command string) string {
	t.Helper()
	run := func(args ...string) string {
		cmd := exec.CommandContext(t.Context(), "envwrap", args...)
		cmd.Dir, cmd.Env = dir, peopleEnv(dir)
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v: %v", args, err)
		}
		return string(out)
	}
	m := regexp.MustCompile(`"id":"([0-9A-Z]{26})"`).FindStringSubmatch(run("job", "submit", "--", "sh", "-c", command))
	if m == nil {
		t.Fatal("no id")
	}
	run("job", "wait", m[1])
	return m[1]
}
