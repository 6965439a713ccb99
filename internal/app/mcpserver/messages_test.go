//go:build unix

package mcpserver_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/envwrap/envwrap/internal/app/mcpserver"
	"github.com/envwrap/envwrap/internal/test/testenv"
)

const (
	parseError     = -32700
	invalidRequest = -32600
)

// badMessages are texts that are no message of JSON-RPC 2.0, with the code and the id of
// the error that answers them.
var badMessages = []struct {
	text string
	code int
	id   string
}{
	{`x`, parseError, `null`},
	{`{"jsonrpc":"2.0","id":1,"method":"ping"`, parseError, `null`},
	{`{"jsonrpc":"2.0","id":1,"method":"ping"} x`, parseError, `null`},
	{`{"jsonrpc":"2.0","id":1,"method":"ping"}{}`, parseError, `null`},
	{`{'jsonrpc':'2.0','id':1,'method':'ping'}`, parseError, `null`},
	{"\ufeff" + `{"jsonrpc":"2.0","id":1,"method":"ping"}`, parseError, `null`},
	{"\x00", parseError, `null`},
	{"\xff", parseError, `null`},
	{`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a` + "\xff" + `":1}}`, parseError, `null`},
	{`{"jsonrpc":"2.0","id":"` + "\xed\xa0\x80" + `","method":"ping"}`, parseError, `null`},
	{strings.Repeat("[", 100_000), invalidRequest, `null`},
	{`null`, invalidRequest, `null`},
	{`true`, invalidRequest, `null`},
	{`5`, invalidRequest, `null`},
	{`"ping"`, invalidRequest, `null`},
	{`[]`, invalidRequest, `null`},
	{`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, invalidRequest, `null`},
	{`[{"jsonrpc":"2.0","method":"notifications/initialized"},{"jsonrpc":"2.0","id":2,"method":"ping"}]`, invalidRequest, `null`},
	{`{}`, invalidRequest, `null`},
	{`{"id":7,"method":"ping"}`, invalidRequest, `7`},
	{`{"jsonrpc":"1.0","id":7,"method":"ping"}`, invalidRequest, `7`},
	{`{"jsonrpc":2.0,"id":7,"method":"ping"}`, invalidRequest, `7`},
	{`{"JSONRPC":"2.0","id":7,"method":"ping"}`, invalidRequest, `7`},
	{`{"jsonrpc":"2.0","id":7}`, invalidRequest, `7`},
	{`{"jsonrpc":"2.0","id":"a\"b","method":5}`, invalidRequest, `"a\"b"`},
	{`{"jsonrpc":"2.0","id":7,"method":null}`, invalidRequest, `7`},
	{`{"jsonrpc":"2.0","id":7,"Method":"ping"}`, invalidRequest, `7`},
	{`{"jsonrpc":"2.0","id":null,"method":"ping"}`, invalidRequest, `null`},
	{`{"jsonrpc":"2.0","id":{},"method":"ping"}`, invalidRequest, `null`},
	{`{"jsonrpc":"2.0","id":[7],"method":"ping"}`, invalidRequest, `null`},
	{`{"jsonrpc":"2.0","id":false,"method":"ping"}`, invalidRequest, `null`},
	{`{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, invalidRequest, `1.5`},
	{`{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}`, invalidRequest, `9007199254740993`},
	{`{"jsonrpc":"2.0","id":1e300,"method":"ping"}`, invalidRequest, `1e300`},
	{`{"jsonrpc":"2.0","id":-1e999,"method":"ping"}`, invalidRequest, `-1e999`},
	{`{"jsonrpc":"2.0","id":7,"id":8,"method":"ping"}`, invalidRequest, `null`},
	{`{"jsonrpc":"2.0","id":7,"method":"ping","method":"tools/list"}`, invalidRequest, `7`},
	{`{"jsonrpc":"2.0","id":7,"m\u0065thod":"ping","method":"tools/list"}`, invalidRequest, `7`},
	{`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"run","arguments":{"argv":["true"],"argv":["false"]}}}`, invalidRequest, `7`},
	{`{"jsonrpc":"2.0","id":7,"method":"ping","params":` + strings.Repeat("[", 2000) + strings.Repeat("]", 2000) + `}`, invalidRequest, `7`},
	{`{"jsonrpc":"2.0","id":7,"error":5}`, invalidRequest, `7`},
}

// unanswered are texts that have no answer.
var unanswered = []string{
	`{"jsonrpc":"2.0","method":"nosuch"}`,
	`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}`,
	`{"jsonrpc":"2.0","id":7,"result":{}}`,
	`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}`,
	`{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"}}`,
}

// checkRefusal checks the answer to a bad message.
func checkRefusal(t *testing.T, text string, answer []byte, code int, id string) {
	t.Helper()
	var got struct {
		JSONRPC string
		ID      json.RawMessage
		Error   struct {
			Code    int
			Message string
		}
	}
	err := json.Unmarshal(answer, &got)
	if err != nil || got.JSONRPC != "2.0" || string(got.ID) != id || got.Error.Code != code || got.Error.Message == "" || len(answer) > 300 {
		t.Errorf("%.120q: answer %.300s (%v); want code %d and id %s", text, answer, err, code, id)
	}
}

// A lineClient is a client of a server that reads lines.
type lineClient struct {
	in     *io.PipeWriter
	lines  *bufio.Scanner
	served chan error
	id     int
}

// serveLines serves a new client until ctx or its input ends.
func serveLines(t *testing.T, ctx context.Context, c mcpserver.Config) *lineClient {
	t.Helper()
	server, err := mcpserver.New(c)
	if err != nil {
		t.Fatal(err)
	}
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	s := &lineClient{in: toServer, lines: bufio.NewScanner(fromServer), served: make(chan error, 1)}
	t.Cleanup(func() { _ = toServer.Close() })
	go func() {
		s.served <- mcpserver.ServeLines(ctx, server, in, out)
		_ = out.Close()
	}()
	s.send(t, "initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}`)
	if !s.lines.Scan() {
		t.Fatal("the server has ended")
	}
	return s
}

func (s *lineClient) send(t *testing.T, method, params string) {
	t.Helper()
	s.id++
	if _, err := fmt.Fprintf(s.in, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", s.id, method, params); err != nil {
		t.Fatal(err)
	}
}

// ping returns the answer to a request.
func (s *lineClient) ping(t *testing.T) string {
	t.Helper()
	s.send(t, "ping", "{}")
	if !s.lines.Scan() {
		t.Fatalf("the server has ended: %v", s.lines.Err())
	}
	return s.lines.Text()
}

// A line that is no message is answered with an error, and the server answers the next
// request.
func TestBadLines(t *testing.T) {
	s := serveLines(t, t.Context(), config(t))
	send := func(line string) {
		t.Helper()
		if _, err := io.WriteString(s.in, line); err != nil {
			t.Fatal(err)
		}
	}
	next := func(text string) []byte {
		t.Helper()
		if !s.lines.Scan() {
			t.Fatalf("%.120q: the server has ended: %v", text, s.lines.Err())
		}
		return s.lines.Bytes()
	}
	goesOn := func(text string) {
		t.Helper()
		if got, want := s.ping(t), fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{}}`, s.id); got != want {
			t.Errorf("%.120q: the next request is answered with %s, want %s", text, got, want)
		}
	}
	for _, m := range badMessages {
		send(m.text + "\n")
		checkRefusal(t, m.text, next(m.text), m.code, m.id)
		goesOn(m.text)
	}
	for _, text := range append(unanswered, "", " ", "\r", "\t \r\n\n") {
		send(text + "\n")
		goesOn(text)
	}
	// A message in the middle of such lines, and each with the line end of Windows.
	send("x\r\n\r\n" + `{"jsonrpc":"2.0","id":"a","method":"ping"}` + "\r\n{}\r\n")
	checkRefusal(t, "x", next("x"), parseError, `null`)
	var answers []string // the SDK answers calls beside the reading
	for range 2 {
		answers = append(answers, string(next("a message between others")))
	}
	if all := strings.Join(answers, "\n"); !strings.Contains(all, `{"jsonrpc":"2.0","id":"a","result":{}}`) || !strings.Contains(all, `"code":-32600`) {
		t.Errorf("a message between others: %s", all)
	}
	// The last line needs no end.
	send(`{"jsonrpc":"2.0","id":"last","method":`)
	if err := s.in.Close(); err != nil {
		t.Fatal(err)
	}
	checkRefusal(t, "the last line", next("the last line"), parseError, `null`)
	if s.lines.Scan() {
		t.Errorf("after the end of the input: %s", s.lines.Bytes())
	}
	if err := <-s.served; err != nil {
		t.Errorf("the server ended with %v", err)
	}
}

// The end of the context ends the server without an error, as the end of the input does; input
// that cannot be read is an error.
func TestServerEnds(t *testing.T) {
	broken := errors.New("broken")
	for name, c := range map[string]struct {
		end  func(s *lineClient, stop func())
		want error
	}{
		"context": {func(_ *lineClient, stop func()) { stop() }, nil},
		"input":   {func(s *lineClient, _ func()) { _ = s.in.Close() }, nil},
		"fault":   {func(s *lineClient, _ func()) { _ = s.in.CloseWithError(broken) }, broken},
	} {
		ctx, stop := context.WithCancel(t.Context())
		s := serveLines(t, ctx, config(t))
		c.end(s, stop)
		if err := <-s.served; (err == nil) != (c.want == nil) || err != nil && !strings.Contains(err.Error(), c.want.Error()) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
		stop()
	}
}

// The answer to a call that was canceled says so.
func TestCanceledAnswer(t *testing.T) {
	c := config(t)
	s := serveLines(t, t.Context(), c)
	began := filepath.Join(c.Dir, "began")
	script := fmt.Sprintf(`echo x >"%s"; while :; do sleep 0.05; done`, began)
	args, _ := json.Marshal(map[string]any{"name": "run", "arguments": map[string]any{"argv": []string{"sh", "-c", script}}})
	s.send(t, "tools/call", string(args))
	testenv.Await(t, began)
	if _, err := fmt.Fprintf(s.in, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`+"\n", s.id); err != nil {
		t.Fatal(err)
	}
	const want = `{"type":"text","text":"the call was canceled"}`
	if !s.lines.Scan() || !strings.Contains(s.lines.Text(), want) {
		t.Errorf("the answer: %s, want %s", s.lines.Bytes(), want)
	}
}

// The id of a call that has no answer yet means no other call.
func TestRepeatedID(t *testing.T) {
	c := config(t)
	c.Wait = time.Hour
	s := serveLines(t, t.Context(), c)
	end := filepath.Join(c.Dir, "end")
	script := fmt.Sprintf(`until [ -e "%s" ]; do sleep 0.05; done; echo over`, end)
	args, _ := json.Marshal(map[string]any{"name": "run", "arguments": map[string]any{"argv": []string{"sh", "-c", script}}})
	s.send(t, "tools/call", string(args))
	s.id--
	s.send(t, "ping", "{}")
	s.send(t, "ping", "{}")
	if !s.lines.Scan() {
		t.Fatal("the server has ended")
	}
	checkRefusal(t, "a repeated id", s.lines.Bytes(), invalidRequest, `null`)
	if !t.Failed() && !s.lines.Scan() { // else there is an answer less
		t.Fatal("the server has ended")
	}
	if err := os.WriteFile(end, nil, 0o600); err != nil || t.Failed() {
		t.Fatal(err)
	}
	if !s.lines.Scan() || !strings.Contains(s.lines.Text(), `over\n`) {
		t.Errorf("the first call: %s", s.lines.Bytes())
	}
	s.id -= 2
	if got := s.ping(t); got != fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{}}`, s.id) {
		t.Errorf("the id again, after the answer: %s", got)
	}
}

// Over HTTP a body that is no message is answered with status 400 and the same error.
func TestBadBodies(t *testing.T) {
	server, err := mcpserver.New(config(t))
	if err != nil {
		t.Fatal(err)
	}
	l := mcpserver.Listener{Token: "correct-horse-battery-staple"}
	listens := httptest.NewServer(l.Handler(server))
	defer listens.Close()
	post := func(body, session string) (*http.Response, []byte) {
		t.Helper()
		header := http.Header{}
		if session != "" {
			header.Set("Mcp-Session-Id", session)
			header.Set("Mcp-Protocol-Version", "2025-06-18")
		}
		return mcpserver.Post(t, listens.URL, l.Token, body, header)
	}
	first, _ := post(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`, "")
	session := first.Header.Get("Mcp-Session-Id")
	if session == "" {
		t.Fatalf("no session: %s", first.Status)
	}
	for _, session := range []string{"", session} {
		for _, m := range badMessages {
			answer, text := post(m.text, session)
			checkRefusal(t, m.text, text, m.code, m.id)
			if answer.StatusCode != http.StatusBadRequest || answer.Header.Get("Content-Type") != "application/json" {
				t.Errorf("%.120q: %s, %s", m.text, answer.Status, answer.Header.Get("Content-Type"))
			}
		}
		_, text := post("", session)
		checkRefusal(t, "an empty body", text, parseError, `null`)
		answer, text := post(strings.Repeat(" ", 4<<20)+"5", session)
		checkRefusal(t, "a large body", text, invalidRequest, `null`)
		if answer.StatusCode != http.StatusRequestEntityTooLarge {
			t.Errorf("a large body: %s", answer.Status)
		}
	}
	for _, text := range unanswered[1:] { // the SDK refuses notifications that it does not know
		if answer, got := post(text, session); answer.StatusCode != http.StatusAccepted || len(got) > 0 {
			t.Errorf("%s: %s, %q", text, answer.Status, got)
		}
	}
}
