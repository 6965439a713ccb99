package runcmd

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/clitest"
	"github.com/envwrap/envwrap/internal/app/cli/configcmd"
	"github.com/envwrap/envwrap/internal/app/session"
)

// The text that is parsed is the text that was hashed: a file that is exchanged after it
// was read for the digest is not opened a second time.
func TestParsedIsHashed(t *testing.T) {
	dir := t.TempDir()
	env := clitest.EnvIn(t, dir)
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(cli.ProjectFile, "secret-file = \"words\"\nstdin = \"words\"\nrequest = \"words\"\n")
	write("words", "orange-marmalade\n")
	env.Args = []string{"envwrap", "config", "trust", filepath.Join(dir, cli.ProjectFile)}
	env.Table = trustTable()
	if got := cli.Main(env); got != cli.StatusOK {
		t.Fatalf("trust the project's file: status %d, %s", got, clitest.Contents(t, env.Stderr.Name()))
	}
	if _, err := env.Settings(); err != nil {
		t.Fatal(err)
	}
	write("words", "exchanged\n")
	path := filepath.Join(session.ResolveLinks(dir), "words")
	if got, err := env.ReadNamed(path, 1<<20); err != nil || string(got) != "orange-marmalade\n" {
		t.Errorf("got %q, %v", got, err)
	}
	f, err := openSource(env, path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if got, err := io.ReadAll(f); err != nil || string(got) != "orange-marmalade\n" {
		t.Errorf("stdin: got %q, %v", got, err)
	}
	env = clitest.EnvIn(t, dir)
	env.Table = trustTable()
	s, err := env.Settings()
	if err != nil || s.Files[0].State != "changed" {
		t.Errorf("it still is trusted: %+v, %v", s.Files, err)
	}
}

// trustTable is the table of a program that runs commands and trusts files.
func trustTable() cli.Table {
	return cli.Table{Root: RunVerb, Verbs: []cli.Row{{Name: "config", Make: configcmd.ConfigVerb}}}
}
