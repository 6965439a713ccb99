package artifact

import (
	"encoding/binary"
	"hash/crc32"
	"io/fs"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/envwrap/envwrap/artifact/internal/filesys"
	"github.com/envwrap/envwrap/internal/platform/safefs"
)

// sizesFile has the content of each of the 256 directories of objects when it was last
// read. Since an object never changes, that is valid until a name in the directory
// changes. A record is six little-endian 64-bit numbers (the directory's inode and the
// time of its last change in Unix nanoseconds; objects, bytes, packed objects, packed
// bytes), their CRC-32 (IEEE) and four bytes of zero. The file is advisory: if a record
// is missing, torn, or of another state, the directory is read.
const (
	sizesFile  = runDir + "/sizes"
	sizeRecord = 6*8 + 8
)

// stableAfter is how long ago a directory must have changed for the change to be the
// last one of its time: the clock of a file system has coarse ticks.
const stableAfter = time.Second

// A shardSize counts the objects and bytes of a shard.
type shardSize struct {
	state       safefs.State // the directory's; zero where it is not known
	objects     int64
	bytes       int64 // on disk
	packed      int64 // objects
	packedBytes int64
}

// sizes measures a store; it keeps the records of sizesFile in memory.
type sizes struct {
	fs      *filesys.Volume
	objects *objects
	now     func() time.Time

	mu     sync.Mutex
	loaded bool
	shards [shardCount]shardSize
}

// measure adds up the objects. It reads only directories that have changed since the last
// measurement of any process.
func (z *sizes) measure() (total shardSize, err error) {
	z.mu.Lock()
	defer z.mu.Unlock()
	keep := z.fs.Locks // a network's file system may report a change too late
	if keep && !z.loaded {
		z.loaded = true
		if b, err := z.fs.ReadFile(sizesFile, shardCount*sizeRecord); err == nil {
			z.parse(b)
		}
	}
	learned := false
	type found struct {
		n    int
		size shardSize
	}
	err = inShards(z.objects, func(shard string) (found, error) {
		n, err := strconv.ParseUint(shard[len(objectsDir)+1:], 16, 8)
		if err != nil {
			return found{}, err
		}
		size, err := z.ofShard(shard, z.shards[n])
		return found{int(n), size}, err
	}, func(f found) {
		total.add(f.size)
		if f.size.state != (safefs.State{}) && f.size.state != z.shards[f.n].state {
			z.shards[f.n] = f.size
			learned = true
		}
	})
	if learned && keep && z.fs.ReadOnly == nil {
		z.write()
	}
	return total, err
}

// ofShard returns the size of a shard: known, unless the directory has changed since. The
// result has no state if the directory may still change within the clock's tick.
func (z *sizes) ofShard(shard string, known shardSize) (shardSize, error) {
	state, err := z.fs.State(shard) // read before the files: a later change then alters the state
	if err != nil {
		return shardSize{}, err
	}
	if state == known.state {
		return known, nil
	}
	files, err := z.fs.ReadDir(shard)
	if err != nil {
		return shardSize{}, err
	}
	size := sizeOfFiles(files)
	if z.now().UnixNano()-state.Changed > int64(stableAfter) {
		size.state = state
	}
	return size, nil
}

func sizeOfFiles(files []fs.FileInfo) (size shardSize) {
	packed := map[string]bool{} // for a moment such an object has two files
	for _, fi := range files {
		if name, is := cutSuffix(fi.Name()); is && isObject(name) {
			packed[name] = true
			size.packed++
			size.packedBytes += fi.Size()
		}
	}
	size.objects, size.bytes = int64(len(packed)), size.packedBytes
	for _, fi := range files {
		if name := fi.Name(); isObject(name) {
			size.bytes += fi.Size()
			if !packed[name] {
				size.objects++
			}
		}
	}
	return size
}

func (a *shardSize) add(b shardSize) {
	a.objects += b.objects
	a.bytes += b.bytes
	a.packed += b.packed
	a.packedBytes += b.packedBytes
}

// write writes sizesFile for the next process. After a failure that process reads the
// directories.
func (z *sizes) write() {
	if z.fs.Ensure(runDir) != nil {
		return
	}
	f, err := z.fs.OpenFile(sizesFile, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return
	}
	defer f.Close()
	b := make([]byte, 0, shardCount*sizeRecord)
	for i := range z.shards {
		b = z.shards[i].append(b)
	}
	_, _ = f.WriteAt(b, 0)
}

func (a *shardSize) append(b []byte) []byte {
	at := len(b)
	if a.state == (safefs.State{}) {
		return append(b, make([]byte, sizeRecord)...)
	}
	for _, n := range [...]uint64{a.state.File, uint64(a.state.Changed), uint64(a.objects), uint64(a.bytes), uint64(a.packed), uint64(a.packedBytes)} {
		b = binary.LittleEndian.AppendUint64(b, n)
	}
	return binary.LittleEndian.AppendUint64(b, uint64(crc32.ChecksumIEEE(b[at:])))
}

// parse takes the sound records of sizesFile.
func (z *sizes) parse(b []byte) {
	for i := 0; i < len(z.shards) && len(b) >= sizeRecord; i++ {
		z.shards[i], _ = parseSize(b[:sizeRecord])
		b = b[sizeRecord:]
	}
}

// parseSize reads one record. False means that it is damaged.
func parseSize(b []byte) (a shardSize, ok bool) {
	var n [7]uint64
	for i := range n {
		n[i] = binary.LittleEndian.Uint64(b[8*i:])
	}
	if n == [7]uint64{} {
		return a, true // not known
	}
	if n[6] != uint64(crc32.ChecksumIEEE(b[:sizeRecord-8])) {
		return a, false
	}
	return shardSize{safefs.State{File: n[0], Changed: int64(n[1])}, int64(n[2]), int64(n[3]), int64(n[4]), int64(n[5])}, true
}
