package remote

import (
	"bytes"
	"cmp"
	"context"
	"crypto/md5"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path"
	"strings"
	"sync"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"github.com/envwrap/envwrap/internal/app/remoteconfig"
)

// partSize is how much of an object goes in one request; larger ones are sent in
// parts, and an upload that was cut goes on with the first part that is missing.
const partSize = 16 << 20

// mostParts is how many parts S3 allows in an upload.
const mostParts = 10_000

// An s3Remote is a prefix of a bucket.
type s3Remote struct {
	core           *minio.Core
	bucket, prefix string
	place          string // region and endpoint, with where they are from
	creds          *credentials.Credentials
	buffers        chan []byte // of parts on their way, as many as there are transfers; nil is not yet made
}

func newS3(u *url.URL, s *remoteconfig.Settings, lookup func(string) string, t http.RoundTripper) (*s3Remote, error) {
	profile, err := newProfile(cmp.Or(s.Profile, lookup("AWS_PROFILE")), lookup)
	if err != nil {
		return nil, fmt.Errorf("read the configuration of the AWS tools: %w", err)
	}
	region, source := findRegion(s, &profile, lookup)
	endpoint := cmp.Or(s.Endpoint, lookup("AWS_ENDPOINT_URL_S3"), lookup("AWS_ENDPOINT_URL"), profile.endpoint, "https://s3."+region+".amazonaws.com")
	e, err := url.Parse(endpoint)
	if err != nil || e.Host == "" || e.Scheme != "http" && e.Scheme != "https" || e.User != nil {
		return nil, errors.New("the endpoint of S3 is no URL: write https://HOST")
	}
	creds := profile.credentials(lookup)
	core, err := minio.NewCore(e.Host, &minio.Options{
		Creds:  creds,
		Secure: e.Scheme == "https", Region: region, Transport: s3Transport{t}, MaxRetries: 1,
	})
	if err != nil {
		return nil, fmt.Errorf("use S3 at %q: %w", endpoint, err)
	}
	buffers := make(chan []byte, Transfers)
	for range cap(buffers) {
		buffers <- nil
	}
	place := fmt.Sprintf("region %q (%s), bucket %q at %s", region, source, u.Host, endpoint)
	return &s3Remote{core, u.Host, strings.Trim(u.Path, "/"), place, creds, buffers}, nil
}

// findRegion returns the region of the bucket, and where it is from.
func findRegion(s *remoteconfig.Settings, p *profile, lookup func(string) string) (region, source string) {
	for _, from := range []struct{ region, source string }{
		{s.Region, "--remote-region, or region of [remote]"},
		{lookup("AWS_REGION"), "AWS_REGION"},
		{lookup("AWS_DEFAULT_REGION"), "AWS_DEFAULT_REGION"},
		{p.region, fmt.Sprintf("profile %q of the AWS tools", p.name)},
	} {
		if from.region != "" {
			return from.region, from.source
		}
	}
	return "us-east-1", "no other is set: --remote-region, or region of [remote]"
}

// noCredentials says where credentials are looked for.
const noCredentials = "no credentials were found: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, or profile of [remote]; requests are not signed"

// anonymous reports whether no credentials were found. It asks for them where that was not
// done before.
func (s *s3Remote) anonymous() bool {
	v, err := s.creds.GetWithContext(s.core.CredContext())
	return err == nil && v.AccessKeyID == ""
}

func (s *s3Remote) describe() []Finding {
	text := "found"
	if s.anonymous() {
		text = noCredentials
	}
	return []Finding{{"bucket", true, s.place}, {"credentials", true, text}}
}

// explained returns a refusal in the words of all remotes, and names missing credentials, or
// the region for which a request was signed.
func (s *s3Remote) explained(err error) error {
	err = s3Error(err)
	e, ok := errors.AsType[*Error](err)
	switch {
	case !ok || e.Status == 0:
	case e.Code == "EAUTH" && s.anonymous():
		e.Text = fmt.Sprintf("status %d: %s", e.Status, noCredentials)
	case e.Status == http.StatusBadRequest:
		e.Code, e.Text = "EPOLICY", "status 400: the service refuses the request, which is for "+s.place+": is that the bucket's region, and an S3 service"
	}
	return err
}

// An s3Transport refuses what minio-go has no word for: redirects, the wish to wait,
// and lists without an end.
type s3Transport struct{ http.RoundTripper }

func (t s3Transport) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := t.RoundTripper.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	switch code := response.StatusCode; {
	case code >= 300 && code < 400 && response.Header.Get("Location") != "":
		discard(response)
		host := "another place"
		if u, err := response.Location(); err == nil {
			host = u.Host
		}
		return nil, elsewhere(host)
	case code == http.StatusTooManyRequests || code == http.StatusServiceUnavailable:
		discard(response)
		return nil, statusError(response, "")
	case r.URL.RawQuery != "":
		response.Body = &limitedBody{io.LimitReader(response.Body, answerLimit), response.Body}
	}
	return response, nil
}

type limitedBody struct {
	io.Reader
	io.Closer
}

func (s *s3Remote) name(key string) string { return path.Join(s.prefix, key) }

// s3Error returns a refusal in the words of all remotes.
func s3Error(err error) error {
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	r := minio.ToErrorResponse(err)
	switch {
	case r.Region != "" && (r.Code == "AuthorizationHeaderMalformed" || r.Code == "PermanentRedirect"):
		return &Error{Code: "EPOLICY", Text: fmt.Sprintf("the bucket is in region %q: set --remote-region, or region of [remote]", r.Region)}
	case r.Code == "NoSuchBucket":
		return &Error{Code: "ENOTFOUND", Text: fmt.Sprintf("there is no bucket %q", r.BucketName)}
	case r.Code == "RequestTimeTooSkewed":
		return &Error{Code: "EAUTH", Text: "the clocks of this machine and the remote differ too much: set this one"}
	case r.StatusCode != 0:
		return statusError(&http.Response{StatusCode: r.StatusCode, Header: http.Header{}, Body: http.NoBody}, "")
	}
	return connectionError(err)
}

func (s *s3Remote) size(ctx context.Context, key string) (int64, error) {
	info, err := s.core.StatObject(ctx, s.bucket, s.name(key), minio.StatObjectOptions{})
	return info.Size, s.explained(err)
}

func (s *s3Remote) get(ctx context.Context, key string, offset, limit int64, w io.Writer) error {
	var o minio.GetObjectOptions
	if offset > 0 {
		if err := o.SetRange(offset, 0); err != nil {
			return err
		}
	}
	body, info, _, err := s.core.GetObject(ctx, s.bucket, s.name(key), o)
	if err != nil {
		if minio.ToErrorResponse(err).Code == "InvalidRange" {
			return nil // all of it came before the cut
		}
		return s.explained(err)
	}
	defer body.Close()
	if info.Size > limit-offset {
		return tooLong(limit)
	}
	return copyBody(w, body, limit-offset)
}

func (s *s3Remote) put(ctx context.Context, key string, size int64, open func() (io.ReadCloser, error)) error {
	f, err := open()
	if err != nil {
		return err
	}
	defer f.Close()
	o := minio.PutObjectOptions{ContentType: "application/octet-stream"}
	if size > partSize {
		err := s.putParts(ctx, s.name(key), size, f, o)
		if minio.ToErrorResponse(err).Code == "NoSuchUpload" { // somebody else completed or removed it
			if n, err := s.size(ctx, key); err == nil && n == size {
				return nil
			}
			return &Error{Code: "ERUNTIME", Text: "the upload was ended by somebody else", Temporary: true}
		}
		return s.explained(err)
	}
	b, err := io.ReadAll(f)
	if err != nil {
		return err
	}
	digest, _ := strings.CutPrefix(key, "cas/") // the remote compares the body with it
	if digest == key {
		digest = ""
	}
	_, err = s.core.PutObject(ctx, s.bucket, s.name(key), bytes.NewReader(b), int64(len(b)), "", digest, o)
	return s.explained(err)
}

// putParts sends an object in parts, several at a time. Parts that an earlier attempt
// has sent are kept where they have the same bytes.
func (s *s3Remote) putParts(ctx context.Context, name string, size int64, r io.Reader, o minio.PutObjectOptions) error {
	id, have := s.begun(ctx, name)
	if id == "" {
		var err error
		if id, err = s.core.NewMultipartUpload(ctx, s.bucket, name, o); err != nil {
			return err
		}
	}
	sendCtx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	parts := make([]minio.CompletePart, (size+partSize-1)/partSize)
	var sending sync.WaitGroup
	for i := range parts {
		buffer := <-s.buffers
		if sendCtx.Err() != nil {
			s.buffers <- buffer
			break
		}
		if buffer == nil {
			buffer = make([]byte, partSize)
		}
		b := buffer[:min(partSize, size-int64(i)*partSize)]
		if _, err := io.ReadFull(r, b); err != nil {
			s.buffers <- buffer
			fail(err)
			break
		}
		sending.Go(func() {
			defer func() { s.buffers <- buffer }()
			etag := have[i+1]
			if etag == "" || etag != md5Hex(b) {
				part, err := s.putPart(sendCtx, name, id, i+1, b)
				if err != nil {
					fail(err)
				}
				etag = part.ETag
			}
			parts[i] = minio.CompletePart{PartNumber: i + 1, ETag: etag}
		})
	}
	sending.Wait()
	if sendCtx.Err() != nil {
		return context.Cause(sendCtx)
	}
	_, err := s.core.CompleteMultipartUpload(ctx, s.bucket, name, id, parts, minio.PutObjectOptions{})
	return err
}

// putPart sends one part. Its bytes are not signed, as a hash of each on both sides
// takes as long as sending it: TLS keeps them, and whoever reads the object compares
// its digest.
func (s *s3Remote) putPart(ctx context.Context, name, id string, number int, b []byte) (minio.ObjectPart, error) {
	o := minio.PutObjectPartOptions{DisableContentSha256: true}
	return s.core.PutObjectPart(ctx, s.bucket, name, id, number, bytes.NewReader(b), int64(len(b)), o)
}

func md5Hex(b []byte) string { // which S3 names parts by
	sum := md5.Sum(b)
	return hex.EncodeToString(sum[:])
}

// begun looks for an upload that was cut, and the MD5 of the parts that it has. A
// remote that does not list them gets a new upload.
func (s *s3Remote) begun(ctx context.Context, name string) (id string, have map[int]string) {
	uploads, err := s.core.ListMultipartUploads(ctx, s.bucket, name, "", "", "", 10)
	if err != nil {
		return "", nil
	}
	for _, u := range uploads.Uploads {
		if u.Key == name {
			id = u.UploadID
		}
	}
	if id == "" {
		return "", nil
	}
	have = map[int]string{}
	for marker := 0; ; {
		list, err := s.core.ListObjectParts(ctx, s.bucket, name, id, marker, 1000)
		if err != nil {
			return "", nil
		}
		for _, p := range list.ObjectParts {
			have[p.PartNumber] = strings.Trim(p.ETag, `"`)
		}
		if !list.IsTruncated || list.NextPartNumberMarker <= marker || marker > mostParts {
			return id, have
		}
		marker = list.NextPartNumberMarker
	}
}
