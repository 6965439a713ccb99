//go:build unix

package wrap_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/redact"
	"github.com/envwrap/envwrap/wrap"
)

// A keeper reads the part of a stream whenever something of it is shown, and answers a
// prompt.
type keeper struct {
	mu      sync.Mutex
	shown   [2]bytes.Buffer
	parts   [2]string
	store   *artifact.Store
	answers *os.File
	faults  []string
}

// stream returns the live reader of a stream.
func (k *keeper) stream(i int) io.Writer {
	return writerFunc(func(p []byte) {
		k.mu.Lock()
		defer k.mu.Unlock()
		k.shown[i].Write(p)
		if got := k.read(i); k.parts[i] != "" && !strings.HasPrefix(got, k.shown[i].String()) {
			k.faults = append(k.faults, "shown "+k.shown[i].String()+", kept "+got)
		}
		if bytes.HasSuffix(p, []byte("? ")) {
			_, _ = k.answers.WriteString("yes\n")
		}
	})
}

// read returns what the part of a stream has.
func (k *keeper) read(i int) string {
	o, err := k.store.Get(k.parts[i])
	if err != nil {
		return err.Error()
	}
	defer o.Close()
	text, _ := io.ReadAll(o)
	return string(text)
}

// Once a run has lasted long enough, all that is shown of it was written to the store
// before, masked, also a prompt; at its end small output is in the record alone, and large
// output is an object, as without that.
func TestOutputIsKeptWhileShown(t *testing.T) {
	t.Parallel()
	for name, limit := range map[string]int64{"small": 32 << 10, "large": 1} {
		t.Run(name, func(t *testing.T) {
			reader, writer, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer reader.Close()
			defer writer.Close()
			c := command(t, "exit")
			store, _, err := c.Store()
			if err != nil {
				t.Fatal(err)
			}
			k := &keeper{store: store, answers: writer}
			c.Argv = []string{"sh", "-c", `echo open sesame; echo warning >&2; for n in 1 2; do printf "$n? "; read x; echo "$x"; done; echo end >&2`}
			c.Redactor = redact.New(redact.Options{Values: []redact.Value{{Rule: "env:X", Secret: "open sesame"}}})
			c.Stdin = wrap.Stdin{Mode: wrap.StdinInherit, File: reader}
			c.Timeout, c.InlineLimit = time.Minute, limit
			c.LiveStdout, c.LiveStderr = k.stream(0), k.stream(1)
			c.LiveAfter = time.Nanosecond
			c.Kept = func(stream, dir, part string) {
				k.mu.Lock()
				defer k.mu.Unlock()
				if dir != store.Dir() || part == "" {
					k.faults = append(k.faults, "in "+dir+": "+part)
				}
				if stream == "stderr" {
					k.parts[1] = part
				} else {
					k.parts[0] = part
				}
			}
			res := run(t, c)
			want(t, res, envelope.Success, "", 0)
			if len(k.faults) > 0 || k.shown[0].String() != "***\n1? yes\n2? yes\n" || k.shown[1].String() != "warning\nend\n" {
				t.Errorf("%q, shown %q and %q", k.faults, k.shown[0].String(), k.shown[1].String())
			}
			parts, err := store.Parts()
			if err != nil || len(parts) > 1 { // one may be prepared
				t.Errorf("left: %v, %v", parts, err)
			}
			if stored := res.Stdout.Artifact != ""; stored != (limit == 1) || len(res.Warnings) > 0 {
				t.Errorf("stored: %v, %q", stored, res.Warnings)
			}
		})
	}
}

// A store that cannot keep the output of a run changes nothing about the run.
func TestOutputIsNotKept(t *testing.T) {
	t.Parallel()
	full, err := artifact.Open(artifact.Options{Dir: t.TempDir(), MaxSize: 1, NoMaintenance: true})
	if err != nil {
		t.Fatal(err)
	}
	defer full.Close()
	for name, open := range map[string]func() (*artifact.Store, string, error){
		"none": func() (*artifact.Store, string, error) { return nil, "", errors.New("no store") },
		"full": func() (*artifact.Store, string, error) { return full, "", nil },
	} {
		t.Run(name, func(t *testing.T) { runUnkept(t, open) })
	}
}

func runUnkept(t *testing.T, open func() (*artifact.Store, string, error)) {
	c := command(t, "exit")
	c.Argv = []string{"sh", "-c", "echo one; printf '1? '; read x; echo $x"}
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	defer writer.Close()
	store, _, err := c.Store()
	if err != nil {
		t.Fatal(err)
	}
	c.Stdin = wrap.Stdin{Mode: wrap.StdinInherit, File: reader}
	c.Store = open
	k := &keeper{store: store, answers: writer}
	c.LiveStdout, c.Timeout, c.LiveAfter = k.stream(0), time.Minute, time.Nanosecond
	kept := ""
	c.Kept = func(_, _, part string) { kept = part }
	res := run(t, c)
	want(t, res, envelope.Success, "", 0)
	if kept != "" || res.Stdout.Text != "one\n1? yes\n" || len(res.Warnings) > 0 {
		t.Errorf("kept %q, %q, %q", kept, res.Stdout.Text, res.Warnings)
	}
}

// A run that lasts says so, and opens no store if nothing is to be kept.
func TestLasting(t *testing.T) {
	t.Parallel()
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	c := shell(t, "read x; echo \"$x\"")
	c.Stdin = wrap.Stdin{Mode: wrap.StdinInherit, File: reader}
	c.Store = func() (*artifact.Store, string, error) {
		t.Error("the store was opened")
		return nil, "", errors.New("no store")
	}
	c.LiveAfter, c.Lasting = time.Nanosecond, func() {
		_, _ = writer.WriteString("end\n")
		_ = writer.Close()
	}
	if res := run(t, c); res.Stdout.Text != "end\n" {
		t.Errorf("printed %q", res.Stdout.Text)
	}
}
