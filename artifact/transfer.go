package artifact

import (
	"archive/tar"
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
)

// exportIndex is the first entry of an exported archive: the index lines of
// the objects that follow.
const exportIndex = "index.jsonl"

// importIndexLimit is how much of exportIndex Import reads, in bytes.
const importIndexLimit = 256 << 20

// importLineLimit is the most bytes of a line of exportIndex; longer lines count as
// damaged.
const importLineLimit = 64 << 10

// Export writes objects to w as a tar archive: their index lines, then every object as
// objects/ab/<hex>. The first object whose bytes do not match its digest ends the
// export with ErrCorrupt.
func (a Stores) Export(w io.Writer, entries []Entry) error {
	t := tar.NewWriter(w)
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

func exportLines(t *tar.Writer, entries []Entry) error {
	var lines []byte
	for i := range entries {
		lines = appendEntry(lines, &entries[i])
	}
	if err := t.WriteHeader(&tar.Header{Name: exportIndex, Typeflag: tar.TypeReg, Mode: 0o600, Size: int64(len(lines))}); err != nil {
		return err
	}
	_, err := t.Write(lines)
	return err
}

func (a Stores) exportOne(t *tar.Writer, e *Entry) error {
	o, err := a.Get(e.Digest)
	if err != nil {
		return err
	}
	defer o.Close()
	h := tar.Header{Name: objectName(o.name), Typeflag: tar.TypeReg, Mode: 0o400, Size: o.size, ModTime: o.modified}
	if err := t.WriteHeader(&h); err != nil {
		return err
	}
	_, err = io.Copy(t, o)
	return err
}

// An Import is one artifact that was read from an archive.
type Import struct {
	Digest string `json:"digest"`
	Size   int64  `json:"size_bytes"`
}

// Imported is the result of [Store.Import].
type Imported struct {
	Artifacts    []Import
	Foreign      int    // files and links whose names are not those of artifacts
	FirstForeign string // the name of the first of them
}

// errNoArtifacts is the error of an import that found nothing to store.
var errNoArtifacts = errors.New("there are no artifacts in it: it takes what artifact export wrote")

// Import stores the objects of an archive that Export wrote, or of one that was made
// from its unpacked files. An object whose bytes do not match its name ends the import
// with ErrCorrupt; those before it stay imported. An object that comes again is
// compared with its name and not stored again. Other entries are skipped and counted.
func (s *Store) Import(r io.Reader) (Imported, error) {
	i := importing{s: s, t: tar.NewReader(r), known: map[string]Info{}, came: map[string]bool{}}
	for entries := 0; ; entries++ {
		h, err := i.t.Next()
		if errors.Is(err, io.EOF) {
			return i.Imported, i.complete(entries)
		}
		if err != nil {
			return i.Imported, fmt.Errorf("import artifacts: %w", formatError(err))
		}
		if err := i.take(h); err != nil {
			return i.Imported, fmt.Errorf("import %q: %w", h.Name, formatError(err))
		}
	}
}

// errFormat is the error of bytes that are no archive.
var errFormat = errors.New("not a tar archive, or a damaged one")

// formatError explains why an archive ends too early or lacks a header.
func formatError(err error) error {
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%w: it is cut short, or packed (gzip -d, zstd -d)", errFormat)
	case errors.Is(err, tar.ErrHeader):
		return errFormat
	}
	return err
}

// importing is an import on its way.
type importing struct {
	Imported
	s     *Store
	t     *tar.Reader
	known map[string]Info // by name: what the index said of those that did not come yet
	came  map[string]bool
}

// take stores an entry of the archive, or skips it.
func (i *importing) take(h *tar.Header) error {
	entry := strings.TrimPrefix(h.Name, "./")
	name := path.Base(entry)
	switch {
	case h.Typeflag == tar.TypeDir:
		return nil
	case h.Typeflag == tar.TypeReg && entry == exportIndex:
		return importLines(i.t, func(name string, info Info) {
			if !i.came[name] {
				i.known[name] = info
			}
		})
	case h.Typeflag == tar.TypeReg && isObject(name) && entry == objectName(name):
		if i.came[name] {
			return i.again(name)
		}
		one, err := i.one(name)
		if err != nil {
			return err
		}
		i.Artifacts = append(i.Artifacts, one)
		i.came[name] = true
		delete(i.known, name)
		return nil
	}
	if i.Foreign++; i.Foreign == 1 {
		i.FirstForeign = h.Name
	}
	return nil
}

// complete returns an error for an archive without objects, and for one that lacks
// objects of its index: a connection that broke between two of them, or before the first
// byte, leaves no other sign.
func (i *importing) complete(entries int) error {
	switch {
	case len(i.known) > 0:
		return fmt.Errorf("import artifacts: the archive ends before %d that its index names: export them again", len(i.known))
	case entries == 0 || i.Foreign > 0 && len(i.Artifacts) == 0:
		return fmt.Errorf("import artifacts: %w", errNoArtifacts)
	}
	return nil
}

// importLines adds to known what an index says of objects. Damaged lines are
// passed over.
func importLines(r io.Reader, known func(name string, i Info)) error {
	b := bufio.NewReaderSize(io.LimitReader(r, importIndexLimit), importLineLimit)
	same := interner{}
	for whole := true; ; {
		line, err := b.ReadSlice('\n')
		var e Entry
		if whole && parseEntry(bytes.TrimSuffix(line, newline), &e, same) {
			known(e.Digest[len(digestPrefix):], Info{Kind: e.Kind, Command: e.Command, Stream: e.Stream})
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

// again checks the bytes of an object that was imported from this archive already, and
// stores nothing.
func (i *importing) again(name string) error {
	h := sha256.New()
	if _, err := io.Copy(h, i.t); err != nil {
		return err
	}
	if hex.EncodeToString(h.Sum(nil)) != name {
		return ErrCorrupt
	}
	return nil
}

// one stores an object.
func (i *importing) one(name string) (Import, error) {
	p, err := i.s.Create()
	if err != nil {
		return Import{}, err
	}
	defer p.Discard()
	if _, err := io.Copy(p, i.t); err != nil {
		return Import{}, err
	}
	p.want = name
	digest, err := p.Commit(i.known[name])
	return Import{digest, p.size}, err
}
