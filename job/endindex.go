package job

import (
	"bytes"
	"fmt"
	"os"

	"github.com/oklog/ulid/v2"
)

// endedFile lists jobs that have ended, so that a list of the last ones need not read
// each record. A line has an id, a space, and the time of the end in Unix milliseconds.
// The file is advisory: for a damaged or missing line, List reads the record and adds the
// line again. A line of a job that was removed does no harm.
const endedFile = ".ended"

// endedLimit is how much of the file is read, in bytes: a million lines.
const endedLimit = 64 << 20

// endedLine is how many bytes a line has: milliseconds have 13 digits until 2286.
const endedLine = ulid.EncodedSize + 1 + 13 + 1

// An endIndex reads and writes endedFile.
type endIndex struct{ root directory }

// read returns when jobs have ended according to endedFile, in Unix milliseconds.
func (e *endIndex) read() map[[ulid.EncodedSize]byte]int64 {
	data, err := e.root.ReadFile(endedFile, endedLimit)
	if err != nil {
		return nil
	}
	ended := make(map[[ulid.EncodedSize]byte]int64, len(data)/endedLine)
	for line := range bytes.Lines(data) {
		if id, ms := parseEnded(line); ms > 0 {
			ended[[ulid.EncodedSize]byte(id)] = ms
		}
	}
	return ended
}

// parseEnded reads a line of endedFile; the time is 0 where it is damaged. It is called
// for each job of a list: strconv would be a tenth of the time of the list.
func parseEnded(line []byte) (id []byte, ms int64) {
	id, at, _ := bytes.Cut(line, []byte{' '})
	at, whole := bytes.CutSuffix(at, []byte{'\n'})
	if !whole || len(id) != ulid.EncodedSize || len(at) > 18 {
		return nil, 0
	}
	for _, c := range at {
		if c < '0' || c > '9' {
			return nil, 0
		}
		ms = ms*10 + int64(c-'0')
	}
	return id, ms
}

// idKey returns an id as the map of ended has it.
func idKey(id string) (key [ulid.EncodedSize]byte) {
	copy(key[:], id)
	return key
}

// add adds jobs to endedFile. A failure is repaired by whoever lists the jobs.
func (e *endIndex) add(recs ...*Record) {
	if f, err := e.open(); err == nil {
		writeEnded(f, recs...)
		_ = f.Close()
	}
}

func (e *endIndex) open() (*os.File, error) {
	return e.root.OpenFile(endedFile, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
}

// writeEnded adds jobs to endedFile, which is open as f.
func writeEnded(f *os.File, recs ...*Record) {
	var lines []byte
	for _, rec := range recs {
		lines = fmt.Appendf(lines, "%s %d\n", rec.ID, rec.Ended.UnixMilli())
	}
	_, _ = f.Write(lines)
}

// trim removes jobs that are gone from endedFile, if they may be more than half
// of it.
func (e *endIndex) trim(ids []string) error {
	if e.root.size(endedFile) < int64(2*endedLine*(len(ids)+100)) {
		return nil
	}
	return e.root.withLock(turnLock, func(*os.File) error {
		var lines []byte
		ended := e.read()
		for _, id := range ids {
			if at := ended[idKey(id)]; at != 0 {
				lines = fmt.Appendf(lines, "%s %d\n", id, at)
			}
		}
		return e.root.WriteFile(endedFile, endedFile+".new", lines, false)
	})
}
