package verbs

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/clitest"
	"github.com/envwrap/envwrap/internal/app/session"
	"github.com/envwrap/envwrap/internal/test/testenv"
)

// docs/reference/dialects.md shows what the program prints. UPDATE=1 writes it anew.
func TestDialectDocs(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("texts of the system differ elsewhere")
	}
	sections := map[string]string{}
	dir, programs := t.TempDir(), smallPath(t)
	for name, command := range map[string][]string{
		"success": {"sh", "-c", `echo "{\"name\": \"app\", \"ok\": true}"`},
		"failure": {"sh", "-c", `echo "no such host" >&2; exit 3`},
		"missing": {"gti", "status"},
	} {
		var b strings.Builder
		for _, d := range envelope.Dialects() {
			if name == "missing" && d.Name() != "helper/v1" && d.Name() != "delegator/v3.6" {
				continue // they have nothing new
			}
			text := printed(t, dir, d.Name(), command, "PATH="+programs)
			fmt.Fprintf(&b, "### %s\n\n%s\n", d.Name(), fenced(text))
			if payload := unwrapped(t, text); payload != "" {
				fmt.Fprintf(&b, "The last line, decoded:\n\n%s\n", fenced(payload+"\n"))
			}
		}
		sections[name] = b.String()
	}
	testenv.KeepSections(t, "../../../docs/reference/dialects.md", sections)
}

// printed returns the output of envwrap for a command, in an Env without randomness.
func printed(t *testing.T, dir, dialect string, command []string, environ ...string) string {
	t.Helper()
	env := fullEnv(t, dir, append([]string{"-f", dialect, "--"}, command...)...)
	env.Environ = session.SetAll(env.Environ, environ...)
	env.Random = rand.NewChaCha8([32]byte{})
	cli.Main(env)
	text := clitest.Contents(t, env.Stdout.Name())
	text = strings.ReplaceAll(text, dir, "/home/dev/app")
	text = regexp.MustCompile(`"(user|sys)_ms":( ?)\d+`).ReplaceAllString(text, `"${1}_ms":${2}1`)
	return regexp.MustCompile(`"max_rss_bytes":( ?)\d+`).ReplaceAllString(text, `"max_rss_bytes":${1}1703936`)
}

// smallPath is a directory for PATH with a shell and a git, so that hints about
// near names are the same everywhere.
func smallPath(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"sh", "git"} {
		if err := os.Symlink("/bin/sh", filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// fenced is text as a block of Markdown, which it may hold itself.
func fenced(text string) string {
	if strings.HasPrefix(text, "{") {
		return "```json\n" + text + "```\n"
	}
	return "````markdown\n" + text + "````\n"
}

// unwrapped is the last line of a tool-envelope, "" for other dialects.
func unwrapped(t *testing.T, text string) string {
	t.Helper()
	_, encoded, ok := strings.Cut(text, "__ENVELOPE_V1__:")
	if !ok {
		return ""
	}
	raw, err := base64.StdEncoding.DecodeString(strings.TrimSpace(encoded))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := json.Indent(&b, raw, "", "  "); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
