package envelope

import (
	"encoding/hex"
	"fmt"
	"hash/fnv"

	"github.com/envwrap/envwrap/envelope/internal/wire"
	"github.com/oklog/ulid/v2"
)

// requestID is the id of the request. A record without one gets one that
// follows from the record: the same each time, and shaped as a random one.
func (v *view) requestID() wire.UUID4 {
	if wire.IsUUID4(v.RequestID) {
		return wire.UUID4(v.RequestID)
	}
	b := v.fingerprint()
	b[6] = b[6]&0x0F | 0x40
	b[8] = b[8]&0x3F | 0x80
	h := hex.EncodeToString(b[:])
	return wire.UUID4(h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:])
}

// taskID is the ULID of the task, made in the same way where there is none.
func (v *view) taskID() string {
	if wire.IsULID(v.TaskID) {
		return v.TaskID
	}
	id := ulid.ULID(v.fingerprint())
	if ms := v.Started.UnixMilli(); ms >= 0 {
		_ = id.SetTime(min(uint64(ms), ulid.MaxTime())) // the error is for larger times
	}
	return id.String()
}

// fingerprint is a hash that distinguishes records.
func (v *view) fingerprint() (sum [16]byte) {
	h := fnv.New128a()
	fmt.Fprintf(h, "%q %q %q %q %d %d", v.Command, v.Argv, v.TraceID, v.Workspace, v.Started.UnixNano(), v.Ended.UnixNano())
	h.Sum(sum[:0])
	return sum
}
