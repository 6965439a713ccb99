package mcpserver

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// MinToken is the least number of characters of a bearer token.
const MinToken = 16

// A Listener configures a server over HTTP.
type Listener struct {
	// Address is host:port. The host has to be a loopback address.
	Address string
	// Token is the bearer token that clients must send (RFC 6750). It has at least
	// MinToken characters.
	Token string
	// Origins are the accepted values of the header Origin. A request without the
	// header is accepted: it does not come from a web page.
	Origins []string
}

// Listen listens on the address of l, which must be a loopback address.
func (l *Listener) Listen() (net.Listener, error) {
	host, _, err := net.SplitHostPort(l.Address)
	if err != nil {
		return nil, fmt.Errorf("listen on %q: %w\nGive host and port: 127.0.0.1:7331", l.Address, err)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, fmt.Errorf("listen on %q: not a loopback address\nThe server runs any command for whoever reaches it. Give 127.0.0.1, and let ssh or a proxy forward the port", l.Address)
	}
	if len(l.Token) < MinToken {
		return nil, fmt.Errorf("listen on %q: a bearer token of at least %d characters is required\nWrite one to a file and name it with --token-file, or set ENVWRAP_MCP_TOKEN", l.Address, MinToken)
	}
	return net.Listen("tcp", l.Address)
}

// firstWithoutSessions is the first revision of the protocol in which each
// request is independent. Revisions are dates; they compare as text.
const firstWithoutSessions = "2026-07-28"

// Handler returns a handler that serves s to requests with the token and an accepted
// origin.
func (l *Listener) Handler(s *mcp.Server) http.Handler {
	server := func(*http.Request) *mcp.Server { return s }
	sessions := mcp.NewStreamableHTTPHandler(server, &mcp.StreamableHTTPOptions{
		SessionTimeout:               time.Hour,
		PropagateRequestCancellation: true,
	})
	single := mcp.NewStreamableHTTPHandler(server, &mcp.StreamableHTTPOptions{
		Stateless:                    true,
		PropagateRequestCancellation: true,
	})
	want := sha256.Sum256([]byte(l.Token))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		got := sha256.Sum256([]byte(token))
		switch {
		case !ok || subtle.ConstantTimeCompare(got[:], want[:]) == 0:
			w.Header().Set("WWW-Authenticate", "Bearer")
			http.Error(w, "a bearer token is required", http.StatusUnauthorized)
		case !l.admits(r.Header.Get("Origin"), r.Host):
			http.Error(w, "this origin is not let in", http.StatusForbidden)
		case r.Method == http.MethodPost && !accept(w, r):
		case r.Header.Get("Mcp-Protocol-Version") >= firstWithoutSessions:
			single.ServeHTTP(w, r)
		default:
			sessions.ServeHTTP(w, r)
		}
	})
}

// accept reads the body of a request, which then has it again, and reports whether it is a
// message. If not, accept has answered.
func accept(w http.ResponseWriter, r *http.Request) bool {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mcp.DefaultMaxRequestBodyBytes))
	status := http.StatusBadRequest
	var message jsonrpc.Message
	var answer []byte
	if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
		status = http.StatusRequestEntityTooLarge
		answer = refusal(nil, jsonrpc.CodeInvalidRequest, fmt.Sprintf("a message has at most %d bytes", tooLarge.Limit))
	} else if err != nil {
		return false // the client has gone
	} else {
		message, answer = decode(body)
	}
	switch {
	case message != nil:
		r.Body = io.NopCloser(bytes.NewReader(body))
		return true
	case answer == nil:
		w.WriteHeader(http.StatusAccepted)
	default:
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = w.Write(answer)
	}
	return false
}

// admits reports whether a request from origin is let in: none, the server's
// own, or one of the list.
func (l *Listener) admits(origin, host string) bool {
	if origin == "" || slices.Contains(l.Origins, origin) {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && u.Host == host && host != ""
}

// shutdownGrace is how long calls may take to end after the server was asked to
// stop.
const shutdownGrace = stopGrace

// Serve serves s on listener until ctx is done.
func (l *Listener) Serve(ctx context.Context, s *mcp.Server, listener net.Listener) error {
	server := &http.Server{
		Handler:           l.Handler(s),
		ReadHeaderTimeout: 10 * time.Second,
		BaseContext:       func(net.Listener) context.Context { return ctx },
	}
	stopped := make(chan error, 1)
	go func() {
		<-ctx.Done()
		grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownGrace)
		defer cancel()
		stopped <- server.Shutdown(grace)
	}()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return <-stopped
}
