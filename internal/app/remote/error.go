package remote

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/envwrap/envwrap/artifact"
)

// An Error is an error of a remote. Code is an error code of Protocol v1.
type Error struct {
	Code      string
	Text      string
	Status    int           // of HTTP, if nothing else is known; else 0
	Temporary bool          // another attempt may succeed
	Unreached bool          // there was no connection, or no answer within Settings.Answer, or Settings.Patience ended
	After     time.Duration // how long the remote asked to wait; 0 if it did not
	Attempts  int           // the largest number of attempts; 0 is limited by Settings.Patience only
	Err       error         // the cause, or nil
}

// A Finding is the result of one part of [Remote.Check].
type Finding struct {
	Name string `json:"name"`
	OK   bool   `json:"ok"`
	Text string `json:"text"`
}

// IsUnreached reports whether an error means that the remote could not be reached.
func IsUnreached(err error) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && e.Unreached
}

func (e *Error) Error() string { return e.Text + " (" + e.Code + ")" }
func (e *Error) Unwrap() error { return e.Err }

// refusals are the statuses that mean something of their own.
var refusals = map[int]Error{
	http.StatusUnauthorized:          {Code: "EAUTH", Text: "the remote wants credentials, or refuses these; see docs/sharing.md for where they are read from"},
	http.StatusForbidden:             {Code: "EAUTH", Text: "these credentials do not have the right"},
	http.StatusNotFound:              {Code: "ENOTFOUND", Text: "the remote does not have it", Err: artifact.ErrNotFound},
	http.StatusGone:                  {Code: "ENOTFOUND", Text: "the remote does not have it any more", Err: artifact.ErrNotFound},
	http.StatusRequestTimeout:        {Code: "ETIMEOUT", Text: "the remote waited too long for the request", Temporary: true},
	http.StatusRequestEntityTooLarge: {Code: "EPOLICY", Text: "the remote does not take objects of this size"},
	http.StatusTooManyRequests:       {Code: "ERATELIMIT", Text: "the remote asks for fewer requests", Temporary: true},
	// A backend that is away is another status: a full disk is often this one.
	http.StatusInternalServerError: {Code: "ESKILLDOWN", Text: "the remote failed at it: is there room left", Temporary: true, Attempts: 4},
	http.StatusInsufficientStorage: {Code: "EIO", Text: "the remote's disk is full"},
}

// A refusalReason is a refusal that a kind of server gives for one reason. Empty fields
// match all.
type refusalReason struct {
	status int
	server string // begins the header Server
	header string // is in the answer
	body   string // is in the first bytes of the answer
	key    string // begins the object's key
	plain  bool   // the request went over plain HTTP
	text   string
}

// reasons are in the order in which they are tried.
var reasons = []refusalReason{
	{status: http.StatusBadRequest, body: "HTTPS", plain: true, text: "the server wants TLS at this port: write https:// in the URL"},
	{status: http.StatusBadRequest, header: "X-Amz-Request-Id", text: "this is an S3 service: write s3://BUCKET/PREFIX, and its address as --remote-endpoint, or endpoint of [remote]"},
	{status: http.StatusForbidden, header: "X-Amz-Request-Id", text: "this is an S3 service: write s3://BUCKET/PREFIX, and its address as --remote-endpoint, or endpoint of [remote]"},
	{status: http.StatusBadRequest, key: "ac/", text: "the server takes only entries of Bazel itself below ac/: start bazel-remote with --disable_http_ac_validation"},
	{status: http.StatusBadRequest, server: "nginx", plain: true, text: "nginx does not understand the request: does this port want https://"},
	{status: http.StatusBadRequest, plain: true, text: "the server does not understand the request: is it a cache in Bazel's layout, and does this port want https://"},
	{status: http.StatusBadRequest, text: "the server does not understand the request: is it a cache in Bazel's layout"},
	{status: http.StatusRequestEntityTooLarge, server: "nginx", text: "nginx takes no objects of this size: set client_max_body_size there (0 is no limit; it is 1 MiB where nothing is set)"},
}

// reasonBytes is how much of a refusal's body is read to find its reason.
const reasonBytes = 1 << 10

func (f *refusalReason) matches(r *http.Response, body, key string) bool {
	return f.status == r.StatusCode && strings.HasPrefix(r.Header.Get("Server"), f.server) &&
		(f.header == "" || r.Header.Get(f.header) != "") && strings.Contains(body, f.body) && strings.HasPrefix(key, f.key) &&
		(!f.plain || r.Request != nil && r.Request.URL.Scheme == "http")
}

// statusError returns what a response that is no success means, for an object's key or "".
func statusError(r *http.Response, key string) error {
	e, known := refusals[r.StatusCode]
	switch {
	case known:
	case r.StatusCode >= 500:
		e = Error{Code: "ESKILLDOWN", Text: "the remote is out of order", Temporary: true}
	default:
		e = Error{Code: "ERUNTIME", Text: "the remote does not do this: is it a cache of the kind that its URL says"}
	}
	body, _ := io.ReadAll(io.LimitReader(r.Body, reasonBytes))
	for i := range reasons {
		if reasons[i].matches(r, string(body), key) {
			e.Text = reasons[i].text
			break
		}
	}
	e.Text = fmt.Sprintf("status %d: %s", r.StatusCode, e.Text)
	e.Status = r.StatusCode
	e.After = retryAfter(r.Header.Get("Retry-After"))
	return &e
}

// retryAfter reads a header; 0 where it says nothing.
func retryAfter(v string) time.Duration {
	if n, err := strconv.Atoi(v); err == nil && n > 0 {
		return time.Duration(min(n, 1<<20)) * time.Second
	}
	if t, err := http.ParseTime(v); err == nil {
		return max(0, time.Until(t))
	}
	return 0
}

func tooLong(limit int64) error {
	return &Error{Code: "EOUTPUT_TOO_LARGE", Text: fmt.Sprintf("the remote sends more than %d bytes: give a higher --max-artifact if that is meant", limit)}
}

var errRedirect = errors.New("redirect to another server")

func elsewhere(host string) error {
	return &Error{Code: "EPOLICY", Text: fmt.Sprintf("the remote redirects to %q, where nothing is sent to or read from: name that server with --remote if you trust it", host), Err: errRedirect}
}
