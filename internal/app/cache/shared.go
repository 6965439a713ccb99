package cache

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// SharedKey returns the key of a call for all machines: without salt, with the
// program's bytes and name but not its path, with the variables that were asked for and no
// others, without the umask, and with paths relative to the workspace.
func (c *Cache) SharedKey(call *Call, workspace string) (Key, error) {
	program, err := c.fileDigest(call.Program)
	if err != nil {
		return "", fmt.Errorf("read the program: %w", err)
	}
	inputs, _, err := c.inputs(call.Inputs)
	if err != nil {
		return "", err
	}
	relative := func(path string) string {
		if below, _ := filepath.Rel(workspace, path); filepath.IsLocal(below) { // "" is not
			return filepath.ToSlash(below)
		}
		return path
	}
	moved := make(map[string]string, len(inputs))
	for name, digest := range inputs {
		moved[relative(name)] = digest
	}
	shared := *call
	shared.Dir, shared.Program = relative(call.Dir), filepath.Base(call.Program)
	shared.Ambient, shared.Umask = nil, ""
	return (&Cache{salt: []byte("shared")}).key(&shared, program, moved), nil
}

// Signed texts begin with a line of the format, the public key and the signature over the
// format and the rest.
const (
	entryMagic = "envwrap-shared-entry 1"
	leaseMagic = "envwrap-shared-lease 1"
	// SignedLimit is the largest size of a signed entry in bytes.
	SignedLimit = 8 << 20
)

// Reasons not to believe an entry or a lease.
var (
	errNotSigned = errors.New("the remote's entry is not signed")
	errForeign   = errors.New("its key is not among trusted-keys")
	errForged    = errors.New("its signature is invalid")
	errOtherCall = errors.New("it was signed for another call")
	errExpired   = errors.New("it has expired")
	errFuture    = errors.New("its time is in the future: check both machines' clocks")
)

// sign returns a signed text of a format. No signature is valid for another format.
func sign(magic string, text []byte, key ed25519.PrivateKey) []byte {
	public, _ := key.Public().(ed25519.PublicKey)
	head := fmt.Sprintf("%s %s %s\n", magic, encodeKey(public), encodeKey(ed25519.Sign(key, signedText(magic, text))))
	return append([]byte(head), text...)
}

// signedText returns what a signature is over: a text of one format, and nothing else that
// the key may ever sign.
func signedText(magic string, text []byte) []byte { return append([]byte(magic+"\n"), text...) }

func encodeKey(b []byte) string { return base64.RawStdEncoding.EncodeToString(b) }

// verified returns the rest of a signed text of a format, and the key that signed it, which
// is a trusted one.
func verified(magic string, text []byte, trusted []ed25519.PublicKey) (body []byte, signer ed25519.PublicKey, err error) {
	head, body, _ := bytes.Cut(text, []byte{'\n'})
	fields := strings.Fields(strings.TrimPrefix(string(head), magic))
	if !bytes.HasPrefix(head, []byte(magic+" ")) || len(fields) != 2 {
		return nil, nil, errNotSigned
	}
	public, err := base64.RawStdEncoding.DecodeString(fields[0])
	signature, err2 := base64.RawStdEncoding.DecodeString(fields[1])
	if err != nil || err2 != nil {
		return nil, nil, errNotSigned
	}
	if !slices.ContainsFunc(trusted, func(k ed25519.PublicKey) bool { return k.Equal(ed25519.PublicKey(public)) }) {
		return nil, nil, errForeign
	}
	if !ed25519.Verify(public, signedText(magic, body), signature) {
		return nil, nil, errForged
	}
	return body, public, nil
}

// Sign returns the entry as a signed text for other machines: its key, when the run ended,
// for how long it is fresh, the record, and the streams or their digests.
func (e *Entry) Sign(key ed25519.PrivateKey) ([]byte, error) {
	bare := *e
	bare.Parts, bare.Signer = &Parts{}, ""
	text, err := bare.encode()
	if err != nil {
		return nil, err
	}
	if len(text) > SignedLimit {
		return nil, fmt.Errorf("its output is larger than %d bytes", SignedLimit)
	}
	return sign(entryMagic, text, key), nil
}

// OpenSigned reads a signed entry of another machine, and sets its Signer. An error means
// that it is not accepted: it is not signed by a trusted key, has another key, or has
// expired.
func OpenSigned(text []byte, key Key, trusted []ed25519.PublicKey, now time.Time) (*Entry, error) {
	body, signer, err := verified(entryMagic, text, trusted)
	if err != nil {
		return nil, err
	}
	e, err := decode(body)
	switch {
	case err != nil:
		return nil, err
	case e.Key != key:
		return nil, errOtherCall
	case !now.Before(e.Ends()):
		return nil, errExpired
	}
	if _, past := e.Age(now); !past {
		return nil, errFuture
	}
	e.Signer = PublicText(signer)
	return e, nil
}

// Prefixes of keys as they are written down.
const (
	publicPrefix  = "ed25519:"
	privatePrefix = "ed25519-private:"
)

// PublicText returns a public key in the form of trusted-keys.
func PublicText(key ed25519.PublicKey) string { return publicPrefix + encodeKey(key) }

// PrivateText returns the content of a private key's file.
func PrivateText(key ed25519.PrivateKey) string { return privatePrefix + encodeKey(key.Seed()) }

// ParsePublic parses a public key as PublicText returns it.
func ParsePublic(text string) (ed25519.PublicKey, error) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(text), publicPrefix)
	b, err := base64.RawStdEncoding.DecodeString(rest)
	if !ok || err != nil || len(b) != ed25519.PublicKeySize {
		return nil, errors.New("it is no public key as `envwrap cache keygen` prints it")
	}
	return b, nil
}

// ParsePrivate parses a private key as PrivateText returns it. Errors do not contain
// the text.
func ParsePrivate(text string) (ed25519.PrivateKey, error) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(text), privatePrefix)
	b, err := base64.RawStdEncoding.DecodeString(rest)
	if !ok || err != nil || len(b) != ed25519.SeedSize {
		return nil, errors.New("it is no private key as `envwrap cache keygen` writes it")
	}
	return ed25519.NewKeyFromSeed(b), nil
}
