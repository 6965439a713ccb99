package wrap

import (
	"errors"
	"os"
)

// Exec makes the command take this process's place: no record, no limits, no
// redaction. Only Argv, Env, Dir and Stdin count; stdout and stderr are this
// process's own. It returns only where that
// failed, or where the platform cannot do it and the command has ended: with
// the exit status that a wrapper owes (125 to 127, or the command's own) and,
// for a failure, with an error that says why.
func Exec(c *Command, stdout, stderr *os.File) (status int, err error) {
	r := newRun(c)
	if len(c.Argv) == 0 {
		return statusSelf, errors.New("run a command: no command was given")
	}
	if f := r.checkArguments(); f != nil {
		return f.status, errors.New(f.message)
	}
	program, f := lookup(c.Argv[0], c.Env, c.Dir)
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
	if status, err = r.replace(program.path, stdout, stderr); err == nil {
		return status, nil
	}
	if f = r.startFailure(program.path, err); f != nil {
		return f.status, errors.New(f.message)
	}
	return statusSelf, err
}
