package redactcmd_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/clitest"
)

// explain names the rule of each masked span and never shows the secret.
func TestRedactExplain(t *testing.T) {
	const secret = "hunter2x9"
	dir := t.TempDir()
	in := "one\npassword=" + secret + "\nx ghp_" + "jt8qRiqJGtO8RMXBltEKjt3cLymvitSiWPvP\n" +
		"-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n-----END PRIVATE KEY-----\n" +
		"secret: 8Zx9Qm2Lp4Rt7Vb1Nc3"
	if err := os.WriteFile(filepath.Join(dir, "in.txt"), []byte(in), 0o600); err != nil {
		t.Fatal(err)
	}
	env := envIn(t, dir, "redact", "--explain", "in.txt")
	code := cli.Main(env)
	out, explained := clitest.Contents(t, env.Stdout.Name()), clitest.Contents(t, env.Stderr.Name())
	if code != 0 || out != "one\npassword=***\nx ***\n***\nsecret: \"***\"" || strings.Contains(explained, secret) {
		t.Fatalf("status %d, stdout %q, stderr %q", code, out, explained)
	}
	want := []string{
		`line 2, column 10: assignment after "password" \(likely\): is the value of a name for a secret, .+`,
		`line 3, column 3: github-token \(certain\): .+`,
		`line 4, column 1: private-key \(certain\): is a private key`,
		`line 7, column 9: assignment after "secret" \(likely\): is the value of a name for a secret, and looks random`,
	}
	if !regexp.MustCompile("^" + strings.Join(want, "\n") + "\n$").MatchString(explained) {
		t.Errorf("stderr is\n%s", explained)
	}
}
