package artifact

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/envwrap/envwrap/artifact/internal/filesys"
	"github.com/envwrap/envwrap/artifact/internal/partial"
)

// followPoll is how often Follow looks for more.
const followPoll = 100 * time.Millisecond

// ErrAbandoned means that the writer of a part died before it was done.
var ErrAbandoned = errors.New("its writer died; artifact recover makes an artifact of what there is")

// Follow copies a part file to w while it is written, from the offset that begin returns.
// It returns when the writer is done or ctx is. The error is ErrNotFound if the part does
// not exist, and ErrAbandoned if the writer died and all its bytes were copied.
func (s *Store) Follow(ctx context.Context, name string, begin func(*Object) (int64, error), w io.Writer) error {
	o, off, err := s.openPart(name, begin)
	if err != nil {
		return err
	}
	defer o.Close()
	for {
		over, why := s.partEnded(o, name) // asked first, so that the last bytes are read
		n, err := io.Copy(w, io.NewSectionReader(o, off, 1<<62))
		off += n
		if err != nil {
			return fmt.Errorf("follow %q: %w", name, err)
		}
		if why != nil {
			return fmt.Errorf("follow %q: %w", name, why)
		}
		if over {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(followPoll):
		}
	}
}

// Peek copies the present content of a part file to w, from the offset that begin
// returns. The error is ErrNotFound if the part does not exist.
func (s *Store) Peek(name string, begin func(*Object) (int64, error), w io.Writer) error {
	o, off, err := s.openPart(name, begin)
	if err != nil {
		return err
	}
	defer o.Close()
	if _, err := io.Copy(w, io.NewSectionReader(o, off, o.size-off)); err != nil {
		return fmt.Errorf("read part %q: %w", name, err)
	}
	return nil
}

// openPart opens a part file, and returns the offset at which begin wants it to be read.
func (s *Store) openPart(name string, begin func(*Object) (int64, error)) (*Object, int64, error) {
	f, err := s.openPartFile(name)
	if err != nil {
		return nil, 0, err
	}
	fi, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, 0, fmt.Errorf("follow %q: %w", name, err)
	}
	o := &Object{all: s.objects, f: f, size: fi.Size(), modified: fi.ModTime(), end: io.EOF}
	off, err := begin(o)
	if err != nil {
		o.Close()
	}
	return o, off, err
}

// partEnded reports whether the writer of a part is done. The error is [ErrAbandoned] if
// it died before.
func (s *Store) partEnded(o *Object, name string) (bool, error) {
	if !s.fs.Same(o.f.(filesys.File), partDir+"/"+name) {
		return true, nil // committed or discarded
	}
	if f, err := s.parts.Claim(name); err == nil {
		f.Close()
		return true, ErrAbandoned
	}
	return false, nil
}

// OfPart returns the digest, sha256:<hex>, of the object that was made of a part file.
// The error is [ErrNotFound] if the index has none.
func (a Stores) OfPart(name string) (string, error) {
	run, number := partial.Split(name)
	digest := ""
	for _, s := range a {
		err := s.index.eachLine(func(_ string, e *Entry) {
			if number != "" && e.Run == run && e.Part == number {
				digest = e.Digest
			}
		}, nil)
		if err := s.fs.IgnoreForeign(indexDir, err); err != nil {
			return "", err
		}
	}
	if digest == "" {
		return "", fmt.Errorf("%q: it is no part that is being written, and none that was: %w", name, ErrNotFound)
	}
	return digest, nil
}
