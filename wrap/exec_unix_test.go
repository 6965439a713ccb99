//go:build unix

package wrap_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/wrap"
)

func init() { roles["exec"] = execing }

// execing lets a command take its place, in the directory that args begin with.
func execing(args []string) {
	status, err := wrap.Exec(&wrap.Command{Process: wrap.Process{Dir: args[0], Argv: args[1:], Env: os.Environ()}}, os.Stdout, os.Stderr)
	fmt.Fprintln(os.Stderr, err)
	os.Exit(status)
}

// A file that the kernel cannot execute runs by the shell if it is text, as with execvp(3),
// and not if it is a program of another machine. It gets its standard input.
func TestExecOfWhatTheKernelRefuses(t *testing.T) {
	for _, c := range []struct {
		name, content string
		status        int
		stdout        string
	}{
		{"script", "read x; echo out \"$1\" \"$x\"; exit 3\n", 3, "out a b \n"},
		{"binary", "\x7fELF\x02\x01\x01\x00\x00\x00 echo out\n", 126, ""},
		{"missing", "", 127, ""},
	} {
		dir := t.TempDir()
		if c.content != "" {
			if err := os.WriteFile(filepath.Join(dir, c.name), []byte(c.content), 0o700); err != nil {
				t.Fatal(err)
			}
		}
		self, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(self, dir, "./"+c.name, "a b")
		cmd.Env, cmd.Stdin = inRole("exec"), strings.NewReader("of its caller\n")
		var errs strings.Builder
		cmd.Stderr = &errs
		out, _ := cmd.Output()
		if got := cmd.ProcessState.ExitCode(); got != c.status || string(out) != c.stdout || strings.Contains(errs.String(), c.name) != (c.stdout == "") {
			t.Errorf("%s: status %d, stdout %q, stderr %q", c.name, got, out, &errs)
		}
	}
}
