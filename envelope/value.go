package envelope

import (
	"reflect"
	"strings"
	"sync"
	"time"
)

// The named types here are the values of which documents say more than their
// JSON type.

// A limited type says which of its values are allowed.
type limited interface{ limits() limits }

// Limits describe the allowed values of a type, once for the checker and the
// schema. Exactly one of enum, ok and min is set.
type limits struct {
	rule    string            // of the fault that breaks them
	want    string            // what is allowed, for the fault's text
	enum    []string          // strings
	ok      func(string) bool // strings
	pattern string            // of the schema, for ok
	min     int64             // of integers
	max     int64             // of integers; 0 is none
}

var knownLimits sync.Map // reflect.Type → *limits

// limitOf are the limits of a type, nil where it has none.
func limitOf(t reflect.Type) *limits {
	if l, ok := knownLimits.Load(t); ok {
		return l.(*limits)
	}
	var found *limits
	if v, ok := reflect.TypeAssert[limited](reflect.Zero(t)); ok {
		l := v.limits()
		found = &l
	}
	knownLimits.Store(t, found)
	return found
}

func oneOf(names ...string) limits {
	return limits{rule: "value/enum", want: "one of " + strings.Join(names, ", "), enum: names}
}

type (
	count     int64  // a number of things, never negative
	one       int64  // the version 1
	timestamp string // RFC 3339
	utcTime   string // RFC 3339 in UTC
	digest    string // sha256:<64 hex>
	hexDigest string // <64 hex>
	command   string // namespace/verb
	semver    string // semantic version 2.0.0
	uuid      string // any UUID, either case
	uuid4     string // version 4, lower case
	ulidText  string // 26 characters of Crockford's base 32
	filled    string // any text but none
	absolute  string // a path that is absolute on some system

	signalName string // SIGTERM
)

func (count) limits() limits {
	return limits{rule: "value/range", want: "an integer of at least 0"}
}

func (one) limits() limits {
	return limits{rule: "value/version", want: "1", min: 1, max: 1}
}

// Parts of patterns; what days a month has is for the checker only.
const (
	dateTime   = `^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])[Tt]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?`
	preRelease = `(0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*)`
)

func (timestamp) limits() limits {
	return limits{rule: "value/timestamp", want: "a time as RFC 3339 has it, with its zone", ok: isTimestamp, pattern: dateTime + `([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$`}
}

func (utcTime) limits() limits {
	return limits{rule: "value/timestamp", want: "a time as RFC 3339 has it, in UTC", ok: isUTC, pattern: dateTime + `([Zz]|[+-]00:00)$`}
}

func (digest) limits() limits {
	return limits{rule: "value/digest", want: `"sha256:" and 64 lower-case hexadecimal digits`, ok: isDigest, pattern: `^sha256:[0-9a-f]{64}$`}
}

func (hexDigest) limits() limits {
	return limits{rule: "value/digest", want: "64 lower-case hexadecimal digits", ok: func(s string) bool { return isHex(s, 64) }, pattern: `^[0-9a-f]{64}$`}
}

func (command) limits() limits {
	return limits{rule: "value/command", want: "namespace/verb in lower-case letters, digits and hyphens", ok: isCommand, pattern: `^[a-z0-9][a-z0-9-]*/[a-z0-9][a-z0-9-]*$`}
}

func (semver) limits() limits {
	return limits{rule: "value/semver", want: "a semantic version such as 1.0.0", ok: isSemver, pattern: `^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}(-` + preRelease + `(\.` + preRelease + `)*)?(\+[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$`}
}

func (uuid) limits() limits {
	return limits{rule: "value/uuid", want: "a UUID", ok: func(s string) bool { return isUUID(strings.ToLower(s)) }, pattern: `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`}
}

func (uuid4) limits() limits {
	return limits{rule: "value/uuid", want: "a lower-case UUID of version 4", ok: isUUID4, pattern: `^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`}
}

func (ulidText) limits() limits {
	return limits{rule: "value/ulid", want: "a ULID", ok: isULID, pattern: `^[0-7][0-9A-HJKMNP-TV-Z]{25}$`}
}

func (filled) limits() limits {
	return limits{rule: "value/empty", want: "a text that is not empty", ok: func(s string) bool { return s != "" }, pattern: `[\s\S]`}
}

func (absolute) limits() limits {
	return limits{rule: "protocol/workspace", want: "an absolute path", ok: isAbsolute, pattern: `^(/|\\\\|[A-Za-z]:[\\/])`}
}

func (signalName) limits() limits {
	return limits{rule: "value/signal", want: "a signal's name, such as SIGTERM", ok: isSignal, pattern: `^SIG[A-Z0-9+-]+$`}
}

func isAbsolute(path string) bool {
	drive := len(path) > 2 && path[1] == ':' && (path[2] == '\\' || path[2] == '/') && isLetter(path[0])
	return drive || strings.HasPrefix(path, "/") || strings.HasPrefix(path, `\\`)
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func isSignal(s string) bool {
	name, ok := strings.CutPrefix(s, "SIG")
	return ok && name != "" && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-") == ""
}

func isTimestamp(s string) bool {
	_, err := time.Parse(time.RFC3339Nano, strings.ToUpper(s))
	return err == nil && !strings.Contains(s, ",")
}

func isUTC(s string) bool {
	t, err := time.Parse(time.RFC3339Nano, strings.ToUpper(s))
	if err != nil || strings.Contains(s, ",") {
		return false
	}
	_, offset := t.Zone()
	return offset == 0
}

func isDigest(s string) bool {
	hex, ok := strings.CutPrefix(s, "sha256:")
	return ok && isHex(hex, 64)
}

func isHex(s string, n int) bool {
	return len(s) == n && strings.Trim(s, "0123456789abcdef") == ""
}

func isCommand(s string) bool {
	namespace, verb, ok := strings.Cut(s, "/")
	return ok && isCommandWord(namespace) && isCommandWord(verb)
}

func isCommandWord(s string) bool {
	return s != "" && s[0] != '-' && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}

func isSemver(s string) bool {
	core, build, hasBuild := strings.Cut(s, "+")
	core, pre, hasPre := strings.Cut(core, "-")
	parts := strings.Split(core, ".")
	if len(parts) != 3 || hasPre && !dotted(pre, true) || hasBuild && !dotted(build, false) {
		return false
	}
	for _, p := range parts {
		if !isNumber(p) {
			return false
		}
	}
	return true
}

// dotted reports whether s is identifiers between dots; numbers among those of
// a pre-release have no leading zero.
func dotted(s string, pre bool) bool {
	for id := range strings.SplitSeq(s, ".") {
		digits := id != "" && strings.Trim(id, "0123456789") == ""
		if id == "" || digits && pre && !isNumber(id) || strings.ContainsFunc(id, notIdentifier) {
			return false
		}
	}
	return true
}

func notIdentifier(r rune) bool {
	return !(r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '-')
}

// isNumber reports whether s is decimal digits without a leading zero.
func isNumber(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == "" && (s == "0" || s[0] != '0')
}

func isUUID(s string) bool {
	return len(s) == 36 && s[8] == '-' && s[13] == '-' && s[18] == '-' && s[23] == '-' && isHex(strings.ReplaceAll(s, "-", ""), 32)
}

func isUUID4(s string) bool {
	return isUUID(s) && s[14] == '4' && strings.IndexByte("89ab", s[19]) >= 0
}

func isULID(s string) bool {
	return len(s) == 26 && s[0] <= '7' && strings.Trim(s, "0123456789ABCDEFGHJKMNPQRSTVWXYZ") == ""
}
