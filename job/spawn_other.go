//go:build !unix

package job

import "os"

func (*Launch) spawn([]string, *os.File, *os.File) error { return ErrUnsupported }

func inherited() (lock, turn *os.File) { return nil, nil }
