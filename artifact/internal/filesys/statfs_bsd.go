//go:build darwin || freebsd

package filesys

import (
	"os"
	"syscall"
)

// mntLocal is MNT_LOCAL of sys/mount.h.
const mntLocal = 0x1000

// capabilitiesOf reports that locks work if d lies on a file system of this machine: on a
// network's a lock may wait for ever.
func capabilitiesOf(d *os.File) Capabilities {
	var st syscall.Statfs_t
	if err := syscall.Fstatfs(int(d.Fd()), &st); err != nil {
		return Capabilities{}
	}
	return Capabilities{Locks: uint64(st.Flags)&mntLocal != 0}
}

// freeSpace returns how many bytes this user may still write to d's file system.
func freeSpace(d *os.File) (int64, error) {
	var st syscall.Statfs_t
	err := syscall.Fstatfs(int(d.Fd()), &st)
	return int64(st.Bavail) * int64(st.Bsize), err
}

// fileSystem names d's file system.
func fileSystem(d *os.File) string {
	var st syscall.Statfs_t
	if err := syscall.Fstatfs(int(d.Fd()), &st); err != nil {
		return "unknown"
	}
	var name []byte
	for _, c := range st.Fstypename {
		if c == 0 {
			break
		}
		name = append(name, byte(c))
	}
	return string(name)
}
