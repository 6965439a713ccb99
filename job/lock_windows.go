package job

import "os"

// hasLocks reports true: LockFileEx works on network drives, too.
func hasLocks(string) bool { return true }

// openJobLock opens the file or directory that is locked while a job is settled or removed. A directory
// cannot be locked, so all jobs share a file.
func (root directory) openJobLock(id string) (*os.File, error) {
	if _, err := root.Lstat(id); err != nil {
		return nil, err
	}
	return root.openLock(".settle")
}
