package cli

import (
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"github.com/envwrap/envwrap/internal/app/remoteconfig"
	"github.com/envwrap/envwrap/internal/shared/term"
)

// A shownFetcher draws a line on the terminal while an artifact is fetched: a server may take a
// minute to answer.
type shownFetcher struct {
	*remoteconfig.Companion
	env   *Env
	every time.Duration // between two drawings, and before the first one
}

const fetchLineEvery = 500 * time.Millisecond

// Fetch implements [artifact.Fetcher].
func (f *shownFetcher) Fetch(digest string, w io.Writer) error {
	line := term.NewStatusLine(f.env.Stderr, func() int { return term.Columns(f.env.Stderr, f.env.Lookup) })
	fetched := &countedWriter{w: w}
	done, err := make(chan struct{}), error(nil)
	go func() {
		defer close(done)
		err = f.Companion.Fetch(digest, fetched)
	}()
	ticker := time.NewTicker(f.every)
	defer ticker.Stop()
	for {
		select {
		case <-done:
			line.Erase()
			return err
		case <-ticker.C:
			line.Draw(fmt.Sprintf("fetching %s from %s: %s", digest, f.Settings.URL, term.Bytes(fetched.bytes.Load())))
		}
	}
}

// A countedWriter counts the bytes that went to w.
type countedWriter struct {
	w     io.Writer
	bytes atomic.Int64
}

func (c *countedWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.bytes.Add(int64(n))
	return n, err
}
