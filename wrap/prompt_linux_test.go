package wrap_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/test/matrix"
	"github.com/envwrap/envwrap/internal/test/testenv"
	"github.com/envwrap/envwrap/redact"
	"github.com/envwrap/envwrap/wrap"
)

// answering writes an answer to a pipe once it was shown the question.
type answering struct {
	question, answer string
	to               *os.File
	shown            bytes.Buffer
	answered         bool
}

func (a *answering) Write(p []byte) (int, error) {
	a.shown.Write(p)
	if !a.answered && strings.HasSuffix(a.shown.String(), a.question) {
		a.answered = true
		_, _ = a.to.WriteString(a.answer)
	}
	return len(p), nil
}

// A prompt without a newline is shown while its command waits for the answer, also
// one for a password, and what follows on its line once only.
func TestPromptIsShownBeforeItsAnswer(t *testing.T) {
	t.Parallel()
	for _, question := range []string{"name? ", "Password: ", "[sudo] password for ada: ", "\r 50% [=====>    ]", "password=hunter2x9 is old. New: "} {
		reader, writer, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		a := &answering{question: strings.ReplaceAll(question, "hunter2x9", "***"), answer: "yes\n", to: writer}
		c := command(t, "exit")
		c.Argv = []string{"sh", "-c", `printf %s "$1"; read x; echo "$x"`, "sh", question}
		c.Redactor = redact.New(redact.Options{})
		c.Stdin = wrap.Stdin{Mode: wrap.StdinInherit, File: reader}
		c.LiveStdout = a
		c.Timeout = time.Minute
		want(t, run(t, c), envelope.Success, "", 0)
		if got := a.shown.String(); got != a.question+"yes\n" {
			t.Errorf("%q: shown %q", question, got)
		}
		_, _ = reader.Close(), writer.Close()
	}
}

// pieces of what random scripts print.
var pieces = []string{
	"name? ", "Password: ", "word", " ", "\n", "\r", ".", "45%", "\x1b[1mbold\x1b[0m", "é…", "password=", "hunter2x9", "ghp_", "0123456789abcdefghijklmnopqrstuvwxyz",
	"token: ", "open ", "sesame", "https://ada:", "s3cr3tpw@", "example.org/", "\"key\": \"", "\"", "ok\n", "-----BEGIN ", "PRIVATE KEY-----\n", "-----END PRIVATE KEY-----\n", "Authorization: Bearer ",
}

// A terminal gets the masked bytes of the record in order, wherever the command pauses
// within its lines.
func TestShownIsWhatIsRecorded(t *testing.T) {
	t.Parallel()
	for seed := range matrix.Times(24, 1000) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			rnd := rand.New(rand.NewPCG(11, uint64(seed)))
			script := ""
			for range 2 + rnd.IntN(12) {
				script += "printf %s '" + pieces[rnd.IntN(len(pieces))] + "'\n"
				if rnd.IntN(3) == 0 {
					script += "sleep 0.12\n"
				}
			}
			master, slave := testenv.Terminal(t)
			c := command(t, "exit")
			c.Argv = []string{"sh", "-c", script}
			c.Redactor = redact.New(redact.Options{Values: []redact.Value{{Rule: "env:X", Secret: "open sesame"}}})
			c.LiveStdout = slave
			shown := make(chan string)
			go func() {
				got, _ := io.ReadAll(master) // ends with EIO when the slave is closed
				shown <- string(got)
			}()
			res := run(t, c)
			slave.Close()
			recorded := string(res.Stdout.Tail)
			if res.Stdout.Bytes != int64(len(recorded)) {
				t.Fatalf("the record has %d of %d bytes", len(recorded), res.Stdout.Bytes)
			}
			if got, want := <-shown, strings.ReplaceAll(recorded, "\n", "\r\n"); got != want {
				t.Errorf("%s\nshown %q, want %q", script, got, want)
			}
		})
	}
}
