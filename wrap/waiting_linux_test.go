package wrap_test

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/test/testenv"
	"github.com/envwrap/envwrap/wrap"
)

// A command that waits for what a person types says so to whoever draws a line on the
// same terminal: one that reads it, and one that has it show nothing.
func TestQuestionIsReported(t *testing.T) {
	t.Parallel()
	for _, script := range []string{"read x", "stty -echo; until [ -e answered ]; do sleep 0.05; done; stty echo"} {
		t.Run(script, func(t *testing.T) {
			t.Parallel()
			master, slave := testenv.Terminal(t)
			defer slave.Close()
			c := command(t, "exit")
			c.Argv, c.Dir = []string{"sh", "-c", script}, t.TempDir()
			c.Terminal, c.Stdin = true, wrap.Stdin{Mode: wrap.StdinInherit, File: slave}
			c.ProgressEvery, c.Timeout = 10*time.Millisecond, time.Minute
			signals := make(chan struct{})
			asked := sync.OnceFunc(func() { close(signals) })
			c.Progress = func(p envelope.Progress) {
				if p.Asks {
					asked()
				}
			}
			done := make(chan *envelope.Result, 1)
			go func() { res, _ := wrap.Run(t.Context(), c); done <- res }()
			select {
			case <-signals:
			case <-done:
				t.Error("the command ended, or its time was over, before its question was reported")
				return
			}
			_, _ = master.WriteString("yes\n")
			if err := os.WriteFile(filepath.Join(c.Dir, "answered"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
			<-done
		})
	}
}
