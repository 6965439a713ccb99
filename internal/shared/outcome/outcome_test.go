package outcome

import (
	"slices"
	"testing"
)

// A run with a kind that is OK has no code, and its status is ok in every dialect.
func TestOK(t *testing.T) {
	want := []Kind{Success, Negative, Changes, Warning}
	for _, k := range append(Kinds(), "", "other") {
		if got := k.OK(); got != slices.Contains(want, k) {
			t.Errorf("%q: %t", k, got)
		}
	}
}

func TestCodes(t *testing.T) {
	codes := Codes()
	for _, c := range codes {
		if !c.Known() {
			t.Errorf("%s is not known", c)
		}
	}
	if Code("").Known() || Code("EOTHER").Known() {
		t.Error("a code outside the catalog is known")
	}
	if codes[0] = "changed"; Codes()[0] != EARG {
		t.Error("a caller changed the catalog")
	}
}
