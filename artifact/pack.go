package artifact

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/envwrap/envwrap/artifact/internal/filesys"
	"github.com/envwrap/envwrap/artifact/internal/packed"
	"github.com/envwrap/envwrap/artifact/internal/partial"
)

// The arguments of [Store.Pack] when envwrap packs by itself: bytes and age.
const (
	DefaultPackSize = 1 << 20
	DefaultPackAge  = 24 * time.Hour
)

// packGain is how much of an object's size packing has to save, in percent,
// judged by its first frames.
const packGain = 10

// A Packing counts the objects and bytes that [Store.Pack] packed.
type Packing struct {
	Objects int   // packed
	Before  int64 // their bytes on disk before
	After   int64 // their bytes on disk now
	Busy    int   // in a directory that another process had locked
}

// Pack compresses the objects that have at least size bytes and were last stored longer
// than age ago. Readers see no difference, and reading a range stays cheap. Pack skips
// objects that compression would not make smaller, and does nothing on a file system
// without locks.
func (s *Store) Pack(size int64, age time.Duration) (*Packing, error) {
	p := &packer{s: s}
	if s.fs.ReadOnly != nil || !s.fs.Locks {
		return &p.Packing, s.fs.ReadOnly
	}
	err := s.objects.eachShard(func(shard string) error {
		files, err := s.fs.ReadDir(shard)
		if err != nil {
			return err
		}
		for _, fi := range files {
			old := s.now().Sub(fi.ModTime()) > age
			if !isObject(fi.Name()) || !fi.Mode().IsRegular() || fi.Size() < max(1, size) || !old {
				continue
			}
			if err := p.packOne(fi.Name()); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return &p.Packing, fmt.Errorf("pack artifacts in %q: %w", s.dir, err)
	}
	return &p.Packing, nil
}

// A packer packs objects of a store and counts them.
type packer struct {
	Packing
	s *Store
}

// packOne packs an object beside its plain file and removes that. It skips an object that
// is corrupt, removed, or no smaller when packed.
func (p *packer) packOne(name string) error {
	o, err := p.s.objects.openFile(name)
	if err != nil {
		return filesys.IgnoreNotExist(err)
	}
	defer o.Close()
	out, err := p.s.parts.Create(partial.Packing)
	if err != nil {
		return err
	}
	defer out.Drop()
	size, err := p.s.objects.packInto(out, o)
	if err == nil {
		err = p.s.objects.exchange(out, name, o.modified)
	}
	switch {
	case errors.Is(err, errNoGain), errors.Is(err, ErrCorrupt):
		return nil
	case errors.Is(err, filesys.ErrBusy):
		p.Busy++
		return nil
	case err == nil:
		p.Objects++
		p.Before += o.size
		p.After += size
	}
	return err
}

// packInto packs an object into a part file, proves the result, and returns
// its size.
func (obs *objects) packInto(out *partial.File, o *Object) (int64, error) {
	size, err := writePacked(out, o)
	if err == nil {
		err = obs.fs.SyncFile(out)
	}
	if err == nil {
		err = provePacked(out, size, o.name)
	}
	return size, err
}

// errNoGain means that an object is not worth packing.
var errNoGain = errors.New("it does not become smaller")

// writePacked packs r, whose end proves its digest, and returns the size of the packed
// file.
func writePacked(w io.Writer, o *Object) (int64, error) {
	z := packed.NewWriter(w)
	b := make([]byte, packed.FrameSize)
	for read := int64(0); ; {
		n, err := io.ReadFull(o, b)
		end := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
		if err != nil && !end {
			return 0, err
		}
		if n > 0 {
			if err := z.Frame(b[:n]); err != nil {
				return 0, err
			}
		}
		read += int64(n)
		if read <= 4*packed.FrameSize && z.Written()*100 > read*(100-packGain) {
			return 0, errNoGain
		}
		if end {
			break
		}
	}
	if !errors.Is(o.end, io.EOF) {
		return 0, o.end
	}
	err := z.Finish()
	return z.Written(), err
}

// provePacked unpacks what was written and compares the digest.
func provePacked(f filesys.File, size int64, name string) error {
	r, err := packed.NewReader(f, size, errPacked)
	if err != nil {
		return err
	}
	sum, err := digestOf(r)
	if err == nil && sum != name {
		err = ErrCorrupt
	}
	return err
}

// exchange replaces the plain file by a packed one with the same time, also if a writer
// renewed the object at the last moment: it moves the plain file to run/ first, as evict
// does.
func (obs *objects) exchange(out *partial.File, name string, modified time.Time) error {
	d, err := obs.fs.OpenDir(shardDir(name))
	if err != nil {
		return err
	}
	defer d.Close()
	if err := obs.fs.TryLock(d); err != nil {
		return err
	}
	file := objectName(name) + packedSuffix
	if err := filesys.IgnoreNotExist(obs.fs.Remove(file)); err != nil {
		return err
	}
	if err := obs.fs.Chtimes(out.Name, modified); err != nil {
		return err
	}
	if err := errors.Join(obs.fs.Ensure(runDir), obs.fs.SyncFile(out)); err != nil {
		return err
	}
	if err := obs.fs.LinkNew(out.Name, file); err != nil {
		return err
	}
	if err := obs.fs.SyncDir(shardDir(name)); err != nil {
		return err
	}
	return obs.retire(name, file, out)
}

// retire removes the plain file and gives its time to the packed one.
func (obs *objects) retire(name, file string, f filesys.File) error {
	moved := runDir + "/" + evictedPrefix + name
	if err := obs.fs.Rename(objectName(name), moved); err != nil {
		return filesys.IgnoreNotExist(err)
	}
	fi, err := obs.fs.Lstat(moved)
	if err != nil {
		return err
	}
	if err := errors.Join(obs.fs.Chtimes(file, fi.ModTime()), obs.fs.SyncFile(f)); err != nil {
		return err
	}
	return obs.fs.Remove(moved)
}
