package remote

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"time"
)

// Times after which a remote counts as gone.
const (
	dialTimeout   = 10 * time.Second
	headerTimeout = 60 * time.Second // from the end of a request to the first byte of its answer
	stallTimeout  = 60 * time.Second // without a byte of the body that comes, or room for one that goes
)

// newTransport keeps a connection for each transfer, and takes bytes as they are.
func newTransport() *http.Transport {
	return &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            steady((&net.Dialer{Timeout: dialTimeout}).DialContext),
		TLSHandshakeTimeout:    dialTimeout,
		ResponseHeaderTimeout:  headerTimeout,
		ExpectContinueTimeout:  time.Second,
		IdleConnTimeout:        time.Minute,
		MaxIdleConnsPerHost:    Transfers,
		DisableCompression:     true,
		ReadBufferSize:         64 << 10,
		WriteBufferSize:        64 << 10,
		MaxResponseHeaderBytes: 64 << 10,
	}
}

type dial = func(ctx context.Context, network, address string) (net.Conn, error)

// steady returns connections on which a write fails where the other side takes
// nothing for too long.
func steady(d dial) dial {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := d(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return steadyConn{c}, nil
	}
}

type steadyConn struct{ net.Conn }

// steadyWrite is how much goes under one deadline, in bytes.
const steadyWrite = 64 << 10

func (c steadyConn) Write(b []byte) (n int, err error) {
	for first := true; first || n < len(b) && err == nil; first = false {
		if err := c.SetWriteDeadline(time.Now().Add(stallTimeout)); err != nil {
			return n, err
		}
		var wrote int
		wrote, err = c.Conn.Write(b[n:min(len(b), n+steadyWrite)])
		n += wrote
	}
	return n, err
}

// A clock is a transport that notes how far the remote's clock is from ours.
type clock struct {
	base http.RoundTripper
	seen atomic.Bool
	off  atomic.Int64 // ns that the remote is ahead, to a second
}

func (c *clock) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := c.base.RoundTrip(r)
	if err == nil {
		if t, dateErr := http.ParseTime(response.Header.Get("Date")); dateErr == nil {
			c.off.Store(int64(time.Until(t)))
			c.seen.Store(true)
		}
	}
	return response, err
}

// copyBody copies a body that may have at most limit bytes. It ends a body in
// which nothing moves by cancel.
func copyBody(w io.Writer, body io.Reader, limit int64, cancel context.CancelFunc) error {
	stalled := time.AfterFunc(stallTimeout, cancel)
	defer stalled.Stop()
	b := make([]byte, 128<<10)
	for n := int64(0); ; {
		got, err := body.Read(b)
		stalled.Reset(stallTimeout)
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
