//go:build !linux

package companion

import "syscall"

// attributes returns how the companion is started: as any program. It sees the end of
// envwrap when it next reads or writes.
func attributes() *syscall.SysProcAttr { return nil }
