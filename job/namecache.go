package job

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"os"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/envwrap/envwrap/internal/platform/safefs"
)

// namesFile caches the names in the directory of jobs, for lists: the kernel takes half a
// microsecond for each name of a large directory. Its first line has the state of the
// directory (the inode, and the time of its last change in Unix nanoseconds) and the
// CRC-32 (IEEE) of the rest, in hexadecimal; each other line is an id. The ids are valid
// as long as no name in the directory changes. So code that makes or removes a job need
// not update the file, and no killed process can hide a job: if the file is torn, damaged
// or of another state, the directory is read. Open makes the file together with the
// directory, because making it changes the directory.
const namesFile = ".names"

const (
	// namesMin is the number of names from which on the file is written.
	namesMin = 1000
	// namesLimit is how much of the file is read, in bytes.
	namesLimit = 64 << 20
	// stableAfter is how long ago the directory must have changed for the change to be the
	// last one of its time: the clock of a file system has coarse ticks, FAT's of two
	// seconds.
	stableAfter = 2 * time.Second
)

// A nameCache reads and writes namesFile.
type nameCache struct {
	root directory
	now  func() time.Time
}

// all returns the names in the directory of jobs, all ids among them. It writes the cache
// when it reads the same names a second time, because writing takes longer than reading.
func (l *nameCache) all() ([]string, error) {
	now := l.now()
	state, stateErr := l.root.State(".") // before the names: a change after that is another state
	known := stateErr == nil && state.File != 0
	again := false
	if known {
		var ids []string
		if ids, again = l.known(state); ids != nil {
			return ids, nil
		}
	}
	names, err := l.root.Names(".")
	if err == nil && known && len(names) >= namesMin && now.UnixNano()-state.Changed > int64(stableAfter) {
		l.keep(state, names, again)
	}
	return names, err
}

// namesState returns how the first line of namesFile begins.
func namesState(state safefs.State) string {
	return fmt.Sprintf("%016x %016x ", state.File, uint64(state.Changed))
}

// namesHead returns the first line of namesFile.
func namesHead(state safefs.State, ids []byte) string {
	return namesState(state) + fmt.Sprintf("%08x\n", crc32.ChecksumIEEE(ids))
}

// namesNone replaces the checksum in a first line without ids: the following lines belong
// to an older state.
const namesNone = "--------\n"

// known returns the ids that namesFile has for a state, or nil, and whether its first
// line has that state.
func (l *nameCache) known(state safefs.State) (ids []string, again bool) {
	data, err := l.root.ReadFile(namesFile, namesLimit)
	if err != nil {
		return nil, false
	}
	text := string(data)
	lines := bytes.IndexByte(data, '\n') + 1
	if text[:lines] != namesHead(state, data[lines:]) {
		return nil, strings.HasPrefix(text, namesState(state))
	}
	text = text[lines:]
	ids = make([]string, 0, len(text)/(ulid.EncodedSize+1))
	for ; len(text) > ulid.EncodedSize; text = text[ulid.EncodedSize+1:] {
		ids = append(ids, text[:ulid.EncodedSize])
	}
	return ids, true
}

// keep writes namesFile: the state and, if whole, the ids among names. After a failure
// the next list reads the directory.
func (l *nameCache) keep(state safefs.State, names []string, whole bool) {
	f, err := l.root.OpenFile(namesFile, os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return
	}
	defer f.Close()
	if !whole {
		_, _ = f.WriteString(namesState(state) + namesNone)
		return
	}
	lines := make([]byte, 0, len(names)*(ulid.EncodedSize+1))
	for _, name := range names {
		if IsID(name) {
			lines = append(append(lines, name...), '\n')
		}
	}
	n, err := f.Write(append([]byte(namesHead(state, lines)), lines...)) // a file that is emptied first is flushed at once
	if err == nil {
		_ = f.Truncate(int64(n))
	}
}
