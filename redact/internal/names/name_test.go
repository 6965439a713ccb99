package names

import "testing"

func TestCapitals(t *testing.T) {
	for name, want := range map[string]bool{"DB_PASS1": true, "DB_pass": false, "DB-PASS": false} {
		if got := Capitals([]byte(name)); got != want {
			t.Errorf("%q: got %v", name, got)
		}
	}
}
