package artifact

import (
	"encoding/json"
	"hash/crc32"
	"os"
	"strconv"
	"time"
)

// An Entry is a line of the index: what is known of an object beside its
// bytes. A line is the CRC-32 (Castagnoli) of the JSON text as eight
// hexadecimal digits, a space, the JSON text, a newline.
type Entry struct {
	Digest  string    `json:"digest"` // sha256:<hex>
	Size    int64     `json:"size"`   // bytes
	Time    time.Time `json:"time"`
	Kind    string    `json:"kind,omitempty"`
	Command string    `json:"command,omitempty"`
	Stream  string    `json:"stream,omitempty"`
	Run     string    `json:"run,omitempty"`
}

// note adds a line to the index, in one write. The index is advisory, so that
// a failure is not worth the object: reindex finds it again.
func (s *Store) note(name string, size int64, i Info) {
	now := s.now().UTC()
	line, err := appendEntry(nil, &Entry{
		Digest: digestPrefix + name, Size: size, Time: now,
		Kind: i.Kind, Command: i.Command, Stream: i.Stream, Run: s.run,
	})
	if err != nil || s.ours(indexDir, true) != nil {
		return
	}
	f, err := s.fs.OpenFile(indexFile(now), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return
	}
	defer f.Close()
	f.Write(line)
}

// indexFile is the name of a day's file.
func indexFile(t time.Time) string {
	return indexDir + "/" + t.UTC().Format("2006-01-02") + ".jsonl"
}

// appendEntry adds an index line to b.
func appendEntry(b []byte, e *Entry) ([]byte, error) {
	text, err := json.Marshal(e)
	if err != nil {
		return b, err
	}
	sum := strconv.FormatUint(uint64(crc32.Checksum(text, crc32.MakeTable(crc32.Castagnoli))), 16)
	b = append(b, "00000000"[len(sum):]...)
	b = append(b, sum...)
	b = append(b, ' ')
	b = append(b, text...)
	return append(b, '\n'), nil
}
