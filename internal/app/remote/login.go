package remote

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/envwrap/envwrap/internal/app/remoteconfig"
	"github.com/envwrap/envwrap/internal/platform/safefs"
)

// A login is how one is known to an HTTP server; the zero value is not at all.
type login struct{ bearer, user, password string }

func (l *login) sign(r *http.Request) {
	switch {
	case l.bearer != "":
		r.Header.Set("Authorization", "Bearer "+l.bearer)
	case l.user != "":
		r.SetBasicAuth(l.user, l.password)
	}
}

// findLogin looks for credentials: the token file, the variable, then netrc as curl
// reads it.
func findLogin(u *url.URL, s *remoteconfig.Settings, lookup func(string) string) (login, error) {
	token := strings.TrimSpace(lookup(remoteconfig.TokenVariable))
	if s.TokenFile != "" {
		text, err := readSecret(s.TokenFile)
		if err != nil {
			return login{}, fmt.Errorf("read the remote's token: %w", err)
		}
		if token = strings.TrimSpace(string(text)); token == "" {
			return login{}, fmt.Errorf("read the remote's token: %q is empty", s.TokenFile)
		}
	}
	if token != "" {
		return tokenLogin(token)
	}
	path := lookup("NETRC")
	if path == "" {
		home := lookup("HOME")
		if !filepath.IsAbs(home) {
			return login{}, nil
		}
		path = filepath.Join(home, ".netrc")
	}
	text, err := readSecret(path)
	if errors.Is(err, fs.ErrNotExist) {
		return login{}, nil
	}
	if err != nil {
		return login{}, fmt.Errorf("read netrc: %w", err)
	}
	return netrcLogin(string(text), u.Hostname()), nil
}

// tokenLogin takes user:password as basic credentials, and all else as a bearer
// token, in which a colon cannot be.
func tokenLogin(token string) (login, error) {
	for _, c := range token {
		if c < ' ' || c == 0x7f {
			return login{}, errors.New("the remote's token has a control character in it: it is one line")
		}
	}
	if user, password, ok := strings.Cut(token, ":"); ok {
		return login{user: user, password: password}, nil
	}
	return login{bearer: token}, nil
}

// secretLimit is the most of a file with credentials that is read, in bytes.
const secretLimit = 1 << 20

// readSecret reads a file that says who we are or where to go. One that others can change
// is refused: they could redirect stored objects to a server of their own.
func readSecret(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular() || info.Size() > secretLimit:
		return nil, fmt.Errorf("%q is no file of credentials", path)
	}
	if err := checkPrivate(path); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

// checkPrivate returns an error if the file exists and other users can change it.
func checkPrivate(path string) error {
	if _, err := os.Stat(path); err != nil {
		return nil //nolint:nilerr // no file to read
	}
	if err := safefs.StrictModes(path); errors.Is(err, safefs.ErrRefused) {
		return err
	}
	return nil
}

// netrcLogin finds the entry of a host, else the default one.
func netrcLogin(text, host string) login {
	words := strings.Fields(text)
	var found login
	for i, inHost := 0, false; i < len(words); i++ {
		if words[i] == "default" {
			if found.user != "" {
				return found
			}
			inHost = true
			continue
		}
		if i+1 == len(words) {
			break
		}
		switch words[i] {
		case "machine":
			if found.user != "" {
				return found
			}
			inHost = words[i+1] == host
		case "login":
			if inHost {
				found.user = words[i+1]
			}
		case "password":
			if inHost {
				found.password = words[i+1]
			}
		default:
			continue
		}
		i++
	}
	return found
}
