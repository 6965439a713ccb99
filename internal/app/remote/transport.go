package remote

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"time"
)

// Times after which a remote counts as gone.
const (
	dialTimeout  = 10 * time.Second
	stallTimeout = 60 * time.Second // in which no byte moves in either direction
)

// Transfers is how many objects are transferred at a time.
const Transfers = 8

// newTransport keeps a connection for each transfer, and takes bytes as they are. A
// request fails where nothing moves for as long as stall, or where there is no connection
// after answer, if that is not 0. A server's certificate must be of an authority in
// trusted; nil means the system's.
func newTransport(stall, answer time.Duration, trusted *x509.CertPool) *http.Transport {
	connect := min(dialTimeout, stall, cmp.Or(answer, dialTimeout))
	return &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            steady(stall, (&net.Dialer{Timeout: connect}).DialContext),
		TLSHandshakeTimeout:    connect,
		TLSClientConfig:        &tls.Config{RootCAs: trusted},
		ExpectContinueTimeout:  time.Second,
		IdleConnTimeout:        time.Minute,
		MaxIdleConnsPerHost:    Transfers,
		DisableCompression:     true,
		ReadBufferSize:         64 << 10,
		WriteBufferSize:        64 << 10,
		MaxResponseHeaderBytes: 64 << 10,
	}
}

// authorities returns the certificates of the system and those of a file; nil where file
// is "". The file must be PEM, and nobody else may be able to change it.
func authorities(file string) (*x509.CertPool, error) {
	if file == "" {
		return nil, nil
	}
	text, err := readSecret(file)
	if err != nil {
		return nil, fmt.Errorf("read the certificates to trust (--remote-ca-file, ca-file of [remote]): %w", err)
	}
	all, err := x509.SystemCertPool()
	if err != nil {
		all = x509.NewCertPool()
	}
	if !all.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("read the certificates to trust: %q has none; it has to be PEM: -----BEGIN CERTIFICATE-----", file)
	}
	return all, nil
}

type dial = func(ctx context.Context, network, address string) (net.Conn, error)

// steady returns connections on which reads and writes fail where nothing moves for
// too long.
func steady(stall time.Duration, d dial) dial {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := d(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return steadyConn{c, stall}, nil
	}
}

type steadyConn struct {
	net.Conn
	stall time.Duration
}

func (c steadyConn) Read(b []byte) (int, error) {
	if err := c.SetReadDeadline(time.Now().Add(c.stall)); err != nil {
		return 0, err
	}
	return c.Conn.Read(b)
}

// steadyWrite is how much goes under one deadline, in bytes.
const steadyWrite = 64 << 10

// Write gives the answer, for which a Read waits, more time with each piece.
func (c steadyConn) Write(b []byte) (n int, err error) {
	for first := true; first || n < len(b) && err == nil; first = false {
		if err := c.SetDeadline(time.Now().Add(c.stall)); err != nil {
			return n, err
		}
		var wrote int
		wrote, err = c.Conn.Write(b[n:min(len(b), n+steadyWrite)])
		n += wrote
	}
	return n, err
}

// errNoAnswer is the error of a question that the remote has not answered within
// Settings.Answer.
var errNoAnswer = errors.New("it takes too long")

// A clock is a transport that notes how far the remote's clock is from ours. The first
// answer to a question has to begin within a limit.
type clock struct {
	base   http.RoundTripper
	answer time.Duration // 0 is no limit
	heard  atomic.Bool   // it has answered
	seen   atomic.Bool
	off    atomic.Int64 // ns that the remote is ahead, to a second
}

func (c *clock) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := c.limited(r)
	if err == nil {
		c.heard.Store(true)
		if t, dateErr := http.ParseTime(response.Header.Get("Date")); dateErr == nil {
			c.off.Store(int64(time.Until(t)))
			c.seen.Store(true)
		}
	}
	return response, err
}

// limited sends a request. A question is canceled if no answer begins in time and the
// remote has answered none before.
func (c *clock) limited(r *http.Request) (*http.Response, error) {
	if c.answer == 0 || c.heard.Load() || r.Method == http.MethodPut || r.Method == http.MethodPost {
		return c.base.RoundTrip(r)
	}
	ctx, cancel := context.WithCancelCause(r.Context())
	late := time.AfterFunc(c.answer, func() { cancel(errNoAnswer) })
	response, err := c.base.RoundTrip(r.WithContext(ctx))
	if !late.Stop() || err != nil {
		cancel(nil)
	}
	if err != nil && errors.Is(context.Cause(ctx), errNoAnswer) {
		err = errNoAnswer
	}
	return response, err
}

// copyBody copies a body that may have at most limit bytes.
func copyBody(w io.Writer, body io.Reader, limit int64) error {
	b := make([]byte, 128<<10)
	for n := int64(0); ; {
		got, err := body.Read(b)
		if n += int64(got); n > limit {
			return tooLong(limit)
		}
		if _, writeErr := w.Write(b[:got]); writeErr != nil {
			return writeErr
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return &Error{Code: "ERUNTIME", Text: "the connection broke off: " + err.Error(), Temporary: true, Err: err}
		}
	}
}
