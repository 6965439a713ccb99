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

// namesFile has the ids of all jobs, for lists: the kernel takes half a microsecond
// for each name of a large directory. Its first line has the state of the directory
// (the inode, and the time of its last change in Unix nanoseconds) and the CRC-32 (IEEE)
// of the rest, in hexadecimal; each other line is an id. The ids are those of the
// directory for as long as no name in it changes. So what makes or removes a job need
// not know of the file, and no job is missed whoever is killed: a file that is torn,
// damaged or of another state costs a look at the directory. It is made with the
// directory, since to make it is a change.
const namesFile = ".names"

const (
	// namesMin is how many names are worth the file.
	namesMin = 1000
	// namesLimit bounds what is read of the file, in bytes.
	namesLimit = 64 << 20
	// stableAfter is how long ago the directory must have changed for the change to be the
	// last one of its time: the clock of a file system has coarse ticks, FAT's of two
	// seconds.
	stableAfter = 2 * time.Second
)

// A nameCache is that file.
type nameCache struct {
	root directory
	now  func() time.Time
}

// all returns the names in the directory of the jobs, among them all ids. Those that
// are read a second time without a change in between are kept: to write them takes
// longer than to read them.
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

// namesNone follows the state in place of the checksum: the lines after it are of
// another state.
const namesNone = "--------\n"

// known returns the ids that namesFile has for a state, nil where it has none, and
// whether it has the state.
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

// keep writes namesFile: the state and the ids among names if whole, else the state
// alone. A failure costs the next list a look at the directory.
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
