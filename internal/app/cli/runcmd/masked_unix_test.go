//go:build unix

package runcmd_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/internal/test/testenv"
)

// A secret in any text of a run is in no answer and in no file: envelope, event, history,
// index of the store, remembered run, record of a job.
func TestNoTextOfARunShowsASecret(t *testing.T) {
	const secret = "swordfish-4711-ada"
	m := &machine{t: t, home: testenv.TempDir(t), dir: filepath.Join(t.TempDir(), secret, "work")}
	tool := filepath.Join(m.dir, "tool-"+secret)
	if err := errors.Join(
		os.MkdirAll(filepath.Join(m.dir, ".git"), 0o700), os.MkdirAll(filepath.Join(m.home, ".config", "envwrap"), 0o700),
		testenv.WriteProgram(tool, "#!/bin/sh\necho out $1; echo err $1 >&2; exit ${2:-0}\n"),
	); err != nil {
		t.Fatal(err)
	}
	m.env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + m.home, "TMPDIR=" + t.TempDir(), "API_TOKEN=" + secret, "GORACE=" + os.Getenv("GORACE")}
	run := []string{"--command", "x/" + secret, "--trace-id", secret, "--exit-map", "3=partial", "--inline-limit", "0"}
	var all strings.Builder
	for _, line := range []struct {
		status int
		args   []string
	}{
		{0, append(run, "--", tool, secret)},
		{0, append(run, "--stream", "--", tool, secret)},
		{3, append(run, "--", tool, secret, "3")},
		{9, append(run, "-f", "brief", "--", tool, secret, "9")},
		{127, append(run, "--", "./"+secret+"/gone", secret)},
		{0, append(run, "--cache", "1h", "--cache-input", "gone-"+secret, "--", tool, secret)},
		{0, append(run, "--cache", "1h", "--cache-input", "gone-"+secret, "--", tool, secret)},
		{0, append(append([]string{"job", "submit"}, run...), "--", tool, secret)},
		{0, []string{"job", "wait", "JOB"}},
		{0, append(run, "--wait", "1m", "--", tool, secret)},
		{0, []string{"job", "ls", "--format", "protocol/v1"}},
		{0, []string{"last"}},
		{0, []string{"history"}},
		{0, []string{"cache", "ls"}},
		{0, []string{"artifact", "ls"}},
	} {
		if id := regexp.MustCompile(`"id":"([0-9A-Z]{26})"`).FindStringSubmatch(all.String()); id != nil && line.args[len(line.args)-1] == "JOB" {
			line.args[len(line.args)-1] = id[1]
		}
		out := m.run(line.status, line.args...)
		all.WriteString(out)
		if strings.Contains(out, secret) {
			t.Errorf("%q: it shows the secret: %s", line.args, out)
		}
	}
	for _, known := range []string{"tool-***", "out ***", "command\":\"x/"} {
		if !strings.Contains(all.String(), known) {
			t.Errorf("nothing shows %q", known)
		}
	}
	files := 0
	err := filepath.WalkDir(m.home, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return nil //nolint:nilerr // what a job has removed since
		}
		text, err := os.ReadFile(path)
		if err == nil && bytes.Contains(text, []byte(secret)) {
			t.Errorf("%s has the secret: %q", path, text)
		}
		files++
		return nil
	})
	if err != nil || files < 10 {
		t.Errorf("there are %d files, %v", files, err)
	}
}
