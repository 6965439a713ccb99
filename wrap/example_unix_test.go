//go:build unix

package wrap_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/redact"
	"github.com/envwrap/envwrap/wrap"
)

// Run a command under a time limit, and branch on what became of it.
func ExampleRun() {
	secrets := redact.New(redact.Options{
		Values: []redact.Value{{Rule: "deploy-key", Secret: "correct-horse-battery"}},
	})
	result, err := wrap.Run(context.Background(), &wrap.Command{
		Process: wrap.Process{Argv: []string{"sh", "-c", "echo using correct-horse-battery; exit 75"}, Env: os.Environ()},
		Capture: wrap.Capture{Redactor: secrets},
		Limits:  wrap.Limits{Timeout: time.Minute},
	})
	if err != nil { // envwrap's own failure: nothing ran
		fmt.Println(err)
		return
	}
	fmt.Println(result.Outcome.Kind, result.Outcome.Code, result.ExitStatus)
	fmt.Println(result.Stdout.Bytes, result.Stdout.Text)
	// Output:
	// failure ERUNTIME 75
	// 10 using ***
}

// Keep large output in a store, and read it back.
func ExampleCommand_store() {
	dir, err := os.MkdirTemp("", "example-")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	store, warning, err := artifact.OpenFirst(artifact.Options{}, dir, artifact.FallbackDir(os.TempDir()))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer store.Close()

	result, err := wrap.Run(context.Background(), &wrap.Command{
		Process: wrap.Process{
			Argv: []string{"sh", "-c", "i=0; while [ $i -lt 20000 ]; do echo line; i=$((i+1)); done"},
			Env:  os.Environ(),
		},
		Capture: wrap.Capture{
			Redactor: redact.New(redact.Options{}),
			Store:    func() (*artifact.Store, string, error) { return store, warning, nil },
		},
		Limits: wrap.Limits{InlineLimit: 32 << 10, Excerpt: 4 << 10},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	object, err := store.Get(result.Stdout.Artifact)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer object.Close()
	n, err := io.Copy(io.Discard, object) // it ends with ErrCorrupt where bytes do not match the digest
	fmt.Println(n, err, len(result.Stdout.Excerpt.Text) <= 4<<10)
	// Output: 100000 <nil> true
}

// Print a run as the envelope that a helper's readers know.
func ExampleRun_envelope() {
	result, err := wrap.Run(context.Background(), &wrap.Command{
		Process: wrap.Process{Argv: []string{"no-such-helper"}, Env: os.Environ()},
		Capture: wrap.Capture{Redactor: redact.New(redact.Options{})},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	helper, _ := envelope.Lookup("helper/v1")
	doc, err := envelope.Encode(helper, result, envelope.EncodeOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	read, err := envelope.Decode(helper, doc)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(read.Outcome.Kind, read.Outcome.Code)
	// Output: not-started ENOTFOUND
}
