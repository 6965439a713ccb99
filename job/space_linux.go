package job

import (
	"os"

	"golang.org/x/sys/unix"

	"github.com/envwrap/envwrap/internal/platform/safefs"
)

// spaceSize is what is kept free for a job's last words, in bytes.
const spaceSize = 64 << 10

// reserve takes hold of space on the disk that is given back when the job is to
// tell how it ended and the disk is full. That there is none left is found out
// soon enough.
func reserve(root *safefs.Dir, name string) {
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return
	}
	defer f.Close()
	_ = unix.Fallocate(int(f.Fd()), 0, 0, spaceSize)
}
