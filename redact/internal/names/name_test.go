package names

import "testing"

func TestCapitals(t *testing.T) {
	for name, want := range map[string]bool{"DB_PASS1": true, "DB_pass": false, "DB-PASS": false} {
		if got := Capitals([]byte(name)); got != want {
			t.Errorf("%q: got %v", name, got)
		}
	}
}

// The strength of a name depends on its last word, on the word before it, and on the text
// before the name.
func TestStrengthOf(t *testing.T) {
	for _, c := range []struct {
		before, name string
		want         Strength
	}{
		{"", "DB_PASSWORD", Password},
		{"", "password2", Password},
		{"", "01M877GKW6TFWJ0H4PZ4E5Z6PW", None}, // a ULID
		{"", "91M877GKW6TFWJ0H4PZ4E5Z6PW", Password},
		{"", "password_prod", Password},
		{"", "passwordPolicy", None},
		{"", "AccessToken", Strong},
		{"", "tokenCount", None},
		{"", "publicKeyToken", None},
		{"", "public_token", None},
		{"", "publishable_token", None},
		{"", "other_token", Strong},
		{"", "account_sid", None},
		{"", "TWILIO_SID", Medium},
		{"", "sid", Weak},
		{"", "auth", Weak},
		{"", "my_auth", Medium},
		{"", "api_key", Strong},
		{"", "api_keys", Strong},
		{"", "STRIPE_KEY", Strong},
		{"", "acmecorp_key", Medium},
		{"", "primary_key", None},
		{"", "primaryKey", Weak},
		{"", "key", Weak},
		{"the api ", "key", Strong},
		{"the primary ", "key", None},
		{"the ", "key", None},
		{"github ", "key", Strong},
		{"using ", "key", Medium},
		{"walnut ", "key", Weak},
		{"api", "key", Weak},
		{" ", "key", Weak},
		{"- ", "key", Weak},
		{"https://api.example.org/x?", "key", Medium},
		{"https://api-eu.example.org/x?a=b&", "key", Medium},
		{"https://example.org/api/x?", "key", Medium},
		{"https://www.example.org/x?", "key", Weak},
		{"/api/x?", "key", Weak},
		{"?", "sig", Strong},
		{"&", "signature", Strong},
		{`\u0026`, "sig", Strong},
		{"%26", "sig", Strong},
		{"&amp;", "sig", Strong},
		{" ", "sig", None},
		{"", "X-Amz-Signature", Strong},
		{"", "X-Goog-Signature", Strong},
		{"", "my-signature", None},
		{"", "sonar.login", Medium},
		{"", "login", None},
		{"", "jenkins_crumb", Medium},
		{"", "crumb", None},
		{"", "secure", Medium},
		{"", "is_secure", None},
		{"", "CC_TEST_REPORTER_ID", Medium},
		{"", "reporter_id", None},
		{"", "apikey_github", Medium},
		{"", "api_key_github", Medium},
		{"", "token_url", None},
		{"", "jwt_github", None},
		{"", "primary_key_github", None},
		{"checksum/", "secret", None},
		{"", "", None},
		{"", "a_b_c_d_e_f_token", Strong},
		{"", "token_1_2_1_2_1", Strong},
		{"", "token_1_2_1_2_1_2", None},
	} {
		if got := StrengthOf([]byte(c.name), []byte(c.before)); got != c.want {
			t.Errorf("%q after %q: %d, want %d", c.name, c.before, got, c.want)
		}
	}
}

// A keyword goes on with one of its letters, in its own case if that counts, or is over.
func TestQuick(t *testing.T) {
	for _, c := range []struct {
		k    keyword
		next string
		want bool
	}{
		{keyword{"key", "", true}, "x", true},
		{keyword{"key", "", false}, "x", false},
		{keyword{"key", "s", true}, "s", true},
		{keyword{"key", "s", true}, "x", false},
		{keyword{"key", "s", true}, "X", true},
		{keyword{"KEY", "s", true}, "S", false},
		{keyword{"KEY", "s", false}, "S", true},
		{keyword{"KEY", "s", false}, "X", false},
		{keyword{"key", "s", false}, "=", true},
		{keyword{"key", "s", false}, "", true},
	} {
		if got := c.k.Quick([]byte(c.k.Text+c.next), len(c.k.Text)); got != c.want {
			t.Errorf("%+v before %q: got %t", c.k, c.next, got)
		}
	}
}
