package cache

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"
)

// LeaseTime is how long a lease holds at most. It is not renewed: where a run takes longer,
// another machine may run the same.
const LeaseTime = 5 * time.Minute

// A Lease says that a machine runs the command of a shared key now, so that others wait for
// its entry.
type Lease struct {
	Key    Key       `json:"key"`
	Holder string    `json:"holder"` // a random word
	Until  time.Time `json:"until"`
}

// LeaseKey returns the key under which the lease of a shared key is stored.
func LeaseKey(k Key) Key {
	sum := sha256.Sum256([]byte(leaseMagic + "\n" + string(k)))
	return Key("sha256:" + hex.EncodeToString(sum[:]))
}

// Sign returns the lease as a signed text.
func (l *Lease) Sign(key ed25519.PrivateKey) ([]byte, error) {
	text, err := json.Marshal(l)
	if err != nil {
		return nil, fmt.Errorf("spell the lease: %w", err)
	}
	return sign(leaseMagic, text, key), nil
}

// OpenLease reads the lease of a shared key. An error means that it does not hold: it is not
// signed by a trusted key, is of another call, or has ended, or it ends later than any can, so
// that the clocks differ.
func OpenLease(text []byte, key Key, trusted []ed25519.PublicKey, now time.Time) (*Lease, error) {
	body, _, err := verified(leaseMagic, text, trusted)
	if err != nil {
		return nil, err
	}
	l := new(Lease)
	if err := json.Unmarshal(body, l); err != nil {
		return nil, errDamaged
	}
	switch {
	case l.Key != key:
		return nil, errOtherCall
	case !now.Before(l.Until):
		return nil, errExpired
	case l.Until.Sub(now) > LeaseTime+time.Minute:
		return nil, errFuture
	}
	return l, nil
}
