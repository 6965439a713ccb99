//go:build unix

package wrap

import (
	"errors"
	"os"
	"syscall"

	"github.com/envwrap/envwrap/internal/platform/launch"
)

// replace executes path in this process. A text file without a #! line runs by
// the shell, as with execvp(3).
func (r *run) replace(path string, _, _ *os.File) (int, error) {
	if err := r.moveStdin(); err != nil {
		return statusSelf, err
	}
	env := r.c.childEnvironment()
	err := syscall.Exec(path, r.c.Argv, env)
	if errors.Is(err, syscall.ENOEXEC) && !launch.ReadHeader(path).Binary {
		err = syscall.Exec("/bin/sh", append([]string{"/bin/sh", path}, r.c.Argv[1:]...), env)
	}
	return statusNotExecutable, err
}

// moveStdin makes the command's standard input descriptor 0: dup(2)
// returns the lowest free one.
func (r *run) moveStdin() error {
	fd := int(r.stdin.Fd())
	if fd == 0 {
		return nil
	}
	if err := syscall.Close(0); err != nil {
		return err
	}
	_, err := syscall.Dup(fd)
	return err
}
