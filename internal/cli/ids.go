package cli

import (
	"encoding/hex"
	"io"

	"github.com/google/uuid"
	"github.com/oklog/ulid/v2"
)

// newUUID makes a request id: a UUID of version 4, lower-case.
func (w *World) newUUID() string { return uuid.Must(uuid.NewRandomFromReader(w.Random)).String() }

// newULID makes the id of a run.
func (w *World) newULID() string { return ulid.MustNew(ulid.Timestamp(w.Now()), w.Random).String() }

// randomHex makes 2n hexadecimal digits.
func randomHex(random io.Reader, n int) string {
	b := make([]byte, n)
	_, _ = io.ReadFull(random, b) // crypto/rand never fails
	return hex.EncodeToString(b)
}
