//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// envwrap hands the record to the companion and writes the page, whole and for its owner
// only, or says why not.
func TestReport(t *testing.T) {
	dir, env := programs(t)
	run := func(stdout string, args ...string) (string, int) {
		cmd := exec.Command(filepath.Join(dir, "envwrap"), args...)
		var errs strings.Builder
		cmd.Dir, cmd.Env, cmd.Stderr = dir, env, &errs
		if stdout != "" {
			f, err := os.OpenFile(stdout, os.O_WRONLY|os.O_CREATE, 0o600)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			cmd.Stdout = f
		}
		if err := cmd.Run(); cmd.ProcessState == nil {
			t.Fatal(err)
		}
		return errs.String(), cmd.ProcessState.ExitCode()
	}
	run("", "--", "sh", "-c", "echo '<b>cause</b>' >&2; exit 3")
	// One that waits for its turn has written no line of the record.
	run("", "job", "submit", "--name", "build", "--max-jobs", "1", "--", "sleep", "60")
	run("", "job", "submit", "--name", "deploy", "--max-jobs", "1", "--", "sleep", "61")
	defer func() {
		for _, name := range []string{"deploy", "build"} {
			if stderr, status := run("", "job", "cancel", name); status != 0 {
				t.Errorf("cancel %s: status %d, %s", name, status, stderr)
			}
		}
	}()
	for _, c := range []struct {
		stdout string
		args   []string
		file   string
	}{
		{"", []string{"report", "-o", "page.html"}, "page.html"},
		{filepath.Join(dir, "out.html"), []string{"report", "--since", "1d"}, "out.html"},
	} {
		if stderr, status := run(c.stdout, c.args...); status != 0 || stderr != "" {
			t.Fatalf("%q: status %d, %s", c.args, status, stderr)
		}
		page, err := os.ReadFile(filepath.Join(dir, c.file))
		if err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(filepath.Join(dir, c.file))
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: mode %v, %v", c.file, info.Mode(), err)
		}
		for _, want := range []string{"<!doctype html>", `"failures":1`, `"job":"build","state":"`, `"job":"deploy","state":"queued","line":"sleep 61"`, `\u003cb\u003ecause\u003c/b\u003e`, "</html>\n"} {
			if !strings.Contains(string(page), want) {
				t.Errorf("%q: the page has no %s", c.args, want)
			}
		}
	}
	if stderr, status := run("", "report", "-o", "nowhere/page.html"); status != 2 || !strings.Contains(stderr, "option --output: cannot write") {
		t.Errorf("status %d, %s", status, stderr)
	}
	if _, err := os.Stat("/dev/full"); err == nil {
		if stderr, status := run("/dev/full", "report"); status != 1 || !strings.Contains(stderr, "write the report") {
			t.Errorf("of a full disk: status %d, %s", status, stderr)
		}
	}
	if err := os.Remove(filepath.Join(dir, "envwrap-net")); err != nil {
		t.Fatal(err)
	}
	if stderr, status := run("", "report", "-o", "page.html"); status != 127 || !strings.Contains(stderr, "envwrap-net was not found") {
		t.Errorf("without the companion: status %d, %s", status, stderr)
	}
}
