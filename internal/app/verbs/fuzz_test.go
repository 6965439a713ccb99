package verbs

import (
	"os"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/clitest"
)

// FuzzLine: no command line without -- makes envwrap panic, and each ends with a
// status of the contract; a usage error of a run has a valid envelope.
func FuzzLine(f *testing.F) {
	for _, line := range []string{
		"", "git status", "run", "run git", "--bogus -fhelper", "-f", "-o x --timeout", "--format=nonsense",
		"version", "version -h", "help run", "help nonsense", "artifact cat -x", "artifact grep -inC2 a b",
		"detect --json=maybe", "completion fish", "--ok-exit 1,, --exit-map 1=2", "--env A --pretty --compact",
		"--timeout -1s tar -fx", "-h=0", "--help=false", "-- --", "--tee -", "---", "-=", "--=", "-f=",
	} {
		f.Add(strings.ReplaceAll(line, " ", "\x00"))
	}
	f.Fuzz(func(t *testing.T, line string) {
		args := strings.Split(line, "\x00")
		for _, a := range args {
			if a == "--" || strings.ContainsAny(a, `/\`) {
				t.Skip("it runs a command, or names a file elsewhere")
			}
		}
		env := fullEnv(t, t.TempDir(), args...)
		null, err := os.Open(os.DevNull)
		if err != nil {
			t.Fatal(err)
		}
		defer null.Close()
		env.Stdin = null
		status := cli.Main(env)
		switch status {
		case cli.StatusOK, cli.StatusFound, cli.StatusUsage, cli.StatusFailed:
		default:
			t.Errorf("%q: status %d", args, status)
		}
		if status == cli.StatusFailed && !validIn(t, env, args) {
			t.Errorf("%q: no valid envelope", args)
		}
	})
}

// validIn reports whether stdout, or any file in the working directory (-o), is
// a valid envelope.
func validIn(t *testing.T, env *cli.Env, args []string) bool {
	t.Helper()
	docs := []string{clitest.Contents(t, env.Stdout.Name())}
	dir, err := env.Dir()
	if err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if file.Type().IsRegular() {
			docs = append(docs, clitest.Contents(t, dir+"/"+file.Name()))
		}
	}
	for _, doc := range docs {
		for _, d := range envelope.Dialects() {
			if len(envelope.Validate(d, []byte(doc), envelope.ValidateOptions{})) == 0 {
				return true
			}
		}
	}
	return false
}
