package completion_test

import (
	"errors"
	"io"
	"os"
	"testing"

	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/clitest"
	"github.com/envwrap/envwrap/internal/app/verbs"
	"github.com/envwrap/envwrap/internal/test/testenv"
)

func TestMain(m *testing.M) { os.Exit(testenv.Run(m)) }

// A program is envwrap as the tests call it, again and again.
type program struct{ *cli.Env }

// newProgram returns one with a directory of its own.
func newProgram(t *testing.T) program {
	t.Helper()
	return program{envIn(t, t.TempDir())}
}

// prints returns what a call prints, which has to end with 0.
func (p program) prints(t *testing.T, args ...string) string {
	t.Helper()
	_, err := p.Stdout.Seek(0, io.SeekStart)
	if err := errors.Join(err, p.Stdout.Truncate(0)); err != nil {
		t.Fatal(err)
	}
	env := *p.Env
	env.Args = append([]string{"envwrap"}, args...)
	if got := cli.Main(&env); got != cli.StatusOK {
		t.Fatalf("%q: status %d, %s", args, got, clitest.Contents(t, env.Stderr.Name()))
	}
	return clitest.Contents(t, env.Stdout.Name())
}

// envIn returns an Env with all verbs, in a directory of its own.
func envIn(t *testing.T, dir string, args ...string) *cli.Env {
	env := clitest.EnvIn(t, dir, args...)
	env.Table = verbs.All()
	return env
}
