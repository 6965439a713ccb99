package artifact

import (
	"encoding/hex"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/envwrap/envwrap/artifact/internal/filesys"
)

// Reindex adds a line for every object that the index does not have, and rewrites the
// files that have damaged lines; what has the name of such a file and is no regular
// file is removed. It returns how many lines it added and how many damaged ones it
// dropped.
func (s *Store) Reindex() (added, dropped int, err error) {
	if s.fs.ReadOnly != nil {
		return 0, 0, s.fs.ReadOnly
	}
	there, err := s.present()
	if err != nil {
		return 0, 0, err
	}
	damaged := map[string]int{}
	var unread error
	err = s.eachLine(func(_ string, e *Entry) {
		if k, ok := keyOf(e.Digest[len(digestPrefix):]); ok {
			delete(there, k)
		}
	}, func(file string, line int, why error) {
		switch {
		case line > 0:
			damaged[file]++
		case errors.Is(why, filesys.ErrNotRegular):
			unread = errors.Join(unread, s.fs.Remove(indexDir+"/"+file))
			dropped++
		default:
			unread = errors.Join(unread, why)
		}
	})
	if err = errors.Join(err, unread); err != nil {
		return 0, 0, err
	}
	for file, n := range damaged {
		if err := s.rewriteDay(file, func(*Entry) bool { return true }); err != nil {
			return 0, dropped, err
		}
		dropped += n
	}
	added, err = s.indexMissing(there)
	return added, dropped, err
}

// indexMissing adds lines for objects, each to the day it was stored.
func (s *Store) indexMissing(missing map[key]bool) (int, error) {
	days := map[string][]byte{}
	n := 0
	for k := range missing {
		e, err := s.entryOf(hex.EncodeToString(k[:]))
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
		if err := s.appendIndex(day, lines); err != nil {
			return 0, err
		}
	}
	return n, nil
}

// rewriteDay keeps the sound lines of a day that keep wants. A line that is
// added by another process meanwhile may be lost: the index is advisory.
func (s *Store) rewriteDay(file string, keep func(*Entry) bool) error {
	var lines []byte
	err := s.eachLineOf(file, func(_ string, e *Entry) {
		if keep(e) {
			lines = appendEntry(lines, e)
		}
	}, nil)
	if err != nil {
		return err
	}
	name := indexDir + "/" + file
	if len(lines) == 0 {
		return s.fs.Remove(name)
	}
	p, err := s.newPart(scratch)
	if err != nil {
		return err
	}
	defer s.drop(p)
	if _, err := p.f.Write(lines); err != nil {
		return err
	}
	if err := s.fs.SyncFile(p.f); err != nil {
		return err
	}
	return s.fs.Rename(p.name, name)
}

// pruneIndex forgets the objects that are gone, in all days but today's.
func (s *Store) pruneIndex() error {
	there, err := s.present()
	if err != nil {
		return err
	}
	gone := map[string]int{}
	err = s.eachLine(func(file string, e *Entry) {
		if k, _ := keyOf(e.Digest[len(digestPrefix):]); !there[k] {
			gone[file]++
		}
	}, nil)
	if err != nil {
		return err
	}
	today := strings.TrimPrefix(indexFile(s.now()), indexDir+"/")
	var files []string
	for file := range gone {
		if file != today {
			files = append(files, file)
		}
	}
	slices.Sort(files)
	for _, file := range files {
		err := s.rewriteDay(file, func(e *Entry) bool {
			k, _ := keyOf(e.Digest[len(digestPrefix):])
			return there[k]
		})
		if filesys.UnlessGone(err) != nil {
			return err
		}
	}
	return nil
}
