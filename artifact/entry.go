package artifact

import (
	"bytes"
	"encoding/json"
	"hash/crc32"
	"strconv"
	"time"
)

// Info describes an object in the index, beside its digest and size. All of it
// is advisory.
type Info struct {
	Kind    string // MIME type
	Command string // namespace/verb of the run; "" if no run made it
	Stream  string // stdout, stderr, output; else put, salvaged
}

// An Entry is a line of the index: the description of an object.
type Entry struct {
	Digest  string    `json:"digest"` // sha256:<hex>
	Size    int64     `json:"size"`   // bytes
	Time    time.Time `json:"time"`   // when it was last stored
	Kind    string    `json:"kind,omitempty"`
	Command string    `json:"command,omitempty"`
	Stream  string    `json:"stream,omitempty"`
	Run     string    `json:"run,omitempty"`
	Part    string    `json:"part,omitempty"` // which of the run's part files it was
}

// entryBegin is the beginning of the JSON text of every index line.
const entryBegin = `{"digest":"`

// appendEntry appends an index line to b: the JSON that encoding/json makes of an Entry,
// without the cost of reflection.
func appendEntry(b []byte, e *Entry) []byte {
	text := make([]byte, 0, 384)
	text = appendMember(text, entryBegin[:len(entryBegin)-1], e.Digest)
	text = append(text, `,"size":`...)
	text = strconv.AppendInt(text, e.Size, 10)
	text = append(text, `,"time":"`...)
	text = e.Time.AppendFormat(text, time.RFC3339Nano)
	text = append(text, '"')
	for _, m := range [...]struct{ begin, value string }{
		{`,"kind":`, e.Kind}, {`,"command":`, e.Command}, {`,"stream":`, e.Stream}, {`,"run":`, e.Run}, {`,"part":`, e.Part},
	} {
		if m.value != "" {
			text = appendMember(text, m.begin, m.value)
		}
	}
	return appendChecksummed(b, append(text, '}'))
}

// appendMember adds a member whose value is a string.
func appendMember(b []byte, begin, value string) []byte {
	b = append(b, begin...)
	for i := range len(value) {
		if c := value[i]; c < ' ' || c >= 0x7f || c == '"' || c == '\\' {
			text, _ := json.Marshal(value) // a string has no error
			return append(b, text...)
		}
	}
	b = append(b, '"')
	b = append(b, value...)
	return append(b, '"')
}

// interner keeps one copy of each text: most lines say the same type, command
// and stream.
type interner map[string]string

const internLimit = 1000

func (w interner) intern(b []byte) string {
	if s, ok := w[string(b)]; ok {
		return s
	}
	s := string(b)
	if len(w) < internLimit { // the ids of runs are many
		w[s] = s
	}
	return s
}

// parseEntry reads an index line without its newline. False means that the
// line is torn or damaged.
func parseEntry(line []byte, e *Entry, w interner) bool {
	text, ok := parseChecksummed(line)
	if !ok {
		return false
	}
	if scanEntry(text, e, w) {
		return true
	}
	*e = Entry{}
	return json.Unmarshal(text, e) == nil && isDigest(e.Digest)
}

// splitTorn cuts a damaged line where the last index line in it begins. Such a line was
// appended to one without a newline, since the disk was full or the power failed. The two
// pieces still have to be parsed.
func splitTorn(line []byte) [][]byte {
	at := bytes.LastIndex(line, []byte(entryBegin)) - checksumLen
	if at <= 0 {
		return nil
	}
	return [][]byte{line[:at], line[at:]}
}

// scanEntry reads the JSON text that appendEntry writes. It is six times as
// fast as encoding/json, which a store of a hundred thousand objects feels;
// whatever it does not know (an escape, a member of a later release) makes it
// return false.
func scanEntry(b []byte, e *Entry, w interner) bool {
	var size, stamp []byte
	digest, b, ok := member(b, entryBegin, '"')
	if ok {
		size, b, ok = member(b, `,"size":`, ',')
	}
	if ok {
		stamp, b, ok = member(b, `"time":"`, '"')
	}
	if !ok {
		return false
	}
	optional := [...]struct {
		begin string
		into  *string
	}{{`,"kind":"`, &e.Kind}, {`,"command":"`, &e.Command}, {`,"stream":"`, &e.Stream}, {`,"run":"`, &e.Run}, {`,"part":"`, &e.Part}}
	for _, o := range optional {
		if v, rest, ok := member(b, o.begin, '"'); ok {
			*o.into, b = w.intern(v), rest
		}
	}
	var err, err2 error
	e.Digest = string(digest)
	e.Size, err = strconv.ParseInt(string(size), 10, 64)
	e.Time, err2 = time.Parse(time.RFC3339Nano, string(stamp))
	return err == nil && err2 == nil && string(b) == "}" && isDigest(e.Digest)
}

// member cuts a value off b that begins with the text begin and ends before
// the byte end.
func member(b []byte, begin string, end byte) (value, rest []byte, ok bool) {
	if !bytes.HasPrefix(b, []byte(begin)) {
		return nil, b, false
	}
	v := b[len(begin):]
	i := bytes.IndexByte(v, end)
	if i < 0 || bytes.IndexByte(v[:i], '\\') >= 0 {
		return nil, b, false
	}
	return v[:i], v[i+1:], true
}

// isDigest reports whether s is sha256:<64 lower-case hexadecimal digits>.
func isDigest(s string) bool {
	return len(s) == len(digestPrefix)+hexLen && s[:len(digestPrefix)] == digestPrefix && isHex(s[len(digestPrefix):])
}

// checksumLen is the length of a line's checksum and the space after it.
const checksumLen = 9

// appendChecksummed appends a line to b: the CRC-32 (IEEE) of the text as eight
// lower-case hexadecimal digits, a space, the text, a newline. A reader recognizes a torn
// or damaged line by its checksum.
func appendChecksummed(b, text []byte) []byte {
	sum := checksum(text)
	b = append(b, sum[:]...)
	b = append(b, text...)
	return append(b, '\n')
}

// parseChecksummed returns the text of a checksummed line, which has lost its newline.
func parseChecksummed(line []byte) ([]byte, bool) {
	if len(line) < checksumLen {
		return nil, false
	}
	text := line[checksumLen:]
	return text, checksum(text) == [checksumLen]byte(line[:checksumLen])
}

// checksum returns the checksum of a text and a space, as they precede it in a line.
func checksum(text []byte) (sum [checksumLen]byte) {
	const digits = "0123456789abcdef"
	c := crc32.ChecksumIEEE(text)
	for i := range checksumLen - 1 {
		sum[i] = digits[c>>(28-4*i)&15]
	}
	sum[checksumLen-1] = ' '
	return sum
}

// merge adds another line of the same object to e: all members of the later line, and
// those that only the earlier line has. A line without a run, of an object that was put
// or recovered, does not hide the run that made the object before.
func (e *Entry) merge(other *Entry) {
	late, early := *other, *e
	if late.Time.Before(early.Time) {
		late, early = early, late
	}
	if late.Kind == "" {
		late.Kind = early.Kind
	}
	if late.Command == "" && early.Command != "" {
		late.Command, late.Stream, late.Run, late.Part = early.Command, early.Stream, early.Run, early.Part
	}
	*e = late
}
