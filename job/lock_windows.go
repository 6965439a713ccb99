package job

import "os"

// hasLocks reports true: LockFileEx works on network drives, too.
func hasLocks(string) bool { return true }

// openJobLock opens the file that is locked while a process records the end of a lost job,
// or removes the job. A directory cannot be locked, so all jobs share a file.
func (root directory) openJobLock(id string) (*os.File, error) {
	if _, err := root.Lstat(id); err != nil {
		return nil, err
	}
	return root.openLock(".settle")
}
