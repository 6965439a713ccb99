package remote

import (
	"crypto/sha256"
	"encoding/hex"
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
	State  string `json:"state"` // sent, replaced, fetched, present, failed
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

// Push sends objects of the stores that the remote does not have yet. It replaces those that
// had other bytes when they were last fetched; with verify, it reads all that are there.
func (r *Remote) Push(from artifact.Stores, digests []string, m *Meter) []Transfer {
	return each(digests, m, func(t *Transfer) error {
		o, err := from.Get(t.Digest)
		if err != nil {
			return err
		}
		t.Size = o.Size()
		_ = o.Close()
		there, err := r.Has(casKey(t.Digest), t.Size)
		if err != nil {
			return err
		}
		if !there {
			t.State = "sent"
			return r.send(from, t, m)
		}
		t.State = "present"
		if !r.verify && !r.corrupt.Has(t.Digest) {
			return nil
		}
		sound, err := r.sound(t)
		if err != nil || sound {
			return err
		}
		t.State = "replaced"
		return r.replace(from, t, m)
	})
}

// send stores an object of the stores at the remote.
func (r *Remote) send(from artifact.Stores, t *Transfer, m *Meter) error {
	return r.Write(casKey(t.Digest), t.Size, func() (io.ReadCloser, error) {
		o, err := from.Get(t.Digest)
		if err != nil {
			return nil, err
		}
		return &metered{o, m}, nil
	})
}

// replace sends an object that is corrupt at the remote, and reads it once more: a server
// may ignore what it believes it has.
func (r *Remote) replace(from artifact.Stores, t *Transfer, m *Meter) error {
	if err := r.send(from, t, m); err != nil {
		return err
	}
	sound, err := r.sound(t)
	if err != nil {
		return err
	}
	if !sound {
		return &Error{Code: "EPOLICY", Text: "the remote has other bytes for " + casKey(t.Digest) + ", and keeps them: remove that object on the server, and push again"}
	}
	return nil
}

// sound reports whether the remote's bytes of an object match its digest, and remembers it.
func (r *Remote) sound(t *Transfer) (bool, error) {
	h := sha256.New()
	if err := r.read(casKey(t.Digest), t.Size, h); err != nil {
		return false, err
	}
	if casKey(t.Digest) != "cas/"+hex.EncodeToString(h.Sum(nil)) {
		r.corrupt.Note(t.Digest)
		return false, nil
	}
	r.corrupt.Forget(t.Digest)
	return true, nil
}

// Pull fetches objects into the store, whose Fetcher must be this remote, and replaces
// those that are corrupt there.
func (r *Remote) Pull(into *artifact.Store, digests []string, m *Meter) []Transfer {
	return each(digests, m, func(t *Transfer) error {
		t.State = "fetched"
		if _, err := into.Resolve(t.Digest); err == nil {
			t.State = "present"
			if err = readThrough(into, t); !errors.Is(err, artifact.ErrCorrupt) {
				return err
			}
			t.State = "replaced" // the store has put the corrupt one aside
		}
		err := readThrough(into, t)
		if errors.Is(err, artifact.ErrCorrupt) {
			err = fmt.Errorf("what the remote sent for it has another digest, and nothing of it was kept; the next push of it replaces that: %w", err)
		}
		return err
	})
}

// readThrough gets an object and checks its bytes.
func readThrough(s *artifact.Store, t *Transfer) error {
	o, err := s.Get(t.Digest)
	if err != nil {
		return err
	}
	defer o.Close()
	t.Size = o.Size()
	_, err = io.Copy(io.Discard, o)
	return err
}

// A metered reader counts the bytes that are read of an object.
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

func (f fetcher) NoteCorrupt(digest string) { f.r.NoteCorrupt(digest) }

type writer struct {
	io.Writer
	m *Meter
}

func (w writer) Write(b []byte) (int, error) {
	n, err := w.Writer.Write(b)
	w.m.Bytes.Add(int64(n))
	return n, err
}
