package remote

import (
	"bytes"
	"context"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/internal/app/remoteconfig"
)

// kinds are the changes of settings that make a remote of each kind.
var kinds = map[string]func(*remoteconfig.Settings){"http": nil, "s3": overS3}

// refuse answers the first n requests with a status.
func refuse(n, status int, header ...string) func(http.ResponseWriter, *http.Request, []byte) bool {
	return func(w http.ResponseWriter, _ *http.Request, _ []byte) bool {
		if n--; n < 0 {
			return false
		}
		for i := 0; i < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
		return true
	}
}

// A remote that is away for a minute, or asks to wait, costs time and nothing else.
func TestRemoteComesBack(t *testing.T) {
	t.Parallel()
	for kind, change := range kinds {
		for name, c := range map[string]struct {
			lie  func(http.ResponseWriter, *http.Request, []byte) bool
			most time.Duration
			wait time.Duration
		}{
			"away for a minute": {refuse(11, http.StatusServiceUnavailable), 90 * time.Second, time.Minute},
			"asks to wait":      {refuse(2, http.StatusTooManyRequests, "Retry-After", "7"), 14 * time.Second, 14 * time.Second},
		} {
			b := &bazel{lie: c.lie}
			r, waited := b.open(t, change, nil)
			if _, err := r.Has("cas/x", 1); err != nil || *waited < c.wait || *waited > c.most {
				t.Errorf("%s %s: waited %s, %v", kind, name, *waited, err)
			}
		}
	}
}

// Where a remote is gone, many transfers do not wait for it one after the other. One
// whose disk is full refuses each, and is not asked for long.
func TestManyTransfersFailSoon(t *testing.T) {
	t.Parallel()
	const many = 3 * Transfers
	for kind, change := range kinds {
		for name, c := range map[string]struct {
			status, most int
			want         string
		}{
			"gone": {http.StatusServiceUnavailable, Transfers * mostFailures, "not tried"},
			"full": {http.StatusInternalServerError, many * 4, "is there room left"},
		} {
			b := &bazel{lie: refuse(1<<30, c.status)}
			r, _ := b.open(t, change, nil)
			from := storeIn(t, artifact.Options{})
			var digests []string
			for i := range many {
				digests = append(digests, keep(t, from, bytes.Repeat([]byte{byte(i)}, i)))
			}
			all := r.Push(artifact.Stores{from}, digests, &Meter{})
			if last := all[many-1]; last.Err == nil || !strings.Contains(last.Error, c.want) {
				t.Errorf("%s %s: %+v", kind, name, last)
			}
			if len(b.asked) > c.most {
				t.Errorf("%s %s: it was asked %d times", kind, name, len(b.asked))
			}
		}
	}
}

// A remote that takes no byte of an upload, or all of it and does not answer, is given
// up.
func TestUploadStalls(t *testing.T) {
	for _, takes := range []int{0, 64 << 10} {
		synctest.Test(t, func(t *testing.T) { stalls(t, takes) })
	}
}

func stalls(t *testing.T, takes int) {
	transport := newTransport(stallTimeout, 0, nil)
	transport.DialContext = steady(stallTimeout, func(context.Context, string, string) (net.Conn, error) {
		ours, theirs := net.Pipe()
		go func() {
			defer theirs.Close()
			_, _ = theirs.Read(make([]byte, takes))
			<-t.Context().Done()
		}()
		return ours, nil
	})
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPut, "http://stalls.test/", strings.NewReader("text"))
	if err != nil {
		t.Fatal(err)
	}
	begun := time.Now()
	response, err := transport.RoundTrip(request)
	if err == nil {
		_ = response.Body.Close()
	}
	if took := time.Since(begun); err == nil || took != stallTimeout {
		t.Errorf("after %s: %v", took, err)
	}
}

// A list of parts without an end is read to a limit.
func TestEndlessList(t *testing.T) {
	t.Parallel()
	wrote := 0
	b := &bazel{lie: func(w http.ResponseWriter, r *http.Request, _ []byte) bool {
		if r.Method != http.MethodGet || r.URL.RawQuery == "" {
			return false
		}
		_, _ = io.WriteString(w, "<ListMultipartUploadsResult>")
		for {
			n, err := io.WriteString(w, strings.Repeat("<Prefix>x</Prefix>", 1000))
			if wrote += n; err != nil {
				return true
			}
		}
	}}
	r, _ := b.open(t, overS3, nil)
	open := func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(make([]byte, partSize+1))), nil }
	if err := r.Write("cas/x", partSize+1, open); err == nil {
		t.Error("it took an upload")
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if wrote == 0 || wrote > 64<<20 {
		t.Errorf("it read %d bytes", wrote)
	}
}

// A web identity is changed into a role by STS, as the AWS tools do; a refusal is
// told, and the bucket is not asked without credentials.
func TestWebIdentity(t *testing.T) {
	const token = "eyJhbGciOi.of.the-pod"
	sts := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		form := map[string]string{
			"Action": "AssumeRoleWithWebIdentity", "Version": "2011-06-15", "WebIdentityToken": token,
			"RoleArn": "arn:aws:iam::1:role/team", "RoleSessionName": "pod-1",
		}
		for name, want := range form {
			if got := r.FormValue(name); got != want {
				w.WriteHeader(http.StatusForbidden)
				_, _ = io.WriteString(w, `<ErrorResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><Error><Code>AccessDenied</Code><Message>not you</Message></Error></ErrorResponse>`)
				return
			}
		}
		_, _ = io.WriteString(w, `<AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleWithWebIdentityResult><Credentials>
			<AccessKeyId>ROLEKEY</AccessKeyId><SecretAccessKey>rolesecret</SecretAccessKey><SessionToken>rolesession</SessionToken>
			<Expiration>`+time.Now().Add(time.Hour).UTC().Format(time.RFC3339)+`</Expiration>
			</Credentials></AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>`)
	}))
	defer sts.Close()
	for name, c := range map[string]struct{ token, want string }{"let in": {token, ""}, "refused": {"other-token", "not you"}} {
		t.Run(name, func(t *testing.T) {
			path := t.TempDir() + "/token"
			writeFile(t, path, c.token)
			variables := map[string]string{
				"AWS_WEB_IDENTITY_TOKEN_FILE": path, "AWS_ROLE_ARN": "arn:aws:iam::1:role/team", "AWS_ROLE_SESSION_NAME": "pod-1",
				"AWS_ENDPOINT_URL_STS": sts.URL, "AWS_EC2_METADATA_DISABLED": "true", "AWS_ACCESS_KEY_ID": "",
			}
			for name, value := range variables {
				t.Setenv(name, value)
			}
			var signed, session string
			b := &bazel{lie: func(_ http.ResponseWriter, r *http.Request, _ []byte) bool {
				signed, session = r.Header.Get("Authorization"), r.Header.Get("X-Amz-Security-Token")
				return false
			}}
			r, _ := b.open(t, overS3, func(name string) string { return variables[name] })
			_, err := r.Has("cas/x", 1)
			switch {
			case c.want == "":
				if err != nil || !strings.Contains(signed, "Credential=ROLEKEY/") || session != "rolesession" {
					t.Errorf("signed by %q, %q: %v", signed, session, err)
				}
			case err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "EAUTH") || strings.Contains(err.Error(), c.token):
				t.Errorf("got %v", err)
			case len(b.asked) > 0:
				t.Error("the bucket was asked all the same")
			}
		})
	}
}

// An upload in parts that was cut goes on with those that are missing.
func TestUploadResumes(t *testing.T) {
	t.Parallel()
	text := bytes.Repeat([]byte("0123456789abcdef"), 2*partSize/16+1)
	server := &multipart{t: t, parts: map[string][]byte{}, room: 1}
	b := &bazel{lie: server.answer}
	r, _ := b.open(t, overS3, nil)
	open := func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil }
	if err := r.Write("cas/x", int64(len(text)), open); err == nil {
		t.Fatal("it took all parts")
	}
	b.mu.Lock()
	server.room, server.kept = 3, maps.Clone(server.parts)
	b.mu.Unlock()
	if err := r.Write("cas/x", int64(len(text)), open); err != nil {
		t.Fatal(err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	var whole []byte
	for _, number := range []string{"1", "2", "3"} {
		whole = append(whole, server.parts[number]...)
	}
	if !bytes.Equal(whole, text) {
		t.Errorf("the parts make %d other bytes", len(whole))
	}
}

// A multipart is the part of S3 that takes uploads in parts, of one object.
type multipart struct {
	t     *testing.T
	parts map[string][]byte
	kept  map[string][]byte // not to be sent again
	room  int               // parts that are taken
	begun bool
}

func (m *multipart) answer(w http.ResponseWriter, r *http.Request, _ []byte) bool {
	q := r.URL.Query()
	switch number := q.Get("partNumber"); {
	case q.Has("uploads") && r.Method == http.MethodPost:
		m.begun = true
		_, _ = io.WriteString(w, "<InitiateMultipartUploadResult><UploadId>one</UploadId></InitiateMultipartUploadResult>")
	case q.Has("uploads"):
		_, _ = io.WriteString(w, "<ListMultipartUploadsResult>")
		if m.begun {
			_, _ = io.WriteString(w, "<Upload><Key>cas/x</Key><UploadId>one</UploadId></Upload>")
		}
		_, _ = io.WriteString(w, "</ListMultipartUploadsResult>")
	case r.Method == http.MethodPut && len(m.parts) >= m.room:
		w.WriteHeader(http.StatusForbidden)
	case r.Method == http.MethodPut:
		text, err := io.ReadAll(r.Body)
		if err != nil {
			return true
		}
		if m.kept[number] != nil {
			m.t.Errorf("part %s was sent again", number)
		}
		m.parts[number] = text
		w.Header().Set("ETag", `"`+md5Hex(text)+`"`)
	case r.Method == http.MethodGet:
		_, _ = io.WriteString(w, "<ListPartsResult>")
		for number, text := range m.parts {
			_, _ = io.WriteString(w, "<Part><PartNumber>"+number+"</PartNumber><ETag>"+md5Hex(text)+"</ETag></Part>")
		}
		_, _ = io.WriteString(w, "</ListPartsResult>")
	case r.Method == http.MethodPost:
		_, _ = io.WriteString(w, "<CompleteMultipartUploadResult><Bucket>team</Bucket><ETag>x</ETag></CompleteMultipartUploadResult>")
	}
	return true
}

// A remote that refuses connections, or takes one and does not answer, is asked once if
// Answer is set: nobody waits for it.
func TestUnreachedRemoteIsAskedOnce(t *testing.T) {
	t.Parallel()
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	t.Cleanup(silent.CloseClientConnections)
	refusing := httptest.NewServer(nil)
	refusing.Close()
	for name, url := range map[string]string{"silent": silent.URL, "refusing": refusing.URL} {
		for kind, change := range kinds {
			s := remoteconfig.Settings{URL: url, Answer: 50 * time.Millisecond}
			if change != nil {
				change(&s)
				s.Endpoint = url
			}
			r, err := Open(t.Context(), &s, func(string) string { return "" })
			if err != nil {
				t.Fatal(err)
			}
			r.wait = func(context.Context, time.Duration) error {
				t.Errorf("%s %s: it is tried again", name, kind)
				return nil
			}
			for range 2 {
				if _, err := r.Has("cas/x", 1); !IsUnreached(err) {
					t.Errorf("%s %s: %v", name, kind, err)
				}
			}
		}
	}
}

// A remote that answers a question and then takes no object counts as unreached, where
// answers have a limit: the next runs do not wait for it.
func TestRemoteThatStopsIsUnreached(t *testing.T) {
	t.Parallel()
	for _, limit := range []time.Duration{0, time.Hour} {
		b := &bazel{lie: func(_ http.ResponseWriter, r *http.Request, _ []byte) bool {
			if r.Method == http.MethodPut {
				panic(http.ErrAbortHandler)
			}
			return false
		}}
		r, _ := b.open(t, func(s *remoteconfig.Settings) { s.Answer = limit }, nil)
		if _, err := r.Has("cas/x", 1); err != nil {
			t.Fatal(err)
		}
		open := func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("x")), nil }
		if err := r.Write("cas/x", 1, open); err == nil || IsUnreached(err) != (limit > 0) {
			t.Errorf("with a limit of %s: unreached is %t: %v", limit, IsUnreached(err), err)
		}
	}
}
