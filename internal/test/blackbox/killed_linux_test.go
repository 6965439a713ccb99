package blackbox

import (
	"io"
	"os"
	"strings"
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
