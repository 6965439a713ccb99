package redactcmd_test

import (
	"bufio"
	"io"
	"os"
	"testing"

	"github.com/envwrap/envwrap/internal/app/cli"
)

// On a live stream each line is passed on once it is complete, while the stream
// is still open.
func TestRedactLive(t *testing.T) {
	in, feed, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, stdout, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	env := envIn(t, t.TempDir(), "redact")
	env.Stdin, env.Stdout = in, stdout
	ended := make(chan int, 1)
	go func() {
		ended <- cli.Main(env)
		_ = stdout.Close()
	}()
	lines := bufio.NewReader(out)
	for _, l := range []struct{ in, want string }{
		{"one\n", "one\n"},
		{"password=hunter2x9\n", "password=***\n"},
		{"three\r\n", "three\r\n"},
	} {
		if _, err := feed.WriteString(l.in); err != nil {
			t.Fatal(err)
		}
		if got, err := lines.ReadString('\n'); err != nil || got != l.want {
			t.Fatalf("after %q: got %q, %v; want %q", l.in, got, err, l.want)
		}
	}
	if _, err := feed.WriteString("no end"); err != nil {
		t.Fatal(err)
	}
	if err := feed.Close(); err != nil {
		t.Fatal(err)
	}
	if rest, err := io.ReadAll(lines); err != nil || string(rest) != "no end" {
		t.Errorf("at the end: got %q, %v", rest, err)
	}
	if code := <-ended; code != cli.StatusOK {
		t.Errorf("status is %d", code)
	}
}
