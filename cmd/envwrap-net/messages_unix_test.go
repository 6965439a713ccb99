//go:build unix

package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// A line without an end takes little memory and has one answer.
func TestEndlessLine(t *testing.T) {
	const sent, most = 384 << 20, 256 << 20
	dir, env := programs(t)
	s := serve(t, env, filepath.Join(dir, "envwrap-net"), "mcp")
	chunk := bytes.Repeat([]byte("x"), 1<<20)
	for range sent / len(chunk) {
		if _, err := s.in.Write(chunk); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.in.Write([]byte("\n")); err != nil {
		t.Fatal(err)
	}
	if !s.lines.Scan() {
		t.Fatal("the server has ended")
	}
	if answer := s.lines.Text(); !strings.HasPrefix(answer, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,`) {
		t.Errorf("an endless line: %s", answer)
	}
	if peak := peakMemory(t, s.Process.Pid); peak > most {
		t.Errorf("a line of %d bytes took %d bytes of memory, more than %d", sent, peak, most)
	}
	s.send(t, "ping", "{}")
	s.receive(t)
	if err := s.in.Close(); err != nil {
		t.Fatal(err)
	}
	if err := s.Wait(); err != nil {
		t.Fatal(err)
	}
}

// peakMemory returns the most memory that a process has had, in bytes; 0 where the system
// is not Linux.
func peakMemory(t *testing.T, pid int) (peak int) {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if runtime.GOOS != "linux" {
		return 0
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	if _, scanErr := fmt.Sscanf(rest, "%d kB", &peak); err != nil || scanErr != nil {
		t.Fatalf("%v, %v in %s", err, scanErr, status)
	}
	return peak << 10
}

// The bearer token is given to the server, not to commands.
func TestTokenStays(t *testing.T) {
	const token = "correct-horse-battery-staple"
	dir, env := programs(t)
	cmd := exec.Command(filepath.Join(dir, "envwrap"), "mcp", "--listen", "127.0.0.1:0")
	cmd.Env = append(env, "ENVWRAP_MCP_TOKEN="+token, "ENVWRAP_REMOTE_TOKEN="+token)
	said, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	line, err := bufio.NewReader(said).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	_, url, _ := strings.Cut(strings.TrimSpace(line), " on ")
	session, text := "", ""
	for _, body := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"run","arguments":{"argv":["sh","-c","env; echo the end"]}}}`,
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+token)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		if session != "" {
			r.Header.Set("Mcp-Session-Id", session)
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		session = answer.Header.Get("Mcp-Session-Id")
		read, err := io.ReadAll(answer.Body)
		if text = string(read); err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
	}
	if !strings.Contains(text, "the end") {
		t.Errorf("a good request: %s", text)
	}
	for _, secret := range []string{token, "ENVWRAP_MCP_TOKEN", "ENVWRAP_REMOTE_TOKEN"} {
		if strings.Contains(text, secret) {
			t.Errorf("the command has %q: %s", secret, text)
		}
	}
}
