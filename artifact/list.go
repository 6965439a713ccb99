package artifact

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/envwrap/envwrap/artifact/internal/filesys"
	"github.com/envwrap/envwrap/internal/owned"
)

// A key is an object's name in its short form, for maps.
type key [hexLen / 2]byte

// keyOf returns the key of a name; false where it is no object's.
func keyOf(name string) (k key, ok bool) {
	if len(name) != hexLen {
		return k, false
	}
	_, err := hex.Decode(k[:], []byte(name))
	return k, err == nil
}

// learn adds what another line says of the same object: everything in the later line,
// and what only the earlier one has. A line that no run made, of an object that was put
// or recovered, does not hide the run that made the object before.
func (e *Entry) learn(other *Entry) {
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

// present returns all objects, without a look at any of them.
func (s *Store) present() (map[key]bool, error) {
	there := map[key]bool{}
	err := inShards(s, s.fs.Names, func(names []string) {
		for _, name := range names {
			name, _ = cutSuffix(name)
			if k, ok := keyOf(name); ok {
				there[k] = true
			}
		}
	})
	return there, err
}

// eachShard calls do for every directory of objects that is there.
func (s *Store) eachShard(do func(shard string) error) error {
	names, err := s.fs.NamesIn(objectsDir)
	if err != nil {
		return err
	}
	slices.Sort(names)
	for _, name := range names {
		if len(name) != 2 || !isHex(name) {
			continue
		}
		shard := objectsDir + "/" + name
		err := s.fs.Check(shard)
		if errors.Is(err, owned.ErrRefused) {
			continue // not a directory of ours; doctor and verify report it
		}
		if err == nil {
			err = do(shard)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// inShards calls look for every directory of objects that exists, several at once, and
// add with each result, one at a time.
func inShards[T any](s *Store, look func(shard string) (T, error), add func(T)) error {
	var mu sync.Mutex
	var wg sync.WaitGroup
	var failed error
	shards := make(chan string)
	for range s.workers {
		wg.Go(func() {
			for shard := range shards {
				found, err := look(shard)
				mu.Lock()
				if err == nil {
					add(found)
				} else if !errors.Is(err, fs.ErrNotExist) {
					failed = errors.Join(failed, err)
				}
				mu.Unlock()
			}
		})
	}
	err := s.eachShard(func(shard string) error {
		shards <- shard
		return nil
	})
	close(shards)
	wg.Wait()
	return errors.Join(err, failed)
}

// eachLine calls good for every sound line of the index, with an entry that is valid
// until it returns, the oldest day first,
// and bad, where it is not nil, for every other one, and with line 0 for a day
// that cannot be read.
func (s *Store) eachLine(good func(file string, e *Entry), bad func(file string, line int, why error)) error {
	names, err := s.fs.NamesIn(indexDir)
	if err != nil {
		return err
	}
	slices.Sort(names)
	for _, name := range names {
		if !strings.HasSuffix(name, ".jsonl") {
			continue
		}
		err := s.eachLineOf(name, good, bad)
		if err != nil && !errors.Is(err, fs.ErrNotExist) && bad != nil {
			bad(name, 0, err)
		}
	}
	return nil
}

// errDamaged is the error of an index line that cannot be read.
var errDamaged = errors.New("it is damaged")

// indexMost bounds what is read of a day's file of the index, in bytes: a
// million lines.
const indexMost = 256 << 20

func (s *Store) eachLineOf(name string, good func(string, *Entry), bad func(string, int, error)) error {
	f, err := filesys.OpenRegular(s.fs, indexDir+"/"+name)
	if err != nil {
		return err
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil {
		return err
	}
	if fi.Size() > indexMost {
		return fmt.Errorf("read %q: it is larger than %d bytes", name, int64(indexMost))
	}
	r := bufio.NewReaderSize(io.LimitReader(f, indexMost), int(min(fi.Size()+1, 64<<10)))
	known := words{}
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
		for _, piece := range aroundTear(line) {
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

// readLine returns the next line, without its end, until the next call. At the end
// of the text it returns an error beside what is there.
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
