package remote

import (
	"cmp"
	"errors"
	"net/http"
	"path/filepath"
	"strings"
	"time"

	"github.com/minio/minio-go/v7/pkg/credentials"

	"github.com/envwrap/envwrap/internal/platform/safefs"
)

// A profile holds the settings under one name in the files of the AWS tools.
type profile struct{ name, region, endpoint, credentialsFile string }

// newProfile reads the region and the endpoint of a profile. It is an error if others can
// change a file of the AWS tools: what they write there is run (credential_process).
func newProfile(name string, lookup func(string) string) (profile, error) {
	dir := filepath.Join(lookup("HOME"), ".aws")
	p := profile{name: cmp.Or(name, "default"), credentialsFile: cmp.Or(lookup("AWS_SHARED_CREDENTIALS_FILE"), filepath.Join(dir, "credentials"))}
	section := "profile " + p.name
	if p.name == "default" {
		section = p.name
	}
	if err := checkPrivate(p.credentialsFile); err != nil {
		return p, err
	}
	text, err := readSecret(cmp.Or(lookup("AWS_CONFIG_FILE"), filepath.Join(dir, "config")))
	if errors.Is(err, safefs.ErrRefused) {
		return p, err
	}
	if err != nil {
		return p, nil //nolint:nilerr // without one the variables say enough
	}
	inside := false
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "["); ok {
			inside = strings.TrimSuffix(name, "]") == section
		}
		key, value, ok := strings.Cut(line, "=")
		switch key = strings.TrimSpace(key); {
		case !ok || !inside:
		case key == "region":
			p.region = strings.TrimSpace(value)
		case key == "endpoint_url":
			p.endpoint = strings.TrimSpace(value)
		}
	}
	return p, nil
}

// roleTimeout is how long one question to a service that hands out a role may take.
const roleTimeout = 3 * time.Second

// credentials returns the credentials, looked for as the AWS tools do: variables, a web
// identity, the profile, and last the role of a container or machine. A profile that
// AWS_PROFILE names comes first.
func (p *profile) credentials(lookup func(string) string) *credentials.Credentials {
	variables, file := &credentials.EnvAWS{}, &credentials.FileAWSCredentials{Filename: p.credentialsFile, Profile: p.name}
	role := &credentials.IAM{Client: &http.Client{Timeout: roleTimeout}, Region: p.region}
	identity := lookup("AWS_WEB_IDENTITY_TOKEN_FILE") != ""
	if identity {
		role.Endpoint = cmp.Or(lookup("AWS_ENDPOINT_URL_STS"), lookup("AWS_ENDPOINT_URL"))
	}
	chain := []credentials.Provider{variables, file}
	switch {
	case lookup("AWS_PROFILE") != "":
		chain = []credentials.Provider{file, variables}
	case identity && lookup("AWS_ACCESS_KEY_ID") == "":
		return credentials.New(askedRole{role})
	}
	if asksForRole(lookup) {
		chain = append(chain, role)
	}
	return credentials.NewChainCredentials(chain)
}

// asksForRole reports whether a role is asked for where there are no other credentials: that of
// a machine can be disabled.
func asksForRole(lookup func(string) string) bool {
	return lookup("AWS_WEB_IDENTITY_TOKEN_FILE") != "" || lookup("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI") != "" ||
		lookup("AWS_CONTAINER_CREDENTIALS_FULL_URI") != "" || lookup("AWS_EC2_METADATA_DISABLED") != "true"
}

// An askedRole is one that the user has named, so that a failure to get it is reported,
// and nothing is tried in its place.
type askedRole struct{ *credentials.IAM }

func (a askedRole) RetrieveWithCredContext(c *credentials.CredContext) (credentials.Value, error) {
	v, err := a.IAM.RetrieveWithCredContext(c)
	if err != nil {
		return v, &Error{Code: "EAUTH", Text: "get the role of the web identity (AWS_WEB_IDENTITY_TOKEN_FILE, AWS_ROLE_ARN): " + err.Error(), Err: err}
	}
	return v, nil
}

func (a askedRole) Retrieve() (credentials.Value, error) { return a.RetrieveWithCredContext(nil) }

// answerLimit is the most that is read of an answer that is no object, in bytes.
const answerLimit = 8 << 20
