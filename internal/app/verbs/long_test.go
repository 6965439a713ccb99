package verbs

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/clitest"
	"github.com/envwrap/envwrap/internal/shared/errtext"
	"github.com/envwrap/envwrap/internal/test/matrix"
)

// An error shows at most 200 bytes of a value, and 2 KB in all, wherever the value is
// from: option, variable, configuration or word of the line. A secret in it is masked
// before it is cut.
func TestLongValues(t *testing.T) {
	const secret = "correct-horse-battery-staple"
	dir := t.TempDir()
	long := map[string]string{
		"one word": strings.Repeat("x", 180) + secret + strings.Repeat("x", 10_000),
		"words":    strings.Repeat("x ", 90) + secret + strings.Repeat(" xé", 10_000),
		"controls": strings.Repeat("\x1b", 180) + secret + strings.Repeat("\x1b\"", 10_000),
	}
	config := filepath.Join(dir, ".config", "envwrap", "config.toml")
	if err := os.MkdirAll(filepath.Dir(config), 0o700); err != nil {
		t.Fatal(err)
	}
	tries, n := 0, 0
	try := func(environ []string, args ...string) {
		tries++
		env := fullEnv(t, dir, args...)
		env.Environ = append(append(env.Environ, "API_TOKEN="+secret), environ...)
		null, err := os.Open(os.DevNull)
		if err != nil {
			t.Fatal(err)
		}
		defer null.Close()
		env.Stdin = null
		cli.Main(env)
		_, _ = env.Stdout.Close(), env.Stderr.Close()
		line := strings.ToValidUTF8(fmt.Sprintf("%.60q %.60q", args, environ), "")
		for _, text := range strings.Split("\n"+clitest.Contents(t, env.Stderr.Name()), "\nenvwrap: ")[1:] {
			checkShort(t, line, strings.TrimSuffix(text, "\n"))
		}
		var doc struct {
			Data struct {
				Hint     string
				Warnings []struct{ Text string }
			}
			Error struct{ Message string }
		}
		if json.Unmarshal([]byte(clitest.Contents(t, env.Stdout.Name())), &doc) == nil {
			checkShort(t, line, doc.Error.Message+doc.Data.Hint)
			for _, warning := range doc.Data.Warnings {
				checkShort(t, line, warning.Text)
			}
		}
	}
	every := matrix.Every(16)
	for kind, value := range long {
		for _, node := range cli.Nodes(fullEnv(t, dir)) {
			path := strings.Fields(node.Path)
			switch node.Path {
			case "", "mcp", "hook", "job submit", "shim install": // they start another envwrap
				continue
			}
			var rest []string
			if node.Takes == cli.ACommand {
				rest = []string{"--", "true"}
			}
			try(nil, append(path, append([]string{value}, rest...)...)...)
			for _, o := range node.Options {
				if n++; n%every > 0 || o.Value == "" {
					continue
				}
				try(nil, append(path, append([]string{"--" + o.Name + "=" + value}, rest...)...)...)
			}
		}
		for _, o := range cli.KeyedOptions(fullEnv(t, dir)) {
			if n++; n%every > 0 {
				continue
			}
			try([]string{o.Env() + "=" + value}, "--", "true")
			if err := os.WriteFile(config, fmt.Appendf(nil, "%s = %q\n", o.Name, value), 0o600); err != nil {
				t.Fatal(err)
			}
			if kind != "controls" { // Go writes them otherwise than TOML
				try(nil, "--", "true")
			}
			if err := os.Remove(config); err != nil {
				t.Fatal(err)
			}
		}
	}
	if tries < 200 {
		t.Errorf("only %d lines were tried", tries)
	}
}

// checkShort checks the text of one error.
func checkShort(t *testing.T, line, text string) {
	t.Helper()
	if len(text) > errtext.Max {
		t.Errorf("%s: %d bytes: %.300q", line, len(text), text)
	}
	for _, value := range []string{strings.Repeat("x", 201), strings.Repeat(" xé", 201/4+1), strings.Repeat("^[", 101), strings.Repeat(`\x1b\"`, 201/6+1), "correct-horse"} {
		if strings.Contains(text, value) {
			t.Errorf("%s: shows %.30q...: %.500q", line, value, text)
		}
	}
}
