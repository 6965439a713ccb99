package artifact

import (
	"errors"

	"github.com/envwrap/envwrap/artifact/internal/filesys"
)

// Reindex adds a line for every object that the index lacks, and rewrites the files that
// have damaged lines; it removes anything but a regular file that has the name of such a
// file. It returns how many lines it added and how many damaged ones it dropped.
func (s *Store) Reindex() (added, dropped int, err error) {
	if s.fs.ReadOnly != nil {
		return 0, 0, s.fs.ReadOnly
	}
	there, err := s.objects.keys()
	if err != nil {
		return 0, 0, err
	}
	damaged := map[string]int{}
	var unread error
	err = s.index.eachLine(func(_ string, e *Entry) {
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
		if err := s.index.rewriteDay(file, func(*Entry) bool { return true }); err != nil {
			return 0, dropped, err
		}
		dropped += n
	}
	added, err = s.index.addMissing(there)
	return added, dropped, err
}
