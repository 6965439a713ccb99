package session

import (
	"crypto/rand"
	"strings"
	"testing"
)

const (
	someTrace  = "4bf92f3577b34da6a3ce929d0e0e4736"
	someParent = "00-" + someTrace + "-00f067aa0ba902b7-00"
)

// Only a traceparent that W3C Trace Context allows is continued.
func TestParseTraceparent(t *testing.T) {
	for in, want := range map[string]string{
		someParent:                                               someTrace,
		"01-" + someParent[3:] + "-future":                       someTrace,
		"00-" + someParent[3:] + "-future":                       "",
		"ff-" + someParent[3:]:                                   "",
		strings.ToUpper(someParent):                              "",
		"00-" + strings.Repeat("0", 32) + "-00f067aa0ba902b7-01": "",
		"00-" + someTrace + "-0000000000000000-01":               "",
		"00-" + someTrace + "-00f067aa0ba902b7":                  "",
		"00-" + someTrace + "-00f067aa0ba902b7-1":                "",
		"":     "",
		"junk": "",
	} {
		id, _, ok := parseTraceparent(in)
		if id != want || ok != (want != "") {
			t.Errorf("%q: got %q, %v; want %q", in, id, ok, want)
		}
	}
}

func TestNewTrace(t *testing.T) {
	for i, c := range []struct{ name, given, parent, id, hex, flags string }{
		{"the caller's goes on", "", someParent, someTrace, someTrace, "00"},
		{"the option wins", strings.Repeat("a", 32), someParent, strings.Repeat("a", 32), strings.Repeat("a", 32), "00"},
		{"upper case stays as given", "4BF92F3577B34DA6A3CE929D0E0E4736", "", "4BF92F3577B34DA6A3CE929D0E0E4736", someTrace, "01"},
		{"a UUID is 128 bits", "4bf92f35-77b3-4da6-a3ce-929d0e0e4736", "", "4bf92f35-77b3-4da6-a3ce-929d0e0e4736", someTrace, "01"},
		{"a ULID is 128 bits", "2BZ4QKAXXK9PKA7KMJKM70WHSP", "", "2BZ4QKAXXK9PKA7KMJKM70WHSP", someTrace, "01"},
	} {
		got := newTrace(c.given, c.parent, rand.Reader)
		parts := strings.Split(got.parent, "-")
		if got.id != c.id || len(parts) != 4 || parts[1] != c.hex || parts[3] != c.flags || got.made || got.kept != (i == 0) {
			t.Errorf("%s: got %+v", c.name, got)
		}
		if _, _, ok := parseTraceparent(got.parent); !ok {
			t.Errorf("%s: %q is no traceparent", c.name, got.parent)
		}
	}
}

// Without anything from outside a trace begins; each child has its own span.
func TestNewTraceBegins(t *testing.T) {
	a, b := newTrace("", "", rand.Reader), newTrace("", "not one", rand.Reader)
	if a.id == b.id || !a.made || len(a.id) != 32 || !isHex(a.id) {
		t.Errorf("got the trace ids %q and %q", a.id, b.id)
	}
	if c := newTrace(a.id, a.parent, rand.Reader); c.parent == a.parent || !c.kept {
		t.Errorf("the child of %+v is %+v", a, c)
	}
}

func TestValidTraceID(t *testing.T) {
	for _, in := range []string{"build-17", someTrace, "x"} {
		if !ValidTraceID(in) {
			t.Errorf("%q was refused", in)
		}
	}
	for _, in := range []string{"", "two words", "a\nb", "é", strings.Repeat("0", 32), strings.Repeat("x", 129)} {
		if ValidTraceID(in) {
			t.Errorf("%q was taken", in)
		}
	}
}
