package remote

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/internal/app/remoteconfig"
)

// Each kind of remote explains a refused upload.
func TestRefusedUploads(t *testing.T) {
	s3 := func(status int, code, more string) func(http.ResponseWriter, *http.Request, []byte) bool {
		return func(w http.ResponseWriter, _ *http.Request, _ []byte) bool {
			w.Header().Set("Content-Type", "application/xml")
			w.WriteHeader(status)
			fmt.Fprintf(w, "<Error><Code>%s</Code><Message>m</Message>%s</Error>", code, more)
			return true
		}
	}
	for name, c := range map[string]struct {
		overS3 bool
		lie    func(http.ResponseWriter, *http.Request, []byte) bool
		want   string // "" if there is no error
	}{
		"taken":          {false, refuse(1, http.StatusAccepted), ""},
		"no content":     {false, refuse(1, http.StatusNoContent), ""},
		"no place":       {false, refuse(1, http.StatusNotFound), "takes no uploads here (EPOLICY)"},
		"no such method": {false, refuse(1, http.StatusMethodNotAllowed), "takes no uploads here (EPOLICY)"},
		"elsewhere":      {false, refuse(1, http.StatusTemporaryRedirect), "redirects to"},
		"too large":      {false, refuse(1, http.StatusRequestEntityTooLarge), "objects of this size (EPOLICY)"},
		"a full disk":    {false, refuse(1, http.StatusInsufficientStorage), "disk is full (EIO)"},
		"another region": {true, s3(http.StatusBadRequest, "AuthorizationHeaderMalformed", "<Region>eu-north-1</Region>"), `the bucket is in region "eu-north-1"`},
		"no bucket":      {true, s3(http.StatusNotFound, "NoSuchBucket", "<BucketName>team</BucketName>"), `there is no bucket "team" (ENOTFOUND)`},
		"another clock":  {true, s3(http.StatusForbidden, "RequestTimeTooSkewed", ""), "the clocks of this machine and the remote differ too much: set this one (EAUTH)"},
		"no such rights": {true, s3(http.StatusForbidden, "AccessDenied", ""), "EAUTH"},
	} {
		b := &bazel{lie: c.lie}
		var change func(*remoteconfig.Settings)
		if c.overS3 {
			change = overS3
		}
		r, _ := b.open(t, change, func(name string) string {
			return map[string]string{"AWS_EC2_METADATA_DISABLED": "true", "AWS_ACCESS_KEY_ID": "id", "AWS_SECRET_ACCESS_KEY": "key", "AWS_REGION": "eu-west-1"}[name]
		})
		err := r.Write("ac/x", 2, func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("ok")), nil })
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", name, err, c.want)
		}
	}
}

// A transfer that was cut after its last byte is whole.
func TestResumeAtTheEnd(t *testing.T) {
	text := bytes.Repeat([]byte("whole"), 1000)
	for kind, change := range kinds {
		asked := 0
		b := &bazel{objects: map[string][]byte{"/team/cas/" + digestOf(text)[7:]: text}}
		b.lie = func(w http.ResponseWriter, r *http.Request, _ []byte) bool {
			if r.Method != http.MethodGet {
				return false
			}
			if asked++; asked > 1 {
				if kind == "s3" && r.Header.Get("Range") != "" {
					w.WriteHeader(http.StatusRequestedRangeNotSatisfiable)
					_, _ = io.WriteString(w, "<Error><Code>InvalidRange</Code></Error>")
					return true
				}
				return false
			}
			w.Header().Set("Content-Length", "5001")
			w.Header().Set("ETag", `"x"`)
			_, _ = w.Write(text)
			return true
		}
		r, _ := b.open(t, change, nil)
		var got bytes.Buffer
		if err := r.Fetch(digestOf(text), &got); err != nil || !bytes.Equal(got.Bytes(), text) {
			t.Errorf("%s: got %d bytes, %v", kind, got.Len(), err)
		}
		var m Meter
		if err := r.Metered(&m).Fetch(digestOf(text), io.Discard); err != nil || m.Bytes.Load() != 5000 {
			t.Errorf("%s: counted %d bytes, %v", kind, m.Bytes.Load(), err)
		}
	}
}

// Unreadable and invalid credentials are an error, and no entry of netrc
// is taken for another.
func TestBrokenLogin(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"empty": " \n", "lines": "a\nb", "large": strings.Repeat("x", secretLimit+1), "most": strings.Repeat("x", secretLimit)} {
		writeFile(t, filepath.Join(dir, name), text)
	}
	u := &url.URL{Scheme: "http", Host: "a.example"}
	for file, want := range map[string]string{
		"nothing": "no such file", "empty": "is empty", "lines": "control character", "large": "no file of credentials", ".": "no file of credentials", "most": "",
	} {
		_, err := findLogin(u, &remoteconfig.Settings{TokenFile: filepath.Join(dir, file)}, func(string) string { return "" })
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("token file %s: got %v, want %s", file, err, want)
		}
	}
	none := func(set map[string]string) (login, error) {
		return findLogin(u, &remoteconfig.Settings{}, func(name string) string { return set[name] })
	}
	if l, err := none(map[string]string{"NETRC": filepath.Join(dir, "nothing")}); err != nil || l != (login{}) {
		t.Errorf("without netrc: %+v, %v", l, err)
	}
	if _, err := none(map[string]string{"NETRC": dir}); err == nil || !strings.HasPrefix(err.Error(), "read netrc: ") {
		t.Errorf("netrc is a directory: %v", err)
	}
	if _, err := none(map[string]string{remoteconfig.TokenVariable: "a\x7f"}); err == nil {
		t.Error("a token with a control character was taken")
	}
	t.Chdir(dir)
	writeFile(t, ".netrc", "machine a.example login ada password x")
	if l, err := none(map[string]string{"HOME": dir}); err != nil || l.user != "ada" {
		t.Errorf("of the home: %+v, %v", l, err)
	}
	if l, err := none(map[string]string{"HOME": "."}); err != nil || l != (login{}) {
		t.Errorf("of a home that is relative: %+v, %v", l, err)
	}
	for text, want := range map[string]login{
		"machine a.example login ada password x machine b login eve":  {user: "ada", password: "x"},
		"machine b login eve password y default login any password z": {user: "any", password: "z"},
		"machine a.example login ada password x default login any":    {user: "ada", password: "x"},
		"machine a.example account c login ada password x":            {user: "ada", password: "x"},
		"machine a.example password x login":                          {password: "x"},
		"machine b password":                                          {},
		"login eve password x":                                        {},
	} {
		if got := netrcLogin(text, "a.example"); got != want {
			t.Errorf("%q: got %+v, want %+v", text, got, want)
		}
	}
}

// The time to wait is a number of seconds, or a date.
func TestRetryAfterValues(t *testing.T) {
	for v, want := range map[string]time.Duration{"": 0, "0": 0, "-1": 0, "7": 7 * time.Second, "99999999": 1 << 20 * time.Second, "soon": 0, "Sun, 22 Nov 2020 12:00:00 GMT": 0} {
		if got := retryAfter(v); got != want {
			t.Errorf("%q: got %s, want %s", v, got, want)
		}
	}
	later := time.Now().Add(time.Hour).UTC().Format(http.TimeFormat)
	if got := retryAfter(later); got <= 0 || got > time.Hour {
		t.Errorf("%q: got %s", later, got)
	}
}

// A reader is closed once, reads nothing after that, and is as long as it was said to be.
func TestHeld(t *testing.T) {
	var failed error
	open := func(text string, size int64) *heldBackReader {
		failed = nil
		return &heldBackReader{r: io.NopCloser(strings.NewReader(text)), left: size, failed: &failed}
	}
	for _, c := range []struct {
		text string
		size int64
		want string
		err  error
	}{{"four", 4, "four", nil}, {"", 0, "", nil}, {"fiver", 4, "", errors.New("the object grew while it was read")}, {"two", 4, "two", io.ErrUnexpectedEOF}} {
		h := open(c.text, c.size)
		got, err := io.ReadAll(h)
		if string(got) != c.want || fmt.Sprint(err) != fmt.Sprint(c.err) || fmt.Sprint(failed) != fmt.Sprint(c.err) {
			t.Errorf("%q of %d: got %q, %v, %v", c.text, c.size, got, err, failed)
		}
	}
	h := open("four", 4)
	if err := errors.Join(h.Close(), h.Close()); err != nil {
		t.Error(err)
	}
	if _, err := h.Read(make([]byte, 1)); !errors.Is(err, os.ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
}

// A remote that is asked for a second time, or whose caller gives up, says why it fails.
func TestGivenUp(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	if err := sleep(ctx, 0); err != nil {
		t.Error(err)
	}
	r, err := Open(ctx, &remoteconfig.Settings{URL: "http://127.0.0.1:1/x"}, func(string) string { return "" })
	if err != nil || r.limit != remoteconfig.DefaultLimit || r.patience != remoteconfig.DefaultPatience {
		t.Fatalf("got %+v, %v", r, err)
	}
	stop()
	if err := sleep(ctx, time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if _, err := r.Has("cas/x", 1); !errors.Is(err, context.Canceled) || errors.Is(err, artifact.ErrNotFound) {
		t.Errorf("got %v", err)
	}
	local := errors.New("no file")
	if err := r.Write("cas/x", 1, func() (io.ReadCloser, error) { return nil, local }); !errors.Is(err, local) {
		t.Errorf("got %v", err)
	}
	for _, s := range []remoteconfig.Settings{
		{URL: "http://a b"},
		{URL: "s3://team", Endpoint: "ftp://x"},
		{URL: "s3://team", Endpoint: "https://"},
		{URL: "s3://team", Endpoint: "https://ada:x@host"},
		{URL: "s3://team", Endpoint: "https://a b"},
	} {
		if _, err := Open(t.Context(), &s, func(string) string { return "" }); err == nil {
			t.Errorf("%+v was opened", s)
		}
	}
	found := r.Check()
	if len(found) != 1 || found[0].OK || found[0].Name != "reach" {
		t.Errorf("got %+v", found)
	}
}

// A failed local write is not the remote's failure and is not retried.
func TestNoRoomHere(t *testing.T) {
	text := []byte("text")
	b := &bazel{objects: map[string][]byte{"/team/cas/" + digestOf(text)[7:]: text}}
	r, waited := b.open(t, nil, nil)
	if err := r.Fetch(digestOf(text), full{}); !errors.Is(err, errFull) || len(b.asked) != 1 || *waited != 0 {
		t.Errorf("asked %q, waited %s, %v", b.asked, *waited, err)
	}
}
