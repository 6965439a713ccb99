package blackbox

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// What a run has shown by the time that envwrap is killed is in the store, also a prompt,
// and last finds it, as it did while the command ran.
func TestKilledWhileShown(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	in, hold, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer hold.Close()
	cmd := b.command("-f", "brief", "--", "sh", "-c", `echo one; echo two >&2; echo $TOKEN; printf 'name? '; read x`)
	cmd.Env = append(cmd.Env, "TOKEN=hunter2-hunter2")
	cmd.Stdin = in
	shown, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	in.Close()
	var text strings.Builder
	for buf := make([]byte, 1000); !strings.HasSuffix(text.String(), "name? "); {
		n, err := shown.Read(buf)
		text.Write(buf[:n])
		if err != nil {
			t.Fatalf("%v after %q", err, text.String())
		}
	}
	const printed = "one\n***\nname? \n[stderr]\ntwo\n[exit - "
	if got, _ := b.call("last", "-f", "brief"); !strings.HasPrefix(got, printed+"ERUNTIME partial; it still runs") {
		t.Errorf("while it runs: %q", got)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, shown)
	_ = cmd.Wait()
	if got, _ := b.call("last", "-f", "brief"); !strings.HasPrefix(got, printed+"EIO failure; envwrap was killed before the run ended") {
		t.Errorf("after that: %q", got)
	}
	for word, want := range map[string]string{"last": "one\n***\nname? ", "last:stderr": "two\n"} {
		if got, status := b.call("artifact", "cat", word); got != want || status != 0 {
			t.Errorf("%s: %q, %d", word, got, status)
		}
	}
	if got, _ := b.call("history"); !strings.Contains(got, "  unfinished  ") || strings.Count(got, "\n") != 1 {
		t.Errorf("history: %q", got)
	}
}

// What an early stage of a pipeline has printed by the time that envwrap is killed is in the
// store, and the pipeline goes on.
func TestKilledWithPipeline(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	in, hold, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer hold.Close()
	cmd := b.command("-f", "brief", "--", "bash", "-c", `{ echo made $TOKEN; echo shown >&2; read x; echo more; echo "$x" >end; } | tail -1`)
	cmd.Stdin, cmd.Dir = in, t.TempDir()
	cmd.Env = append(cmd.Env, "TOKEN=hunter2-hunter2", "TMPDIR="+cmd.Dir) // a kill leaves a directory there
	shown, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	in.Close()
	buf := make([]byte, 1000)
	if _, err := shown.Read(buf); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_, _ = hold.WriteString("the rest\n")
	_, _ = io.Copy(io.Discard, shown)
	_ = cmd.Wait()
	printed, _ := b.call("last", "-f", "brief")
	_, part, _ := strings.Cut(printed, "`envwrap artifact cat ")
	part, _, ok := strings.Cut(part, "` prints what an early stage of the pipeline printed")
	if got, status := b.call(append([]string{"artifact", "cat"}, strings.Fields(part)...)...); !ok || got != "made ***\n" || status != 0 {
		t.Errorf("%q says %q: %q, %d", printed, part, got, status)
	}
	if got, err := os.ReadFile(filepath.Join(cmd.Dir, "end")); string(got) != "the rest\n" {
		t.Errorf("the pipeline wrote %q, %v", got, err)
	}
}

// Below a client the process that the client waits for ends by the signal that ended the
// command, whatever signal that is and whoever else got it.
func TestBelowEndsBySignal(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for text, want := range map[string]syscall.Signal{
		"kill 0; sleep 9": syscall.SIGTERM, "kill -SEGV $$": syscall.SIGSEGV, "kill -PIPE $$": syscall.SIGPIPE, "kill -KILL $$": syscall.SIGKILL,
	} {
		cmd := b.command("--below", "claude-code", "-f", "brief", "--", "bash", "-c", text)
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		out, err := cmd.CombinedOutput()
		status := cmd.ProcessState.Sys().(syscall.WaitStatus)
		if !status.Signaled() || status.Signal() != want || status.CoreDump() || strings.Count(string(out), "\n") != 1 {
			t.Errorf("%s: ended with %v (%v), and printed %q", text, status, err, out)
		}
	}
}
