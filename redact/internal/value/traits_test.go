package value

import "testing"

// Each byte counts for what it is.
func TestTraits(t *testing.T) {
	const text = "aB3f \t-_/.~!#*?@$&é00"
	got := TraitsOf([]byte(text))
	got.Bytes = nil
	want := Traits{
		Len: 22, Digits: 3, Lowers: 2, Uppers: 1, Hexes: 6, Signs: 12, Spaces: 2, Distinct: 21,
		Changes: 3 + 1, Dashes: 2, Slashes: 1, Dots: 1, Repeat: 2, Foreign: 2, Odd: 6,
	}
	if got.Len != want.Len || got.Digits != want.Digits || got.Lowers != want.Lowers || got.Uppers != want.Uppers || got.Hexes != want.Hexes ||
		got.Signs != want.Signs || got.Spaces != want.Spaces || got.Distinct != want.Distinct || got.Changes != want.Changes ||
		got.Dashes != want.Dashes || got.Slashes != want.Slashes || got.Dots != want.Dots || got.Repeat != want.Repeat ||
		got.Foreign != want.Foreign || got.Odd != want.Odd {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// Values that look random and values that do not, one row for each reason.
func TestRandom(t *testing.T) {
	for _, c := range []struct {
		text    string
		atLeast int
		want    bool
	}{
		{"x7Kq92mZ", 8, true},
		{"x7Kq92mZ", 9, false},
		{"x7Kq 92mZ", 8, false},
		{"12121212ab", 8, false},
		{"12345678901234", 8, false},
		{"123456789012345", 8, true},
		{"deadbeefdeadbeefcafe", 16, false},
		{"deadbeefdeadbeefcafebead", 16, true},
		{"0deadbeefcafe123", 16, true},
		{"password12", 8, false},
		{"kqzxvbnw", 8, false},
		{"kqzxvbnwpdfg", 8, false},
		{"kqzxvbnwpdf7", 8, true},
		{"kqzxvbnwpdfgtrml", 8, true},
		{"information-about-names", 8, false},
		{"KqZxvBnWpdFg", 8, true},
		{"newUserNameForm", 8, false},
		{"ab!!cd##", 8, true},
		{"a!b!cd4x", 8, true},
		{"abcd!efg", 8, false},
	} {
		if got := TraitsOf([]byte(c.text)).Random(c.atLeast); got != c.want {
			t.Errorf("%q of %d bytes or more: got %v", c.text, c.atLeast, got)
		}
	}
}

// Methods of Traits, each with a value on either side of its limit.
func TestTraitLimits(t *testing.T) {
	for name, c := range map[string]struct {
		is      func(b []byte) bool
		yes, no []string
	}{
		"keyID":        {func(b []byte) bool { return TraitsOf(b).KeyID() }, []string{"90B168D3", "820B1A390B168D35", "5BE8A3F6C8A5C01D106C0AD820B1A390B168D356"}, []string{"90B168d3", "90B168D35", "90G168D3", "90116813"}},
		"scrambled":    {func(b []byte) bool { return TraitsOf(b).Scrambled() }, []string{"x7Kq92mZ", "a1b2c3"}, []string{"a1b2c", "abc123", "a1bcde", "a1-b2-c3", "a1key2b3", "12a345"}},
		"mixture":      {func(b []byte) bool { return TraitsOf(b).Mixture() }, []string{"abc123def"}, []string{"abc123d", "abcd12ef", "1234567ab", "abc-123-def", "key12345x"}},
		"cacheKey":     {func(b []byte) bool { return TraitsOf(b).CacheKey() }, []string{"x-7d793037a0760186574b0282f2f435e7"}, []string{"7d793037a0760186574b0282f2f435e7", "x-d793037a0760186574b0282f2f435e7", "xx7d793037a0760186574b0282f2f435e7"}},
		"digest":       {func(b []byte) bool { return TraitsOf(b).Digest() }, []string{"7d79-30a7"}, []string{"7d79-30ag"}},
		"variable":     {func(b []byte) bool { return TraitsOf(b).Variable() }, []string{"ed25519PrivateKey", "_apiToken"}, []string{"1stToken", "api-Token", "t0k3n5678", "kqzxvtoken", "sunflower", "theNameOfTheVariableThatHasTheUserToken2x"}},
		"digitInside":  {func(b []byte) bool { return TraitsOf(b).DigitInside() }, []string{"s3cret"}, []string{"secret3", "secret", "3"}},
		"escapedBytes": {func(b []byte) bool { return TraitsOf(b).EscapedBytes() }, []string{`\x00\x01ab`}, []string{`\x00`, `\nabcdefghijklmnopqrst\n`}},
		"uuid":         {func(b []byte) bool { return TraitsOf(b).UUID() }, []string{"f47ac10b-58cc-4372-a567-0e02b2c3d479"}, []string{"f47ac10b-58cc-4372-a567-0e02b2c3d47", "f47ac10b058cc04372-a567-0e02b2c3d479", "f47ac10b-58cc-4372-a567-0e02b2c3d47g"}},
		"phrase":       {func(b []byte) bool { return TraitsOf(b).Phrase() }, []string{"x7! kq9#z", "1234!!## 5678$$%%"}, []string{"the 2 keys!", "x7! kq", "ab cd efgh"}},
		"passphrase":   {func(b []byte) bool { return TraitsOf(b).Passphrase() }, []string{"correct horse battery staple"}, []string{"correct horse battery", "enter your old password", "Correct horse battery staple", "a b c d e f g h i"}},
		"caption":      {func(b []byte) bool { return TraitsOf(b).Caption() }, []string{"Password:", "Password*", "#password", ".password"}, []string{"pa55word:", "hunter2", "#x9!kq"}},
		"version":      {Version, []string{"1:4.13+dfsg1-1+deb12u1", "1.2.3~rc1"}, []string{"123", "a1.2", "1.longwords", ".12", "1.2!"}},
		"hexNumber":    {HexNumber, []string{"0x04034b50", "-0XFF"}, []string{"0x", "1x04", "0y04", "0x0123456789abcdef0", "0xgg"}},
		"pattern":      {Pattern, []string{`\d+`, "[a-z]", "[^x]", "(?:x)", ".*=", "x#^"}, []string{`\x`, "[x]", "(x)", "..=", "#x"}},
		"sample":       {Sample, []string{"Replace-me", "redacted", "x_here", "xxxx", "yourapi", "AKIAEXAMPLE"}, []string{"replac", "insert-x", "xxx", "youri"}},
		"instructs":    {Instructs, []string{"x-here", "insert_x", "your-x", "yourpass"}, []string{"redacted", "insert", "your"}},
		"public":       {PublicKey, []string{"ssh-rsa", "did:x", "EJ[1:", "AAAAE2VjZHNh"}, []string{"ssh-x", "xdid:", "EJ[2:", "AAAAE2"}},
		"pair":         {Pair, []string{"a=b"}, []string{"ab==", "ab"}},
		"selector":     {Code, []string{"cfg.token", "*name"}, []string{"token", ".token", "cfg.9x", "x7.kqzx9"}},
	} {
		for _, s := range c.yes {
			if !c.is([]byte(s)) {
				t.Errorf("%s: %q does not match", name, s)
			}
		}
		for _, s := range c.no {
			if c.is([]byte(s)) {
				t.Errorf("%s: %q is one", name, s)
			}
		}
	}
}

// Placeholders, paths and invented passwords, one row for each reason, and near misses.
func TestKindsOfValues(t *testing.T) {
	for name, c := range map[string]struct {
		is      func(t *Traits) bool
		yes, no []string
	}{
		"placeholder": {(*Traits).Placeholder, []string{
			"", "abababab", "xxxxxx12", "1.2.3.4", "ssh-rsa", "MFkwEwYHKoZIzj0CAQ", "${TOKEN}", "••••••", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
			"urn:walnut:1", "arn:aws:iam::12:role/x", "x@sha256:12ab", "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.",
			"changeme", "production", "your-example-token", "sha1-x7Kq92mZ", "x7Kq92mZ...", "x7Kq.getenv", "current-password", "somepassword", "My_Secret-Key", "YOUR API KEY", "tokenstest", "#/definitions/walnut", "$walnut.get().x",
		}, []string{
			"x7Kq92mZ", "arn:walnut1", "1234", "abcdefghijklmnopqrstuvwxyz7Kq92mZ", "x7Kq92mZ-hunter2", "MySecretPass1", "somewalnut", "supersecret", "admin-password", "#/x7/Kq", "$walnut(x)",
			"exampleX7Kq92mZpL4vT8sWc1Rd6Yb3N",
		}},
		"path": {(*Traits).Path, []string{"/etc/passwd", "./run", "~/x", "https://x", "src/main/java", "main.go", `C:\some\words\here`, `\\server\x`}, []string{
			"x7Kq92mZ", "x7Kq/92mZ", "/x7Kq92mZpL4vT8sWc1Rd6Yb3N", `a\b`, "walnutsoupwithalotof/walnutsoupwithalotof",
		}},
		"made up": {(*Traits).MadeUp, []string{"Walnut1971#", "Wal@nut71", "Walnut71$"}, []string{"Walnut1971", "#Walnut71", "Walnut#1", "Walnut 71#", "WALNUT1971#", "Wal#nut$71"}},
	} {
		for _, s := range c.yes {
			if !c.is(TraitsOf([]byte(s))) {
				t.Errorf("%s: %q does not match", name, s)
			}
		}
		for _, s := range c.no {
			if c.is(TraitsOf([]byte(s))) {
				t.Errorf("%s: %q is one", name, s)
			}
		}
	}
}
