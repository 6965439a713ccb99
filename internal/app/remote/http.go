package remote

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/envwrap/envwrap/internal/app/remoteconfig"
)

// A httpRemote speaks the protocol of Bazel's HTTP cache
// (https://bazel.build/remote/caching#http-caching): GET, HEAD and PUT of
// cas/<sha256> and ac/<key>.
type httpRemote struct {
	base   *url.URL
	client *http.Client
	login  login
}

// askFrom is the size in bytes above which the server is asked whether it takes an object
// before it is sent. nginx takes 1 MiB, unless it is told otherwise.
const askFrom = 1 << 20

// mostRedirects is how many are followed on one server.
const mostRedirects = 3

func newHTTP(u *url.URL, s *remoteconfig.Settings, lookup func(string) string, t http.RoundTripper) (*httpRemote, error) {
	l, err := findLogin(u, s, lookup)
	if err != nil {
		return nil, err
	}
	h := &httpRemote{base: u, login: l}
	h.client = &http.Client{Transport: t, CheckRedirect: func(r *http.Request, via []*http.Request) error {
		if r.URL.Host != u.Host || r.URL.Scheme != u.Scheme {
			return elsewhere(r.URL.Scheme + "://" + r.URL.Host)
		}
		if len(via) > mostRedirects {
			return &Error{Code: "ERUNTIME", Text: "the remote redirects in circles"}
		}
		return nil
	}}
	return h, nil
}

// do sends a request. The caller closes the body.
func (h *httpRemote) do(ctx context.Context, method, key string, size int64, body io.Reader, offset int64) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, method, h.base.JoinPath(key).String(), body)
	if err != nil {
		return nil, err
	}
	if method == http.MethodPut {
		r.ContentLength = size
		r.Header.Set("Content-Type", "application/octet-stream")
		if size == 0 {
			r.Body = http.NoBody
		}
		if size > askFrom {
			r.Header.Set("Expect", "100-continue") // a refusal can be read before the body is sent
		}
	}
	if offset > 0 {
		r.Header.Set("Range", "bytes="+strconv.FormatInt(offset, 10)+"-")
	}
	h.login.sign(r)
	response, err := h.client.Do(r)
	if err == nil {
		return response, nil
	}
	return nil, connectionError(err)
}

// connectionError returns what became of a request without an answer.
func connectionError(err error) error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	if of, ok := errors.AsType[*url.Error](err); ok {
		err = of.Err // without the URL, which the caller names
	}
	if isTLS(err) {
		text := "no connection by TLS: " + err.Error()
		if _, unknown := errors.AsType[x509.UnknownAuthorityError](err); unknown {
			text += "; if the server's certificate is of your own authority, name its certificate with --remote-ca-file, or ca-file of [remote]"
		}
		return &Error{Code: "ESKILLDOWN", Text: text, Err: err}
	}
	dial, ok := errors.AsType[*net.OpError](err)
	unreached := ok && dial.Op == "dial" || errors.Is(err, errNoAnswer)
	return &Error{Code: "ESKILLDOWN", Text: "no answer: " + err.Error(), Temporary: true, Unreached: unreached, Err: err}
}

// isTLS reports whether a server has no certificate that is trusted here, or does not
// speak TLS: then another attempt would fail, too.
func isTLS(err error) bool {
	_, refused := errors.AsType[*tls.CertificateVerificationError](err)
	_, other := errors.AsType[tls.RecordHeaderError](err)
	return refused || other || errors.Is(err, http.ErrSchemeMismatch)
}

// describe says nothing: the URL is all there is.
func (*httpRemote) describe() []Finding { return nil }

// discard ends a response whose body nobody wants.
func discard(r *http.Response) {
	_, _ = io.CopyN(io.Discard, r.Body, 4<<10)
	_ = r.Body.Close()
}

func (h *httpRemote) size(ctx context.Context, key string) (int64, error) {
	r, err := h.do(ctx, http.MethodHead, key, 0, nil, 0)
	if err != nil {
		return 0, err
	}
	defer discard(r)
	if r.StatusCode != http.StatusOK {
		return 0, statusError(r, key)
	}
	return r.ContentLength, nil
}

func (h *httpRemote) get(ctx context.Context, key string, offset, limit int64, w io.Writer) error {
	r, err := h.do(ctx, http.MethodGet, key, 0, nil, offset)
	if err != nil {
		return err
	}
	defer r.Body.Close()
	switch {
	case r.StatusCode == http.StatusRequestedRangeNotSatisfiable && offset > 0:
		return nil // all of it came before the cut
	case r.StatusCode == http.StatusOK && offset > 0: // it does not know ranges
		w = &skipper{w: w, left: offset}
		offset = 0
	case r.StatusCode == http.StatusPartialContent && !strings.HasPrefix(r.Header.Get("Content-Range"), fmt.Sprintf("bytes %d-", offset)):
		return &Error{Code: "ERUNTIME", Text: "the remote sends another range than it was asked for"}
	case r.StatusCode != http.StatusOK && r.StatusCode != http.StatusPartialContent:
		return statusError(r, key)
	}
	if r.ContentLength > limit-offset {
		return tooLong(limit)
	}
	return copyBody(w, r.Body, limit-offset)
}

// A skipper leaves the first bytes out.
type skipper struct {
	w    io.Writer
	left int64
}

func (s *skipper) Write(b []byte) (int, error) {
	n := min(int64(len(b)), s.left)
	s.left -= n
	if int(n) == len(b) {
		return len(b), nil
	}
	wrote, err := s.w.Write(b[n:])
	return int(n) + wrote, err
}

func (h *httpRemote) put(ctx context.Context, key string, size int64, open func() (io.ReadCloser, error)) error {
	f, err := open()
	if err != nil {
		return err
	}
	defer f.Close()
	r, err := h.do(ctx, http.MethodPut, key, size, f, 0)
	if err != nil {
		return err
	}
	defer discard(r)
	switch r.StatusCode {
	case http.StatusOK, http.StatusCreated, http.StatusAccepted, http.StatusNoContent:
		return nil
	case http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return elsewhere(r.Header.Get("Location"))
	case http.StatusNotFound, http.StatusMethodNotAllowed:
		return &Error{Code: "EPOLICY", Text: fmt.Sprintf("status %d: the remote takes no uploads here", r.StatusCode)}
	}
	return statusError(r, key)
}
