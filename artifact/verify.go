package artifact

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/envwrap/envwrap/artifact/internal/filesys"
)

// A Check says what [Store.Verify] checks and removes.
type Check struct {
	IDs        []string // objects to check; empty means all files of the store
	Quarantine bool     // move corrupt objects to quarantine/
	Purge      bool     // remove what is in quarantine/ and was reported before
}

// A Fault is something wrong with a file of the store.
type Fault struct {
	File string `json:"file"` // name inside the store
	Text string `json:"text"`
}

// A Verdict is what [Store.Verify] found.
type Verdict struct {
	Objects int   // objects read
	Bytes   int64 // of these objects
	Faults  []Fault
	Known   int // objects in quarantine/ that an earlier Verify reported, or that were stored again
	Purged  int // objects removed from quarantine/
}

// Verify reads objects and compares them with their digests. Without ids it also checks
// all other files of the store. What is wrong in the store is in the Verdict; an error
// means that the store cannot be read.
func (s *Store) Verify(c Check) (*Verdict, error) {
	v := &Verdict{}
	names, err := s.toVerify(c, v)
	if err != nil {
		return v, fmt.Errorf("verify artifacts in %q: %w", s.dir, err)
	}
	s.verifyObjects(v, names, c.Quarantine)
	if len(c.IDs) == 0 {
		if err := errors.Join(s.verifyRest(v), s.verifyQuarantine(v, c.Purge)); err != nil {
			return v, fmt.Errorf("verify artifacts in %q: %w", s.dir, err)
		}
	}
	slices.SortFunc(v.Faults, func(a, b Fault) int { return strings.Compare(a.File, b.File) })
	return v, nil
}

// toVerify lists the files of objects that are to be read, below objects/. A
// directory that cannot be read is a fault by itself.
func (s *Store) toVerify(c Check, v *Verdict) ([]string, error) {
	var files []string
	if len(c.IDs) > 0 {
		for _, id := range c.IDs {
			_, name, err := Stores{s}.find(id)
			if err != nil {
				return nil, err
			}
			files = append(files, s.objects.files(name)...)
		}
		return files, nil
	}
	err := s.objects.eachShard(func(shard string) error {
		names, err := s.fs.Names(shard)
		if filesys.UnlessGone(err) != nil {
			v.Faults = append(v.Faults, Fault{shard, err.Error()})
		}
		for _, name := range names {
			if object, _ := cutSuffix(name); isObject(object) && object[:2] == path.Base(shard) {
				files = append(files, name)
			} else {
				v.Faults = append(v.Faults, Fault{shard + "/" + name, "it is no object of this directory"})
			}
		}
		return nil
	})
	return files, s.fs.UnlessForeign(objectsDir, err)
}

// verifyObjects reads the files with all processors: few at a time, so that all
// processors have one to the end, from directories that are opened once for them.
func (s *Store) verifyObjects(v *Verdict, files []string, quarantine bool) {
	const few = 64
	slices.Sort(files)
	var mu sync.Mutex
	var wg sync.WaitGroup
	next := make(chan []string)
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for some := range next {
				part := s.verifyFiles(some, quarantine)
				mu.Lock()
				v.Objects += part.Objects
				v.Bytes += part.Bytes
				v.Faults = append(v.Faults, part.Faults...)
				mu.Unlock()
			}
		})
	}
	for len(files) > 0 {
		n := 1
		for n < min(few, len(files)) && files[n][:2] == files[0][:2] {
			n++
		}
		next <- files[:n]
		files = files[n:]
	}
	close(next)
	wg.Wait()
}

// verifyFiles reads files of one directory.
func (s *Store) verifyFiles(files []string, quarantine bool) (v Verdict) {
	shard, err := s.fs.Sub(shardDir(files[0]))
	if err == nil {
		defer shard.Close()
	}
	for _, file := range files {
		var size int64
		if shard != nil {
			size, err = s.verifyFile(shard, file, quarantine)
		}
		if errors.Is(err, fs.ErrNotExist) {
			continue // collected meanwhile
		}
		v.Objects++
		v.Bytes += size
		if err != nil {
			v.Faults = append(v.Faults, Fault{objectName(file), err.Error()})
		}
	}
	return v
}

// verifySmall is the size in bytes up to which an object is read at once.
const verifySmall = 64 << 10

// verifyFile reads one file of an object, in its directory, to its end.
func (s *Store) verifyFile(shard filesys.FS, file string, quarantine bool) (int64, error) {
	if k, plain := keyOf(file); plain {
		b, err := shard.ReadFile(file, verifySmall)
		if err == nil && sha256.Sum256(b) == k {
			return int64(len(b)), nil
		}
	}
	o, err := s.objects.openAt(shard, file)
	if err == nil {
		defer o.Close()
		o.keep = !quarantine
		_, err = io.Copy(io.Discard, struct{ io.Reader }{o})
		return o.size, err
	}
	if quarantine && !errors.Is(err, fs.ErrNotExist) && s.fs.ReadOnly == nil {
		_ = s.objects.quarantine(file)
	}
	return 0, err
}

// verifyRest looks at the files that are no objects.
func (s *Store) verifyRest(v *Verdict) error {
	add := func(file, format string, args ...any) {
		v.Faults = append(v.Faults, Fault{file, fmt.Sprintf(format, args...)})
	}
	if s.version != Version {
		add(versionFile, "the layout has version %q, not %q", s.version, Version)
	}
	s.verifyNames(add)
	if n := s.damagedRecords(shardsFile, recordSize, func(b []byte) bool { _, ok := parseRecord(b); return ok }); n > 0 {
		add(shardsFile, "%d records are damaged: those directories are collected earlier", n)
	}
	if n := s.damagedRecords(sizesFile, sizeRecord, func(b []byte) bool { _, ok := parseSize(b); return ok }); n > 0 {
		add(sizesFile, "%d records are damaged: those directories are measured again", n)
	}
	damaged, err := s.index.damagedLines()
	for _, l := range damaged {
		if l.line == 0 {
			add(indexDir+"/"+l.file, "%v: run artifact reindex", l.why)
			continue
		}
		add(indexDir+"/"+l.file, "line %d is damaged: run artifact reindex", l.line)
	}
	return s.fs.UnlessForeign(indexDir, err)
}

// directories returns those that a store may have.
func directories() []string {
	return []string{objectsDir, partDir, indexDir, pinsDir, quarantineDir, runDir}
}

// verifyNames reports what does not belong where it is, but for files beside objects.
func (s *Store) verifyNames(add func(file, format string, args ...any)) {
	for _, dir := range directories() {
		if err := filesys.UnlessGone(s.fs.Check(dir)); err != nil {
			add(dir, "%v", err)
		}
	}
	shards, _ := s.fs.NamesIn(objectsDir)
	for _, name := range shards {
		shard := objectsDir + "/" + name
		if len(name) != 2 || !isHex(name) {
			add(shard, "it is no directory of objects")
			continue
		}
		if err := s.fs.Check(shard); err != nil {
			add(shard, "%v", err)
		}
	}
	pins, _ := s.fs.NamesIn(pinsDir)
	for _, file := range pins {
		name, owner, _ := strings.Cut(file, ".")
		if !isObject(name) || !isOwner(owner) {
			add(pinsDir+"/"+file, "it is no pin")
		} else if _, err := s.pins.read(file); err != nil {
			add(pinsDir+"/"+file, "%v", err)
		}
	}
}

// verifyQuarantine reports what lies in quarantine, once. What has been reported,
// or was stored again since, is only counted.
func (s *Store) verifyQuarantine(v *Verdict, purge bool) error {
	names, err := s.fs.NamesIn(quarantineDir)
	if err := s.fs.UnlessForeign(quarantineDir, err); err != nil {
		return err
	}
	reported := map[string]bool{}
	for _, f := range v.Faults {
		reported[f.File] = true
	}
	for _, name := range names {
		file, before := strings.CutSuffix(name, reportedSuffix)
		if before || reported[objectName(file)] || s.again(file) {
			v.Known++
		} else {
			v.Faults = append(v.Faults, Fault{quarantineDir + "/" + name, "it was corrupt when it was read"})
		}
		if s.fs.ReadOnly != nil {
			continue
		}
		if purge {
			if err := filesys.UnlessGone(s.fs.Remove(quarantineDir + "/" + name)); err != nil {
				return fmt.Errorf("purge %q: %w", name, err)
			}
			v.Purged++
		} else if !before {
			_ = s.fs.Rename(quarantineDir+"/"+name, quarantineDir+"/"+name+reportedSuffix)
		}
	}
	return nil
}

// again reports whether an object is there although it was once found corrupt.
func (s *Store) again(file string) bool {
	name, _ := cutSuffix(file)
	if !isObject(name) {
		return false
	}
	found, err := s.objects.names(name)
	return err == nil && len(found) > 0
}
