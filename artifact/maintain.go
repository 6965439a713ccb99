package artifact

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"os"
	"time"

	"github.com/envwrap/envwrap/artifact/internal/filesys"
)

// The automatic collector stores, for each of the 256 shards, when it last checked the
// shard and how large that was: one record in run/shards of two little-endian 64-bit
// numbers, Unix seconds and bytes, their CRC-32 (IEEE) and four bytes of zero.
const (
	shardsFile = runDir + "/shards"

	recordSize = 24
)

// maintainEvery is how often the automatic collector looks at one shard.
const maintainEvery = 24 * time.Hour

// A shardRecord is when the automatic collector last checked a shard, and its size then.
type shardRecord struct {
	seen time.Time
	size int64
}

// maintain starts the automatic collector, once per Store: beside the first large object,
// while the command is still running, or after the first object is on the disk. The
// collector checks at most one shard, the one that was checked longest ago, if that was a
// day ago.
func (s *Store) maintain() {
	if !s.fs.Locks {
		return
	}
	s.maintenance.start(func() {
		c := &collector{s: s, Policy: DefaultPolicy()}
		_ = c.collectOldest() // a failure is reported by the next gc
	})
}

// collectOldest applies the policy to the shard that was looked at longest ago.
func (c *collector) collectOldest() error {
	if err := c.s.fs.Ensure(runDir); err != nil {
		return err
	}
	f, err := c.s.fs.OpenFile(shardsFile, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := f.TryLock(true); err != nil {
		return err // another process is at it
	}
	records, err := readRecords(f)
	if err != nil {
		return err
	}
	n, total := oldest(records, c.s.now())
	if c.s.now().Sub(records[n].seen) < maintainEvery {
		return nil
	}
	records[n].seen = c.s.now() // first, so that a killed collector is not tried again at once
	if err := writeRecord(f, n, records[n]); err != nil {
		return err
	}
	c.Policy = c.forShard(records[n].size, total)
	if err := c.collectShard(shardName(n)); err != nil {
		return err
	}
	records[n].size = c.Bytes - c.Freed
	return writeRecord(f, n, records[n])
}

// collectShard applies the policy to one shard.
func (c *collector) collectShard(shard string) error {
	if err := c.s.fs.Check(shard); err != nil {
		return filesys.IgnoreNotExist(err)
	}
	all, err := c.s.objects.list(shard)
	if err != nil {
		return err
	}
	if err := c.choose(all); err != nil {
		return err
	}
	return c.removeFrom(all)
}

// forShard makes a policy for one shard: where the whole store is over its size,
// each shard gives its part.
func (p Policy) forShard(size, total int64) Policy {
	if p.MaxSize == 0 || total <= p.MaxSize {
		p.MaxSize = 0
		return p
	}
	p.MaxSize = max(1, int64(float64(size)*float64(p.MaxSize)/float64(total)))
	return p
}

// oldest returns the shard that was checked longest ago, and the size of all shards. A
// time in the future, from a clock that was wrong, counts as never.
func oldest(records []shardRecord, now time.Time) (n int, total int64) {
	for i := range records {
		if records[i].seen.After(now) {
			records[i].seen = time.Time{}
		}
		total += records[i].size
		if records[i].seen.Before(records[n].seen) {
			n = i
		}
	}
	return n, total
}

func shardName(n int) string {
	const digits = "0123456789abcdef"
	return objectsDir + "/" + string([]byte{digits[n>>4], digits[n&15]})
}

// readRecords reads the file. A missing or damaged record has the zero time.
func readRecords(f filesys.File) ([]shardRecord, error) {
	b := make([]byte, shardCount*recordSize)
	n, err := f.ReadAt(b, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	records := make([]shardRecord, shardCount)
	for i := 0; (i+1)*recordSize <= n; i++ {
		records[i], _ = parseRecord(b[i*recordSize:])
	}
	return records, nil
}

// parseRecord reads one record. False means that it is damaged.
func parseRecord(b []byte) (r shardRecord, ok bool) {
	if bytes.Equal(b[:recordSize], make([]byte, recordSize)) {
		return r, true // never seen
	}
	if crc32.ChecksumIEEE(b[:16]) != binary.LittleEndian.Uint32(b[16:]) || binary.LittleEndian.Uint32(b[20:]) != 0 {
		return r, false
	}
	seen, size := int64(binary.LittleEndian.Uint64(b)), int64(binary.LittleEndian.Uint64(b[8:]))
	return shardRecord{time.Unix(seen, 0), size}, true
}

func writeRecord(f filesys.File, n int, r shardRecord) error {
	var b [recordSize]byte
	binary.LittleEndian.PutUint64(b[:], uint64(r.seen.Unix()))
	binary.LittleEndian.PutUint64(b[8:], uint64(r.size))
	binary.LittleEndian.PutUint32(b[16:], crc32.ChecksumIEEE(b[:16]))
	_, err := f.WriteAt(b[:], int64(n)*recordSize)
	return err
}

// damagedRecords counts the damaged records of a file in run/.
func damagedRecords(f filesys.FS, file string, size int, sound func([]byte) bool) int {
	b, err := f.ReadFile(file, int64(shardCount*size))
	if err != nil {
		return 0
	}
	n := 0
	for ; len(b) >= size; b = b[size:] {
		if !sound(b[:size]) {
			n++
		}
	}
	return n
}
