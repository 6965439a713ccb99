package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/term"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/internal/app/remote"
	"github.com/envwrap/envwrap/internal/app/remoteconfig"
	"github.com/envwrap/envwrap/internal/shared/errtext"
)

// runRemote returns what envwrap asks of a remote: a verb, the settings, and what it is
// about.
func runRemote(ctx context.Context, args []string) error {
	if len(args) < 2 {
		return &usageError{"remote is for envwrap itself: `envwrap help remote` has the verbs"}
	}
	s, err := remoteconfig.Decode(args[1])
	if err != nil {
		return err
	}
	r, err := remote.Open(ctx, s, os.Getenv)
	if err != nil {
		return err
	}
	words := args[2:]
	switch verb := args[0]; {
	case verb == "push":
		return push(r, s, words)
	case verb == "pull":
		return pull(r, s, words)
	case verb == "check":
		return answerCheck(r.Check(), s.JSON)
	case verb == "get" && len(words) == 1:
		return r.Read(words[0], os.Stdout)
	case verb == "put" && len(words) == 1:
		return putStdin(r, words[0])
	}
	return &usageError{fmt.Sprintf("no verb %q of remote", args[0])}
}

func push(r *remote.Remote, s *remoteconfig.Settings, digests []string) error {
	stores, err := artifact.OpenReadAll(artifact.Options{NoMaintenance: true}, s.Stores...)
	if len(stores) == 0 && err != nil {
		return err
	}
	defer stores.Close()
	m := &remote.Meter{}
	return answerTransfers(s, "pushed", m, len(digests), func() []remote.Transfer { return r.Push(stores, digests, m) })
}

func pull(r *remote.Remote, s *remoteconfig.Settings, digests []string) error {
	m := &remote.Meter{}
	into, warning, err := artifact.OpenFirst(artifact.Options{Fetch: r.Metered(m), MaxSize: s.StoreMax}, s.Stores...)
	if err != nil {
		return err
	}
	defer into.Close()
	if warning != "" {
		fmt.Fprintln(os.Stderr, "envwrap: "+warning)
	}
	return answerTransfers(s, "pulled", m, len(digests), func() []remote.Transfer { return r.Pull(into, digests, m) })
}

// answerTransfers prints a line for each object that was moved.
func answerTransfers(s *remoteconfig.Settings, done string, m *remote.Meter, n int, move func() []remote.Transfer) error {
	stop := watch(s, done, m, n)
	all := move()
	stop()
	var failed error
	for _, t := range all {
		switch {
		case remote.IsUnreached(t.Err):
			failed = errUnreached
		case t.Err != nil && failed == nil:
			failed = errFound
		}
		switch {
		case s.JSON:
		case t.Err != nil:
			fmt.Fprintf(os.Stderr, "envwrap: %s: %s\n", t.Digest, errtext.Bound(t.Err.Error()))
		default:
			failed = errors.Join(failed, say("%s %12d %s\n", t.Digest, t.Size, t.State))
		}
	}
	if s.JSON {
		return errors.Join(json.NewEncoder(os.Stdout).Encode(map[string]any{"artifacts": all}), failed)
	}
	return failed
}

// watch draws a progress line, if stderr is a terminal, while objects move. The caller
// calls stop.
func watch(s *remoteconfig.Settings, done string, m *remote.Meter, n int) (stop func()) {
	if !s.Progress || !term.IsTerminal(int(os.Stderr.Fd())) {
		return func() {}
	}
	ticker, end, ended := time.NewTicker(200*time.Millisecond), make(chan struct{}), make(chan struct{})
	begun := time.Now()
	go func() {
		defer close(ended)
		for {
			select {
			case <-end:
				fmt.Fprint(os.Stderr, "\r\x1b[K")
				return
			case <-ticker.C:
				bytes := float64(m.Bytes.Load()) / 1e6
				fmt.Fprintf(os.Stderr, "\r\x1b[K%s %d of %d, %.1f MB, %.1f MB/s", done, m.Objects.Load(), n, bytes, bytes/time.Since(begun).Seconds())
			}
		}
	}()
	return func() {
		ticker.Stop()
		close(end)
		<-ended
	}
}

func answerCheck(findings []remote.Finding, asJSON bool) error {
	var failed error
	for _, f := range findings {
		word := "ok  "
		if !f.OK {
			word, failed = "FAIL", errFound
		}
		if !asJSON {
			failed = errors.Join(failed, say("%s %-10s %s\n", word, f.Name, f.Text))
		}
	}
	if asJSON {
		return errors.Join(json.NewEncoder(os.Stdout).Encode(map[string]any{"checks": findings}), failed)
	}
	return failed
}

// putStdin stores what it reads under a key.
func putStdin(r *remote.Remote, key string) error {
	text, err := io.ReadAll(io.LimitReader(os.Stdin, remoteconfig.EntryLimit+1))
	if err != nil {
		return err
	}
	if len(text) > remoteconfig.EntryLimit {
		return fmt.Errorf("put %s: it has more than %d bytes", key, remoteconfig.EntryLimit)
	}
	return r.Write(key, int64(len(text)), func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil })
}
