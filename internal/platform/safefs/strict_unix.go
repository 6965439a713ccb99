//go:build unix

package safefs

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"github.com/envwrap/envwrap/internal/shared/hints"
	"golang.org/x/sys/unix"
)

// StrictModes checks that no other user can change a file or a directory, or put another
// in its place, as StrictModes of sshd_config(5) does: it, each directory above it, and
// each symbolic link on the way and where that leads to belong to this user or root, and
// others cannot write to them. Three rules more say what that is:
//
//   - A group may write only if it is this user's own private one: the user's primary
//     group, with the user's name or number, and no other member in /etc/passwd and
//     /etc/group.
//   - In a directory with the sticky bit that others may write to, an entry of this user
//     or root is safe, since nobody else can rename it.
//   - In a user namespace the owner of a directory or a link who has no number there
//     counts as root, unless this user can write: nobody of the namespace is that owner.
//
// On Linux an access control list (acl(5)) that lets a group write counts as a permission
// for others; StrictModes does not read the lists of NFSv4 and of other systems. The error is
// an *Exposed, or one of lstat(2) or readlink(2).
func StrictModes(path string) error {
	const mostLinks = 40
	path, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	c := &strictCheck{}
	rest := components(path)
	dir := "" // checked, and without links
	for links := 0; len(rest) > 0; {
		name := filepath.Join(dir, rest[0]) // "..", after a link, leads to what was checked
		rest = rest[1:]
		info, err := os.Lstat(name)
		if err != nil {
			return err
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			if err := c.check(name, info, len(rest) > 0); err != nil {
				return err
			}
			dir = name
			continue
		}
		if err := c.checkOwner(name, info); err != nil {
			return err
		}
		if links++; links > mostLinks {
			return &fs.PathError{Op: "lstat", Path: path, Err: syscall.ELOOP}
		}
		target, err := os.Readlink(name)
		if err != nil {
			return err
		}
		if filepath.IsAbs(target) {
			dir = ""
		}
		rest = append(components(target), rest...)
	}
	return nil
}

// components returns the names in a path, the first "/" where it is absolute, without
// those that lead nowhere.
func components(path string) []string {
	names := slices.DeleteFunc(strings.Split(path, "/"), func(name string) bool { return name == "" || name == "." })
	if filepath.IsAbs(path) {
		names = slices.Insert(names, 0, "/")
	}
	return names
}

// A strictCheck is one walk of StrictModes.
type strictCheck struct {
	sticky bool // the directory that is walked is one in which others can make names
}

// check checks the owner and the mode of a file or directory; above reports whether
// the walk goes on below it.
func (c *strictCheck) check(name string, info fs.FileInfo, above bool) error {
	if err := c.checkOwner(name, info); err != nil {
		return err
	}
	st, _ := info.Sys().(*syscall.Stat_t)
	perm := info.Mode().Perm()
	listed := perm&0o020 != 0 && hasACL(name) // then the bit also stands for the list's users
	writable := perm&0o002 != 0 || listed || perm&0o020 != 0 && !privateGroup(euid, int(st.Gid))
	c.sticky = writable && above && info.IsDir() && info.Mode()&fs.ModeSticky != 0
	if writable && !c.sticky {
		why := fmt.Sprintf("others can write to it (mode %#o)", perm)
		if listed {
			why = fmt.Sprintf("others can write to it (mode %#o, and an access control list)", perm)
		}
		return &Exposed{
			Path: name, Why: why,
			Mend: "chmod go-w " + hints.Quote(name),
		}
	}
	return nil
}

func (c *strictCheck) checkOwner(name string, info fs.FileInfo) error {
	st, _ := info.Sys().(*syscall.Stat_t)
	owner := int(st.Uid)
	if isOurs(owner) || owner == 0 || !c.sticky && !info.Mode().IsRegular() && unmapped(owner) && !canWrite(name) {
		return nil
	}
	if owner == euid {
		return &Exposed{
			Path: name, Why: "this user has no number in the user namespace, so its owner may be anyone",
			Mend: "unshare --map-current-user",
		}
	}
	mend := fmt.Sprintf("chown -h %d %s", euid, hints.Quote(name))
	if euid != 0 {
		mend = "sudo " + mend
	}
	return &Exposed{Path: name, Why: fmt.Sprintf("it belongs to user %d", owner), Mend: mend}
}

func canWrite(name string) bool {
	return unix.Faccessat(unix.AT_FDCWD, name, unix.W_OK, unix.AT_EACCESS) == nil
}

// overflowID is the number that the kernel shows of an owner who has none in this user
// namespace (overflowuid in proc_sys_kernel(5)).
const overflowID = 65534

// unmapped reports whether an owner may be one who has no number in this user namespace.
// Where the namespace has a user of its own with overflowID, only root can tell the two
// apart, who can write to all that belongs to users of the namespace.
func unmapped(uid int) bool { return uid == overflowID && mayBeOutside(idMap(), uid, euid) }

// mayBeOutside reports whether the owner uid may be outside of a user namespace with these
// numbers, to which the user euid belongs.
func mayBeOutside(ranges []idRange, uid, euid int) bool {
	for _, r := range ranges {
		if r.has(uid) && (euid != 0 || r.first == r.outside && r.n > 1<<31) {
			return false
		}
	}
	return len(ranges) > 0
}

// isOurs reports whether an owner is this user. In a user namespace where this user has
// no number the kernel shows overflowID for it and for every user outside: no file is ours then.
func isOurs(uid int) bool { return uid == euid && (uid != overflowID || isMapped()) }

// isMapped reports whether this user has a number in the user namespace, or the system does
// not tell.
var isMapped = sync.OnceValue(func() bool { return inRanges(idMap(), euid) })

func inRanges(ranges []idRange, id int) bool {
	return ranges == nil || slices.ContainsFunc(ranges, func(r idRange) bool { return r.has(id) })
}

// An idRange is a line of /proc/self/uid_map (user_namespaces(7)).
type idRange struct{ first, outside, n int }

func (r idRange) has(id int) bool { return id >= r.first && id < r.first+r.n }

// idMap returns the numbers of the user namespace: none before they are set, nil if the
// system does not show them.
func idMap() []idRange {
	text, err := os.ReadFile("/proc/self/uid_map")
	if err != nil {
		return nil
	}
	return parseIDMap(string(text))
}

// parseIDMap reads the text of /proc/self/uid_map. It returns nil if the text is not of that form.
func parseIDMap(text string) []idRange {
	ranges := []idRange{}
	for line := range strings.Lines(text) {
		var r idRange
		if _, err := fmt.Sscan(line, &r.first, &r.outside, &r.n); err != nil {
			return nil
		}
		ranges = append(ranges, r)
	}
	return ranges
}

// privateGroup reports whether a group is the private one of a user, who is its only
// member.
func privateGroup(uid, gid int) bool {
	users, err := readList("/etc/passwd")
	if err != nil {
		return false
	}
	groups, err := readList("/etc/group")
	return err == nil && isPrivate(users, groups, uid, gid, os.Getegid())
}

// isPrivate is privateGroup for the texts of /etc/passwd and /etc/group. The primary
// group of a user who is in neither is egid.
func isPrivate(users, groups string, uid, gid, egid int) bool {
	name, primary := "", strconv.Itoa(egid)
	user, group := strconv.Itoa(uid), strconv.Itoa(gid)
	for entry := range entries(users) { // name:password:uid:gid:...
		switch {
		case entry[2] == user:
			name, primary = entry[0], entry[3]
		case entry[3] == group:
			return false
		}
	}
	own := gid == uid
	for entry := range entries(groups) { // name:password:gid:member,member
		if entry[2] != group {
			continue
		}
		own = own || entry[0] == name
		for member := range strings.SplitSeq(entry[3], ",") {
			if member != "" && member != name {
				return false
			}
		}
	}
	return own && primary == group
}

// entries returns the fields of each line that has four or more, with colons between.
func entries(text string) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		for line := range strings.Lines(text) {
			fields := strings.Split(strings.TrimRight(line, "\r\n"), ":")
			if len(fields) >= 4 && !yield(fields) {
				return
			}
		}
	}
}

// readList reads a list of the system's. One that does not exist is empty.
func readList(path string) (string, error) {
	const most = 4 << 20
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && len(text) > most {
		err = tooLarge(path, most)
	}
	return string(text), err
}
