package remote

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/internal/app/remoteconfig"
	"github.com/envwrap/envwrap/internal/test/testenv"
	"github.com/minio/minio-go/v7"
)

// TestMain runs the tests without the wait that the library of S3 adds to each attempt
// that failed: it is the last, since retries are ours.
func TestMain(m *testing.M) {
	minio.DefaultRetryUnit = 0
	os.Exit(testenv.Run(m))
}

// A bazel is an HTTP cache in memory. lie answers in its place where it returns true.
type bazel struct {
	mu      sync.Mutex
	objects map[string][]byte
	asked   []string
	lie     func(w http.ResponseWriter, r *http.Request, text []byte) bool
}

func (b *bazel) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.asked = append(b.asked, r.Method+" "+r.Header.Get("Range"))
	w.Header().Set("Last-Modified", "Sun, 22 Nov 2026 12:00:00 GMT")
	text, ok := b.objects[r.URL.Path]
	if b.lie != nil && b.lie(w, r, text) {
		return
	}
	switch {
	case r.Method == http.MethodPut:
		text, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		b.objects[r.URL.Path] = text // 200, which S3 wants and a cache of Bazel's may say
	case !ok:
		http.NotFound(w, r)
	default:
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(text))
	}
}

func digestOf(text []byte) string { return fmt.Sprintf("sha256:%x", sha256.Sum256(text)) }

// open starts a cache and returns a remote of it. Waits are not waited for; their
// sum is returned.
func (b *bazel) open(t *testing.T, change func(*remoteconfig.Settings), lookup func(string) string) (*Remote, *time.Duration) {
	t.Helper()
	if b.objects == nil {
		b.objects = map[string][]byte{}
	}
	server := httptest.NewServer(b)
	t.Cleanup(server.Close)
	s := &remoteconfig.Settings{URL: server.URL + "/team", Limit: 1 << 20}
	if change != nil {
		change(s)
	}
	if lookup == nil {
		lookup = func(name string) string { return map[string]string{"AWS_EC2_METADATA_DISABLED": "true"}[name] }
	}
	r, err := Open(context.Background(), s, lookup)
	if err != nil {
		t.Fatal(err)
	}
	waited := new(time.Duration)
	var mu sync.Mutex // transfers run side by side
	r.wait = func(_ context.Context, d time.Duration) error {
		mu.Lock()
		defer mu.Unlock()
		*waited += d
		return nil
	}
	return r, waited
}

// overS3 makes the remote a bucket, with the cache's names of objects.
func overS3(s *remoteconfig.Settings) {
	s.Endpoint, _, _ = strings.Cut(s.URL, "/team")
	s.URL = "s3://team"
}

func storeIn(t *testing.T, o artifact.Options) *artifact.Store {
	t.Helper()
	o.Dir, o.NoMaintenance, o.Sync = filepath.Join(t.TempDir(), "store"), true, artifact.SyncOff
	s, err := artifact.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func keep(t *testing.T, s *artifact.Store, text []byte) string {
	t.Helper()
	p, err := s.Create()
	if err != nil {
		t.Fatal(err)
	}
	defer p.Discard()
	if _, err := p.Write(text); err != nil {
		t.Fatal(err)
	}
	digest, err := p.Commit(artifact.Info{})
	if err != nil {
		t.Fatal(err)
	}
	return digest
}

// Objects of many sizes go there and come back, more of them than go at a time; the
// names are those of Bazel's cache, and what is there is not sent again.
func TestPushAndPull(t *testing.T) {
	b := &bazel{}
	r, _ := b.open(t, nil, nil)
	from, into := storeIn(t, artifact.Options{}), storeIn(t, artifact.Options{Fetch: r})
	var digests []string
	for i := range 3 * Transfers {
		digests = append(digests, keep(t, from, bytes.Repeat([]byte{byte(i)}, i*i*500)))
	}
	for _, state := range []string{"sent", "present"} {
		for _, one := range r.Push(artifact.Stores{from}, digests, &Meter{}) {
			if one.State != state || one.Err != nil {
				t.Errorf("pushing: %+v", one)
			}
		}
	}
	if b.objects["/team/cas/"+strings.TrimPrefix(digests[5], "sha256:")] == nil {
		t.Error("it is not stored as Bazel would")
	}
	for _, state := range []string{"fetched", "present"} {
		for _, one := range r.Pull(into, digests, &Meter{}) {
			if one.State != state || one.Err != nil {
				t.Errorf("pulling: %+v", one)
			}
		}
	}
	if v, err := into.Verify(artifact.Check{}); err != nil || len(v.Faults) > 0 {
		t.Errorf("what came: %+v, %v", v, err)
	}
}

// A server that does not keep to the protocol is not believed, does not fill memory,
// and the error says what happened.
func TestLies(t *testing.T) {
	text := bytes.Repeat([]byte("truth "), 5000)
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		t.Error("it followed the redirect")
	}))
	defer other.Close()
	endless := func(w http.ResponseWriter, _ *http.Request, _ []byte) bool {
		for err := error(nil); err == nil; {
			_, err = w.Write(make([]byte, 64<<10))
		}
		return true
	}
	status := func(code int) func(http.ResponseWriter, *http.Request, []byte) bool {
		return func(w http.ResponseWriter, _ *http.Request, _ []byte) bool {
			w.WriteHeader(code)
			return true
		}
	}
	for name, c := range map[string]struct {
		lie  func(http.ResponseWriter, *http.Request, []byte) bool
		want string
		s3   string // "" is want
	}{
		"wrong bytes": {lie: func(w http.ResponseWriter, _ *http.Request, text []byte) bool {
			_, _ = w.Write(bytes.ToUpper(text))
			return true
		}, want: "another digest"},
		"short": {lie: func(w http.ResponseWriter, _ *http.Request, text []byte) bool {
			_, _ = w.Write(text[:100])
			return true
		}, want: "another digest"},
		"cut": {lie: func(w http.ResponseWriter, _ *http.Request, _ []byte) bool {
			w.Header().Set("Content-Length", "30000")
			return true
		}, want: "broke off"},
		"endless": {lie: endless, want: "EOUTPUT_TOO_LARGE"},
		"huge": {lie: func(w http.ResponseWriter, _ *http.Request, _ []byte) bool {
			w.Header().Set("Content-Length", "1000000000000")
			return true
		}, want: "EOUTPUT_TOO_LARGE"},
		"elsewhere": {lie: func(w http.ResponseWriter, r *http.Request, _ []byte) bool {
			http.Redirect(w, r, other.URL, http.StatusFound)
			return true
		}, want: "redirects to"},
		"circles": {lie: func(w http.ResponseWriter, r *http.Request, _ []byte) bool {
			http.Redirect(w, r, r.URL.Path, http.StatusFound)
			return true
		}, want: "circles", s3: "redirects to"},
		"wrong range": {lie: func(w http.ResponseWriter, _ *http.Request, text []byte) bool {
			w.Header().Set("Content-Range", "bytes 7-10/20")
			w.WriteHeader(http.StatusPartialContent)
			_, _ = w.Write(text[7:])
			return true
		}, want: "another range", s3: "another digest"},
		"busy for ever": {lie: status(http.StatusServiceUnavailable), want: "ESKILLDOWN"},
		"no rights":     {lie: status(http.StatusForbidden), want: "EAUTH"},
		"asks":          {lie: status(http.StatusUnauthorized), want: "EAUTH"},
		"teapot":        {lie: status(http.StatusTeapot), want: "418"},
	} {
		for scheme, change := range kinds {
			t.Run(scheme+" "+name, func(t *testing.T) {
				want := c.want
				if scheme == "s3" && c.s3 != "" {
					want = c.s3
				}
				b := &bazel{lie: c.lie, objects: map[string][]byte{"/team/cas/" + digestOf(text)[7:]: text}}
				r, _ := b.open(t, change, nil)
				into := storeIn(t, artifact.Options{Fetch: r})
				one := r.Pull(into, []string{digestOf(text)}, &Meter{})[0]
				if one.Err == nil || !strings.Contains(one.Error, want) || len(one.Error) > 600 {
					t.Errorf("got %v", one.Err)
				}
				if list, err := into.List(); len(list) > 0 || err != nil {
					t.Errorf("the store has %v, %v", list, err)
				}
			})
		}
	}
}

// A certificate that nobody here trusts, and a server without TLS, are reported at once.
func TestNoTLS(t *testing.T) {
	b := &bazel{}
	secure := httptest.NewUnstartedServer(b)
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	defer secure.Close()
	for scheme, over := range kinds {
		for name, change := range map[string]func(*remoteconfig.Settings){
			"not trusted": func(s *remoteconfig.Settings) { s.URL = secure.URL + "/team" },
			"none":        func(s *remoteconfig.Settings) { s.URL = strings.Replace(s.URL, "http:", "https:", 1) },
		} {
			t.Run(scheme+" "+name, func(t *testing.T) {
				r, waited := b.open(t, func(s *remoteconfig.Settings) {
					change(s)
					if over != nil {
						over(s)
					}
				}, nil)
				one := r.Pull(storeIn(t, artifact.Options{Fetch: r}), []string{digestOf(nil)}, &Meter{})[0]
				if one.Err == nil || !strings.Contains(one.Error, "no connection by TLS: ") || *waited > 0 {
					t.Errorf("got %v after waits of %v", one.Err, *waited)
				}
			})
		}
	}
}

// An interrupted download resumes as long as each attempt makes progress; a server without
// ranges sends the whole object again.
func TestResume(t *testing.T) {
	text := bytes.Repeat([]byte("0123456789"), 60_000)
	for _, ranges := range []bool{true, false} {
		cuts := 20
		b := &bazel{objects: map[string][]byte{"/team/cas/" + digestOf(text)[7:]: text}}
		b.lie = func(w http.ResponseWriter, r *http.Request, text []byte) bool {
			from := 0
			if v, ok := strings.CutPrefix(r.Header.Get("Range"), "bytes="); ok && ranges {
				from, _ = strconv.Atoi(strings.TrimSuffix(v, "-"))
				w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, len(text)-1, len(text)))
			}
			w.Header().Set("Content-Length", strconv.Itoa(len(text)-from))
			if from > 0 {
				w.WriteHeader(http.StatusPartialContent)
			}
			end := len(text)
			if cuts--; cuts >= 0 {
				end = min(end, (20-cuts)*25_000) // a little more each time
			}
			_, _ = w.Write(text[from:end])
			return true
		}
		r, _ := b.open(t, nil, nil)
		into := storeIn(t, artifact.Options{Fetch: r})
		if one := r.Pull(into, []string{digestOf(text)}, &Meter{})[0]; one.Err != nil || one.Size != int64(len(text)) {
			t.Errorf("ranges %v: %+v", ranges, one)
		}
		if len(b.asked) != 21 {
			t.Errorf("ranges %v: asked %d times", ranges, len(b.asked))
		}
	}
}

// A server that asks to wait is waited for, unless that is longer than patience.
func TestRetryAfter(t *testing.T) {
	for _, c := range []struct {
		after  string
		times  int
		waited time.Duration
		ok     bool
	}{{"7", 3, 21 * time.Second, true}, {"3600", 1, 0, false}} {
		left := c.times
		b := &bazel{lie: func(w http.ResponseWriter, _ *http.Request, _ []byte) bool {
			if left--; left < 0 {
				return false
			}
			w.Header().Set("Retry-After", c.after)
			w.WriteHeader(http.StatusTooManyRequests)
			return true
		}}
		r, waited := b.open(t, nil, nil)
		err := r.Write("ac/x", 2, func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("ok")), nil })
		if *waited != c.waited || (err == nil) != c.ok {
			t.Errorf("Retry-After %s: waited %s, %v", c.after, *waited, err)
		}
		var e *Error
		if !c.ok && (!errors.As(err, &e) || e.Code != "ERATELIMIT") {
			t.Errorf("got %v", err)
		}
	}
}

// An object that is corrupt here is not sent whole, whatever the remote makes of the
// part that came.
func TestCorruptIsNotSent(t *testing.T) {
	for name, kind := range map[string]func(*remoteconfig.Settings){"http": nil, "s3": overS3} {
		b := &bazel{}
		r, _ := b.open(t, kind, func(name string) string {
			return map[string]string{"AWS_EC2_METADATA_DISABLED": "true", "AWS_ACCESS_KEY_ID": "id", "AWS_SECRET_ACCESS_KEY": "key", "AWS_REGION": "eu-west-1"}[name]
		})
		unsound := errors.New("unsound")
		err := r.Write("cas/x", 5, func() (io.ReadCloser, error) {
			return io.NopCloser(io.MultiReader(strings.NewReader("bytes"), iotest.ErrReader(unsound))), nil
		})
		if !errors.Is(err, unsound) || len(b.objects) > 0 {
			t.Errorf("%s: got %v, and the remote has %q", name, err, b.objects)
		}
	}
}

// Whether a large object is taken is asked before it is sent.
func TestLargeIsAskedFor(t *testing.T) {
	expect := ""
	b := &bazel{lie: func(_ http.ResponseWriter, r *http.Request, _ []byte) bool {
		expect = r.Header.Get("Expect")
		return false
	}}
	r, _ := b.open(t, nil, nil)
	for size, want := range map[int]string{askFrom: "", askFrom + 1: "100-continue"} {
		err := r.Write("cas/x", int64(size), func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(make([]byte, size))), nil })
		if err != nil || expect != want {
			t.Errorf("%d bytes: %v, Expect %q, want %q", size, err, expect, want)
		}
	}
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// Credentials come from a file, the variable or netrc, in this order, and go to no
// other host.
func TestLogin(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		writeFile(t, path, text)
		return path
	}
	token, basic := write("token", "from-file\n"), write("basic", "ada:pass:word\n")
	netrc := write("netrc", "machine other login eve password x\nmachine 127.0.0.1\n  login bob\n  password secret\n")
	for _, c := range []struct{ file, variable, netrc, want string }{
		{token, "v", netrc, "Bearer from-file"},
		{"", "v", netrc, "Bearer v"},
		{basic, "", "", "Basic YWRhOnBhc3M6d29yZA=="},
		{"", "", netrc, "Basic Ym9iOnNlY3JldA=="},
		{"", "", "", ""},
	} {
		var got string
		b := &bazel{lie: func(_ http.ResponseWriter, r *http.Request, _ []byte) bool {
			got = r.Header.Get("Authorization")
			return false
		}}
		r, _ := b.open(t, func(s *remoteconfig.Settings) { s.TokenFile = c.file }, func(name string) string {
			return map[string]string{remoteconfig.TokenVariable: c.variable, "NETRC": c.netrc}[name]
		})
		if _, err := r.Has("cas/x", 1); err != nil || got != c.want {
			t.Errorf("%+v: sent %q, %v", c, got, err)
		}
	}
}

func TestCheck(t *testing.T) {
	b := &bazel{}
	r, _ := b.open(t, nil, nil)
	r.limit = 8 << 20
	if found := r.Check(); len(found) != 6 || failedIn(found) != "" {
		t.Errorf("got %+v", found)
	}
	for want, lie := range map[string]func(http.ResponseWriter, *http.Request, []byte) bool{
		"rights": func(w http.ResponseWriter, r *http.Request, _ []byte) bool {
			if r.Method == http.MethodPut {
				w.WriteHeader(http.StatusForbidden)
			}
			return r.Method == http.MethodPut
		},
		"runs": func(w http.ResponseWriter, r *http.Request, _ []byte) bool {
			runs := strings.Contains(r.URL.Path, "/ac/")
			if runs {
				w.WriteHeader(http.StatusBadRequest)
			}
			return runs
		},
		"clock": func(w http.ResponseWriter, _ *http.Request, _ []byte) bool {
			w.Header().Set("Date", time.Now().Add(-time.Hour).UTC().Format(http.TimeFormat))
			return false
		},
		"round trip": func(w http.ResponseWriter, r *http.Request, text []byte) bool {
			if r.Method != http.MethodGet {
				return false
			}
			_, _ = w.Write(bytes.Repeat([]byte("x"), len(text)))
			return true
		},
	} {
		b.lie = lie
		if got := failedIn(r.Check()); got != want {
			t.Errorf("%s: %q failed", want, got)
		}
	}
}

func failedIn(found []Finding) string {
	for _, f := range found {
		if !f.OK {
			return f.Name
		}
	}
	return ""
}
