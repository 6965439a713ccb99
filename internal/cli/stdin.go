package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/envwrap/envwrap/wrap"
)

// openStdin makes what the command reads out of --stdin. A file is the
// caller's to close, after the run.
func (w *World) openStdin(source string) (wrap.Stdin, error) {
	switch source {
	case "auto":
		return wrap.Stdin{Mode: wrap.StdinAuto, File: w.Stdin}, nil
	case "inherit", "-":
		return wrap.Stdin{Mode: wrap.StdinInherit, File: w.Stdin}, nil
	case "null":
		return wrap.Stdin{Mode: wrap.StdinNull}, nil
	}
	f, err := openReadable(w.path(source), patience)
	if err != nil {
		return wrap.Stdin{}, &usageError{
			text: fmt.Sprintf("option --stdin: cannot read %q: %v", source, err),
			hint: "It takes auto, inherit, null, or a file that can be read.",
		}
	}
	return wrap.Stdin{Mode: wrap.StdinFile, File: f}, nil
}

// openReadable opens a file and refuses a directory, which fails only when it
// is read, and a FIFO that nobody has opened for writing while patience lasts.
func openReadable(path string, patience time.Duration) (*os.File, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, cause(err)
	case info.IsDir():
		return nil, errors.New("it is a directory")
	case info.Mode()&fs.ModeNamedPipe == 0:
		f, err := os.Open(path)
		return f, cause(err)
	}
	type opening struct {
		file *os.File
		err  error
	}
	opened := make(chan opening, 1)
	go func() {
		f, err := os.Open(path)
		opened <- opening{f, err}
	}()
	select {
	case o := <-opened:
		return o.file, cause(o.err)
	case <-time.After(patience):
		return nil, errors.New("nobody writes to this FIFO")
	}
}
