package names

import "testing"

func TestCapitals(t *testing.T) {
	for name, want := range map[string]bool{"DB_PASS1": true, "DB_pass": false, "DB-PASS": false} {
		if got := Capitals([]byte(name)); got != want {
			t.Errorf("%q: got %v", name, got)
		}
	}
}

// What a name says of its value depends on its last word, on the word before it, and on the
// text before the name.
func TestStrengthOf(t *testing.T) {
	for _, c := range []struct {
		before, name string
		want         Strength
	}{
		{"", "DB_PASSWORD", Password},
		{"", "password2", Password},
		{"", "password_prod", Password},
		{"", "passwordPolicy", Silent},
		{"", "AccessToken", Telling},
		{"", "tokenCount", Silent},
		{"", "publicKeyToken", Silent},
		{"", "public_token", Silent},
		{"", "publishable_token", Silent},
		{"", "other_token", Telling},
		{"", "account_sid", Silent},
		{"", "TWILIO_SID", Hinting},
		{"", "sid", Vague},
		{"", "auth", Vague},
		{"", "my_auth", Hinting},
		{"", "api_key", Telling},
		{"", "api_keys", Telling},
		{"", "STRIPE_KEY", Telling},
		{"", "acmecorp_key", Hinting},
		{"", "primary_key", Silent},
		{"", "key", Vague},
		{"the api ", "key", Telling},
		{"the primary ", "key", Silent},
		{"the ", "key", Silent},
		{"github ", "key", Telling},
		{"using ", "key", Hinting},
		{"walnut ", "key", Vague},
		{"api", "key", Vague},
		{" ", "key", Vague},
		{"- ", "key", Vague},
		{"https://api.example.org/x?", "key", Hinting},
		{"https://api-eu.example.org/x?a=b&", "key", Hinting},
		{"https://example.org/api/x?", "key", Hinting},
		{"https://www.example.org/x?", "key", Vague},
		{"/api/x?", "key", Vague},
		{"?", "sig", Telling},
		{"&", "signature", Telling},
		{`\u0026`, "sig", Telling},
		{"%26", "sig", Telling},
		{"&amp;", "sig", Telling},
		{" ", "sig", Silent},
		{"", "X-Amz-Signature", Telling},
		{"", "X-Goog-Signature", Telling},
		{"", "my-signature", Silent},
		{"", "sonar.login", Hinting},
		{"", "login", Silent},
		{"", "jenkins_crumb", Hinting},
		{"", "crumb", Silent},
		{"", "secure", Hinting},
		{"", "is_secure", Silent},
		{"", "CC_TEST_REPORTER_ID", Hinting},
		{"", "reporter_id", Silent},
		{"", "apikey_github", Hinting},
		{"", "api_key_github", Hinting},
		{"", "token_url", Silent},
		{"", "jwt_github", Silent},
		{"", "primary_key_github", Silent},
		{"checksum/", "secret", Silent},
		{"", "", Silent},
		{"", "a_b_c_d_e_f_token", Telling},
		{"", "token_1_2_1_2_1", Telling},
		{"", "token_1_2_1_2_1_2", Silent},
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
