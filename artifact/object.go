package artifact

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"path"
	"time"

	"github.com/envwrap/envwrap/artifact/internal/filesys"
	"github.com/envwrap/envwrap/artifact/internal/packed"
	"github.com/envwrap/envwrap/artifact/internal/stream"
)

// An Object is an object open for reading. Read hashes what it reads, and returns
// ErrCorrupt instead of io.EOF if the bytes do not match the digest: what was read must
// then not be trusted. ReadAt does not check, and is the only method that is safe for
// concurrent use.
type Object struct {
	all  *objects // of its store
	f    objectReader
	name string
	part string // name of a part, whose bytes have no digest yet; "" for an object
	size int64  // of the plain bytes
	hash hash.Hash

	ahead    *stream.Reader // reads and hashes; nil where Read does so itself
	file     string         // inside its shard; a packed one has a suffix
	modified time.Time      // last stored
	keep     bool           // do not quarantine it
	end      error          // what Read returns from now on
}

// aheadFrom is the size in bytes above which an object is read and hashed in a goroutine
// of its own.
const aheadFrom = 1 << 20

// objectReader reads the plain bytes of an object: from its file, or unpacked.
type objectReader interface {
	io.Reader
	io.ReaderAt
	io.Closer
}

// open opens an object's plain file, else the packed one. Pack makes the packed file
// before it removes the plain one.
func (obs *objects) open(name string) (o *Object, err error) {
	for _, suffix := range suffixes {
		if o, err = obs.openFile(name + suffix); !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	return o, err
}

// openFile opens one of an object's files.
func (obs *objects) openFile(base string) (*Object, error) {
	return obs.openAt(obs.fs, objectName(base))
}

// openAt opens one of an object's files by its name below a directory.
func (obs *objects) openAt(dir filesys.FS, name string) (*Object, error) {
	base := path.Base(name)
	f, err := filesys.OpenRegular(dir, name)
	if err != nil {
		return nil, err
	}
	fi, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, err
	}
	o := &Object{
		all: obs, f: f, name: base[:hexLen], file: base,
		size: fi.Size(), modified: fi.ModTime(), hash: sha256.New(),
	}
	if base == o.name {
		return o, nil
	}
	p, err := packed.NewReader(f, fi.Size(), errPacked)
	if err != nil {
		f.Close()
		return nil, err
	}
	o.f, o.size = p, p.Size()
	return o, nil
}

// errPacked means that a packed object's frames are not what they should be.
var errPacked error = packedError{}

type packedError struct{}

func (packedError) Error() string { return "the packed file is damaged" }

// Unwrap says that the object is corrupt.
func (packedError) Unwrap() error { return ErrCorrupt }

// Digest returns the object's name, sha256:<hex>; of a part the part's name.
func (o *Object) Digest() string {
	if o.part != "" {
		return o.part
	}
	return digestPrefix + o.name
}

// Size returns the object's length in bytes.
func (o *Object) Size() int64 { return o.size }

func (o *Object) Read(b []byte) (int, error) {
	if o.end != nil {
		return 0, o.end
	}
	if o.ahead == nil && o.size > aheadFrom {
		o.ahead = stream.NewReader(o.f, o.hash)
	}
	var n int
	var err error
	if o.ahead != nil {
		n, err = o.ahead.Read(b)
	} else {
		n, err = o.f.Read(b)
		o.hash.Write(b[:n])
	}
	if err != nil {
		o.end = o.finish(err)
	}
	return n, o.end
}

// ReadAt implements io.ReaderAt. It does not check the digest.
func (o *Object) ReadAt(b []byte, off int64) (int, error) { return o.f.ReadAt(b, off) }

// Close releases the object.
func (o *Object) Close() error {
	if o.ahead != nil {
		o.ahead.Close()
		o.ahead = nil
	}
	if o.end == nil {
		o.end = fs.ErrClosed
	}
	return o.f.Close()
}

// finish compares the hash at the end, and moves a corrupt object to quarantine.
func (o *Object) finish(err error) error {
	if !errors.Is(err, io.EOF) && !errors.Is(err, ErrCorrupt) {
		return fmt.Errorf("read artifact %q: %w", o.Digest(), err)
	}
	if errors.Is(err, io.EOF) && o.part != "" {
		return io.EOF
	}
	if errors.Is(err, io.EOF) && hex.EncodeToString(o.hash.Sum(nil)) == o.name {
		return io.EOF
	}
	if o.all.fs.ReadOnly == nil && !o.keep {
		_ = o.all.quarantine(o.file)
	}
	return fmt.Errorf("read artifact %q: %w", o.Digest(), ErrCorrupt)
}

// entry makes an entry from the object itself.
func (obs *objects) entry(name string) (Entry, error) {
	o, err := obs.open(name)
	if err != nil {
		return Entry{}, err
	}
	defer o.Close()
	return Entry{Digest: digestPrefix + name, Size: o.size, Time: o.modified.UTC()}, nil
}
