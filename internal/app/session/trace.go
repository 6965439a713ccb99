package session

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"strings"

	"github.com/oklog/ulid/v2"
)

// A trace is the run's place in a distributed trace (W3C Trace Context 1).
type trace struct {
	id     string // as the user or the caller gave it, else 32 hex digits
	made   bool   // nobody gave it
	parent string // TRACEPARENT for the child
	kept   bool   // the caller's trace goes on, so its TRACESTATE holds
}

// newTrace continues the trace of given, else that of traceparent, else begins
// one. The child gets a span of its own.
func newTrace(given, traceparent string, random io.Reader) trace {
	old, flags, ok := parseTraceparent(traceparent)
	if !ok {
		flags = "01"
	}
	made := given == "" && !ok
	switch {
	case given != "":
	case ok:
		given = old
	default:
		given = randomHex(random, 16)
	}
	hexID := traceHex(given)
	return trace{
		id:     given,
		made:   made,
		parent: "00-" + hexID + "-" + randomHex(random, 8) + "-" + flags,
		kept:   ok && hexID == old,
	}
}

// ValidTraceID reports whether a text may identify a trace: 32 hex digits, a UUID, a
// ULID, or any word of at most 128 plain characters, of which TRACEPARENT then has a
// digest.
func ValidTraceID(s string) bool {
	odd := func(r rune) bool { return r <= ' ' || r >= 0x7f }
	return s != "" && len(s) <= 128 && strings.IndexFunc(s, odd) < 0 && strings.Trim(traceHex(s), "0") != ""
}

// traceHex returns a trace id as W3C spells it.
func traceHex(id string) string {
	if len(id) == 32 && isHex(strings.ToLower(id)) {
		return strings.ToLower(id)
	}
	if digits, ok := UUIDHex(id); ok {
		return digits
	}
	if u, err := ulid.ParseStrict(id); err == nil {
		return hex.EncodeToString(u[:])
	}
	sum := sha256.Sum256([]byte(id))
	return hex.EncodeToString(sum[:16])
}

// parseTraceparent reads version-trace-parent-flags. Versions after 00 may
// have more after another dash; ff is not allowed, nor are ids of zeros.
func parseTraceparent(s string) (id, flags string, ok bool) {
	parts := strings.SplitN(s, "-", 5)
	if len(parts) < 4 || parts[0] == "ff" || parts[0] == "00" && len(parts) > 4 {
		return "", "", false
	}
	for i, n := range []int{2, 32, 16, 2} {
		if len(parts[i]) != n || !isHex(parts[i]) {
			return "", "", false
		}
	}
	if strings.Trim(parts[1], "0") == "" || strings.Trim(parts[2], "0") == "" {
		return "", "", false
	}
	return parts[1], parts[3], true
}

// NewUUID returns a request id: a UUID of version 4, lower-case (RFC 9562, section
// 5.4). It does not use github.com/google/uuid, which links net and would add half a
// millisecond to every start.
func (env *Env) NewUUID() string {
	b := make([]byte, 16)
	_, _ = io.ReadFull(env.Random, b)
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	digits := hex.EncodeToString(b)
	return strings.Join([]string{digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]}, "-")
}

// UUIDHex returns the 32 digits of a UUID in its usual form, in lower case, and false
// for any other text.
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

// NewULID returns a new id for a run.
func (env *Env) NewULID() string {
	var id ulid.ULID
	_ = id.SetTime(ulid.Timestamp(env.Now())) // fails after the year 10889
	_, _ = io.ReadFull(env.Random, id[6:])
	return id.String()
}

// randomHex makes 2n hexadecimal digits.
func randomHex(random io.Reader, n int) string {
	b := make([]byte, n)
	_, _ = io.ReadFull(random, b)
	return hex.EncodeToString(b)
}

func isHex(s string) bool { return strings.Trim(s, "0123456789abcdef") == "" }
