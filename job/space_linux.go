package job

import (
	"os"

	"golang.org/x/sys/unix"

	"github.com/envwrap/envwrap/internal/platform/safefs"
)

// spaceSize is the disk space that is reserved for a job's last record, in bytes.
const spaceSize = 64 << 10

// reserve allocates space on the disk, which the supervisor frees when it records the
// job's end on a full disk. Failures are ignored: on a full disk the record of the submit
// fails next.
func reserve(root *safefs.Dir, name string) {
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return
	}
	defer f.Close()
	_ = unix.Fallocate(int(f.Fd()), 0, 0, spaceSize)
}
