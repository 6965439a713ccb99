package runcmd

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/platform/safefs"
	"github.com/envwrap/envwrap/wrap"
)

// openStdin makes what the command reads out of --stdin. A file is the
// caller's to close, after the run.
func openStdin(env *cli.Env, source string) (wrap.Stdin, error) {
	switch source {
	case "auto":
		return wrap.Stdin{Mode: wrap.StdinAuto, File: env.Stdin}, nil
	case "inherit", "-":
		return wrap.Stdin{Mode: wrap.StdinInherit, File: env.Stdin}, nil
	case "null":
		return wrap.Stdin{Mode: wrap.StdinNull}, nil
	}
	f, err := openSource(env, env.Path(source))
	if err != nil {
		return wrap.Stdin{}, &cli.UsageError{
			Text: fmt.Sprintf("option --stdin: cannot read %q: %v", source, err),
			Hint: "It takes auto, inherit, null, or a file that can be read.",
		}
	}
	return wrap.Stdin{Mode: wrap.StdinFile, File: f}, nil
}

// openSource opens a file that the command reads. What a trusted project's file
// names is read from a copy of what was hashed.
func openSource(env *cli.Env, path string) (*os.File, error) {
	text, ok := env.Vouched[path]
	if !ok {
		return openReadable(path, cli.Patience)
	}
	if text == nil {
		return nil, fs.ErrNotExist
	}
	tmp, ok := env.Lookup("TMPDIR")
	if !ok {
		tmp = env.TempDir
	}
	f, err := os.CreateTemp(tmp, "envwrap-stdin-")
	if err != nil {
		return nil, safefs.Cause(err)
	}
	_ = os.Remove(f.Name()) // the open file is enough; Windows keeps the name until it is closed
	if _, err := f.Write(text); err != nil {
		return nil, errors.Join(safefs.Cause(err), f.Close())
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// openReadable opens a file and refuses a directory, which fails only when it
// is read, and a FIFO that nobody has opened for writing while patience lasts.
func openReadable(path string, patience time.Duration) (*os.File, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, safefs.Cause(err)
	case info.IsDir():
		return nil, errors.New("it is a directory")
	case info.Mode()&fs.ModeNamedPipe == 0:
		f, err := os.Open(path)
		return f, safefs.Cause(err)
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
		return o.file, safefs.Cause(o.err)
	case <-time.After(patience):
		return nil, errors.New("nobody writes to this FIFO")
	}
}
