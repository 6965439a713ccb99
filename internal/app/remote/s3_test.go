package remote

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/minio/minio-go/v7"
)

// The region and the endpoint come from the profile that is asked for.
func TestProfile(t *testing.T) {
	home := t.TempDir()
	file := filepath.Join(home, ".aws", "config")
	if err := os.Mkdir(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	const config = "region = nowhere\n[default]\nregion = eu-west-1\noutput = json\n\n[profile team]\n region=us-west-2\nendpoint_url = https://s3.example.com\n[team]\nregion = never\n"
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	lookup := func(name string) string { return map[string]string{"HOME": home}[name] }
	for name, want := range map[string]profile{
		"":       {name: "default", region: "eu-west-1"},
		"team":   {name: "team", region: "us-west-2", endpoint: "https://s3.example.com"},
		"absent": {name: "absent"},
	} {
		want.credentialsFile = filepath.Join(home, ".aws", "credentials")
		if got, err := newProfile(name, lookup); err != nil || got != want {
			t.Errorf("%q: got %+v, %v, want %+v", name, got, err, want)
		}
	}
}

// A body that cannot be written, or that is too long, is an error.
func TestCopyBody(t *testing.T) {
	for limit, want := range map[int64]string{100: "", 4: "", 3: "3 bytes"} {
		var b strings.Builder
		err := copyBody(&b, strings.NewReader("ours"), limit)
		if want == "" && (err != nil || b.String() != "ours") || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("at most %d bytes: got %q, %v", limit, b.String(), err)
		}
	}
	if err := copyBody(full{}, strings.NewReader("ours"), 100); !errors.Is(err, errFull) {
		t.Errorf("got %v", err)
	}
}

var errFull = errors.New("full")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

// The role of a machine is asked for unless that is disabled, and the role of a container
// or a web identity in any case.
func TestRoleIsAsked(t *testing.T) {
	const disabled, container = "AWS_EC2_METADATA_DISABLED", "AWS_CONTAINER_CREDENTIALS_FULL_URI"
	for _, c := range []struct {
		set  map[string]string
		want bool
	}{
		{nil, true},
		{map[string]string{disabled: "false"}, true},
		{map[string]string{disabled: "true"}, false},
		{map[string]string{disabled: "true", container: "http://127.0.0.1:1/"}, true},
		{map[string]string{disabled: "true", "AWS_ACCESS_KEY_ID": "x", "AWS_WEB_IDENTITY_TOKEN_FILE": "/x"}, true},
	} {
		if got := asksForRole(func(name string) string { return c.set[name] }); got != c.want {
			t.Errorf("%v: got %t, want %t", c.set, got, c.want)
		}
	}
}

// Errors of S3 read like those of other remotes, and say what to do.
func TestS3Error(t *testing.T) {
	for _, c := range []struct {
		err        error
		code, text string
	}{
		{minio.ErrorResponse{Code: "AuthorizationHeaderMalformed", Region: "eu-west-1", StatusCode: 400}, "EPOLICY", `"eu-west-1"`},
		{minio.ErrorResponse{Code: "PermanentRedirect", Region: "eu-west-1", StatusCode: 301}, "EPOLICY", `"eu-west-1"`},
		{minio.ErrorResponse{Code: "PermanentRedirect", StatusCode: 500}, "ESKILLDOWN", "status 500"},
		{minio.ErrorResponse{Code: "SlowDown", Region: "eu-west-1", StatusCode: 503}, "ESKILLDOWN", "status 503"},
		{minio.ErrorResponse{Code: "NoSuchBucket", BucketName: "ours", StatusCode: 404}, "ENOTFOUND", `"ours"`},
		{minio.ErrorResponse{Code: "RequestTimeTooSkewed", StatusCode: 403}, "EAUTH", "clocks"},
		{&Error{Code: "EARG", Text: "no"}, "EARG", "no"},
	} {
		var e *Error
		if err := s3Error(c.err); !errors.As(err, &e) || e.Code != c.code || !strings.Contains(e.Text, c.text) {
			t.Errorf("%+v: got %+v", c.err, err)
		}
	}
	if err := s3Error(nil); err != nil {
		t.Error(err)
	}
}
