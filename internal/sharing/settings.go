// Package sharing is the part of remotes and runners that envwrap itself needs:
// their settings, and how the companion program is called, which has the network
// libraries. Nothing here links net.
package sharing

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"
)

// TokenVariable is the environment variable with a bearer token.
const TokenVariable = "ENVWRAP_REMOTE_TOKEN"

// Settings say which remote is used and how. They are handed to the companion on
// its command line, so that no secret is among them.
type Settings struct {
	URL       string `json:"url"`
	TokenFile string `json:"token_file,omitempty"` // http: a bearer token, or user:password
	Endpoint  string `json:"endpoint,omitempty"`   // s3: URL of the service; "" is that of AWS
	Region    string `json:"region,omitempty"`     // s3
	Profile   string `json:"profile,omitempty"`    // s3: of the files that the AWS tools read

	Stores   []string      `json:"stores,omitempty"`      // directories, the best first
	StoreMax int64         `json:"store_max,omitempty"`   // bytes that the store may have; 0 is no limit
	Limit    int64         `json:"limit,omitempty"`       // most bytes of one artifact; 0 is DefaultLimit
	Patience time.Duration `json:"patience_ns,omitempty"` // no retry begins after it; 0 is DefaultPatience
	JSON     bool          `json:"json,omitempty"`        // answers for programs
	Progress bool          `json:"progress,omitempty"`    // a live line on stderr
}

// Defaults of Settings.
const (
	DefaultLimit    = 1 << 30
	DefaultPatience = 90 * time.Second
)

// Check says what is wrong with the settings. Credentials are never part of a URL:
// it is shown in messages, and in lists of processes.
func (s *Settings) Check() error {
	u, err := url.Parse(s.URL)
	switch {
	case s.URL == "":
		return errors.New("no remote is configured: give --remote URL, or set url of [remote] in your configuration")
	case err != nil:
		return errors.New("the remote's URL cannot be read: write s3://BUCKET/PREFIX or https://HOST/PATH")
	case u.User != nil:
		return errors.New("the remote's URL has credentials in it: put them into --remote-token-file, the variable " + TokenVariable + " or ~/.netrc")
	case u.Host == "" || u.RawQuery != "" || u.Fragment != "" || u.Scheme != "s3" && u.Scheme != "http" && u.Scheme != "https":
		return fmt.Errorf("remote %q: write s3://BUCKET/PREFIX or https://HOST/PATH", s.URL)
	}
	return nil
}

// Encode returns the settings as the companion gets them.
func (s *Settings) Encode() string {
	text, err := json.Marshal(s)
	if err != nil { // strings and numbers only
		panic(err)
	}
	return string(text)
}

// Decode reads what Encode wrote.
func Decode(text string) (*Settings, error) {
	s := &Settings{}
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(s); err != nil {
		return nil, fmt.Errorf("read settings: %w; envwrap and envwrap-net have to be of one version", err)
	}
	return s, s.Check()
}
