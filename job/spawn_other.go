//go:build !unix

package job

import (
	"io/fs"
	"os"
)

func (*Launch) spawn([]string, *os.File, *os.File) error { return ErrUnsupported }

func inherited(fs.FileInfo) (lock, turn *os.File) { return nil, nil }
