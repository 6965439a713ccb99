package artifact

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"

	"github.com/envwrap/envwrap/internal/tarball"
)

// exportIndex is the first entry of an exported archive: the index lines of
// the objects that follow.
const exportIndex = "index.jsonl"

// importIndexLimit is the most that Import reads of exportIndex, in bytes.
const importIndexLimit = 256 << 20

// importLineLimit is the most that a line of it may have, in bytes; longer
// ones count as damaged.
const importLineLimit = 64 << 10

// Export writes objects to w as a tar archive: their index lines, then every
// object as objects/ab/<hex>. Each is checked as it is read, and the first
// that is not sound ends the export with [ErrCorrupt].
func (a Stores) Export(w io.Writer, entries []Entry) error {
	t := tarball.NewWriter(w)
	if err := exportLines(t, entries); err != nil {
		return fmt.Errorf("export artifacts: %w", err)
	}
	for i := range entries {
		if err := a.exportOne(t, &entries[i]); err != nil {
			return fmt.Errorf("export artifacts: %w", err)
		}
	}
	if err := t.Close(); err != nil {
		return fmt.Errorf("export artifacts: %w", err)
	}
	return nil
}

func exportLines(t *tarball.Writer, entries []Entry) error {
	var lines []byte
	for i := range entries {
		lines = appendEntry(lines, &entries[i])
	}
	if err := t.WriteHeader(&tarball.Header{Name: exportIndex, Type: tarball.TypeFile, Mode: 0o600, Size: int64(len(lines))}); err != nil {
		return err
	}
	_, err := t.Write(lines)
	return err
}

func (a Stores) exportOne(t *tarball.Writer, e *Entry) error {
	o, err := a.Get(e.Digest)
	if err != nil {
		return err
	}
	defer o.Close()
	h := tarball.Header{Name: objectName(o.name), Type: tarball.TypeFile, Mode: 0o400, Size: o.size, Modified: o.modified}
	if err := t.WriteHeader(&h); err != nil {
		return err
	}
	_, err = io.Copy(t, o)
	return err
}

// An Import is what was taken from an archive.
type Import struct {
	Digest string
	Size   int64 // bytes
}

// Import stores the objects of an archive that Export wrote. Their names are
// proved: one whose bytes do not match is refused with [ErrCorrupt] and ends
// the import. What came before it stays. Other entries are passed over.
func (s *Store) Import(r io.Reader) ([]Import, error) {
	var done []Import
	known := map[string]Info{}
	t := tarball.NewReader(r)
	for {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return done, complete(known)
		}
		if err != nil {
			return done, fmt.Errorf("import artifacts: %w", err)
		}
		name := path.Base(h.Name)
		switch {
		case h.Type != tarball.TypeFile:
		case h.Name == exportIndex:
			err = importLines(t, known)
		case isObject(name) && h.Name == objectName(name):
			var one Import
			if one, err = s.importOne(t, name, known[name]); err == nil {
				done = append(done, one)
				delete(known, name)
			}
		}
		if err != nil {
			return done, fmt.Errorf("import %q: %w", h.Name, err)
		}
	}
}

// complete reports the objects that an archive's index names and that did not
// come: a connection that went away between two of them leaves no other sign.
func complete(missing map[string]Info) error {
	if len(missing) == 0 {
		return nil
	}
	return fmt.Errorf("import artifacts: the archive ends before %d that its index names: export them again", len(missing))
}

// importLines reads what is known of the objects that follow. Damaged lines
// are passed over.
func importLines(r io.Reader, known map[string]Info) error {
	b := bufio.NewReaderSize(io.LimitReader(r, importIndexLimit), importLineLimit)
	same := words{}
	for whole := true; ; {
		line, err := b.ReadSlice('\n')
		var e Entry
		if whole && parseEntry(bytes.TrimSuffix(line, newline), &e, same) {
			known[e.Digest[len(digestPrefix):]] = Info{Kind: e.Kind, Command: e.Command, Stream: e.Stream}
		}
		whole = err == nil
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil && !errors.Is(err, bufio.ErrBufferFull):
			return err
		}
	}
}

func (s *Store) importOne(r io.Reader, name string, i Info) (Import, error) {
	p, err := s.Create()
	if err != nil {
		return Import{}, err
	}
	defer p.Discard()
	if _, err := io.Copy(p, r); err != nil {
		return Import{}, err
	}
	p.want = name
	digest, err := p.Commit(i)
	return Import{digest, p.size}, err
}
