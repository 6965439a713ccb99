package privatekey

import "testing"

// A line within a key is base64, or one of the headers that keys have.
func TestKeyText(t *testing.T) {
	for line, want := range map[string]bool{
		"MIIEvQIBADANBg==": true, "DEK-Info: AES-128-CBC,0": true, "Version: 1": true, "Comment: mine": true, "Hash: SHA256": true,
		"Name: ada": false, "dek-info: x": false, "A-: x": false, "DEK-Info:": false, "DEK-Info:x": false, "DEK-Info; x": false, "DEK-Info": false,
	} {
		if got := isKeyText([]byte(line)); got != want {
			t.Errorf("%q: %v, want %v", line, got, want)
		}
	}
}
