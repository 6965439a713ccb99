package cache

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/wrap"
)

// An Entry is one remembered run.
type Entry struct {
	Key       Key            `json:"key"`
	Parts     *Parts         `json:"parts"`
	Argv      []string       `json:"argv"`    // masked
	Dir       string         `json:"dir"`     // masked
	Outcome   string         `json:"outcome"` // as it was judged when it was stored
	Failed    bool           `json:"failed,omitempty"`
	Kept      time.Time      `json:"kept"`              // when it ended
	TTL       time.Duration  `json:"ttl"`               // how long it is fresh
	Stale     time.Duration  `json:"stale,omitempty"`   // how long it may be used after that
	Replaced  time.Time      `json:"replaced,omitzero"` // when the previous entry of the key was stored
	Signer    string         `json:"signer,omitempty"`  // the public key, as PublicText has it, if it is of another machine
	Recording wrap.Recording `json:"tape"`
}

// RevokedBy returns an error if the entry was signed by one of the keys.
func (e *Entry) RevokedBy(keys []ed25519.PublicKey) error {
	for _, k := range keys {
		if e.Signer == PublicText(k) {
			return fmt.Errorf("its key %s is among revoked-keys", e.Signer)
		}
	}
	return nil
}

// MaskTexts masks the texts of e. Those of the Parts were masked when the key was made.
func (e *Entry) MaskTexts(m envelope.Mask) {
	e.Argv, e.Dir = m.Args(e.Argv), m.Text(e.Dir)
	r := &e.Recording
	r.Left, r.Warnings, r.Kept = slices.Clone(r.Left), slices.Clone(r.Warnings), slices.Clone(r.Kept)
	for i := range r.Left {
		r.Left[i].Name = m.Text(r.Left[i].Name)
	}
	for i := range r.Kept {
		k := &r.Kept[i]
		k.Program, k.Read = m.Text(k.Program), m.Text(k.Read)
	}
	for i := range r.Warnings {
		r.Warnings[i] = m.Text(r.Warnings[i])
	}
}

// Expires returns when the entry is no longer fresh.
func (e *Entry) Expires() time.Time { return e.Kept.Add(e.TTL) }

// Ends returns when the entry may no longer be used as a stale one either.
func (e *Entry) Ends() time.Time { return e.Expires().Add(e.Stale) }

// Age returns how old the run is, or false if it ended in the future because the clock
// was set back.
func (e *Entry) Age(now time.Time) (time.Duration, bool) {
	age := now.Sub(e.Kept)
	if age < 0 && age > -time.Second { // the clock's last digits
		age = 0
	}
	return age, age >= 0
}

// Fresh reports whether the entry is younger than ttl and than its own TTL.
func (e *Entry) Fresh(now time.Time, ttl time.Duration) bool {
	age, ok := e.Age(now)
	return ok && age < min(ttl, e.TTL)
}

// FreshBut reports whether the entry, or one that stopped being fresh at most stale
// ago, may be used.
func (e *Entry) FreshBut(now time.Time, ttl, stale time.Duration) bool {
	age, ok := e.Age(now)
	return ok && age < min(ttl, e.TTL)+stale
}

// Artifacts returns the digests of the streams that are stored as artifacts, and of what was
// kept of pipelines.
func (e *Entry) Artifacts() []string {
	var digests []string
	for _, digest := range []string{e.Recording.Stdout.Artifact, e.Recording.Stderr.Artifact} {
		if digest != "" {
			digests = append(digests, digest)
		}
	}
	for _, k := range e.Recording.Kept {
		digests = append(digests, k.Artifact)
	}
	return digests
}

// errDamaged means that a file is no whole entry.
var errDamaged = errors.New("the entry is damaged")

// An entry's file is one line with the format and the SHA-256 of the rest, one
// line with the header, and the bytes of both streams.
const magic = "envwrap-cache-entry 1 "

// encode spells an entry.
func (e *Entry) encode() ([]byte, error) {
	header, err := json.Marshal(e)
	if err != nil {
		return nil, fmt.Errorf("spell the entry: %w", err)
	}
	body := make([]byte, 0, len(header)+1+len(e.Recording.Stdout.Bytes)+len(e.Recording.Stderr.Bytes))
	body = append(append(body, header...), '\n')
	body = append(append(body, e.Recording.Stdout.Bytes...), e.Recording.Stderr.Bytes...)
	sum := sha256.Sum256(body)
	return append([]byte(magic+hex.EncodeToString(sum[:])+"\n"), body...), nil
}

// decode reads an entry. The error is errDamaged if any byte of it was changed or is missing.
func decode(text []byte) (*Entry, error) {
	first, body, _ := bytes.Cut(text, []byte{'\n'})
	digest, known := bytes.CutPrefix(first, []byte(magic))
	sum := sha256.Sum256(body)
	if !known || string(digest) != hex.EncodeToString(sum[:]) {
		return nil, errDamaged
	}
	header, streams, _ := bytes.Cut(body, []byte{'\n'})
	e := new(Entry)
	if err := json.Unmarshal(header, e); err != nil || e.Parts == nil {
		return nil, errDamaged
	}
	for _, s := range []*wrap.RecordedStream{&e.Recording.Stdout, &e.Recording.Stderr} {
		if s.Artifact != "" {
			continue
		}
		if s.Size < 0 || s.Size > int64(len(streams)) {
			return nil, errDamaged
		}
		s.Bytes, streams = streams[:s.Size:s.Size], streams[s.Size:]
	}
	if len(streams) > 0 {
		return nil, errDamaged
	}
	e.Recording.Whole = true
	return e, nil
}
