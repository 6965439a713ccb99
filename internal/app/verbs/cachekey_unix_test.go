//go:build unix

package verbs

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/clitest"
	"github.com/envwrap/envwrap/internal/app/cli/runcmd"
)

// Every option of a run says whether its value is in the key of a remembered run.
func TestOptionsSayWhetherTheyAreInTheKey(t *testing.T) {
	for _, o := range runcmd.DefaultRunOptions().Table() {
		if o.Key != cli.NotInKey && o.Key != cli.InKey && o.Key != cli.InCall {
			t.Errorf("--%s does not say it: Key is cli.NotInKey if the option only changes how a result is shown, else cli.InKey or cli.InCall", o.Name)
		}
		if (o.Key == cli.InKey) != (o.KeyValue != nil) {
			t.Errorf("--%s: an option has a KeyValue if Key is cli.InKey", o.Name)
		}
	}
}

// Another value of an option that is in the key makes another key, and another value of
// any other option makes none. (Each store has keys of its own: --store names the same.)
func TestOptionsInTheKey(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"in": "text\n", "secrets": "swordfish\n", "request.json": `{"request_id":"0b0bd6fa-6a1b-4c5e-8f0e-2d6f0a4c5d1e"}`,
		"rules.toml": "[[rules]]\nid = \"own\"\nregex = '''own-[0-9]{8}'''\n", "config/envwrap/config.toml": "[runner.far]\ncommand = [\"false\"]\n[runner.held]\nengine = \"slurm\"\n",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const publicKey = "ed25519:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
	const id = "01ARZ3NDEKTSV4RRFFQ69G5FAV"
	others := map[string]string{
		"format": "helper/v1", "detail": "lean", "command": "own/name", "output": "out", "request": "request.json", "budget": "5000", "below": "codex",
		"emit": "auto", "trace-id": "other", "progress": "off", "progress-interval": "2s", "retries": "3", "retry-on": "ETIMEOUT",
		"retry-delay": "1s", "retry-max-delay": "2s", "deadline": "1m", "parse": "text", "inline-limit": "1KiB", "excerpt": "1KiB",
		"max-capture": "2KiB", "max-artifact": "3KiB", "on-overflow": "truncate", "keep-pipes": "off", "store": "state/envwrap", "store-sync": "off", "store-max": "1GiB",
		"timeout": "1m", "idle-timeout": "1m", "kill-after": "1s", "wait": "1m", "id": id, "if-mark": id, "ok-exit": "3", "exit-map": "3=partial",
		"exit-code": "zero", "redact": "known", "secret": "HOME", "secret-file": "secrets", "redact-config": "rules.toml", "stdin": "in",
		"cwd": "config", "env": "OWN=1", "cache": "2m", "cache-input": "in", "cache-env": "OWN", "cache-stale": "1h", "cache-key": "private",
		"trusted-keys": publicKey, "revoked-keys": publicKey, "on": "far", "resources": "cpus=4", "queue-timeout": "1m", "remote": "https://cache.invalid/x", "remote-token-file": "secrets", "remote-ca-file": "secrets",
		"remote-endpoint": "https://s3.invalid", "remote-region": "eu", "remote-profile": "own",
	}
	// What an option needs beside it.
	beside := map[string][]string{"cache-remote": {"--remote=https://cache.invalid/x", "--trusted-keys=" + publicKey}, "resources": {"--on=held"}, "queue-timeout": {"--on=held"}}
	if status := cli.Main(quietEnv(t, dir, "--cache", "1m", "--", "true")); status != 0 {
		t.Fatal(status)
	}
	key := func(args ...string) string {
		t.Helper()
		env := quietEnv(t, dir, append(append([]string{"cache", "explain", "--json", "--cache=1m"}, args...), "--", "true")...)
		status := cli.Main(env)
		var found struct {
			Key string `json:"cache_key"`
		}
		if err := json.Unmarshal([]byte(clitest.Contents(t, env.Stdout.Name())), &found); err != nil || status != 0 || found.Key == "" {
			t.Fatalf("%q: status %d, %v, %s", args, status, err, clitest.Contents(t, env.Stderr.Name()))
		}
		return found.Key
	}
	plain := key()
	for _, o := range runcmd.DefaultRunOptions().Table() {
		value := others[o.Name]
		if o.Value == "" {
			value = "true"
		} else if value == "" {
			t.Errorf("--%s: the test knows no other value", o.Name)
			continue
		}
		if got := key(append(beside[o.Name], "--"+o.Name+"="+value)...); (got != plain) != (o.Key != cli.NotInKey) {
			t.Errorf("--%s=%s: another key is %t", o.Name, value, got != plain)
		}
	}
}

// quietEnv returns an Env with all verbs, to which no signal comes.
func quietEnv(t *testing.T, dir string, args ...string) *cli.Env {
	t.Helper()
	env := fullEnv(t, dir, args...)
	env.Environ = append(env.Environ, "XDG_CONFIG_HOME="+filepath.Join(dir, "config"))
	env.Signals = func() (chan os.Signal, <-chan struct{}) {
		ready := make(chan struct{})
		close(ready)
		return nil, ready
	}
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { null.Close() })
	env.Stdin = null
	return env
}
