package artifact

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/envwrap/envwrap/artifact/internal/filesys"
	"github.com/envwrap/envwrap/artifact/internal/partial"
)

// An index has a line for each object that was stored, in a file for each day. It is
// advisory: reindex writes it again.
type index struct {
	fs      *filesys.Volume
	parts   *partial.Files
	objects *objects
	now     func() time.Time
}

// add appends a line to the index, for an object that was the part file base. It ignores
// errors: the index is advisory, and reindex finds the object again.
func (x *index) add(name string, size int64, base string, i Info) {
	now := x.now().UTC()
	e := Entry{
		Digest: digestPrefix + name, Size: size, Time: now,
		Kind: i.Kind, Command: i.Command, Stream: i.Stream,
	}
	e.Run, e.Part = partial.Split(base)
	_ = x.append(indexFile(now), appendEntry(nil, &e))
}

// append appends whole lines to a file of the index in one write, so that lines of
// several processes never mix.
func (x *index) append(name string, lines []byte) error {
	if err := x.fs.Ensure(indexDir); err != nil {
		return err
	}
	f, err := x.fs.OpenFile(name, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil {
		return err
	}
	_, err = f.Write(append(padding(f, fi.Size(), len(lines)), lines...))
	return err
}

// indexBlock is the size at whose multiples a write to the index may be cut: the kernel
// looks for a SIGKILL between two pages.
const indexBlock = 4 << 10

// padding returns the bytes to write before n bytes of lines at the end of f, whose size
// is size: a newline if the last line has none, because the disk was full or the power
// failed; and as many newlines as fill the block if a line would cross its end.
func padding(f io.ReaderAt, size int64, n int) []byte {
	if size == 0 {
		return nil
	}
	missing := 0
	var last [1]byte
	if _, err := f.ReadAt(last[:], size-1); err == nil && last[0] != '\n' {
		missing = 1
	}
	if room := indexBlock - int(size+int64(missing))%indexBlock; n > room && n <= indexBlock {
		missing += room
	}
	return bytes.Repeat(newline, missing)
}

// indexFile returns the name of a day's file.
func indexFile(t time.Time) string {
	return indexDir + "/" + t.UTC().Format(time.DateOnly) + ".jsonl"
}

// eachLine calls good for every sound line of the index, the oldest day first, with an
// entry that is valid until good returns. It calls bad, unless that is nil, for every
// other line, and with line 0 for a day that cannot be read.
func (x *index) eachLine(good func(file string, e *Entry), bad func(file string, line int, why error)) error {
	names, err := x.fs.NamesIn(indexDir)
	if err != nil {
		return err
	}
	slices.Sort(names)
	for _, name := range names {
		if !strings.HasSuffix(name, ".jsonl") {
			continue
		}
		err := x.eachLineOf(name, good, bad)
		if err != nil && !errors.Is(err, fs.ErrNotExist) && bad != nil {
			bad(name, 0, err)
		}
	}
	return nil
}

// errDamaged is the error of an index line that cannot be read.
var errDamaged = errors.New("it is damaged")

// indexLimit is how much of a day's file is read, in bytes: a million lines.
const indexLimit = 256 << 20

func (x *index) eachLineOf(name string, good func(string, *Entry), bad func(string, int, error)) error {
	f, err := filesys.OpenRegular(x.fs, indexDir+"/"+name)
	if err != nil {
		return err
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil {
		return err
	}
	if fi.Size() > indexLimit {
		return fmt.Errorf("read %q: it is larger than %d bytes", name, int64(indexLimit))
	}
	r := bufio.NewReaderSize(io.LimitReader(f, indexLimit), int(min(fi.Size()+1, 64<<10)))
	known := interner{}
	var e Entry
	for n := 1; ; n++ {
		line, err := readLine(r)
		if len(line) == 0 && err != nil {
			return unlessEOF(err)
		}
		if len(line) == 0 {
			continue
		}
		e = Entry{}
		if parseEntry(line, &e, known) {
			good(name, &e)
			continue
		}
		for _, piece := range splitTorn(line) {
			e = Entry{}
			if parseEntry(piece, &e, known) {
				good(name, &e)
			}
		}
		if bad != nil {
			bad(name, n, errDamaged)
		}
	}
}

// readLine returns the next line without its newline; the line is valid until the next
// call. At the end of the text it returns the rest together with an error.
func readLine(r *bufio.Reader) (line []byte, err error) {
	line, err = r.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		var rest []byte
		line = bytes.Clone(line)
		rest, err = r.ReadBytes('\n')
		line = append(line, rest...)
	}
	return bytes.TrimSuffix(line, newline), err
}

func unlessEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// A damagedLine is the place of an unreadable line of the index, or of an unreadable day.
type damagedLine struct {
	file string
	line int    // 0 means all of them
	why  string // the error
}

// damagedLines returns the lines of the index that cannot be read. It reads the index
// twice, since another process may have been writing a line at the first time.
func (x *index) damagedLines() ([]damagedLine, error) {
	found := map[damagedLine]bool{}
	look := func() ([]damagedLine, error) {
		var bad []damagedLine
		err := x.eachLine(func(string, *Entry) {}, func(file string, line int, why error) { bad = append(bad, damagedLine{file, line, why.Error()}) })
		return bad, err
	}
	first, err := look()
	if err != nil || len(first) == 0 {
		return nil, err
	}
	for _, l := range first {
		found[l] = true
	}
	again, err := look()
	return slices.DeleteFunc(again, func(l damagedLine) bool { return !found[l] }), err
}

// addMissing adds lines for objects, each to the day on which the object was stored.
func (x *index) addMissing(missing map[key]bool) (int, error) {
	days := map[string][]byte{}
	n := 0
	for k := range missing {
		e, err := x.objects.entry(hex.EncodeToString(k[:]))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return 0, err
		}
		e.Time = e.Time.Truncate(time.Millisecond)
		day := indexFile(e.Time)
		days[day] = appendEntry(days[day], &e)
		n++
	}
	for day, lines := range days {
		if err := x.append(day, lines); err != nil {
			return 0, err
		}
	}
	return n, nil
}

// rewriteDay keeps the sound lines of a day that keep wants. A line that is
// added by another process meanwhile may be lost: the index is advisory.
func (x *index) rewriteDay(file string, keep func(*Entry) bool) error {
	var lines []byte
	err := x.eachLineOf(file, func(_ string, e *Entry) {
		if keep(e) {
			lines = appendEntry(lines, e)
		}
	}, nil)
	if err != nil {
		return err
	}
	name := indexDir + "/" + file
	if len(lines) == 0 {
		return x.fs.Remove(name)
	}
	p, err := x.parts.Write(lines)
	if err != nil {
		return err
	}
	defer p.Drop()
	return x.fs.Rename(p.Name, name)
}

// prune removes the lines of removed objects, in all days but today's.
func (x *index) prune() error {
	there, err := x.objects.keys()
	if err != nil {
		return err
	}
	gone := map[string]int{}
	err = x.eachLine(func(file string, e *Entry) {
		if k, _ := keyOf(e.Digest[len(digestPrefix):]); !there[k] {
			gone[file]++
		}
	}, nil)
	if err != nil {
		return err
	}
	today := strings.TrimPrefix(indexFile(x.now()), indexDir+"/")
	var files []string
	for file := range gone {
		if file != today {
			files = append(files, file)
		}
	}
	slices.Sort(files)
	for _, file := range files {
		err := x.rewriteDay(file, func(e *Entry) bool {
			k, _ := keyOf(e.Digest[len(digestPrefix):])
			return there[k]
		})
		if filesys.IgnoreNotExist(err) != nil {
			return err
		}
	}
	return nil
}
