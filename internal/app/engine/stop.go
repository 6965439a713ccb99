package engine

import "context"

// Cancel has the engine drop a job that has not started.
func (e *Engine) Cancel(ctx context.Context, call Caller, j *Job) error {
	c := e.kind.commands(e)
	return c.control(ctx, call, j, c.cancel)
}

// Stop has the engine end a job that runs. Each step, from 0 on, is harder than the one
// before; more is false after the last one, whose error alone counts.
func (e *Engine) Stop(ctx context.Context, call Caller, j *Job, step int) (more bool, err error) {
	c := e.kind.commands(e)
	if j.Array != "" && len(c.end) > 0 {
		c.stop = c.end
	}
	if len(c.stop) == 0 { // a command that ignores the first signal is killed at the second
		c.stop = [][]string{c.cancel, c.cancel}
	}
	if err = c.control(ctx, call, j, c.stop[min(step, len(c.stop)-1)]); step+1 < len(c.stop) {
		return true, nil
	}
	return false, err
}

// DropMembers has the engine drop the members of a group that have not started.
func (e *Engine) DropMembers(ctx context.Context, call Caller, j *Job) error {
	c := e.kind.commands(e)
	if len(c.drop) == 0 {
		return nil
	}
	return c.control(ctx, call, j, c.drop)
}

// Forget has the engine remove what it keeps of a job that is over.
func (e *Engine) Forget(ctx context.Context, call Caller, j *Job) error {
	c := e.kind.commands(e)
	if len(c.forget) == 0 {
		return nil
	}
	return c.control(ctx, call, j, c.forget)
}

// control runs a command about a job. It is no error if the engine has no such job any more.
func (c *commands) control(ctx context.Context, call Caller, j *Job, words []string) error {
	line := j.fill(words)
	_, complaint, err := call(ctx, line, "")
	if err != nil && !says(complaint, c.absent) {
		return failure(line, complaint, err)
	}
	return nil
}
