// Package remoteconfig has the settings of remotes, and calls the companion program, which
// has the network libraries, to use them. It does not link net.
package remoteconfig

import (
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/envwrap/envwrap/internal/app/companion"
)

// Environment variables with bearer tokens that the companion reads. A command does not
// inherit them.
const (
	TokenVariable       = "ENVWRAP_REMOTE_TOKEN" // of an HTTP remote
	ServerTokenVariable = "ENVWRAP_MCP_TOKEN"    // of the clients of envwrap mcp --listen
)

// Settings describe a remote and how it is used. They are on the companion's command
// line and contain no secrets.
type Settings struct {
	URL       string `json:"url"`
	TokenFile string `json:"token_file,omitempty"` // http: a bearer token, or user:password
	CAFile    string `json:"ca_file,omitempty"`    // PEM certificates that are trusted beside those of the system
	Endpoint  string `json:"endpoint,omitempty"`   // s3: URL of the service; "" means AWS
	Region    string `json:"region,omitempty"`     // s3
	Profile   string `json:"profile,omitempty"`    // s3: a profile in the files of the AWS tools

	Stores   []string      `json:"stores,omitempty"`      // directories, the best first
	StoreMax int64         `json:"store_max,omitempty"`   // largest size of the store in bytes; 0 is no limit
	Limit    int64         `json:"limit,omitempty"`       // largest artifact in bytes; 0 is DefaultLimit
	Patience time.Duration `json:"patience_ns,omitempty"` // no retry begins after this time; 0 is DefaultPatience
	JSON     bool          `json:"json,omitempty"`        // print answers as JSON
	Verify   bool          `json:"verify,omitempty"`      // push: read the remote's objects, and replace corrupt ones
	// Answer limits the wait for a connection, and for the first answer if that is to a
	// question. A remote that takes longer, or cannot be reached, is asked nothing more. 0
	// is the limit by Patience.
	Answer   time.Duration `json:"answer_ns,omitempty"`
	Progress bool          `json:"progress,omitempty"` // show a status line on stderr
}

// Defaults of [Settings]: bytes of an artifact, and time for retries.
const (
	DefaultLimit    = 1 << 30
	DefaultPatience = 90 * time.Second
)

// Check returns the first fault of the settings, or nil. A URL must not contain
// credentials, since messages and lists of processes show it.
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

// Encode returns the settings as an argument for the companion.
func (s *Settings) Encode() string { return companion.Encode(s) }

// Decode returns the settings that Encode encoded.
func Decode(text string) (*Settings, error) {
	s := &Settings{}
	if err := companion.Decode(text, s); err != nil {
		return nil, err
	}
	return s, s.Check()
}
