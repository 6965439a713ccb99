package job

import (
	"errors"
	"os"
)

// A live is the file of a stream while its command is running.
type live struct {
	f    *os.File
	most int64 // bytes; 0 is no limit
	n    int64
}

var errFull = errors.New("the limit of kept output is reached")

// Write adds to the file, up to its limit.
func (l *live) Write(p []byte) (int, error) {
	rest := p
	if l.most > 0 && l.n+int64(len(p)) > l.most {
		rest = p[:l.most-l.n]
	}
	n, err := l.f.Write(rest)
	l.n += int64(n)
	if err == nil && len(rest) < len(p) {
		err = errFull
	}
	return n, err
}
