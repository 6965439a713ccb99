package filesys

import (
	"os"
	"strconv"
	"syscall"
)

// A fsType is a file system by the number that statfs(2) gives it
// (linux/magic.h, and the sources of those that are not in there).
type fsType struct {
	magic uint32
	name  string
	// remote: flock(2) may ask another machine, or a program, and wait for its
	// answer for ever.
	remote bool
	// journal: it has one, which keeps the order of changes, and fsync(2) of a file
	// writes all of it up to the file's last change, its new names among them.
	// O_DIRECT writes the bytes and no others there, and is faster.
	journal bool
}

// fsTypes returns a function so that the table costs nothing at start.
func fsTypes() []fsType {
	return []fsType{
		{0xEF53, "ext4", false, true},
		{0x58465342, "xfs", false, true},
		{0x9123683E, "btrfs", false, false},
		{0x01021994, "tmpfs", false, false},
		{0x794C7630, "overlayfs", false, false},
		{0xF2F52010, "f2fs", false, false},
		{0x2FC12FC1, "zfs", false, false},
		{0xCA451A4E, "bcachefs", false, false},
		{0x4D44, "vfat", false, false},
		{0x2011BAB0, "exfat", false, false},
		{0x6969, "nfs", true, false},
		{0x517B, "smb", true, false},
		{0xFE534D42, "smb2", true, false},
		{0xFF534D42, "cifs", true, false},
		{0x01021997, "9p", true, false},
		{0x65735546, "fuse", true, false},
		{0x00C36400, "ceph", true, false},
		{0x5346414F, "afs", true, false},
		{0x6B414653, "kafs", true, false},
		{0x73757245, "coda", true, false},
		{0x564C, "ncp", true, false},
		{0x0BD00BD0, "lustre", true, false},
		{0x01161970, "gfs2", true, false},
		{0x7461636F, "ocfs2", true, false},
		{0x19830326, "beegfs", true, false},
		{0x47504653, "gpfs", true, false},
		{0x013111A8, "ibrix", true, false},
		{0xAAD7AAEA, "panfs", true, false},
	}
}

// fsTypeOf returns the file system that d lies on; ok is false where it is not known.
func fsTypeOf(d *os.File) (k fsType, ok bool) {
	var st syscall.Statfs_t
	if err := syscall.Fstatfs(int(d.Fd()), &st); err != nil {
		return fsType{remote: true}, false
	}
	for _, k := range fsTypes() {
		if k.magic == uint32(st.Type) {
			return k, true
		}
	}
	return fsType{magic: uint32(st.Type)}, false
}

// capabilitiesOf returns the capabilities of d's file system.
func capabilitiesOf(d *os.File) Capabilities {
	k, _ := fsTypeOf(d)
	return Capabilities{Locks: !k.remote, Direct: k.journal, Ordered: k.journal}
}

// fileSystem names d's file system.
func fileSystem(d *os.File) string {
	k, ok := fsTypeOf(d)
	if !ok {
		return "unknown (0x" + strconv.FormatUint(uint64(k.magic), 16) + ")"
	}
	return k.name
}

// freeSpace returns how many bytes this user may still write to d's file system.
func freeSpace(d *os.File) (int64, error) {
	var st syscall.Statfs_t
	err := syscall.Fstatfs(int(d.Fd()), &st)
	return int64(st.Bavail) * int64(st.Bsize), err
}
