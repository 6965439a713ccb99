package classify

import "testing"

// A value of a setting goes on to the end of its line where it is letters, digits and signs
// by chance. Each of the other texts differs in little from one that is.
func TestNoisy(t *testing.T) {
	for text, want := range map[string]bool{
		"aR3(xK9-qT7v":              true, // a bracket that is not closed
		"aR3)xK9-qT7v":              true,
		"aR3[xK9]qT{7v":             true,
		"aR3[(xK9])qT7v":            true, // closed by one of another kind
		"aR3#xK9~qT7v":              true, // odd signs
		"a(R3^x(K9~q(T":             true,
		"aR3(xK9-qT7":               false, // short
		"aRb(xKc-qTdv":              false, // no digit
		"AR3(XK9-QTZ7":              false,
		"ar3(xk9-qtz7":              false,
		"AAAbbb333(#~":              false, // few changes
		"aR3(xK9)qT7v":              false, // closed
		"aR3-xK9#qT7v":              false, // one odd sign
		"(R3axK9-qT7v":              false, // begins with a sign
		"aR3xK9-qT7v(":              false, // opened at the end
		"aR3xK9-qT7v[":              false,
		"aR3xK9-qT7v{":              false,
		"aR3(xK9- qT7v":             false,
		"aR3(xK9-\"qT7v":            false,
		"aR3(xK9-'qT7v":             false,
		"aR3(xK9-`qT7v":             false,
		"aR3(xK9-,qT7v":             false,
		"aR3(xK9-;qT7v":             false,
		"aR3(xK9-\\qT7v":            false,
		"aR3(xK9-éqT7v":             false,
		"aR3(xK9-qTz7vWm4pLs8nBc2d": false, // few signs for its length
		"aRbR3c(#~#~#~#":            false, // many
		"Error#Code~Line7":          false, // words
		"aR3(xK9-pWd7":              false, // mentions a secret
		"aR3(xK9-${qT7v}":           false, // a template
	} {
		if got := mixedSigns([]byte(text)); got != want {
			t.Errorf("%q: %t, want %t", text, got, want)
		}
	}
}
