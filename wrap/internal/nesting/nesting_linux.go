package nesting

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/envwrap/envwrap/internal/platform/proc"
)

// A Register is where envwraps below this process leave their word. A nil Register has
// none.
type Register struct{ file *os.File }

// prefix begins the name of a register.
const prefix = "envwrap-"

// Open returns the register of the run with a context, or nil if it cannot be made.
func Open(context string) *Register {
	run, _, ok := parse(context)
	if !ok {
		return nil
	}
	fd, err := unix.MemfdCreate(prefix+run, unix.MFD_CLOEXEC|unix.MFD_NOEXEC_SEAL)
	if errors.Is(err, unix.EINVAL) { // Linux before 6.3
		fd, err = unix.MemfdCreate(prefix+run, unix.MFD_CLOEXEC)
	}
	if err != nil {
		return nil
	}
	return &Register{os.NewFile(uintptr(fd), prefix+run)}
}

// most is how many bytes of a register are read, from its end.
const most = 64 << 10

// Has reports whether an envwrap said that it printed doc, and whether one of these ended
// with status.
func (r *Register) Has(doc []byte, status int) (printed, ended bool) {
	if r == nil {
		return false, false
	}
	info, err := r.file.Stat()
	if err != nil {
		return false, false
	}
	text := make([]byte, min(info.Size(), most))
	n, _ := r.file.ReadAt(text, max(0, info.Size()-most))
	lines := "\n" + string(text[:n])
	return strings.Contains(lines, "\n"+digest(doc)), strings.Contains(lines, "\n"+entry(doc, status))
}

// Close removes the register.
func (r *Register) Close() {
	if r != nil {
		_ = r.file.Close()
	}
}

// Say leaves word in the register of the envwrap that context names: this process printed
// doc and ends with status. It does nothing unless that envwrap is above this process
// and has a register.
func Say(context string, doc []byte, status int) {
	run, pid, ok := parse(context)
	if !ok || !isAbove(pid) {
		return
	}
	dir := fmt.Sprintf("/proc/%d/fd/", pid)
	names, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, name := range names {
		if target, err := os.Readlink(dir + name.Name()); err != nil || target != "/memfd:"+prefix+run+" (deleted)" {
			continue
		}
		if f, err := os.OpenFile(dir+name.Name(), os.O_WRONLY|os.O_APPEND, 0); err == nil {
			_, _ = f.WriteString(entry(doc, status))
			_ = f.Close()
		}
		return
	}
}

// isAbove reports whether a process is an ancestor of this one.
func isAbove(pid int) bool {
	for at, ok := proc.Parent(os.Getpid()); ok; at, ok = proc.Parent(at) {
		if at == pid {
			return true
		}
	}
	return false
}
