package spawn

import (
	"syscall"

	"golang.org/x/sys/windows"

	"github.com/envwrap/envwrap/wrap/internal/console"
)

// Attributes says that the process leads a group of its own in our console, or is of
// ours. Where we have no console, a program for one would open a window; it gets a
// console without.
func Attributes(ownGroup bool) *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{}
	switch {
	case !ownGroup:
	case console.Present():
		attr.CreationFlags = windows.CREATE_NEW_PROCESS_GROUP
	default:
		console.HearCtrlC(true)
		attr.CreationFlags = windows.CREATE_NO_WINDOW
	}
	return attr
}
