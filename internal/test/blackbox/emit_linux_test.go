package blackbox

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/internal/test/matrix"
	"github.com/envwrap/envwrap/internal/test/testenv"
)

// An emitShape is a command line as agents write them, and how many envelopes
// reach the agent that captured its stdout. E is `envwrap --emit auto --`.
var emitShapes = []struct {
	name      string
	line      string
	envelopes int
	needs     string // a program that may be missing
}{
	{"plain", `E echo x`, 1, ""},
	{"exec", `exec E echo x`, 1, ""},
	{"both streams", `E echo x 2>&1`, 1, ""},
	{"as Claude Code runs it", `eval 'E echo x' </dev/null && pwd -P >|cwd`, 1, ""},
	{"subshell", `(E echo x; true)`, 1, ""},
	{"function", `f() { E echo x; }; f; true`, 1, ""},
	{"nested shell", `bash -c 'E echo x; true'`, 1, "bash"},
	{"end of a pipeline", `echo x | E cat`, 1, ""},
	{"xargs", `echo x | xargs E echo`, 1, "xargs"},
	{"timeout", `timeout 20 E echo x`, 1, "timeout"},
	{"make", `make -s envelope`, 1, "make"},
	{"make -j", `make -s -j2 envelope another`, 2, "make"},
	{"nested envwrap", `E sh -c 'E echo x'`, 1, ""},
	{"background", `E echo x & wait`, 1, ""},
	{"condition", `if E echo x; then :; fi`, 1, ""},
	{"loop", `for i in 1 2; do E echo $i; done`, 2, ""},
	{"loop with a here-document", "while read l; do E echo $l; done <<EOF\nx\nEOF\n", 1, ""},
	{"both of two", `E echo x && E echo y`, 2, ""},
	{"not", `! E false`, 1, ""},
	{"function in a subshell", `f() (E echo x); f`, 1, ""},
	{"here-document", "E cat <<EOF\nx\nEOF\n", 1, ""},
	{"here-string", `bash -c 'E cat <<< x; true'`, 1, "bash"},
	{"another descriptor", `exec 3>&1; E echo x >&3`, 1, ""},
	{"variable before", `A=1 E echo x`, 1, ""},
	{"command", `command E echo x`, 1, ""},
	{"env", `env A=1 E echo x`, 1, "env"},
	{"nice", `nice -n 1 E echo x`, 1, "nice"},
	{"nohup", `nohup E echo x 2>/dev/null`, 1, "nohup"},
	{"session", `setsid -w E echo x`, 1, "setsid"},
	{"find", `find . -maxdepth 0 -exec E echo x \;`, 1, "find"},
	{"time", `bash -c 'time E echo x' 2>/dev/null`, 1, "bash"},
	{"make in make", `make -s again`, 1, "make"},
	{"xargs -P", `printf '1\n2\n3\n' | xargs -P 2 -n 1 E echo`, 3, "xargs"},
	{"fish", `fish --no-config -c 'E echo x; true'`, 1, "fish"},
	{"a program that passes on", `python3 -c 'import subprocess as s; s.run("E echo x".split())'`, 1, "python3"},

	{"pipeline", `E echo x | cat`, 0, ""},
	{"middle of a pipeline", `echo x | E cat | cat`, 0, ""},
	{"both streams in a pipeline", `E echo x 2>&1 | cat`, 0, ""},
	{"group in a pipeline", `{ E echo x; } | cat`, 0, ""},
	{"function in a pipeline", `f() { E echo x; }; f | cat`, 0, ""},
	{"nested shell in a pipeline", `bash -c 'E echo x' | cat`, 0, "bash"},
	{"nested pipeline", `bash -c 'E echo x | cat'; true`, 0, "bash"},
	{"xargs in a pipeline", `echo x | xargs E echo | cat`, 0, "xargs"},
	{"substitution", `x=$(E echo x); echo $x`, 0, ""},
	{"substitution that goes on", `x=$(E echo x; true); echo $x`, 0, ""},
	{"substitution of a function", `f() { E echo x; }; x=$(f); echo $x`, 0, ""},
	{"file", `E echo x >file; cat file`, 0, ""},
	{"nothing", `E echo x >/dev/null; echo x`, 0, ""},
	{"recipe with a substitution", `make -s bytes`, 0, "make"},
	{"make in a pipeline", `make -s envelope | cat`, 0, "make"},
	{"make in a file", `make -s envelope >file; cat file`, 0, "make"},
	{"tee", `E echo x | tee file`, 0, "tee"},
	{"both streams to a pipeline, in bash", `bash -c 'E echo x |& cat'`, 0, "bash"},
	{"process substitution", `bash -c 'cat <(E echo x); true'`, 0, "bash"},
	{"input from a process substitution", `bash -c 'cat < <(E echo x); true'`, 0, "bash"},
	{"output to a process substitution", `bash -c 'E echo x > >(cat); wait $!'`, 0, "bash"},
	{"coprocess", `bash -c 'coproc E echo x; cat <&"${COPROC[0]}"' 2>/dev/null`, 0, "bash"},
	{"mapfile", `bash -c 'mapfile -t a < <(E echo x); echo "${a[0]}"'`, 0, "bash"},
	{"backticks", "x=`E echo x`; echo $x", 0, ""},
	{"substitution in a substitution", `echo $(echo $(E echo x))`, 0, ""},
	{"substitution in quotes", `echo "$(E echo x; exit 3)"`, 0, ""},
	{"substitution that is run", `eval "$(E echo echo x)"`, 0, ""},
	{"subshell in a pipeline", `(E echo x) | cat`, 0, ""},
	{"loop in a pipeline", `for i in x; do E echo $i; done | cat`, 0, ""},
	{"pipeline to a loop", `E echo x | while read l; do echo $l; done`, 0, ""},
	{"background in a pipeline", `{ E echo x & wait; } | cat`, 0, ""},
	{"shell whose stdout is a file", `sh -c 'exec >file; E echo x'; cat file`, 0, ""},
	{"shell whose stdout is another program", `bash -c 'exec > >(cat); E echo x'`, 0, "bash"},
	{"appended to a file", `E echo x >>file; cat file`, 0, ""},
	{"FIFO", `mkfifo fifo; cat fifo & E echo x >fifo; wait`, 0, "mkfifo"},
	{"no environment", `env -i PATH="$PATH" HOME="$HOME" E echo x`, 0, "env"},
	{"make -O", `make -s -O -j2 envelope`, 0, "make"},
	{"shell function of make", `make -s shell`, 0, "make"},
	{"make in a substitution", `echo $(make -s envelope)`, 0, "make"},
	{"find in a pipeline", `find . -maxdepth 0 -exec E echo x \; | cat`, 0, "find"},
	{"fish in a pipeline", `fish --no-config -c 'E echo x | cat'`, 0, "fish"},
	{"substitution of fish", `fish --no-config -c 'echo (E echo x)'`, 0, "fish"},
	{"two files of zsh", `zsh -fc 'E echo x >a >b; cat b'`, 0, "zsh"},
	{"another program that captures", `python3 -c 'import subprocess as s; print(s.run("E echo x".split(), stdout=s.PIPE).stdout.decode(), end="")'`, 0, "python3"},
	{"a program that captures", `awk 'BEGIN { "E echo x" | getline line; print line }'`, 0, "awk"},
}

const emitMakefile = `envelope another:
	E echo x
bytes:
	@x=$$(E echo x); echo $$x
again:
	@$(MAKE) -s envelope
shell:
	@echo $(shell E echo x)
`

// With --emit auto the agent gets an envelope exactly where it reads envwrap's
// stdout itself; everything else gets the command's bytes.
func TestEmitAuto(t *testing.T) {
	t.Parallel()
	var shells []string
	for _, shell := range []string{"sh", "dash", "bash", "zsh"} {
		if _, err := exec.LookPath(shell); err != nil {
			t.Logf("%s is not here", shell)
			continue
		}
		shells = append(shells, shell)
	}
	home := t.TempDir()
	for i, at := range matrix.Cases(len(shells), len(emitShapes)) {
		if i%matrix.Every(4) > 0 {
			continue
		}
		shell, s := shells[at[0]], emitShapes[at[1]]
		t.Run(shell+", "+s.name, func(t *testing.T) {
			t.Parallel()
			if s.needs != "" {
				if _, err := exec.LookPath(s.needs); err != nil {
					t.Skipf("%s is not here", s.needs)
				}
			}
			cmd, errs := emitted(t, home, shell, s.line)
			out, err := cmd.Output()
			if err != nil || errs.Len() > 0 {
				t.Errorf("%v, stderr %q", err, errs)
			}
			if got := bytes.Count(out, []byte(`{"version":1,`)); got != s.envelopes {
				t.Errorf("%d envelopes, want %d, in %q", got, s.envelopes, out)
			}
			if s.envelopes == 0 && string(out) != "x\n" {
				t.Errorf("got %q", out)
			}
		})
	}
}

// emitted makes a shell run a line as an agent's child, in a directory of its own below
// home, with a Makefile if the line needs one.
func emitted(t *testing.T, home, shell, line string) (*exec.Cmd, *bytes.Buffer) {
	t.Helper()
	dir, err := os.MkdirTemp(home, "work")
	if err != nil {
		t.Fatal(err)
	}
	spell := strings.NewReplacer("E ", "envwrap --emit auto -- ").Replace
	if strings.Contains(line, "make ") {
		writeFile(t, filepath.Join(dir, "Makefile"), spell(emitMakefile))
	}
	cmd := exec.CommandContext(t.Context(), shell, "-c", spell(line))
	cmd.Dir = dir
	// The agent's own variable must not be in this test's environment, or the
	// test would be taken for the agent's child. An override of its own name is.
	cmd.Env = append(os.Environ(), "ENVWRAP_AGENT=kilo", "HOME="+home, "XDG_STATE_HOME="+home, "MAKEFLAGS=", "MAKELEVEL=")
	errs := new(bytes.Buffer)
	cmd.Stderr = errs
	return cmd, errs
}

// A person at a terminal gets the terminal itself: the command sees one, and
// writes to it without envwrap in between. The agent's variables change nothing,
// for an editor may have set them in a person's terminal.
func TestEmitTerminal(t *testing.T) {
	for _, agent := range []string{"none", "kilo"} {
		master, slave := testenv.Terminal(t)
		read := collect(master, slave)
		cmd, _ := emitted(t, t.TempDir(), "sh", `E sh -c 'test -t 1 && test -t 2 && echo terminal'`)
		cmd.Env = append(cmd.Env, "ENVWRAP_AGENT="+agent)
		cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
		if err := cmd.Run(); err != nil {
			t.Error(err)
		}
		if got := string(read()); got != "terminal\r\n" {
			t.Errorf("agent %s: got %q", agent, got)
		}
	}
}

// Output arrives while the command still runs, and with 2>&1 in the order written.
func TestEmitIsLive(t *testing.T) {
	cmd, _ := emitted(t, t.TempDir(), "sh", `E sh -c 'echo 1; echo 2 >&2; echo 3; read answer; echo $answer' 2>&1 | cat`)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	head := make([]byte, len("1\n2\n3\n"))
	if _, err := io.ReadFull(stdout, head); err != nil || string(head) != "1\n2\n3\n" {
		t.Errorf("got %q, %v", head, err)
	}
	if _, err := io.WriteString(stdin, "4\n"); err != nil {
		t.Error(err)
	}
	if rest, err := io.ReadAll(stdout); err != nil || string(rest) != "4\n" {
		t.Errorf("then %q, %v", rest, err)
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}

// The reader's going away does not touch a command that ends; one that would
// print for ever ends as it would in a pipeline of its own.
func TestEmitReaderGoesAway(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		`E sh -c 'seq 1 20000; echo end >ended; exit 3' | head -n 1; cat ended`: "1\nend\n",
		`E yes "$(printf %1000s .)" | head -c 1`:                                " ",
	} {
		cmd, errs := emitted(t, t.TempDir(), "sh", line)
		out, err := cmd.Output()
		if err != nil || string(out) != want || errs.Len() > 0 {
			t.Errorf("%s: got %q, %v, stderr %q", line, out, err, errs)
		}
	}
}

// With envwrap for make's shell an agent gets an envelope a line, and make the
// bytes of $(shell).
func TestEmitMakeShell(t *testing.T) {
	t.Parallel()
	out, err := docCommand{[]string{"make", "-s"}, "kilo"}.run(t, makefile(t, "shell"))
	if err != nil || strings.Count(out, `{"version":1,`) != 2 || !strings.Contains(out, "building 1.2.3") {
		t.Errorf("got %q, %v", out, err)
	}
}
