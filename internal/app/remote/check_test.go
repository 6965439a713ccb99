package remote

import (
	"crypto/x509"
	"encoding/pem"
	"io"
	"log"
	"maps"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/internal/app/remoteconfig"
)

// A status that servers give for different reasons is explained by what the server is.
func TestReasons(t *testing.T) {
	amazon := http.Header{"X-Amz-Request-Id": {"1"}}
	nginx := http.Header{"Server": {"nginx/1.22.1"}}
	for _, c := range []struct {
		status      int
		header      http.Header
		scheme, key string
		body, want  string
	}{
		{400, nil, "http", "cas/x", "Client sent an HTTP request to an HTTPS server.\n", "https://"},
		{400, nginx, "http", "cas/x", "The plain HTTP request was sent to HTTPS port", "wants TLS"},
		{400, nginx, "http", "cas/x", "", "nginx does not understand"},
		{400, nginx, "https", "cas/x", "", "Bazel's layout"},
		{400, amazon, "http", "ac/x", "", "s3://BUCKET/PREFIX"},
		{403, amazon, "https", "cas/x", "", "s3://BUCKET/PREFIX"},
		{403, nil, "https", "cas/x", "", "do not have the right"},
		{400, nil, "https", "ac/x", "", "--disable_http_ac_validation"},
		{413, nginx, "http", "cas/x", "", "client_max_body_size"},
		{413, nil, "http", "cas/x", "", "objects of this size"},
	} {
		w := httptest.NewRecorder()
		maps.Copy(w.Header(), c.header)
		w.WriteHeader(c.status)
		_, _ = w.WriteString(c.body)
		r := w.Result()
		r.Request = httptest.NewRequest(http.MethodPut, c.scheme+"://cache.invalid/"+c.key, nil)
		if err := statusError(r, c.key); !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// A server whose certificate is of a private authority is believed where that is named, and
// else the error names the option.
func TestPrivateAuthority(t *testing.T) {
	b := &bazel{objects: map[string][]byte{}}
	server := httptest.NewUnstartedServer(b)
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // handshakes that fail
	server.StartTLS()
	defer server.Close()
	dir := t.TempDir()
	ca, other := filepath.Join(dir, "ca.pem"), filepath.Join(dir, "other")
	writeFile(t, ca, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})))
	writeFile(t, other, "no certificate\n")
	for _, c := range []struct{ file, want string }{
		{"", "--remote-ca-file"},
		{ca, ""},
		{other, "-----BEGIN CERTIFICATE-----"},
		{filepath.Join(dir, "gone"), "ca-file of [remote]"},
	} {
		got := ""
		r, err := Open(t.Context(), &remoteconfig.Settings{URL: server.URL, CAFile: c.file}, func(string) string { return "" })
		if err == nil {
			_, err = r.Has("cas/x", 1)
		}
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, c.want) || (c.want == "") != (got == "") {
			t.Errorf("ca-file %q: got %q, want %q", c.file, got, c.want)
		}
	}
}

// A certificate of a file is trusted beside those of the system.
func TestSystemAuthorities(t *testing.T) {
	server := httptest.NewTLSServer(nil)
	defer server.Close()
	file := filepath.Join(t.TempDir(), "ca.pem")
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	writeFile(t, file, string(text))
	got, err := authorities(file)
	want, systemErr := x509.SystemCertPool()
	if err != nil || systemErr != nil {
		t.Fatal(err, systemErr)
	}
	if want.AppendCertsFromPEM(text); !got.Equal(want) {
		t.Error("others are trusted")
	}
}

// A check of a bucket names its region, where that is from, and credentials that are missing.
func TestCheckNamesTheBucket(t *testing.T) {
	for _, c := range []struct {
		status      int
		region, key string
		want        []string
	}{
		{400, "eu-west-1", "id", []string{`is for region "eu-west-1"`}},
		{403, "", "", []string{`region "us-east-1" (no other is set`, "no credentials were found", "FAIL status 403: no credentials"}},
		{403, "eu-west-1", "id", []string{`region "eu-west-1" (AWS_REGION), bucket "team" at http://127.0.0.1`, "found", "FAIL status 403: these credentials"}},
	} {
		b := &bazel{lie: func(w http.ResponseWriter, _ *http.Request, _ []byte) bool {
			w.WriteHeader(c.status)
			return true
		}}
		t.Setenv("AWS_ACCESS_KEY_ID", c.key) // which minio-go reads
		t.Setenv("AWS_SECRET_ACCESS_KEY", c.key)
		r, _ := b.open(t, overS3, func(name string) string {
			return map[string]string{"AWS_EC2_METADATA_DISABLED": "true", "AWS_REGION": c.region}[name]
		})
		var got strings.Builder
		for _, f := range r.Check() {
			if !f.OK {
				got.WriteString("FAIL ")
			}
			got.WriteString(f.Text + "\n")
		}
		for _, want := range c.want {
			if !strings.Contains(got.String(), want) {
				t.Errorf("%+v: no %q in:\n%s", c, want, &got)
			}
		}
	}
}
