package redact

import "testing"

// Each byte counts for what it is.
func TestTraits(t *testing.T) {
	const text = "aB3f \t-_/.~!#*?@$&é00"
	got := traitsOf([]byte(text))
	got.b = nil
	want := traits{
		n: 22, digits: 3, lowers: 2, uppers: 1, hexs: 6, signs: 12, spaces: 2, distinct: 21,
		changes: 3 + 1, dashes: 2, slashes: 1, dots: 1, repeat: 2, foreign: 2, odd: 6,
	}
	if got.n != want.n || got.digits != want.digits || got.lowers != want.lowers || got.uppers != want.uppers || got.hexs != want.hexs ||
		got.signs != want.signs || got.spaces != want.spaces || got.distinct != want.distinct || got.changes != want.changes ||
		got.dashes != want.dashes || got.slashes != want.slashes || got.dots != want.dots || got.repeat != want.repeat ||
		got.foreign != want.foreign || got.odd != want.odd {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// What looks random, and what does not, one row for each reason.
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
		if got := traitsOf([]byte(c.text)).random(c.atLeast); got != c.want {
			t.Errorf("%q of %d bytes or more: got %v", c.text, c.atLeast, got)
		}
	}
}

// Small judgements, each with what is on either side of it.
func TestJudgements(t *testing.T) {
	for name, c := range map[string]struct {
		is      func(b []byte) bool
		yes, no []string
	}{
		"keyID":        {func(b []byte) bool { return traitsOf(b).keyID() }, []string{"90B168D3", "820B1A390B168D35", "5BE8A3F6C8A5C01D106C0AD820B1A390B168D356"}, []string{"90B168d3", "90B168D35", "90G168D3", "90116813"}},
		"scrambled":    {func(b []byte) bool { return traitsOf(b).scrambled() }, []string{"x7Kq92mZ", "a1b2c3"}, []string{"a1b2c", "abc123", "a1bcde", "a1-b2-c3", "a1key2b3", "12a345"}},
		"mixture":      {func(b []byte) bool { return traitsOf(b).mixture() }, []string{"abc123def"}, []string{"abc123d", "abcd12ef", "1234567ab", "abc-123-def", "key12345x"}},
		"cacheKey":     {func(b []byte) bool { return traitsOf(b).cacheKey() }, []string{"x-7d793037a0760186574b0282f2f435e7"}, []string{"7d793037a0760186574b0282f2f435e7", "x-d793037a0760186574b0282f2f435e7", "xx7d793037a0760186574b0282f2f435e7"}},
		"digest":       {func(b []byte) bool { return traitsOf(b).digest() }, []string{"7d79-30a7"}, []string{"7d79-30ag"}},
		"variable":     {func(b []byte) bool { return traitsOf(b).variable() }, []string{"ed25519PrivateKey", "_apiToken"}, []string{"1stToken", "api-Token", "t0k3n5678", "kqzxvtoken", "sunflower", "theNameOfTheVariableThatHasTheUserToken2x"}},
		"digitInside":  {func(b []byte) bool { return traitsOf(b).digitInside() }, []string{"s3cret"}, []string{"secret3", "secret", "3"}},
		"escapedBytes": {func(b []byte) bool { return traitsOf(b).escapedBytes() }, []string{`\x00\x01ab`}, []string{`\x00`, `\nabcdefghijklmnopqrst\n`}},
		"uuid":         {func(b []byte) bool { return traitsOf(b).uuid() }, []string{"f47ac10b-58cc-4372-a567-0e02b2c3d479"}, []string{"f47ac10b-58cc-4372-a567-0e02b2c3d47", "f47ac10b058cc04372-a567-0e02b2c3d479", "f47ac10b-58cc-4372-a567-0e02b2c3d47g"}},
		"phrase":       {func(b []byte) bool { return traitsOf(b).phrase() }, []string{"x7! kq9#z", "1234!!## 5678$$%%"}, []string{"the 2 keys!", "x7! kq", "ab cd efgh"}},
		"passphrase":   {func(b []byte) bool { return traitsOf(b).passphrase() }, []string{"correct horse battery staple"}, []string{"correct horse battery", "enter your old password", "Correct horse battery staple", "a b c d e f g h i"}},
		"caption":      {func(b []byte) bool { return traitsOf(b).caption() }, []string{"Password:", "Password*", "#password", ".password"}, []string{"pa55word:", "hunter2", "#x9!kq"}},
		"version":      {version, []string{"1:4.13+dfsg1-1+deb12u1", "1.2.3~rc1"}, []string{"123", "a1.2", "1.longwords", ".12", "1.2!"}},
		"hexNumber":    {hexNumber, []string{"0x04034b50", "-0XFF"}, []string{"0x", "1x04", "0y04", "0x0123456789abcdef0", "0xgg"}},
		"pair":         {pair, []string{"a=b"}, []string{"ab==", "ab"}},
		"selector":     {code, []string{"cfg.token", "*name"}, []string{"token", ".token", "cfg.9x", "x7.kqzx9"}},
	} {
		for _, s := range c.yes {
			if !c.is([]byte(s)) {
				t.Errorf("%s: %q is none", name, s)
			}
		}
		for _, s := range c.no {
			if c.is([]byte(s)) {
				t.Errorf("%s: %q is one", name, s)
			}
		}
	}
}
