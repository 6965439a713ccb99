// Package remote moves artifacts between stores of this machine and a remote: an
// S3 bucket, or an HTTP server in the layout of Bazel's HTTP cache, cas/<sha256>
// and ac/<key>. It links net, and so belongs to the companion program.
//
// A remote is not trusted: the caller has to compare what it sends with its digest, the
// size of an answer is limited, and redirects to another server are not followed.
package remote

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/internal/app/remoteconfig"
)

// A backend is one kind of remote. Keys are cas/<hex> and ac/<hex>. Every call is
// one attempt; errors are [*Error] where the remote's answer is known.
type backend interface {
	// size returns the length of an object in bytes.
	size(ctx context.Context, key string) (int64, error)
	// describe returns findings about the settings, for [Remote.Check].
	describe() []Finding
	// get copies an object from an offset on to w, at most limit bytes in all.
	get(ctx context.Context, key string, offset, limit int64, w io.Writer) error
	// put stores size bytes. The object becomes visible only when it is whole.
	put(ctx context.Context, key string, size int64, open func() (io.ReadCloser, error)) error
}

// A Remote is a bucket or server that stores artifacts. It is safe for concurrent use.
type Remote struct {
	ctx      context.Context
	b        backend
	clock    *clock
	limit    int64
	patience time.Duration
	answer   time.Duration // Settings.Answer
	verify   bool          // Settings.Verify
	corrupt  remoteconfig.Corrupt
	wait     func(ctx context.Context, d time.Duration) error

	moved atomic.Int64          // when something last succeeded, in ns since 1970
	gone  atomic.Pointer[Error] // why it is asked nothing more; nil while it answers
}

// Open returns the remote with the given settings, without connecting to it. lookup
// returns variables of the environment.
func Open(ctx context.Context, s *remoteconfig.Settings, lookup func(name string) string) (*Remote, error) {
	u, err := url.Parse(s.URL)
	if err != nil {
		return nil, err
	}
	r := &Remote{ctx: ctx, limit: s.Limit, patience: s.Patience, wait: sleep}
	if r.limit <= 0 {
		r.limit = remoteconfig.DefaultLimit
	}
	if r.patience <= 0 {
		r.patience = remoteconfig.DefaultPatience
	}
	r.answer, r.verify = s.Answer, s.Verify
	if r.corrupt.URL = s.URL; len(s.Stores) > 0 {
		r.corrupt.Dir = s.Stores[0]
	}
	trusted, err := authorities(s.CAFile)
	if err != nil {
		return nil, err
	}
	r.clock = &clock{base: newTransport(min(stallTimeout, r.patience), s.Answer, trusted), answer: s.Answer}
	if u.Scheme == "s3" {
		r.b, err = newS3(u, s, lookup, r.clock)
	} else {
		r.b, err = newHTTP(u, s, lookup, r.clock)
	}
	return r, err
}

func casKey(digest string) string { return "cas/" + digest[len("sha256:"):] }

var _ artifact.Fetcher = (*Remote)(nil)

// Fetch implements [artifact.Fetcher].
func (r *Remote) Fetch(digest string, w io.Writer) error {
	return r.Read(casKey(digest), w)
}

// NoteCorrupt implements [artifact.CorruptNoter].
func (r *Remote) NoteCorrupt(digest string) { r.corrupt.Note(digest) }

// Read copies the object of a key to w, and resumes a broken transfer. The bytes
// are not checked.
func (r *Remote) Read(key string, w io.Writer) error { return r.read(key, r.limit, w) }

func (r *Remote) read(key string, limit int64, w io.Writer) error {
	c := &counter{w: w}
	return r.retry("get "+key, func() error {
		return r.b.get(r.ctx, key, c.n, limit, c)
	}, func() int64 { return c.n }, func() bool { return c.failed })
}

// A counter counts what was written, and remembers that w failed: that is not the
// remote's failure, and not retried.
type counter struct {
	w      io.Writer
	n      int64
	failed bool
}

func (c *counter) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.n += int64(n)
	c.failed = c.failed || err != nil
	return n, err
}

// Has reports whether the remote has an object of this key and size.
func (r *Remote) Has(key string, size int64) (bool, error) {
	var found int64
	err := r.retry("look for "+key, func() (err error) {
		found, err = r.b.size(r.ctx, key)
		return err
	}, nil, nil)
	if errors.Is(err, artifact.ErrNotFound) {
		return false, nil
	}
	return err == nil && found == size, err
}

// Write stores size bytes under a key. open is called for each attempt and returns the
// bytes from the beginning; its reader must fail if they are corrupt.
func (r *Remote) Write(key string, size int64, open func() (io.ReadCloser, error)) error {
	var local error
	return r.retry("put "+key, func() error {
		return r.b.put(r.ctx, key, size, func() (io.ReadCloser, error) {
			f, err := open()
			if err != nil {
				local = err
				return nil, err
			}
			return &heldBackReader{r: f, left: size, failed: &local}, nil
		})
	}, nil, func() bool { return local != nil })
}

// A heldBackReader keeps the last bytes back until its source has reported the object
// as complete and undamaged, so that no remote gets all of an object that is corrupt here. A
// transport may read on after its request is over: once closed, it reads nothing.
type heldBackReader struct {
	mu     sync.Mutex
	r      io.ReadCloser
	left   int64 // bytes
	failed *error
	closed bool
}

func (h *heldBackReader) Read(b []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.closed:
		return 0, os.ErrClosed
	case h.left == 0:
		return 0, io.EOF
	}
	n, err := h.r.Read(b[:min(int64(len(b)), h.left)])
	h.left -= int64(n)
	if h.left == 0 && err == nil {
		if _, err = h.r.Read(make([]byte, 1)); err == nil {
			err = errors.New("the object grew while it was read")
		}
	}
	switch {
	case err == nil || errors.Is(err, io.EOF) && h.left == 0:
		return n, err
	case errors.Is(err, io.EOF):
		err = io.ErrUnexpectedEOF
	}
	*h.failed = err
	return 0, err
}

func (h *heldBackReader) Close() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return nil
	}
	h.closed = true
	return h.r.Close()
}

// Backoff.
const (
	firstDelay = 200 * time.Millisecond
	mostDelay  = 10 * time.Second
	// mostFailures is how many attempts in a row may bring nothing.
	mostFailures = 12
)

// retry makes attempts until one succeeds, one fails for good, or patience ends.
// An attempt that brought bytes begins the count anew. Where patience ends and nothing
// else has succeeded in that time, the remote is gone, and no more is asked of it: a
// thousand transfers do not wait one after the other. Where answers have a limit, it then
// counts as one that could not be reached.
func (r *Remote) retry(what string, do func() error, progress func() int64, local func() bool) error {
	begun, delay, failures, before := time.Now(), firstDelay, 0, int64(0)
	for {
		if gone := r.gone.Load(); gone != nil {
			return fmt.Errorf("%s: %w (not tried: nothing else was answered)", what, gone)
		}
		err := do()
		if err == nil {
			r.moved.Store(time.Now().UnixNano())
			return nil
		}
		if r.ctx.Err() != nil {
			return errors.Join(err, r.ctx.Err())
		}
		if local != nil && local() {
			return err
		}
		e := &Error{Text: err.Error(), Temporary: true}
		if errors.As(err, &e) && !e.Temporary {
			return fmt.Errorf("%s: %w", what, err)
		}
		if e.Unreached && r.answer > 0 {
			r.gone.Store(e)
			return fmt.Errorf("%s: %w", what, err)
		}
		if progress != nil && progress() > before {
			before, delay, failures, begun = progress(), firstDelay, 0, time.Now()
			r.moved.Store(begun.UnixNano())
		}
		pause := cmp.Or(e.After, delay)
		failures++
		if failures >= cmp.Or(e.Attempts, mostFailures) || time.Since(begun)+pause > r.patience {
			if e.Attempts == 0 && r.moved.Load() < begun.UnixNano() {
				e.Unreached = r.answer > 0
				r.gone.Store(e)
			}
			return fmt.Errorf("%s: %w (tried %d times)", what, err, failures)
		}
		if err := r.wait(r.ctx, pause); err != nil {
			return err
		}
		delay = min(2*delay, mostDelay)
	}
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
