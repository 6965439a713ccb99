package redactcmd

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/internal/app/cli/clitest"
	"github.com/envwrap/envwrap/redact"
)

// All files of secrets together have a limit of lines and one of bytes: the tables for
// 200,000 secrets took 3 s and 500 MB. Up to the limit they are known with an error, too.
func TestManySecrets(t *testing.T) {
	env := clitest.EnvIn(t, t.TempDir())
	dir, _ := env.Dir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	half := file("half", strings.Repeat("abcd\n", mostSecretLines/2))
	long := file("long", strings.Repeat("a", mostSecretBytes-4))
	for _, c := range []struct {
		files []string
		known int
		fault string
	}{
		{[]string{half, half}, mostSecretLines, ""},
		{[]string{half, half, file("one", "abcd")}, mostSecretLines, "more than 4000 secrets"},
		{[]string{long}, 1, ""},
		{[]string{file("four", "abcd"), long}, 2, ""},
		{[]string{file("five", "abcde"), long}, 1, "larger than 128.0 KiB"},
	} {
		values, err := NamedSecrets(env, &Redaction{SecretFiles: c.files}, nil)
		if len(values) != c.known || (err == nil) != (c.fault == "") || err != nil && !strings.Contains(err.Error(), c.fault) {
			t.Errorf("%q: %d secrets, %v", c.files, len(values), err)
		}
	}
}

// A project's file that is not trusted has values masked that are long enough
// to be secrets, and those of standard variables never.
func TestGuestValues(t *testing.T) {
	environ := []string{
		"SHORT=FAIL", "SEVEN=1234567", "EIGHT=12345678", "WIDE=ääääääää", "SHLVL=123456789", "LANG=en_US.UTF-8",
		"LC_ALL=en_US.UTF-8", "HOME=/home/somebody", "Path=/usr/local/bin",
	}
	var names []string
	for _, e := range environ {
		name, _, _ := strings.Cut(e, "=")
		names = append(names, name)
	}
	got := guestValues(append(names, "UNSET"), environ)
	want := []redact.Value{{Rule: "env:EIGHT", Secret: "12345678"}, {Rule: "env:WIDE", Secret: "ääääääää"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v", got)
	}
}
