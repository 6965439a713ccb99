package artifactcmd

import (
	"context"
	"errors"
	"io"
	"os"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/redactcmd"
	"github.com/envwrap/envwrap/internal/app/runlog"
	"github.com/envwrap/envwrap/redact"
)

// artifactLateVerb returns the verb that a run starts once its answer is out: it passes on
// what the command still prints to a stream, and keeps it for "envwrap last".
func artifactLateVerb(*cli.Env) *cli.Verb {
	l := &lateOutput{}
	o := &redactcmd.Redaction{}
	return &cli.Verb{
		Name:    "late",
		Args:    "RUN STREAM",
		Summary: "copy what a command prints after its answer (for envwrap's own use)",
		Has:     cli.HasStore,
		Options: []*cli.Option{
			cli.StoreMaxOption(&l.storeMost, ""),
			{Name: "most", Value: "SIZE", NoEnv: true, Help: "bytes that are stored", Set: cli.Into(&l.most, cli.Size)},
			o.SecretOption(""),
			o.SecretFileOption(""),
			redactcmd.RedactConfigOption("", &o.Rules),
		},
		Run: func(_ context.Context, c *cli.Call) error {
			words := c.Operands()
			if words[1] != "stdout" && words[1] != "stderr" {
				return cli.Usagef("only envwrap itself calls it")
			}
			l.call, l.run, l.stream = c, words[0], words[1]
			masker, err := redactcmd.Redactor(c.Env, o, redact.All)
			if err != nil {
				return err
			}
			defer l.end()
			masked := masker.Writer(io.MultiWriter(l, c.Stdout)) // first the store: the client may be gone
			_, err = io.Copy(masked, c.Stdin)
			return errors.Join(err, masked.Close())
		},
	}
}

// A lateOutput is output of a command to one stream that comes after the answer of its run. It
// is a part of the store from its first byte on, which the record of the run names, so that
// a kill of this process loses nothing.
type lateOutput struct {
	call            *cli.Call
	run, stream     string
	most, storeMost int64

	store   *artifact.Store
	pending *artifact.Pending
	size    int64
	err     error // the store takes no more
}

// Write stores p. It does not fail if the store does.
func (l *lateOutput) Write(p []byte) (int, error) {
	if l.err == nil && l.pending == nil {
		l.err = l.begin()
	}
	room := int64(len(p))
	if l.most > 0 {
		room = min(room, l.most-l.size)
	}
	if l.err == nil && room > 0 {
		_, l.err = l.pending.Write(p[:room])
		l.size += room
	}
	return len(p), nil
}

// begin makes the part of the store and adds it to the record.
func (l *lateOutput) begin() (err error) {
	c := l.call
	if l.store, _, err = c.OpenFirst(artifact.Options{Now: c.Now, MaxSize: l.storeMost}, c.Store()); err != nil {
		return err
	}
	if l.pending, err = l.store.Create(); err != nil {
		return err
	}
	part, err := l.pending.Live()
	if err != nil {
		return err
	}
	line := &runlog.Run{Kind: runlog.OutputLate, ID: l.run, Time: c.Now(), PID: os.Getpid(), Parts: &runlog.Parts{}}
	switch l.stream {
	case "stdout":
		line.Parts.Stdout = part
	default:
		line.Parts.Stderr = part
	}
	c.AddRecord(l.store.Dir(), c.Store(), line, c.Applied.Record)
	return nil
}

// end makes an artifact of the part.
func (l *lateOutput) end() {
	if l.pending != nil {
		if l.err == nil {
			_, _ = l.pending.Commit(artifact.Info{Kind: "text/plain", Stream: l.stream})
		}
		l.pending.Discard()
	}
	if l.store != nil {
		_ = l.store.Close()
	}
}
