//go:build unix && !linux

package spawn

import "syscall"

// Attributes says that the process leads a group of its own, or is of ours.
func Attributes(ownGroup bool) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: ownGroup}
}
