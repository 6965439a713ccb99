package cli

import (
	"errors"
	"fmt"
	"os"

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
	f, err := openReadable(w.path(source))
	if err != nil {
		return wrap.Stdin{}, &usageError{
			text: fmt.Sprintf("option --stdin: cannot read %q: %v", source, err),
			hint: "It takes auto, inherit, null, or a file that can be read.",
		}
	}
	return wrap.Stdin{Mode: wrap.StdinFile, File: f}, nil
}

// openReadable opens a file and refuses a directory, which fails only when it
// is read.
func openReadable(path string) (*os.File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, cause(err)
	}
	info, err := f.Stat()
	switch {
	case err != nil:
		f.Close()
		return nil, cause(err)
	case info.IsDir():
		f.Close()
		return nil, errors.New("it is a directory")
	}
	return f, nil
}
