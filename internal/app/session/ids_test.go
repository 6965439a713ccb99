package session

import (
	"crypto/rand"
	"encoding/hex"
	"testing"

	"github.com/google/uuid"
)

func TestUUIDs(t *testing.T) {
	env := &Env{Random: rand.Reader}
	for range 1000 {
		s := env.NewUUID()
		u, err := uuid.Parse(s)
		if err != nil || u.Version() != 4 || u.Variant() != uuid.RFC4122 || u.String() != s {
			t.Fatalf("%q: %v", s, err)
		}
		if digits, ok := UUIDHex(s); !ok || digits != hex.EncodeToString(u[:]) {
			t.Fatalf("the digits of %q are %q, %v", s, digits, ok)
		}
	}
}

func TestNoUUIDs(t *testing.T) {
	for _, s := range []string{
		"", "-", "6ba7b810-9dad-11d1-80b4-00c04fd430c", "6ba7b810-9dad-11d1-80b4-00c04fd430c8a",
		"6ba7b8109-dad-11d1-80b4-00c04fd430c8", "6ba7b810-9dad-11d1-80b4-00c04fd430cg", "------------------------------------",
		"6ba7b810_9dad_11d1_80b4_00c04fd430c8",
	} {
		if digits, ok := UUIDHex(s); ok {
			t.Errorf("%q was read as %q", s, digits)
		}
	}
}
