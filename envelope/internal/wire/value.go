package wire

import (
	"reflect"
	"strings"
	"sync"
	"time"
)

// The named types here are values that documents restrict further than by their
// JSON type.

// A limited type says which of its values are allowed.
type limited interface{ Limits() Limits }

// Limits describe the valid values of a type, for the checker and the schema. Exactly
// one of enum, ok and min is set.
type Limits struct {
	rule    string            // of the fault that breaks them
	Want    string            // the allowed values in words, for the fault's text
	Enum    []string          // strings
	ok      func(string) bool // strings
	lenient func(string) bool // strings that only strict checking reports; nil for none
	pattern string            // of the schema, for ok, and for lenient if that is set
	min     int64             // of integers
	max     int64             // of integers; 0 means no limit
}

var knownLimits sync.Map // reflect.Type → *limits

// limitOf returns the limits of a type, nil where it has none.
func limitOf(t reflect.Type) *Limits {
	if l, ok := knownLimits.Load(t); ok {
		return l.(*Limits)
	}
	found := ownLimits(t)
	if v, ok := reflect.TypeAssert[limited](reflect.Zero(t)); ok {
		l := v.Limits()
		found = &l
	}
	knownLimits.Store(t, found)
	return found
}

// OneOf returns the limits of a string that is one of names.
func OneOf(names ...string) Limits {
	return Limits{rule: "value/enum", Want: "one of " + strings.Join(names, ", "), Enum: names}
}

type (
	// A Count is a number of things, never negative.
	Count int64
	// A One is the version 1.
	One int64
	// A Timestamp is a time in the format of RFC 3339.
	Timestamp string
	// A UTCTime is a [Timestamp] in UTC.
	UTCTime string
	// A Digest is "sha256:" and 64 hexadecimal digits.
	Digest string
	// A HexDigest is 64 hexadecimal digits.
	HexDigest string
	// A Command is namespace/verb.
	Command string
	// A Semver is a semantic version (2.0.0).
	Semver string
	// A UUID is a UUID of any version, in either case.
	UUID string
	// A UUID4 is a UUID of version 4 in lower case.
	UUID4 string
	// A ULID is 26 characters of Crockford's base 32.
	ULID string
	// A Filled is a text that is not empty.
	Filled string
	// An Absolute is a path that is absolute on some system.
	Absolute string
	// A Signal is the name of a signal, such as SIGTERM.
	Signal string
)

// Parts of patterns; what days a month has is for the checker only.
const (
	dateTime   = `^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])[Tt]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?`
	preRelease = `(0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*)`
)

// WantDigest describes a valid [Digest].
const WantDigest = `"sha256:" and 64 lower-case hexadecimal digits`

// ownLimits returns the limits of the types of this package, nil for any other.
func ownLimits(t reflect.Type) *Limits {
	switch t {
	case reflect.TypeFor[Count]():
		return &Limits{rule: "value/range", Want: "an integer of at least 0"}
	case reflect.TypeFor[One]():
		return &Limits{rule: "value/version", Want: "1", min: 1, max: 1}
	case reflect.TypeFor[Timestamp]():
		return &Limits{rule: "value/timestamp", Want: "a time as RFC 3339 has it, with its zone", ok: IsTimestamp, pattern: dateTime + `([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$`}
	case reflect.TypeFor[UTCTime]():
		return &Limits{rule: "value/timestamp", Want: "a time as RFC 3339 has it, in UTC", ok: IsUTC, pattern: dateTime + `([Zz]|[+-]00:00)$`}
	case reflect.TypeFor[Digest]():
		return &Limits{rule: "value/digest", Want: WantDigest, ok: IsDigest, pattern: `^sha256:[0-9a-f]{64}$`}
	case reflect.TypeFor[HexDigest]():
		return &Limits{rule: "value/digest", Want: "64 lower-case hexadecimal digits", ok: func(s string) bool { return isHex(s, 64) }, pattern: `^[0-9a-f]{64}$`}
	case reflect.TypeFor[Command]():
		return &Limits{rule: "value/command", Want: "namespace/verb in lower-case letters, digits and hyphens", ok: IsCommand, lenient: isExampleCommand, pattern: `^[a-z0-9][a-z0-9-]*/[a-z0-9][a-z0-9_-]*$`}
	case reflect.TypeFor[Semver]():
		return &Limits{rule: "value/semver", Want: "a semantic version such as 1.0.0", ok: IsSemver, pattern: `^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}(-` + preRelease + `(\.` + preRelease + `)*)?(\+[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$`}
	case reflect.TypeFor[UUID]():
		return &Limits{rule: "value/uuid", Want: "a UUID", ok: func(s string) bool { return isUUID(strings.ToLower(s)) }, pattern: `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`}
	case reflect.TypeFor[UUID4]():
		return &Limits{rule: "value/uuid", Want: "a lower-case UUID of version 4", ok: IsUUID4, pattern: `^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`}
	case reflect.TypeFor[ULID]():
		return &Limits{rule: "value/ulid", Want: "a ULID", ok: IsULID, pattern: `^[0-7][0-9A-HJKMNP-TV-Z]{25}$`}
	case reflect.TypeFor[Filled]():
		return &Limits{rule: "value/empty", Want: "a text that is not empty", ok: func(s string) bool { return s != "" }, pattern: `[\s\S]`}
	case reflect.TypeFor[Absolute]():
		return &Limits{rule: "protocol/workspace", Want: "an absolute path", ok: isAbsolute, pattern: `^(/|\\\\|[A-Za-z]:[\\/])`}
	case reflect.TypeFor[Signal]():
		return &Limits{rule: "value/signal", Want: "a signal's name, such as SIGTERM", ok: IsSignal, pattern: `^SIG[A-Z0-9+-]+$`}
	}
	return nil
}

func isAbsolute(path string) bool {
	drive := len(path) > 2 && path[1] == ':' && (path[2] == '\\' || path[2] == '/') && isLetter(path[0])
	return drive || strings.HasPrefix(path, "/") || strings.HasPrefix(path, `\\`)
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// IsSignal reports whether s is a [Signal].
func IsSignal(s string) bool {
	name, ok := strings.CutPrefix(s, "SIG")
	return ok && name != "" && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-") == ""
}

// IsTimestamp reports whether s is a [Timestamp].
func IsTimestamp(s string) bool {
	_, ok := zoneOf(s)
	return ok
}

// IsUTC reports whether s is a [UTCTime].
func IsUTC(s string) bool {
	offset, ok := zoneOf(s)
	return ok && offset == 0
}

// zoneOf returns how far the zone of a time is from UTC, and false if s is no time as
// RFC 3339 has it. [time.Parse] also accepts an hour of one digit, a comma, and zones
// that are 24 hours or 60 minutes off.
func zoneOf(s string) (offset time.Duration, ok bool) {
	s = strings.ToUpper(s)
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil || s[len("2006-01-02T15")] != ':' || strings.Contains(s, ",") {
		return 0, false
	}
	_, seconds := t.Zone()
	offset = time.Duration(seconds) * time.Second
	minutes := s[len(s)-len("00"):]
	return offset, offset.Abs() < 24*time.Hour && (s[len(s)-1] == 'Z' || minutes < "60")
}

// IsDigest reports whether s is a [Digest].
func IsDigest(s string) bool {
	hex, ok := strings.CutPrefix(s, "sha256:")
	return ok && isHex(hex, 64)
}

func isHex(s string, n int) bool {
	return len(s) == n && strings.Trim(s, "0123456789abcdef") == ""
}

// IsCommand reports whether s is a [Command].
func IsCommand(s string) bool {
	namespace, verb, ok := strings.Cut(s, "/")
	return ok && isCommandWord(namespace) && isCommandWord(verb)
}

// isExampleCommand reports whether s is a command or, like an example in the document
// (code/semantic_search), has underscores in its verb.
func isExampleCommand(s string) bool {
	namespace, verb, ok := strings.Cut(s, "/")
	return ok && isCommandWord(namespace) && verb != "" && verb[0] != '_' && isCommandWord(strings.ReplaceAll(verb, "_", "-"))
}

func isCommandWord(s string) bool {
	return s != "" && s[0] != '-' && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}

// IsSemver reports whether s is a [Semver].
func IsSemver(s string) bool {
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

// IsUUID4 reports whether s is a [UUID4].
func IsUUID4(s string) bool {
	return isUUID(s) && s[14] == '4' && strings.IndexByte("89ab", s[19]) >= 0
}

// IsULID reports whether s is a [ULID].
func IsULID(s string) bool {
	return len(s) == 26 && s[0] <= '7' && strings.Trim(s, "0123456789ABCDEFGHJKMNPQRSTVWXYZ") == ""
}

// Duration returns c milliseconds, at most the largest time.Duration.
func (c Count) Duration() time.Duration {
	return time.Duration(min(c, Count(1<<62/time.Millisecond))) * time.Millisecond
}
