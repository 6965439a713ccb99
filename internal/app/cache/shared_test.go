package cache

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// signKey returns a key that is made of one byte.
func signKey(b byte) ed25519.PrivateKey {
	return ed25519.NewKeyFromSeed(bytes.Repeat([]byte{b}, ed25519.SeedSize))
}

// public returns the public half of a key.
func public(key ed25519.PrivateKey) ed25519.PublicKey {
	return ed25519.PublicKey(key[ed25519.SeedSize:])
}

// A signed entry is believed if all of it is as it was signed, and for each thing
// that is not so there is one reason.
func TestOpenSigned(t *testing.T) {
	e := sampleEntry(t, newCache(t))
	ours, other := signKey(1), signKey(2)
	signed, err := e.Sign(ours)
	must(t, err)
	head, body, _ := strings.Cut(string(signed), "\n")
	fields := strings.Fields(strings.TrimPrefix(head, entryMagic))
	sign := func(body string) string {
		return strings.Join([]string{entryMagic, fields[0], encodeKey(ed25519.Sign(ours, signedText(entryMagic, []byte(body))))}, " ") + "\n" + body
	}
	trusted := []ed25519.PublicKey{public(ours)}
	for _, c := range []struct {
		name, text string
		key        Key
		trusted    []ed25519.PublicKey
		now        time.Time
		want       error
	}{
		{"as it was signed", string(signed), e.Key, trusted, e.Kept, nil},
		{"signed by hand", sign(body), e.Key, trusted, e.Kept, nil},
		{"the first of two keys", string(signed), e.Key, []ed25519.PublicKey{public(ours), public(other)}, e.Kept, nil},
		{"the second of two keys", string(signed), e.Key, []ed25519.PublicKey{public(other), public(ours)}, e.Kept, nil},
		{"nothing", "", e.Key, trusted, e.Kept, errNotSigned},
		{"no format", strings.Join(fields, " ") + "\n" + body, e.Key, trusted, e.Kept, errNotSigned},
		{"no signature", entryMagic + " " + fields[0] + "\n" + body, e.Key, trusted, e.Kept, errNotSigned},
		{"one field more", head + " x\n" + body, e.Key, trusted, e.Kept, errNotSigned},
		{"a key that is no base64", entryMagic + " ! " + fields[1] + "\n" + body, e.Key, trusted, e.Kept, errNotSigned},
		{"a signature that is no base64", entryMagic + " " + fields[0] + " !\n" + body, e.Key, trusted, e.Kept, errNotSigned},
		{"no trusted key", string(signed), e.Key, nil, e.Kept, errForeign},
		{"another trusted key", string(signed), e.Key, []ed25519.PublicKey{public(other)}, e.Kept, errForeign},
		{"a byte more", string(signed) + "x", e.Key, trusted, e.Kept, errForged},
		{"no entry", sign("x"), e.Key, trusted, e.Kept, errDamaged},
		{"another call", string(signed), "sha256:0", trusted, e.Kept, errOtherCall},
		{"in its last moment", string(signed), e.Key, trusted, e.Ends().Add(-1), nil},
		{"when it ends", string(signed), e.Key, trusted, e.Ends(), errExpired},
		{"by a clock that is a little late", string(signed), e.Key, trusted, e.Kept.Add(1 - time.Second), nil},
		{"by a clock that is late", string(signed), e.Key, trusted, e.Kept.Add(-time.Second), errFuture},
	} {
		got, err := OpenSigned([]byte(c.text), c.key, c.trusted, c.now)
		if !errors.Is(err, c.want) || (got == nil) != (c.want != nil) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
		if got != nil && (got.Key != e.Key || got.Parts.Argv != "") {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
	e.Recording.Stdout.Bytes = make([]byte, SignedLimit)
	if _, err := e.Sign(ours); err == nil || !strings.Contains(err.Error(), "larger than") {
		t.Errorf("an entry over the limit is signed: %v", err)
	}
}

// A lease holds for its call, until it ends, if a trusted key signed it.
func TestOpenLease(t *testing.T) {
	ours, now := signKey(1), time.Unix(1_800_000_000, 0)
	l := &Lease{Key: LeaseKey("sha256:0"), Holder: "h", Until: now.Add(LeaseTime)}
	text, err := l.Sign(ours)
	must(t, err)
	for _, c := range []struct {
		name string
		text []byte
		key  Key
		by   byte // the trusted key
		now  time.Time
		want error
	}{
		{"its machine", text, l.Key, 1, now, nil},
		{"in its last moment", text, l.Key, 1, l.Until.Add(-1), nil},
		{"when it ends", text, l.Key, 1, l.Until, errExpired},
		{"by a clock that is a minute late", text, l.Key, 1, now.Add(-time.Minute), nil},
		{"by a clock that is later", text, l.Key, 1, now.Add(-time.Minute - 1), errFuture},
		{"another call", text, LeaseKey("sha256:1"), 1, now, errOtherCall},
		{"another trusted key", text, l.Key, 2, now, errForeign},
		{"no lease", sign(leaseMagic, []byte("x"), ours), l.Key, 1, now, errDamaged},
		{"an entry", sign(entryMagic, []byte("{}"), ours), l.Key, 1, now, errNotSigned},
	} {
		got, err := OpenLease(c.text, c.key, []ed25519.PublicKey{public(signKey(c.by))}, c.now)
		if !errors.Is(err, c.want) || (got == nil) != (c.want != nil) || got != nil && got.Holder != l.Holder {
			t.Errorf("%s: %+v, %v; want %v", c.name, got, err, c.want)
		}
	}
}

// A key is read as it is written, and nothing else is one.
func TestKeysAreRead(t *testing.T) {
	key := signKey(3)
	short := base64.RawStdEncoding.EncodeToString(key[:31])
	if got, err := ParsePublic(PublicText(public(key)) + "\n"); err != nil || !got.Equal(public(key)) {
		t.Errorf("%x, %v", got, err)
	}
	if got, err := ParsePrivate(PrivateText(key) + "\n"); err != nil || !got.Equal(key) {
		t.Errorf("the private key is not the same: %v", err)
	}
	for _, rest := range []string{"", "!", short, encodeKey(key)} {
		if got, err := ParsePublic(publicPrefix + rest); err == nil {
			t.Errorf("%q is a public key: %x", rest, got)
		}
		if _, err := ParsePrivate(privatePrefix + rest); err == nil {
			t.Errorf("%q is a private key", rest)
		}
	}
	bare := encodeKey(key[:ed25519.SeedSize])
	if _, err := ParsePublic(bare); err == nil {
		t.Error("a public key has no prefix")
	}
	if _, err := ParsePrivate(bare); err == nil {
		t.Error("a private key has no prefix")
	}
}

// The key for all machines is the same wherever the workspace, the program and
// the salt are, and another for all that a command may see otherwise.
func TestSharedKey(t *testing.T) {
	key := func(workspace string, call *Call) Key {
		t.Helper()
		k, err := newCache(t).SharedKey(call, workspace)
		must(t, err)
		return k
	}
	call, moved := sample(t), sample(t)
	at := key(call.Dir, call)
	if key(moved.Dir, moved) != at {
		t.Error("the place of the workspace counts")
	}
	outside := t.TempDir()
	if key(outside, call) == key(outside, moved) {
		t.Error("a directory outside of the workspace does not count")
	}
	write(t, filepath.Join(outside, "tool"), "#!/bin/sh\n")
	moved.Program = filepath.Join(outside, "tool")
	if key(moved.Dir, moved) != at {
		t.Error("the place of the program counts")
	}
	path := "/opt/bin"
	moved.Ambient, moved.Umask = map[string]*string{"PATH": &path}, "0077"
	if key(moved.Dir, moved) != at {
		t.Error("PATH or the umask counts")
	}
	moved.Env = map[string]*string{"PATH": &path}
	if key(moved.Dir, moved) == at {
		t.Error("a variable that was asked for does not count")
	}
	moved.Env = call.Env
	write(t, moved.Program, "#!/bin/sh\nexit 1\n")
	if key(moved.Dir, moved) == at {
		t.Error("the bytes of the program do not count")
	}
	moved.Program = filepath.Join(outside, "gone")
	if _, err := newCache(t).SharedKey(moved, moved.Dir); !errors.Is(err, fs.ErrNotExist) || !strings.HasPrefix(err.Error(), "read the program: ") {
		t.Errorf("no program: %v", err)
	}
	call.Inputs = []string{"a\x00b"}
	if _, err := newCache(t).SharedKey(call, call.Dir); err == nil || !strings.HasPrefix(err.Error(), `read input "a\x00b": `) {
		t.Errorf("an input that cannot be named: %v", err)
	}
}
