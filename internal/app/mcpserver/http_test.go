package mcpserver

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// Post sends a message to a server with its token and more headers, and returns the answer
// and its body.
func Post(t *testing.T, url, token, body string, header http.Header) (*http.Response, []byte) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header = header
	header.Set("Authorization", "Bearer "+token)
	header.Set("Content-Type", "application/json")
	header.Set("Accept", "application/json, text/event-stream")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer, text
}

// The newest revision has no sessions, and older ones have; both are served at
// one address.
func TestRevisionsOverHTTP(t *testing.T) {
	s, err := New(Config{Program: "/nonexistent", Environ: nil})
	if err != nil {
		t.Fatal(err)
	}
	l := &Listener{Token: "0123456789abcdef"}
	server := httptest.NewServer(l.Handler(s))
	defer server.Close()
	post := func(revision, method, body string) (int, string) {
		t.Helper()
		header := http.Header{}
		if revision != "" {
			header.Set("Mcp-Protocol-Version", revision)
			header.Set("Mcp-Method", method)
		}
		answer, text := Post(t, server.URL, l.Token, body, header)
		return answer.StatusCode, string(text)
	}
	status, text := post("2026-07-28", "tools/list", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{`+
		`"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},`+
		`"io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"}}}}`)
	if status != http.StatusOK || !strings.Contains(text, `"name":"run"`) {
		t.Errorf("2026-07-28: got %d, %s", status, text)
	}
	status, text = post("", "", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
	if status != http.StatusOK || !strings.Contains(text, `"protocolVersion":"2025-06-18"`) {
		t.Errorf("2025-06-18: got %d, %s", status, text)
	}
}
