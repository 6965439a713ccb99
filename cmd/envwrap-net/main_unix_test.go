//go:build unix

package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/envwrap/envwrap/internal/test/matrix"
	"github.com/envwrap/envwrap/internal/test/testenv"
)

// TestMain makes the test binary envwrap-net where it is called so.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == "envwrap-net" {
		main()
		os.Exit(0)
	}
	os.Exit(testenv.Run(testenv.Installed{M: m}))
}

// programs is a directory with both programs, and an environment for them.
func programs(t *testing.T) (dir string, env []string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	envwrap, err := exec.LookPath("envwrap")
	if err != nil {
		t.Fatal(err)
	}
	dir = testenv.TempDir(t)
	for name, program := range map[string]string{"envwrap": envwrap, "envwrap-net": self} {
		if err := os.Symlink(program, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	return dir, []string{
		"PATH=" + dir + ":" + os.Getenv("PATH"), "HOME=" + dir, "XDG_STATE_HOME=" + filepath.Join(dir, "state"),
		"TMPDIR=" + dir, "GORACE=" + os.Getenv("GORACE"),
	}
}

// A server is a running envwrap-net and the client's ends of its pipes.
type server struct {
	*exec.Cmd
	in    io.WriteCloser
	lines *bufio.Scanner
	id    int
}

func serve(t *testing.T, env []string, program string, args ...string) *server {
	t.Helper()
	s := &server{Cmd: exec.Command(program, args...)}
	s.Env, s.Stderr = env, os.Stderr
	var err error
	if s.in, err = s.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := s.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Start(); err != nil {
		t.Fatal(err)
	}
	s.lines = bufio.NewScanner(out)
	s.lines.Buffer(nil, 16<<20)
	s.send(t, "initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}`)
	s.receive(t)
	return s
}

func (s *server) send(t *testing.T, method, params string) {
	t.Helper()
	s.id++
	if _, err := fmt.Fprintf(s.in, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", s.id, method, params); err != nil {
		t.Fatal(err)
	}
}

func (s *server) receive(t *testing.T) (answer struct {
	Result struct {
		Content           []struct{ Text string }
		StructuredContent struct {
			Data struct{ Job struct{ ID string } }
		}
	}
},
) {
	t.Helper()
	if !s.lines.Scan() {
		t.Fatalf("the server has ended: %v", s.lines.Err())
	}
	if err := json.Unmarshal(s.lines.Bytes(), &answer); err != nil {
		t.Fatal(err)
	}
	return answer
}

// A client that goes away in the middle of a request takes its command along, and so
// does a server that gets SIGTERM.
func TestClientGoesAway(t *testing.T) {
	for name, end := range map[string]func(*server) error{
		"closed":  func(s *server) error { return s.in.Close() },
		"SIGTERM": func(s *server) error { return s.Process.Signal(syscall.SIGTERM) },
	} {
		t.Run(name, func(t *testing.T) {
			dir, env := programs(t)
			began, ended := filepath.Join(dir, "began"), filepath.Join(dir, "ended")
			s := serve(t, env, filepath.Join(dir, "envwrap"), "mcp", "--wait", "1h")
			script := fmt.Sprintf(`trap 'echo x >"%s"; exit' TERM; echo x >"%s"; while :; do sleep 0.05; done`, ended, began)
			args, _ := json.Marshal(map[string]any{"name": "run", "arguments": map[string]any{"argv": []string{"sh", "-c", script}}})
			s.send(t, "tools/call", string(args))
			testenv.Await(t, began)
			if err := end(s); err != nil {
				t.Fatal(err)
			}
			testenv.Await(t, ended)
			if err := s.Wait(); err != nil {
				t.Errorf("the server ended with %v", err)
			}
			waitForJobs(t, dir, env)
		})
	}
}

// kill -9 of server after server, in the middle of calls about a job, loses
// neither the job nor a line of its output.
func TestServerIsKilled(t *testing.T) {
	dir, env := programs(t)
	end := filepath.Join(dir, "end")
	script := fmt.Sprintf(`until [ -e "%s" ]; do i=$((i+1)); echo $i; sleep 0.05; done; echo over`, end)
	args, _ := json.Marshal(map[string]any{"name": "run", "arguments": map[string]any{"argv": []string{"sh", "-c", script}, "wait": 0}})
	s := serve(t, env, filepath.Join(dir, "envwrap-net"), "mcp", "--structured")
	s.send(t, "tools/call", string(args))
	id := s.receive(t).Result.StructuredContent.Data.Job.ID
	for i := range matrix.Times(7, 20) {
		if err := s.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = s.Wait()
		s = serve(t, env, filepath.Join(dir, "envwrap-net"), "mcp", "--structured")
		action := []string{"wait", "tail", "status"}[i%3]
		s.send(t, "tools/call", fmt.Sprintf(`{"name":"job","arguments":{"action":%q,"id":%q}}`, action, id))
		if action != "wait" && i%2 == 0 {
			s.receive(t)
		}
	}
	if err := s.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = s.Wait()
	if err := os.WriteFile(end, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(filepath.Join(dir, "envwrap"), "job", "wait", "-f", "brief", id)
	cmd.Env = env
	out, err := cmd.CombinedOutput()
	var want strings.Builder
	for i := range strings.Count(string(out), "\n") - 2 {
		fmt.Fprintln(&want, i+1)
	}
	if err != nil || !strings.HasPrefix(string(out), want.String()+"over\n[exit 0") { // with its duration where that was long
		t.Errorf("the job: %v, %q", err, out)
	}
}

// waitForJobs waits until no job is left that writes to the test's directory.
func waitForJobs(t *testing.T, dir string, env []string) {
	t.Helper()
	cmd := exec.Command(filepath.Join(dir, "envwrap"), "job", "ls", "--compact", "-f", "protocol")
	cmd.Env = env
	out, err := cmd.Output()
	var doc struct {
		Data struct{ Jobs []struct{ ID string } }
	}
	if err == nil {
		err = json.Unmarshal(out, &doc)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, job := range doc.Data.Jobs {
		cmd := exec.Command(filepath.Join(dir, "envwrap"), "job", "wait", job.ID)
		cmd.Env = env
		_ = cmd.Run()
	}
}

// An error of the command line takes one line or two.
func TestUsage(t *testing.T) {
	dir, env := programs(t)
	for _, c := range []struct {
		args   string
		status int
		says   string
	}{
		{"", 0, "Usage:"},
		{"help", 0, "Usage:"},
		{"version", 0, "envwrap-net "},
		{"mcp --help", 0, "Examples:"},
		{"mcp --version", 0, "envwrap-net "},
		{"bogus", statusUsage, "bogus"},
		{"mcp --bogus", statusUsage, "bogus"},
		{"mcp word", statusUsage, "word"},
		{"mcp --wait 0s", statusUsage, "--wait"},
		{"mcp --format nosuch", statusUsage, "format"},
		{"mcp --token-file x", statusUsage, "--listen"},
		{"mcp --listen 127.0.0.1:0 --token-file /no/such", statusFailed, "/no/such"},
		{"mcp --listen 127.0.0.1:0", statusFailed, "bearer token"},
	} {
		var said bytes.Buffer
		cmd := exec.Command(filepath.Join(dir, "envwrap-net"), strings.Fields(c.args)...)
		cmd.Env, cmd.Stdout, cmd.Stderr = env, &said, &said
		status := 0
		var exit *exec.ExitError
		if err := cmd.Run(); errors.As(err, &exit) {
			status = exit.ExitCode()
		} else if err != nil {
			t.Fatal(err)
		}
		if status != c.status || !strings.Contains(said.String(), c.says) {
			t.Errorf("%q: status %d, %q; want %d, %q", c.args, status, said.String(), c.status, c.says)
		}
	}
}

// A token that another user could have written lets nobody in; envwrap warns of one that others
// can read.
func TestExposedToken(t *testing.T) {
	dir, env := programs(t)
	file := filepath.Join(t.TempDir(), "token")
	if err := errors.Join(os.WriteFile(file, []byte("short"), 0o600), os.Chmod(file, 0o606)); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(filepath.Join(dir, "envwrap-net"), "mcp", "--listen", "127.0.0.1:0", "--token-file", file)
	cmd.Env = env
	said, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(said), "run: chmod go-w "+file) {
		t.Errorf("%v: %s", err, said)
	}
	if err := os.Chmod(file, 0o644); err != nil {
		t.Fatal(err)
	}
	cmd = exec.Command(cmd.Path, cmd.Args[1:]...) // refuses a token that is so short
	cmd.Env = env
	if said, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(said), "run: chmod 600 \""+file+"\"\n") {
		t.Errorf("%v: %s", err, said)
	}
}

// The server ends with an error where its input cannot be read.
func TestUnreadableInput(t *testing.T) {
	dir, err := os.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	input, output, limit := os.Stdin, os.Stdout, debug.SetMemoryLimit(-1)
	os.Stdin, os.Stdout = dir, null // the server closes it
	defer func() { os.Stdin, os.Stdout = input, output; debug.SetMemoryLimit(limit) }()
	if err := run(t.Context(), []string{"mcp"}); !errors.Is(err, syscall.EISDIR) {
		t.Errorf("a directory: %v", err)
	}
}

// What cannot be read is not put into a remote.
func TestPutUnreadable(t *testing.T) {
	dir, err := os.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	defer func(input *os.File) { os.Stdin = input }(os.Stdin)
	os.Stdin = dir
	if err := putStdin(nil, "ac/1"); !errors.Is(err, syscall.EISDIR) {
		t.Errorf("a directory: %v", err)
	}
}

// Without the companion there is one line, and 127.
func TestNoCompanion(t *testing.T) {
	_, env := programs(t)
	envwrap, err := exec.LookPath("envwrap")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir() // a link would lead to the directory of the program, which may have both
	if out, err := exec.Command("cp", envwrap, dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	cmd := exec.Command(filepath.Join(dir, "envwrap"), "mcp")
	cmd.Env = slices.Concat(env, []string{"PATH=" + dir})
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 127 || strings.Count(string(out), "\n") != 1 {
		t.Errorf("%v, %q", err, out)
	}
}

// The envwrap beside the companion is found, whatever PATH is.
func TestProgramBeside(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if out, err := exec.Command("cp", self, filepath.Join(dir, "envwrap-net")).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for name, found := range map[string]bool{"other": false, "envwrap": true} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(filepath.Join(dir, "envwrap-net"), "mcp")
		cmd.Env = []string{"HOME=" + dir, "PATH=" + filepath.Join(dir, "none")}
		if out, err := cmd.CombinedOutput(); (err == nil) != found || !found && !strings.Contains(string(out), "find envwrap: ") {
			t.Errorf("beside %s: %v, %s", name, err, out)
		}
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
}

// The version comes from the release, else from the build.
func TestOwnVersion(t *testing.T) {
	defer func(was string) { version = was }(version)
	version = "1.2.3"
	if got := ownVersion(); got != version {
		t.Errorf("got %q, want %q", got, version)
	}
	version = ""
	want := "devel"
	if info, ok := debug.ReadBuildInfo(); ok {
		want = cmp.Or(info.Main.Version, want)
	}
	if got := ownVersion(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Values that the command line does not allow are usage errors.
func TestUsageErrors(t *testing.T) {
	const url = `{"url":"http://127.0.0.1:1/x"`
	for args, usage := range map[string]bool{
		"nosuch": true, "mcp --nosuch": true, "mcp word": true, "mcp --wait 0s": true, "mcp --wait -1s": true,
		"mcp --format nosuch": true, "mcp --token-file x": true, "mcp --origin x": true,
		"query . .": false, `query {"later":1} .`: false, "query": true,
		"report": true, "report a b": true, `report {"later":1}`: false,
		"remote": true, "remote push": true, `remote push {"later":1}`: false, "remote push {}": false, "remote push " + url + `,"ca_file":"/dev/null/x"}`: false,
		"remote nosuch " + url + "}": true, "remote get " + url + "}": true, "remote get " + url + "} a b": true, "remote put " + url + "}": true,
		"mcp --listen 127.0.0.1:0 --token-file /dev/null/x": false, "mcp --listen nowhere": false, "mcp --listen 127.0.0.1:0 --wait 0s": true,
	} {
		err := run(t.Context(), strings.Fields(args))
		if u := (*usageError)(nil); err == nil || errors.As(err, &u) != usage {
			t.Errorf("%s: got %#v", args, err)
		}
	}
}

// The server ends well with its input.
func TestInput(t *testing.T) {
	dir, env := programs(t)
	cmd := exec.Command(filepath.Join(dir, "envwrap-net"), "mcp")
	cmd.Env = env
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("no input: %v, %s", err, out)
	}
	t.Setenv("PATH", "")
	if err := run(t.Context(), []string{"mcp"}); err == nil || !strings.Contains(err.Error(), "find envwrap") {
		t.Errorf("without envwrap: got %v", err)
	}
}
