package testenv

import "golang.org/x/sys/unix"

// enoughMemory is the room in bytes that has to be free for files of tests. Those of one
// package take less than 100 MB.
const enoughMemory = 1 << 30

// memoryDir returns a directory whose files are kept in memory, or "" if no such directory
// has room for the files of tests and lets programs run. A store syncs each file that it writes:
// on a disk that is most of what its tests wait for.
func memoryDir() string {
	const dir = "/dev/shm" // shm_overview(7)
	var fs unix.Statfs_t
	err := unix.Statfs(dir, &fs)
	if err != nil || fs.Type != unix.TMPFS_MAGIC || fs.Flags&unix.ST_NOEXEC != 0 || fs.Bavail*uint64(fs.Bsize) < enoughMemory {
		return ""
	}
	if unix.Access(dir, unix.W_OK|unix.X_OK) != nil {
		return ""
	}
	return dir
}
