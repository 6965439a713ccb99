package wrap

import (
	"errors"
	"os"
)

// Exec replaces this process by the command (execve(2)), without record, limits or
// redaction. It uses Argv, Env, Dir and Stdin of c only; stdout and stderr belong to
// this process. It returns only on failure, with the status to exit with (125 to 127)
// and an error, or, on a system that cannot replace a process, when the command has
// ended, with the command's own status.
func Exec(c *Command, stdout, stderr *os.File) (status int, err error) {
	r := newRun(c)
	if len(c.Argv) == 0 {
		return statusSelf, errors.New("run a command: no command was given")
	}
	if f := c.checkArguments(); f != nil {
		return f.status, errors.New(f.message)
	}
	file, f := c.find(c.Argv[0])
	if f != nil {
		return f.status, errors.New(f.message)
	}
	if r.stdin, r.ownsStdin, err = c.Stdin.open(); err != nil {
		return statusSelf, err
	}
	if c.Dir != "" {
		if err := os.Chdir(c.Dir); err != nil {
			return statusSelf, err
		}
	}
	if status, err = r.replace(file.Path, stdout, stderr); err == nil {
		return status, nil
	}
	if f = r.startFailure(file.Path, c.Env, err); f != nil {
		return f.status, errors.New(f.message)
	}
	return statusSelf, err
}
