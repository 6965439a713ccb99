package remote

import (
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"

	"github.com/envwrap/envwrap/artifact"
)

// A Transfer is the result of transferring one object.
type Transfer struct {
	Digest string `json:"digest"`
	Size   int64  `json:"size_bytes"`
	State  string `json:"state"` // sent, fetched, present, failed
	Error  string `json:"error,omitempty"`
	Err    error  `json:"-"`
}

// A Meter counts what was transferred.
type Meter struct {
	Objects, Bytes atomic.Int64
}

// each does one thing with all digests, several at a time, and returns what became
// of each in their order.
func each(digests []string, m *Meter, do func(t *Transfer) error) []Transfer {
	all := make([]Transfer, len(digests))
	next := make(chan *Transfer)
	var workers sync.WaitGroup
	for range min(Transfers, len(digests)) {
		workers.Go(func() {
			for t := range next {
				if t.Err = do(t); t.Err != nil {
					t.State, t.Error = "failed", t.Err.Error()
				}
				m.Objects.Add(1)
			}
		})
	}
	for i, digest := range digests {
		all[i].Digest = digest
		next <- &all[i]
	}
	close(next)
	workers.Wait()
	return all
}

// Push sends objects of the stores that the remote does not have yet.
func (r *Remote) Push(from artifact.Stores, digests []string, m *Meter) []Transfer {
	return each(digests, m, func(t *Transfer) error {
		o, err := from.Get(t.Digest)
		if err != nil {
			return err
		}
		t.Size = o.Size()
		_ = o.Close()
		if there, err := r.Has(casKey(t.Digest), t.Size); err != nil || there {
			t.State = "present"
			return err
		}
		t.State = "sent"
		return r.Write(casKey(t.Digest), t.Size, func() (io.ReadCloser, error) {
			o, err := from.Get(t.Digest)
			if err != nil {
				return nil, err
			}
			return &metered{o, m}, nil
		})
	})
}

// Pull fetches objects into the store, whose Fetcher must be this remote.
func (r *Remote) Pull(into *artifact.Store, digests []string, m *Meter) []Transfer {
	return each(digests, m, func(t *Transfer) error {
		t.State = "fetched"
		if _, err := into.Resolve(t.Digest); err == nil {
			t.State = "present"
		}
		o, err := into.Get(t.Digest)
		switch {
		case errors.Is(err, artifact.ErrCorrupt):
			return fmt.Errorf("what the remote sent for it has another digest, and nothing of it was kept: %w", err)
		case err != nil:
			return err
		}
		t.Size = o.Size()
		return o.Close()
	})
}

// A metered reader counts what is read of an object.
type metered struct {
	io.ReadCloser
	m *Meter
}

func (r *metered) Read(b []byte) (int, error) {
	n, err := r.ReadCloser.Read(b)
	r.m.Bytes.Add(int64(n))
	return n, err
}

// Metered returns an [artifact.Fetcher] that counts in m what r fetches.
func (r *Remote) Metered(m *Meter) artifact.Fetcher { return fetcher{r, m} }

type fetcher struct {
	r *Remote
	m *Meter
}

func (f fetcher) Fetch(digest string, w io.Writer) error {
	return f.r.Fetch(digest, writer{w, f.m})
}

type writer struct {
	io.Writer
	m *Meter
}

func (w writer) Write(b []byte) (int, error) {
	n, err := w.Writer.Write(b)
	w.m.Bytes.Add(int64(n))
	return n, err
}
