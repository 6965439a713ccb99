package artifact

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/envwrap/envwrap/artifact/internal/filesys"
	"github.com/envwrap/envwrap/artifact/internal/partial"
	"github.com/envwrap/envwrap/internal/platform/safefs"
)

// A Finding is the result of one check by [Doctor].
type Finding struct {
	Name   string `json:"name"` // one word
	Level  Level  `json:"level"`
	Text   string `json:"text"`             // what was found, in a phrase
	Advice string `json:"advice,omitempty"` // what to do; "" where all is well
}

// Level is the severity of a [Finding].
type Level int

const (
	Fine Level = iota // as it should be
	Note              // worth knowing
	Bad               // the store does not work as it should
)

func (l Level) String() string { return [...]string{"ok", "note", "bad"}[l] }

// MarshalText returns the word for a level.
func (l Level) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// lowSpace is the free space in bytes below which Doctor worries.
const lowSpace = 1 << 30

// slowSync is how long a sync of a small file and its directory may take
// before Doctor says so.
const slowSync = 20 * time.Millisecond

// Doctor checks the place of a store and what works there: permissions, locks, space
// and so on. It writes a few small files and removes them.
func Doctor(o Options) []Finding {
	o.NoMaintenance = true
	s, err := Open(o)
	if err != nil {
		return []Finding{{"directory", Bad, err.Error(), adviceFor(err)}}
	}
	defer s.Close()
	found := []Finding{{"directory", Fine, fmt.Sprintf("%s, layout %s", s.dir, s.version), ""}}
	x := examination{s}
	for _, look := range x.checks() {
		found = append(found, look())
	}
	return append(found, x.checkSync())
}

// An examination checks one property after the other of an open store.
type examination struct{ s *Store }

// checks returns the checks of Doctor whose findings are the same each time.
func (x examination) checks() []func() Finding {
	return []func() Finding{
		x.checkAccess, x.checkDirectories, x.checkFileTypes, x.checkFileSystem, x.checkLocks, x.checkLinks,
		x.checkSpace, x.checkParts, x.checkIndex, x.checkQuarantine,
	}
}

// adviceFor returns advice for a store that cannot be opened.
func adviceFor(err error) string {
	var v *VersionError
	switch {
	case errors.As(err, &v):
		return "use the envwrap that made it, or name another place with --store"
	case errors.Is(err, fs.ErrPermission):
		return "allow writing there, or name another place with --store"
	}
	return "mend it, or name another place with --store"
}

func (x examination) checkAccess() Finding {
	fi, err := x.s.fs.Lstat(".")
	if err != nil {
		return Finding{"access", Bad, err.Error(), ""}
	}
	if perm := fi.Mode().Perm(); perm&0o077 != 0 {
		return Finding{
			"access", Note, fmt.Sprintf("others may look into the directory (mode %#o)", perm),
			"chmod 700 " + x.s.dir,
		}
	}
	return Finding{"access", Fine, "yours alone", ""}
}

// checkDirectories reports names of the store's directories that are something else, or
// belong to another user.
func (x examination) checkDirectories() Finding {
	for _, dir := range directories() {
		if err := filesys.IgnoreNotExist(x.s.fs.Check(dir)); err != nil {
			return Finding{"directories", Bad, err.Error(), "move it out of the way: envwrap makes what is missing"}
		}
	}
	return Finding{"directories", Fine, "all are yours", ""}
}

const (
	irregularShown = 10 // how many names a Finding lists at most
	depthLimit     = 4  // directories deeper than this are reported; envwrap makes none
)

// checkFileTypes reports files in the store, also among jobs and remembered runs, that
// are neither directories nor regular files. envwrap makes no such file, and follows no
// link.
func (x examination) checkFileTypes() Finding {
	found, err := irregularFiles(x.s.fs, ".", nil)
	switch {
	case err != nil:
		return Finding{"kinds", Bad, err.Error(), "move it out of the way: envwrap makes what is missing"}
	case len(found) == 0:
		return Finding{"kinds", Fine, "only directories and regular files", ""}
	}
	text := strings.Join(found[:min(len(found), irregularShown)], ", ")
	if more := len(found) - irregularShown; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return Finding{
		"kinds", Bad, "not made by envwrap, and not followed: " + text,
		"find out who made them, and remove them",
	}
}

// irregularFiles adds to found what lies below dir and is neither a directory nor a
// regular file, each with its kind.
func irregularFiles(f filesys.FS, dir string, found []string) ([]string, error) {
	entries, err := f.ReadDir(dir)
	err = filesys.IgnoreNotExist(err)
	slices.SortFunc(entries, func(a, b fs.FileInfo) int { return strings.Compare(a.Name(), b.Name()) })
	for _, fi := range entries {
		name := path.Join(dir, fi.Name())
		switch {
		case fi.IsDir() && strings.Count(name, "/") > depthLimit:
			found = append(found, "directory "+strconv.Quote(name))
		case fi.IsDir():
			var below error
			found, below = irregularFiles(f, name, found)
			err = errors.Join(err, below)
		case !fi.Mode().IsRegular():
			found = append(found, strings.TrimPrefix(safefs.KindOf(fi.Mode()), "a ")+" "+strconv.Quote(name))
		}
	}
	return found, err
}

func (x examination) checkFileSystem() Finding {
	name := x.s.fs.Type()
	if !x.s.fs.Locks {
		return Finding{
			"filesystem", Note, name + ": a network's, or not known, so no locks are taken there",
			"a store on a local disk is faster, and collected by itself: --store or XDG_STATE_HOME",
		}
	}
	return Finding{"filesystem", Fine, name, ""}
}

func (x examination) checkLocks() Finding {
	if !x.s.fs.Locks {
		return Finding{"locks", Note, "not used: a part file counts as dead after an hour without a write", ""}
	}
	p, err := x.s.parts.Create(partial.Scratch)
	if err != nil {
		return Finding{"locks", Bad, err.Error(), ""}
	}
	defer p.Drop()
	again, err := filesys.OpenRegular(x.s.fs, p.Name)
	if err != nil {
		return Finding{"locks", Bad, err.Error(), ""}
	}
	defer again.Close()
	if err := again.TryLock(true); !errors.Is(err, filesys.ErrBusy) {
		return Finding{"locks", Bad, "a lock does not keep others out", "name a place on another file system with --store"}
	}
	return Finding{"locks", Fine, "they keep others out", ""}
}

func (x examination) checkLinks() Finding {
	p, err := x.s.parts.Create(partial.Scratch)
	if err != nil {
		return Finding{"links", Bad, err.Error(), ""}
	}
	defer p.Drop()
	to := p.Name + "-link"
	defer func() { _ = x.s.fs.Remove(to) }()
	if err := x.s.fs.Link(p.Name, to); err == nil {
		return Finding{"links", Fine, "hard links work", ""}
	}
	if err := x.s.fs.RenameNew(p.Name, to); err == nil {
		return Finding{"links", Note, "no hard links: files are moved by renameat2", ""}
	}
	return Finding{"links", Note, "no hard links: files are looked for and then moved", "two writers of the same bytes at once both write them; nothing is lost"}
}

// checkSync measures what it costs to make a small file durable.
func (x examination) checkSync() Finding {
	var took []time.Duration
	for range 5 {
		begin := time.Now()
		err := x.syncOnce()
		if err != nil {
			return Finding{"sync", Bad, err.Error(), ""}
		}
		took = append(took, time.Since(begin))
	}
	slices.Sort(took)
	median := took[len(took)/2].Round(10 * time.Microsecond)
	text := fmt.Sprintf("40 KB and their name are on disk in %v", median)
	if median > slowSync {
		return Finding{"sync", Note, text, "a faster disk for the store: --store"}
	}
	return Finding{"sync", Fine, text, ""}
}

func (x examination) syncOnce() error {
	p, err := x.s.parts.Create(partial.Scratch)
	if err != nil {
		return err
	}
	defer p.Drop()
	if _, err := p.Write(make([]byte, 40_000)); err != nil {
		return err
	}
	d, err := x.s.fs.OpenDir(partDir)
	if err != nil {
		return err
	}
	defer d.Close()
	return errors.Join(p.Sync(), filesys.IgnoreUnsupported(d.Sync()))
}

func (x examination) checkSpace() Finding {
	free, err := x.s.fs.Free()
	if err != nil {
		return Finding{"space", Note, "how much is free is not known here", ""}
	}
	text := fmt.Sprintf("%d MiB are free", free>>20)
	if free < lowSpace {
		return Finding{"space", Note, text, "envwrap artifact gc --max-size 1GiB"}
	}
	return Finding{"space", Fine, text, ""}
}

func (x examination) checkParts() Finding {
	parts, err := x.s.Parts()
	if err != nil {
		return Finding{"parts", Bad, err.Error(), ""}
	}
	dead := 0
	for _, p := range parts {
		if !p.Alive {
			dead++
		}
	}
	if dead > 0 {
		return Finding{"parts", Note, fmt.Sprintf("%d were left by writers that died", dead), "envwrap artifact recover"}
	}
	return Finding{"parts", Fine, "none was left by a writer that died", ""}
}

func (x examination) checkIndex() Finding {
	good, bad := 0, 0
	var unread error
	err := x.s.index.eachLine(func(string, *Entry) { good++ }, func(_ string, line int, why error) {
		bad++
		if line == 0 {
			unread = why
		}
	})
	err = errors.Join(err, unread)
	switch {
	case err != nil:
		return Finding{"index", Bad, err.Error(), "envwrap artifact reindex"}
	case bad > 0:
		return Finding{"index", Note, fmt.Sprintf("%d of %d lines are damaged", bad, good+bad), "envwrap artifact reindex"}
	}
	return Finding{"index", Fine, fmt.Sprintf("%d lines", good), ""}
}

func (x examination) checkQuarantine() Finding {
	names, err := x.s.fs.NamesIn(quarantineDir)
	if err != nil {
		return Finding{"quarantine", Bad, err.Error(), ""}
	}
	if len(names) == 0 {
		return Finding{"quarantine", Fine, "empty", ""}
	}
	level := Note
	for _, name := range names {
		if !strings.HasSuffix(name, reportedSuffix) {
			level = Bad
		}
	}
	return Finding{
		"quarantine", level, fmt.Sprintf("%d objects did not match their digests", len(names)),
		"run the commands again that made them; check the disk; then envwrap artifact verify --purge",
	}
}
