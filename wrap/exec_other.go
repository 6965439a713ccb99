//go:build !unix

package wrap

import "os"

// replace runs path beside this process, which waits for it: there is no
// exec(2) here.
func (r *run) replace(path string, stdout, stderr *os.File) (int, error) {
	proc, err := os.StartProcess(path, r.c.Argv, &os.ProcAttr{
		Env:   r.c.childEnvironment(),
		Files: []*os.File{r.stdin, stdout, stderr},
	})
	if err != nil {
		return statusNotExecutable, err
	}
	state, err := proc.Wait()
	if err != nil {
		return statusSelf, err
	}
	return state.ExitCode(), nil
}
