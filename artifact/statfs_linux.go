package artifact

import (
	"os"
	"syscall"
)

// remote are the file systems where flock(2) may ask another machine, or a
// program, and wait for its answer for ever (linux/magic.h, statfs(2)).
var remote = [...]uint32{
	0x6969,     // NFS
	0x517B,     // SMB
	0xFE534D42, // SMB2
	0xFF534D42, // CIFS
	0x01021997, // 9P
	0x65735546, // FUSE: sshfs, gcsfuse, ...
	0x00C36400, // Ceph
	0x5346414F, // AFS
	0x6B414653, // kAFS
	0x73757245, // Coda
	0x564C,     // NCP
	0x0BD00BD0, // Lustre
	0x01161970, // GFS2
	0x7461636F, // OCFS2
	0x19830326, // BeeGFS
	0x47504653, // GPFS
	0x013111A8, // IBRIX
	0xAAD7AAEA, // PanFS
}

// locksWork reports whether d lies on a file system of this machine.
func locksWork(d *os.File) bool {
	var st syscall.Statfs_t
	if err := syscall.Fstatfs(int(d.Fd()), &st); err != nil {
		return false
	}
	for _, magic := range remote {
		if uint32(st.Type) == magic {
			return false
		}
	}
	return true
}

// freeSpace is what is left for this user on d's file system, in bytes.
func freeSpace(d *os.File) (int64, error) {
	var st syscall.Statfs_t
	err := syscall.Fstatfs(int(d.Fd()), &st)
	return int64(st.Bavail) * int64(st.Bsize), err
}
