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
	Purge      bool     // remove objects from quarantine/ that were reported before
}

// A Fault is something wrong with a file of the store.
type Fault struct {
	File string `json:"file"` // name inside the store
	Text string `json:"text"`
}

// A Verdict lists the faults that [Store.Verify] found.
type Verdict struct {
	Objects int   // objects read
	Bytes   int64 // of these objects
	Faults  []Fault
	Known   int // objects in quarantine/ that an earlier Verify reported, or that were stored again
	Purged  int // objects removed from quarantine/
}

// Verify reads objects and compares them with their digests. Without ids it also checks
// all other files of the store. The Verdict has the faults of the store; an error means
// that the store cannot be read.
func (s *Store) Verify(c Check) (*Verdict, error) {
	v := &verifier{s: s, Check: c}
	if err := v.verify(); err != nil {
		return &v.Verdict, fmt.Errorf("verify artifacts in %q: %w", s.dir, err)
	}
	slices.SortFunc(v.Faults, func(a, b Fault) int { return strings.Compare(a.File, b.File) })
	return &v.Verdict, nil
}

// A verifier checks a store and collects faults.
type verifier struct {
	Check
	Verdict
	s *Store
}

func (v *verifier) verify() error {
	files, err := v.files()
	if err != nil {
		return err
	}
	v.readAll(files)
	if len(v.IDs) > 0 {
		return nil
	}
	return errors.Join(v.checkRest(), v.checkQuarantine())
}

// addFault adds a fault.
func (v *verifier) addFault(file, format string, args ...any) {
	v.Faults = append(v.Faults, Fault{file, fmt.Sprintf(format, args...)})
}

// files lists the files of objects that are to be read, below objects/. A
// directory that cannot be read is a fault by itself.
func (v *verifier) files() ([]string, error) {
	var files []string
	if len(v.IDs) > 0 {
		for _, id := range v.IDs {
			_, name, err := Stores{v.s}.find(id)
			if err != nil {
				return nil, err
			}
			files = append(files, v.s.objects.files(name)...)
		}
		return files, nil
	}
	err := v.s.objects.eachShard(func(shard string) error {
		names, err := v.s.fs.Names(shard)
		if filesys.IgnoreNotExist(err) != nil {
			v.addFault(shard, "%v", err)
		}
		for _, name := range names {
			if object, _ := cutSuffix(name); isObject(object) && object[:2] == path.Base(shard) {
				files = append(files, name)
			} else {
				v.addFault(shard+"/"+name, "it is no object of this directory")
			}
		}
		return nil
	})
	return files, v.s.fs.IgnoreForeign(objectsDir, err)
}

// readAll reads the files on all processors, few of a directory at a time, so that all
// processors finish together and each opens a directory once for them.
func (v *verifier) readAll(files []string) {
	const few = 64
	slices.Sort(files)
	var mu sync.Mutex
	var wg sync.WaitGroup
	next := make(chan []string)
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for some := range next {
				part := v.read(some)
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

// read reads files of one directory.
func (v *verifier) read(files []string) (found Verdict) {
	shard, err := v.s.fs.Sub(shardDir(files[0]))
	if err == nil {
		defer shard.Close()
	}
	for _, file := range files {
		var size int64
		if shard != nil {
			size, err = v.readFile(shard, file)
		}
		if errors.Is(err, fs.ErrNotExist) {
			continue // collected meanwhile
		}
		found.Objects++
		found.Bytes += size
		if err != nil {
			found.Faults = append(found.Faults, Fault{objectName(file), err.Error()})
		}
	}
	return found
}

// verifySmall is the size in bytes up to which an object is read at once.
const verifySmall = 64 << 10

// readFile reads one file of an object, in its directory, to its end.
func (v *verifier) readFile(shard filesys.FS, file string) (int64, error) {
	if k, plain := keyOf(file); plain {
		b, err := shard.ReadFile(file, verifySmall)
		if err == nil && sha256.Sum256(b) == k {
			return int64(len(b)), nil
		}
	}
	o, err := v.s.objects.openAt(shard, file)
	if err == nil {
		defer o.Close()
		o.keep = !v.Quarantine
		_, err = io.Copy(io.Discard, struct{ io.Reader }{o})
		return o.size, err
	}
	if v.Quarantine && !errors.Is(err, fs.ErrNotExist) && v.s.fs.ReadOnly == nil {
		_ = v.s.objects.quarantine(file)
	}
	return 0, err
}

// checkRest checks all files but the objects.
func (v *verifier) checkRest() error {
	if v.s.version != Version {
		v.addFault(versionFile, "the layout has version %q, not %q", v.s.version, Version)
	}
	v.checkNames()
	if n := damagedRecords(v.s.fs, shardsFile, recordSize, func(b []byte) bool { _, ok := parseRecord(b); return ok }); n > 0 {
		v.addFault(shardsFile, "%d records are damaged: those directories are collected earlier", n)
	}
	if n := damagedRecords(v.s.fs, sizesFile, sizeRecord, func(b []byte) bool { _, ok := parseSize(b); return ok }); n > 0 {
		v.addFault(sizesFile, "%d records are damaged: those directories are measured again", n)
	}
	damaged, err := v.s.index.damagedLines()
	for _, l := range damaged {
		if l.line == 0 {
			v.addFault(indexDir+"/"+l.file, "%v: run artifact reindex", l.why)
			continue
		}
		v.addFault(indexDir+"/"+l.file, "line %d is damaged: run artifact reindex", l.line)
	}
	return v.s.fs.IgnoreForeign(indexDir, err)
}

// directories returns the names of the directories in a store.
func directories() []string {
	return []string{objectsDir, partDir, indexDir, pinsDir, quarantineDir, runDir}
}

// checkNames reports misplaced files, except beside objects.
func (v *verifier) checkNames() {
	for _, dir := range directories() {
		if err := filesys.IgnoreNotExist(v.s.fs.Check(dir)); err != nil {
			v.addFault(dir, "%v", err)
		}
	}
	shards, _ := v.s.fs.NamesIn(objectsDir)
	for _, name := range shards {
		shard := objectsDir + "/" + name
		if len(name) != 2 || !isHex(name) {
			v.addFault(shard, "it is no directory of objects")
			continue
		}
		if err := v.s.fs.Check(shard); err != nil {
			v.addFault(shard, "%v", err)
		}
	}
	pins, _ := v.s.fs.NamesIn(pinsDir)
	for _, file := range pins {
		name, owner, _ := strings.Cut(file, ".")
		if !isObject(name) || !isOwner(owner) {
			v.addFault(pinsDir+"/"+file, "it is no pin")
		} else if _, err := v.s.pins.read(file); err != nil {
			v.addFault(pinsDir+"/"+file, "%v", err)
		}
	}
}

// checkQuarantine reports each object in quarantine once. It only counts those that were
// reported before, or were stored again since.
func (v *verifier) checkQuarantine() error {
	names, err := v.s.fs.NamesIn(quarantineDir)
	if err := v.s.fs.IgnoreForeign(quarantineDir, err); err != nil {
		return err
	}
	reported := map[string]bool{}
	for _, f := range v.Faults {
		reported[f.File] = true
	}
	for _, name := range names {
		file, before := strings.CutSuffix(name, reportedSuffix)
		if before || reported[objectName(file)] || v.storedAgain(file) {
			v.Known++
		} else {
			v.addFault(quarantineDir+"/"+name, "it was corrupt when it was read")
		}
		if v.s.fs.ReadOnly != nil {
			continue
		}
		if v.Purge {
			if err := filesys.IgnoreNotExist(v.s.fs.Remove(quarantineDir + "/" + name)); err != nil {
				return fmt.Errorf("purge %q: %w", name, err)
			}
			v.Purged++
		} else if !before {
			_ = v.s.fs.Rename(quarantineDir+"/"+name, quarantineDir+"/"+name+reportedSuffix)
		}
	}
	return nil
}

// storedAgain reports whether an object that was once found corrupt was stored again.
func (v *verifier) storedAgain(file string) bool {
	name, _ := cutSuffix(file)
	if !isObject(name) {
		return false
	}
	found, err := v.s.objects.names(name)
	return err == nil && len(found) > 0
}
