package redact

import "testing"

// A public key is no secret, whatever its name is; the same text with another
// beginning is one.
func TestPublicKeysStay(t *testing.T) {
	r := New(Options{})
	const rest = "CAQYIKoZIzj0DAQcDQgAEq7f2Lw9Xv3Zk8RtYb1NcHs5JpWm0GdUe6AoTiVxKfBr4Sj"
	for _, c := range []struct {
		key    string
		public bool
	}{
		{"MFkwEwYHKoZIzj0" + rest, true},
		{"MCowBQYDK2V" + rest, true},
		{"LS0tLS1CRUdJTiBQVUJMSUMg" + rest, true},
		{"Xq0wEwYHKpZIzk1" + rest, false},
	} {
		text := "SIGNING_KEY=" + c.key + "\n"
		if out := string(masked(t, r, usual, []byte(text))); (out == text) != c.public {
			t.Errorf("a key that begins with %.11s: unchanged %v, want %v", c.key, out == text, c.public)
		}
	}
}
