package cli

import (
	"testing"
)

// An empty variable counts as unset; of two the first one counts.
func TestLookup(t *testing.T) {
	env := &Env{Environ: []string{"A=1", "B=", "AB=2", "A=3", "C=x=y"}}
	for name, want := range map[string]string{"A": "1", "B": "", "AB": "2", "C": "x=y", "D": "", "": ""} {
		got, ok := env.Lookup(name)
		if got != want || ok != (want != "") {
			t.Errorf("%q: got %q, %v", name, got, ok)
		}
	}
}

func TestIDsDiffer(t *testing.T) {
	env := Here(Build{}, Table{}).Session()
	seen := map[string]bool{}
	for range 1000 {
		seen[env.NewULID()[10:]], seen[env.NewUUID()] = true, true // a ULID begins with the time
	}
	if len(seen) != 2000 {
		t.Errorf("2000 ids are %d different ones", len(seen))
	}
}
