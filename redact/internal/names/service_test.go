package names

import (
	"slices"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/redact/internal/ascii"
)

// The list of services is in order, each is found, and nothing between them is.
func TestServices(t *testing.T) {
	all := strings.Split(strings.TrimSuffix(services, "\n"), "\n")
	if len(all) < 700 || !slices.IsSorted(all) || len(slices.Compact(slices.Clone(all))) < len(all) {
		t.Fatalf("%d services are not in order, or not all different", len(all))
	}
	for _, s := range all {
		if ascii.Run([]byte(s), ascii.Lower|ascii.Digit) < len(s) || !Service(s) || Service(s+"0x") || Service(s[1:]+"\n") {
			t.Errorf("%q is not found, or something like it is", s)
		}
	}
	for _, s := range []string{"", "\n", "0", "a", "github\ngitlab", "zzz"} {
		if Service(s) {
			t.Errorf("%q is found", s)
		}
	}
}
