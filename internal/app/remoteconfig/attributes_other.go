//go:build !linux

package remoteconfig

import "syscall"

// Attributes returns how the companion is started: as any program. It sees the end of
// envwrap when it next reads or writes.
func Attributes() *syscall.SysProcAttr { return nil }
