//go:build !unix

package job

import "os"

type lockMode int

const (
	shared lockMode = iota
	exclusive
)

func (lockMode) await(*os.File) error { return ErrUnsupported }

func (lockMode) try(*os.File) (bool, error) { return false, ErrUnsupported }
