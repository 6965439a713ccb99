package session

import (
	"encoding/hex"
	"io"
	"strings"

	"github.com/oklog/ulid/v2"
)

// NewUUID makes a request id: a UUID of version 4, lower-case (RFC 9562,
// section 5.4). The usual library is for tests only: it links net, and that the
// C library, which would cost every start more than half a millisecond.
func (w *World) NewUUID() string {
	b := make([]byte, 16)
	_, _ = io.ReadFull(w.Random, b) // crypto/rand never fails
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	digits := hex.EncodeToString(b)
	return strings.Join([]string{digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]}, "-")
}

// UUIDHex returns the digits of a UUID in its usual form, in lower case.
func UUIDHex(s string) (string, bool) {
	digits := strings.ToLower(strings.ReplaceAll(s, "-", ""))
	if len(s) != 36 || len(digits) != 32 || !isHex(digits) {
		return "", false
	}
	for _, i := range []int{8, 13, 18, 23} {
		if s[i] != '-' {
			return "", false
		}
	}
	return digits, true
}

// NewULID makes the id of a run.
func (w *World) NewULID() string { return ulid.MustNew(ulid.Timestamp(w.Now()), w.Random).String() }

// randomHex makes 2n hexadecimal digits.
func randomHex(random io.Reader, n int) string {
	b := make([]byte, n)
	_, _ = io.ReadFull(random, b) // crypto/rand never fails
	return hex.EncodeToString(b)
}

func isHex(s string) bool { return strings.Trim(s, "0123456789abcdef") == "" }
