package artifact

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/envwrap/envwrap/artifact/internal/filesys"
	"github.com/envwrap/envwrap/internal/platform/safefs"
)

// errCrashed is the error of every operation once the machine is down.
var errCrashed = errors.New("the machine is down")

// A disk is a file system in memory that knows what a power cut leaves: the
// bytes of a file as of its last sync, and the names of a directory as of
// that directory's last sync.
type disk struct {
	mu      sync.Mutex
	root    *node
	now     func() time.Time
	ops     int                              // that were asked for
	crashAt int                              // the machine goes down before this operation; 0 is never
	fail    func(n int, op, n1 string) error // an error for the n-th operation, or nil
	noLinks bool
	free    int64

	ordered  bool    // it has a journal
	journals []*node // what a power cut may leave: the root as of each change since the last sync
}

func (d *disk) volume() *filesys.Volume {
	return &filesys.Volume{FS: d, Capabilities: filesys.Capabilities{Locks: true, Ordered: d.ordered}}
}

// record adds a change to the journal of a disk that has one.
func (d *disk) record() {
	if d.ordered {
		d.journals = append(d.journals, d.copied())
	}
}

// copied returns a copy of all that there is.
func (d *disk) copied() *node {
	seen := map[*node]*node{}
	var copied func(n *node) *node
	copied = func(n *node) *node {
		c := seen[n]
		if c == nil {
			c = &node{mode: n.mode, data: slices.Clone(n.data), synced: n.synced, mtime: n.mtime, kept: n.mtime}
			seen[n] = c
			if n.names != nil {
				c.names = map[string]*node{}
			}
			for name, child := range n.names {
				c.names[name] = copied(child)
			}
		}
		return c
	}
	return copied(d.root)
}

// A node is a file or a directory.
type node struct {
	mode    fs.FileMode
	data    []byte           // of a file
	names   map[string]*node // of a directory
	mtime   time.Time
	synced  []byte           // data after a power cut
	durable map[string]*node // names after a power cut
	kept    time.Time        // mtime after a power cut
	owner   *handle          // who has the exclusive lock
	sharers map[*handle]bool
}

func newDisk(now func() time.Time) *disk {
	return &disk{root: newDirNode(now()), now: now}
}

func newDirNode(t time.Time) *node {
	return &node{
		mode: fs.ModeDir | 0o700, mtime: t, kept: t,
		names: map[string]*node{}, durable: map[string]*node{},
	}
}

// step counts an operation and says whether it may take place.
func (d *disk) step(op, name string) error {
	d.ops++
	if d.crashAt > 0 && d.ops >= d.crashAt {
		return errCrashed
	}
	if d.fail != nil {
		if err := d.fail(d.ops, op, name); err != nil {
			return &fs.PathError{Op: op, Path: name, Err: err}
		}
	}
	return nil
}

// find walks to a node; nil if none exists.
func (d *disk) find(name string) *node {
	at := d.root
	for _, elem := range splitPath(name) {
		if at == nil || at.names == nil {
			return nil
		}
		at = at.names[elem]
	}
	return at
}

func splitPath(name string) []string {
	var elems []string
	for name = path.Clean(name); name != "." && name != ""; name = path.Dir(name) {
		elems = append(elems, path.Base(name))
	}
	slices.Reverse(elems)
	return elems
}

func notExist(op, name string) error { return &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist} }
func exists(op, name string) error   { return &fs.PathError{Op: op, Path: name, Err: fs.ErrExist} }

func (d *disk) OpenFile(name string, flag int, perm fs.FileMode) (filesys.File, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.step("open", name); err != nil {
		return nil, err
	}
	n := d.find(name)
	switch {
	case n != nil && flag&os.O_EXCL != 0:
		return nil, exists("open", name)
	case n == nil && flag&os.O_CREATE == 0:
		return nil, notExist("open", name)
	case n == nil:
		dir := d.find(path.Dir(name))
		if dir == nil {
			return nil, notExist("open", name)
		}
		n = &node{mode: perm, mtime: d.now()}
		dir.names[path.Base(name)] = n
		dir.mtime = d.now()
		d.record()
	}
	return &handle{d: d, n: n, name: name, appends: flag&os.O_APPEND != 0}, nil
}

// readSmall reads a file of at most limit bytes.
func readSmall(f filesys.FS, name string, limit int64) ([]byte, error) {
	h, err := filesys.OpenRegular(f, name)
	if err != nil {
		return nil, err
	}
	defer h.Close()
	fi, err := h.Stat()
	if err != nil {
		return nil, err
	}
	if fi.Size() > limit {
		return nil, fmt.Errorf("read %q: it is larger than %d bytes", name, limit)
	}
	b := bytes.NewBuffer(make([]byte, 0, fi.Size()+bytes.MinRead))
	_, err = b.ReadFrom(io.LimitReader(h, limit+1))
	if err == nil && int64(b.Len()) > limit { // it grew
		err = fmt.Errorf("read %q: it is larger than %d bytes", name, limit)
	}
	return b.Bytes(), err
}

func (d *disk) ReadFile(name string, limit int64) ([]byte, error) { return readSmall(d, name, limit) }

func (d *disk) OpenDir(name string) (filesys.File, error) { return d.OpenFile(name, os.O_RDONLY, 0) }

func (d *disk) Sub(name string) (filesys.FS, error) { return subDisk{d, name}, nil }

// A subDisk is a directory of a disk.
type subDisk struct {
	*disk
	dir string
}

func (d subDisk) Lstat(name string) (fs.FileInfo, error) { return d.disk.Lstat(d.dir + "/" + name) }

func (d subDisk) ReadFile(name string, limit int64) ([]byte, error) { return readSmall(d, name, limit) }

func (d subDisk) OpenFile(name string, flag int, perm fs.FileMode) (filesys.File, error) {
	return d.disk.OpenFile(d.dir+"/"+name, flag, perm)
}

func (d *disk) Names(name string) ([]string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.step("readdir", name); err != nil {
		return nil, err
	}
	n := d.find(name)
	if n == nil {
		return nil, notExist("readdir", name)
	}
	return slices.Sorted(maps.Keys(n.names)), nil
}

func (d *disk) ReadDir(name string) ([]fs.FileInfo, error) {
	names, err := d.Names(name)
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	var all []fs.FileInfo
	for _, base := range names {
		if n := d.find(name + "/" + base); n != nil {
			all = append(all, info{base, n.mode, int64(len(n.data)), n.mtime})
		}
	}
	return all, nil
}

func (d *disk) Lstat(name string) (fs.FileInfo, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.step("lstat", name); err != nil {
		return nil, err
	}
	n := d.find(name)
	if n == nil {
		return nil, notExist("lstat", name)
	}
	return info{path.Base(name), n.mode, int64(len(n.data)), n.mtime}, nil
}

func (d *disk) State(name string) (safefs.State, error) {
	info, err := d.Lstat(name)
	if err != nil {
		return safefs.State{}, err
	}
	return safefs.State{File: 1, Changed: info.ModTime().UnixNano()}, nil
}

func (d *disk) Mkdir(name string, _ fs.FileMode) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.step("mkdir", name); err != nil {
		return err
	}
	dir := d.find(path.Dir(name))
	switch {
	case dir == nil:
		return notExist("mkdir", name)
	case dir.names[path.Base(name)] != nil:
		return exists("mkdir", name)
	}
	dir.names[path.Base(name)] = newDirNode(d.now())
	d.record()
	return nil
}

func (d *disk) Link(old, new string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.step("link", new); err != nil {
		return err
	}
	if d.noLinks {
		return &fs.PathError{Op: "link", Path: new, Err: syscall.EPERM}
	}
	return d.enter("link", old, new)
}

// enter gives a node another name, which has to be free.
func (d *disk) enter(op, old, new string) error {
	n, dir := d.find(old), d.find(path.Dir(new))
	switch {
	case n == nil || dir == nil:
		return notExist(op, old)
	case dir.names[path.Base(new)] != nil:
		return exists(op, new)
	}
	dir.names[path.Base(new)] = n
	dir.mtime = d.now()
	d.record()
	return nil
}

func (d *disk) Rename(old, new string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.step("rename", new); err != nil {
		return err
	}
	n, dir := d.find(old), d.find(path.Dir(new))
	if n == nil || dir == nil {
		return notExist("rename", old)
	}
	delete(d.find(path.Dir(old)).names, path.Base(old))
	d.find(path.Dir(old)).mtime = d.now()
	dir.names[path.Base(new)] = n
	dir.mtime = d.now()
	d.record()
	return nil
}

func (d *disk) RenameNew(string, string) error { return errors.ErrUnsupported }

func (d *disk) Remove(name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.step("remove", name); err != nil {
		return err
	}
	if d.find(name) == nil {
		return notExist("remove", name)
	}
	delete(d.find(path.Dir(name)).names, path.Base(name))
	d.find(path.Dir(name)).mtime = d.now()
	d.record()
	return nil
}

func (d *disk) Chtimes(name string, t time.Time) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.step("chtimes", name); err != nil {
		return err
	}
	n := d.find(name)
	if n == nil {
		return notExist("chtimes", name)
	}
	n.mtime = t
	d.record()
	return nil
}

func (d *disk) Free() (int64, error) { return d.free, nil }
func (d *disk) Type() string         { return "memory" }
func (d *disk) Close() error         { return nil }

func (d *disk) Same(f filesys.File, name string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.step("same", name) == nil && d.find(name) == f.(*handle).n
}

// A handle is an open file or directory of a disk.
type handle struct {
	d       *disk
	n       *node
	name    string
	at      int
	appends bool
}

func (h *handle) Read(b []byte) (int, error) {
	n, err := h.ReadAt(b, int64(h.at))
	h.at += n
	return n, err
}

func (h *handle) ReadAt(b []byte, off int64) (int, error) {
	h.d.mu.Lock()
	defer h.d.mu.Unlock()
	if err := h.d.step("read", h.name); err != nil {
		return 0, err
	}
	if off >= int64(len(h.n.data)) {
		return 0, io.EOF
	}
	n := copy(b, h.n.data[off:])
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}

func (h *handle) Write(b []byte) (int, error) {
	if h.appends {
		h.at = len(h.n.data)
	}
	n, err := h.WriteAt(b, int64(h.at))
	h.at += n
	return n, err
}

// WriteAt writes half of b where an error was asked for, as a full disk does.
func (h *handle) WriteAt(b []byte, off int64) (int, error) {
	h.d.mu.Lock()
	defer h.d.mu.Unlock()
	err := h.d.step("write", h.name)
	if errors.Is(err, errCrashed) {
		return 0, err
	}
	if err != nil {
		b = b[:len(b)/2]
	}
	if need := int(off) + len(b); need > len(h.n.data) {
		h.n.data = append(h.n.data, make([]byte, need-len(h.n.data))...)
	}
	h.n.mtime = h.d.now()
	return copy(h.n.data[off:], b), err
}

func (h *handle) Stat() (fs.FileInfo, error) {
	h.d.mu.Lock()
	defer h.d.mu.Unlock()
	if err := h.d.step("stat", h.name); err != nil {
		return nil, err
	}
	return info{path.Base(h.name), h.n.mode, int64(len(h.n.data)), h.n.mtime}, nil
}

func (h *handle) Sync() error {
	h.d.mu.Lock()
	defer h.d.mu.Unlock()
	if err := h.d.step("sync", h.name); err != nil {
		return err
	}
	h.n.synced = slices.Clone(h.n.data)
	h.n.kept = h.n.mtime
	if h.n.names != nil {
		h.n.durable = maps.Clone(h.n.names)
	}
	h.d.journals = nil
	h.d.record()
	return nil
}

func (h *handle) WriteOut() error {
	h.d.mu.Lock()
	defer h.d.mu.Unlock()
	if err := h.d.step("write out", h.name); err != nil {
		return err
	}
	h.n.synced = slices.Clone(h.n.data)
	h.d.record()
	return nil
}

func (h *handle) Chmod(perm fs.FileMode) error {
	h.d.mu.Lock()
	defer h.d.mu.Unlock()
	h.n.mode = perm
	return h.d.step("chmod", h.name)
}

func (h *handle) Truncate(size int64) error {
	h.d.mu.Lock()
	defer h.d.mu.Unlock()
	h.n.data = h.n.data[:size]
	return h.d.step("truncate", h.name)
}

func (h *handle) StartSync(int64, int64) {}
func (h *handle) SetDirect(bool) bool    { return true }

func (h *handle) TryLock(exclusive bool) error {
	h.d.mu.Lock()
	defer h.d.mu.Unlock()
	if err := h.d.step("lock", h.name); err != nil {
		return err
	}
	n := h.n
	if n.owner != nil && n.owner != h || exclusive && len(n.sharers) > 0 {
		return filesys.ErrBusy
	}
	if exclusive {
		n.owner = h
		return nil
	}
	if n.sharers == nil {
		n.sharers = map[*handle]bool{}
	}
	n.sharers[h] = true
	return nil
}

func (h *handle) Close() error {
	h.d.mu.Lock()
	defer h.d.mu.Unlock()
	if h.n.owner == h {
		h.n.owner = nil
	}
	delete(h.n.sharers, h)
	return nil
}

type info struct {
	name  string
	mode  fs.FileMode
	size  int64
	mtime time.Time
}

func (i info) Name() string       { return i.name }
func (i info) Size() int64        { return i.size }
func (i info) Mode() fs.FileMode  { return i.mode }
func (i info) ModTime() time.Time { return i.mtime }
func (i info) IsDir() bool        { return i.mode.IsDir() }
func (i info) Sys() any           { return nil }
