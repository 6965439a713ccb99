package wire

import (
	"encoding/json"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// The checks of the types accept what their patterns in the schema accept: of valid
// texts, and of those in which one byte is another, is missing or is there twice.
func TestChecksFitPatterns(t *testing.T) {
	digest := strings.Repeat("09af", 16)
	for typ, valid := range map[reflect.Type][]string{
		reflect.TypeFor[Timestamp](): {"2026-05-12T00:00:00Z", "2024-11-20t23:59:58.5+01:30", "2026-05-12T00:00:00-23:59"},
		reflect.TypeFor[UTCTime]():   {"2026-05-12T00:00:00Z", "2026-10-12t10:00:00.25+00:00"},
		reflect.TypeFor[Digest]():    {"sha256:" + digest},
		reflect.TypeFor[HexDigest](): {digest},
		reflect.TypeFor[Command]():   {"fs/ls", "0a-b/c-9"},
		reflect.TypeFor[Semver]():    {"1.0.0", "0.10.2-rc.1.0a+build.01-x"},
		reflect.TypeFor[UUID]():      {"0190A1b2-c3d4-1e5f-8a9b-0c1d2e3f4a5b"},
		reflect.TypeFor[UUID4]():     {"0190a1b2-c3d4-4e5f-8a9b-0c1d2e3f4a5b"},
		reflect.TypeFor[ULID]():      {"01ARZ3NDEKTSV4RRFFQ69G5FAV", "7ZZZZZZZZZZZZZZZZZZZZZZZZZ"},
		reflect.TypeFor[Filled]():    {"x"},
		reflect.TypeFor[Absolute]():  {"/", "/a/b", `\\server\share`, `C:\x`, "z:/x"},
		reflect.TypeFor[Signal]():    {"SIGTERM", "SIGRTMIN+1"},
	} {
		limits := ownLimits(typ)
		pattern := regexp.MustCompile(limits.pattern)
		for _, s := range valid {
			if !limits.ok(s) {
				t.Errorf("%v: %q is refused", typ, s)
			}
			for _, near := range append(neighbors(s), "", strings.ReplaceAll(s, "-23:", "-24:"), strings.ReplaceAll(s, "+01:30", "+01:60")) {
				if got, want := limits.ok(near), pattern.MatchString(near); got != want {
					t.Errorf("%v: %q: accepted %t, by the pattern %t", typ, near, got, want)
				}
			}
		}
	}
}

// neighbors returns texts that differ from s in one place.
func neighbors(s string) []string {
	var all []string
	for i := range len(s) {
		all = append(all, s[:i]+s[i+1:], s[:i+1]+s[i:])
		for _, c := range "0189afgAFZz-+/:.\\ " {
			all = append(all, s[:i]+string(c)+s[i+1:])
		}
	}
	return all
}

// Embedded values are compact JSON in valid UTF-8.
func TestRaw(t *testing.T) {
	type document struct {
		Raw json.RawMessage `json:"raw"`
	}
	for in, want := range map[string]string{
		` { "a" : [ 1 , "x y" ] } `: `{"a":[1,"x y"]}`,
		"\"a\xffb\"":                "\"a\ufffdb\"",
		`"größer"`:                  `"größer"`,
	} {
		if got, err := Encode(&document{json.RawMessage(in)}); err != nil || strings.TrimSpace(string(got)) != `{"raw":`+want+`}` {
			t.Errorf("%q: got %s, %v", in, got, err)
		}
	}
	if got, err := Encode(&document{json.RawMessage(`{"a":`)}); err == nil {
		t.Errorf("a value that is cut: got %s", got)
	}
}

// Fields have the names that they were given.
func TestClashes(t *testing.T) {
	one, other := Fields{{Name: "a"}, {Name: "b"}}, Fields{{Name: "c"}, {Name: "a"}}
	if !one.Clashes(other) || one.Without("a").Clashes(other) || one.Clashes(nil) {
		t.Error("members of the same name are not seen, or others are")
	}
}
