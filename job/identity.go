package job

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
)

// identityDigest returns the digest of an identity, "" for nil. It is keyed with the
// store's salt, so that nobody can guess secrets in the identity from the digest.
func (s *Store) identityDigest(identity []string) (string, error) {
	if identity == nil {
		return "", nil
	}
	salt, err := s.root.read(saltFile)
	if err != nil || len(salt) < sha256.Size {
		salt = make([]byte, sha256.Size)
		_, _ = rand.Read(salt) // never fails
		if err := s.root.write(saltFile, salt); err != nil {
			return "", err
		}
	}
	mac := hmac.New(sha256.New, salt)
	for _, part := range identity {
		fmt.Fprintf(mac, "%d:%s", len(part), part)
	}
	return hex.EncodeToString(mac.Sum(nil)), nil
}

// findDuplicate returns the job that has a key and has not ended, or nil.
func (s *Store) findDuplicate(key string) *Submission {
	if key == "" {
		return nil
	}
	id, _ := s.root.read(sameDir + "/" + key)
	rec, err := s.records.load(string(id))
	if err != nil || rec.State.Over() || rec.DedupeKey != key {
		return nil
	}
	if alive, err := s.records.alive(rec.ID); !alive || err != nil {
		return nil
	}
	sub := &Submission{Record: *rec, Existing: true}
	queue, _ := s.queue.waiting()
	sub.Position = slices.Index(queue, rec.ID) + 1
	return sub
}
