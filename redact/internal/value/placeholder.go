package value

import (
	"bytes"
	"strings"

	"github.com/envwrap/envwrap/redact/internal/ascii"
)

const alphabet = "abcdefghijklmnopqrstuvwxyz"

// Placeholder reports whether the value is in the place of a secret.
func (t *Traits) Placeholder() bool {
	switch {
	case t.Len == 0, t.Distinct < FewBytes && t.Len >= Min, t.Repeat >= 6 && t.Repeat*3 >= t.Len:
		return true
	case t.Signs > t.Dashes && t.signed(), t.Foreign > 0 && bytes.Contains(t.Bytes, []byte("••")):
		return true
	case bytes.HasPrefix(t.Bytes, []byte("S-1-")) && t.Digits+t.Dashes+1 == t.Len: // a user of Windows
		return true
	case PublicKey(t.Bytes), Reference(t.Bytes), t.ExampleKey():
		return true
	case t.Bytes[0] == t.Bytes[t.Len-1] && t.filledIn():
		return true
	case t.Dots == 0 && t.Len < 64 && bytes.HasPrefix(t.Bytes, []byte("eyJhbGciOi")): // the header of a JSON Web Token
		return true
	case t.Digits > 0 && t.dateOrVersion(), digests.Begin(t.Bytes), bytes.HasSuffix(t.Bytes, []byte("aws4_request")):
		return true
	case t.Len >= len(alphabet)+len("0123456789") && t.characters(), t.Digits >= 16 && bytes.Contains(t.Bytes, []byte("0102030405060708")):
		return true
	}
	switch string(t.Bytes) {
	case "UGFzc3dvcmQ6", "258EAFA5-E914-47DA-95CA-C5AB0DC85B11", "AWS4-HMAC-SHA256", "0123456789abcdef", "0123456789*#", "SplxlOBeZQQYbYS6WxSbIA":
		return true // a server's "Password:", the GUID of RFC 6455, an algorithm, rows of characters, the code in RFC 6749
	}
	var buf [64]byte
	w := ascii.AppendLower(buf[:0], t.Bytes)
	if b := bytes.Trim(w, "_@-"); len(b) <= maxPhrase && CommonWord(string(b)) || t.Digits == 0 && len(b) <= maxStandIn && standsIn(b, 0, false) {
		return true
	}
	m := marksIn(w)
	return m&(instruction|filler) != 0 || m&example != 0 && t.Digits*4 < t.Len && t.Wordy() && !t.mixed()
}

// signed reports whether the value, which has signs other than those that join words, is in
// the place of a secret.
func (t *Traits) signed() bool {
	colons := bytes.Count(t.Bytes, []byte{':'})
	switch {
	case t.Len == len("2026/01/08") && t.Digits == 8 && t.Bytes[4] == '/' && t.Bytes[7] == '/', t.Len == len("11:22:33:44:55:66") && t.Hexes == 12 && colons == 5, t.Digits+t.Dots == t.Len:
		return true // a date, a version, an address
	case colons > 0 && t.withColons(colons), bytes.Contains(t.Bytes, []byte("===")), bytes.Contains(t.Bytes, []byte("SHA256=")):
		return true
	case bytes.HasPrefix(t.Bytes, []byte("anon")) && ascii.Contains(t.Bytes, '@'):
		return true // the address that guests give
	case t.Digits > 0 && t.Digits == 2*bytes.Count(t.Bytes, []byte("%20")) && t.Lowers+t.Uppers+t.Dashes+t.Digits*3/2 == t.Len:
		return true // words with escaped spaces
	}
	bars := bytes.Count(t.Bytes, []byte{'\\'})
	return t.Uppers >= Several && bars >= Several && t.Lowers+t.Uppers+bars == t.Len && t.Wordy() // a class of PHP
}

// withColons reports whether the value, which has colons, is in the place of a secret.
func (t *Traits) withColons(colons int) bool {
	b := t.Bytes
	scope := bytes.Contains(b, []byte("::"))
	switch {
	case scope && ascii.Run(b, ascii.HexDigit|ascii.Colon) == t.Len:
		return true // an address
	case bytes.Contains(b, []byte(":x:")), bytes.Contains(b, []byte(":*:")), colons > 3 && bytes.Contains(b, []byte("::/")) && ascii.Is(b[0], ascii.Digit):
		return true // a line of /etc/passwd, or what follows the password there
	case bytes.HasPrefix(b, []byte("urn:")), (scope || colons > 1 && t.Digits < Several) && ascii.Run(b, ascii.Word|ascii.Colon|ascii.Dot|ascii.Dash) == t.Len && t.Wordy():
		return true // a name of a kind of things
	}
	// A resource of AWS, by its name, and an image, by its digest.
	return bytes.HasPrefix(b, []byte("arn:")) && colons >= 5 || bytes.Contains(b, []byte("sha256:"))
}

// dateOrVersion reports whether the value, which has digits, is versions of a package or a
// date.
func (t *Traits) dateOrVersion() bool {
	b := t.Bytes
	return VersionRange(b) || t.Len == len("2026-01-08") && Dated(b) ||
		t.Len >= len("2026-01-08T10:00:00Z") && b[10] == 'T' && Dated(b[:10]) && ascii.Run(b[11:], ascii.Digit|ascii.Colon|ascii.Dot|ascii.Plus|ascii.Dash|ascii.Upper) == t.Len-11 ||
		bytes.HasPrefix(b, []byte("00000000-0000-")) // a UUID of a test
}

// characters reports whether the value is the characters of a set.
func (t *Traits) characters() bool {
	b := t.Bytes
	return (ascii.HasFold(b, alphabet) || bytes.HasPrefix(b, []byte("0123456789")) && bytes.HasSuffix(b, []byte(alphabet))) && t.Signs <= 1 && t.Len <= 62 && bytes.Contains(b, []byte("0123456789")) ||
		t.Len >= 2*len(alphabet) && t.Signs > 2 && bytes.Contains(b, []byte(alphabet)) && bytes.Contains(b, bytes.ToUpper([]byte(alphabet)))
}

// filledIn reports whether the value, between two equal signs, is a name that a program or a
// person fills in: @@NAME@@, #db_password#, _your_key_.
func (t *Traits) filledIn() bool {
	sign := t.Bytes[0]
	if t.Len <= 4 || strings.IndexByte("@#!*_", sign) < 0 {
		return false
	}
	if t.Bytes[1] == sign && (sign == '_' || strings.IndexByte("@*", sign) >= 0 && t.Bytes[t.Len-2] == sign) {
		return true
	}
	name := TraitsOf(t.Bytes[1 : t.Len-1])
	if name.Lowers+name.Uppers+name.Dashes+name.Digits < name.Len || name.Digits > Several || name.Uppers > 0 && name.Lowers > 0 || !name.Wordy() {
		return false
	}
	if sign == '_' {
		return name.Dashes > 1 && name.Uppers == 0
	}
	return sign != '*' && name.Digits == 0 && !ascii.Contains(name.Bytes, '-') && (Mentions(name.Bytes) || sign == '@' && name.Dashes > 0)
}

// ExampleKey reports whether the value is one that the documents of AWS show.
func (t *Traits) ExampleKey() bool { return bytes.HasSuffix(t.Bytes, []byte("EXAMPLEKEY")) }

// mixed reports whether a long value changes so often between digits, small and
// capital letters that a word in it does not make it an example.
func (t *Traits) mixed() bool { return t.Len >= 32 && t.Changes >= 8 && t.Digits > 0 && t.Dashes <= 2 }

// PublicKey reports whether v begins as public keys or pictures do, in base64, or as
// OpenSSH writes keys, or as a value that a tool has encrypted for such keys, or is of the
// form of a point of an elliptic curve in hexadecimal.
func PublicKey(v []byte) bool {
	if n := len(v); (n == 2*33 && v[0] == '0' && (v[1] == '2' || v[1] == '3') || n == 2*65 && v[0] == '0' && v[1] == '4') && ascii.Run(v, ascii.HexDigit) == n {
		return true // SEC 1, 2.3.3
	}
	return publicKeys.Begin(v)
}

// publicKeys are the first bytes of such values: of keys, of pictures, and of what SOPS,
// EJSON and Ansible encrypt.
var publicKeys = wordsWithin{
	'M': {"FkwEwYHKoZIzj0", "IIBIjANBgkqhkiG9w0", "IICIjANBgkqhkiG9w0", "IGfMA0GCSqGSIb3", "IGeMA0GCSqGSIb3", "CowBQYDK2V", "HYwEAYHKoZIzj0", "IIBCgKCAQ"},
	'A': {"AAAB3NzaC1", "AAAC3NzaC1", "AAAE2VjZHNh"}, 'L': {"S0tLS1CRUdJTiBDRVJUSUZJ", "S0tLS1CRUdJTiBQVUJMSUMg"}, 'P': {"HN2ZyB4bWxu"},
	'a': {"ge1"}, 'd': {"id:"}, 'e': {"cdsa-sha2"}, 's': {"q0idp-", "sh-rsa", "sh-ed25519"},
	'$': {"ANSIBLE_VAULT;1."}, 'E': {"NC[AES256_GCM,", "J[1:"},
}

// digests are the first bytes of those in a lock file, a page or a pin of a public key.
var digests = wordsWithin{'S': {"HA256:"}, 's': {"ha512-", "ha384-", "ha256-", "ha1-", "ha256/"}}

// Instructs reports whether v, in small letters, asks the reader to put something else there.
func Instructs(v []byte) bool { return marksIn(v)&instruction != 0 }

// Sample reports whether b says of itself that it is in place of a token.
func Sample(b []byte) bool {
	var buf [64]byte
	return marksIn(ascii.AppendLower(buf[:0], b))&sample != 0 || bytes.HasSuffix(b, []byte("EXAMPLE"))
}

// marksIn returns the marks in w, in one pass.
func marksIn(w []byte) (found mark) {
	for i, c := range w {
		if i+1 == len(w) || markStarts[c&31]>>(w[i+1]&31)&1 == 0 || c >= byte(len(marks)) {
			continue
		}
		for _, m := range marks[c] {
			if after := w[i+1:]; len(after) >= len(m.rest) && after[0] == m.rest[0] && string(after[:len(m.rest)]) == m.rest {
				found |= m.of
			}
		}
	}
	return found
}

// markStarts has, for the lower bits of the first byte of a mark's word, a bit for those of
// each second byte. Few pairs of letters in a random value have one, as a processor foresees.
var markStarts = func() (of [32]uint32) {
	for c, words := range marks {
		for _, m := range words {
			of[c&31] |= 1 << (m.rest[0] & 31)
		}
	}
	return of
}()

// Reference reports whether v names a value rather than being one: a variable, a template,
// a call.
func Reference(v []byte) bool {
	if strings.IndexByte(`\'".`, v[0]) >= 0 {
		if w := bytes.TrimLeft(v, `\'".`); len(w) > 1 && w[0] == '$' {
			v = w // escaped, or in quotes of a shell
		}
	}
	switch c := v[0]; c {
	case '<':
		return v[min(1, len(v)-1)] == '?' || ascii.Contains(v, '>') || ascii.Run(v[1:], ascii.Lower) == len(v)-1
	case '&':
		return !TraitsOf(v[1:]).Jumble()
	case '(', '[':
		return true
	case '\'':
		if len(v) > 1 && v[1] == ')' {
			return true // the end of a string and a call, in code that writes code
		}
	case '!':
		if ascii.Run(v[1:], ascii.Alpha) == len(v)-1 && Mentions(v) {
			return true // !showPassword
		}
		if len(v) > 1 && (v[1] == '0' || v[1] == '1') && (len(v) == 2 || v[2] == ':' || v[2] == '=' || v[2] == '!') {
			return true // true or false, in a program that was made short
		}
	case '?':
		if ascii.Run(v[1:], ascii.Alpha) == len(v)-1 && Wordy(v) {
			return true // a type of PHP
		}
	case ':':
		if n := ascii.Run(v[1:], ascii.Lower); n > 0 && (n+1 == len(v) && Wordy(v) || n+1 < len(v) && v[n+1] == ':') {
			return true // a parameter of SQL, a role of reStructuredText, :class:`x`
		}
	case '@':
		if bytes.HasPrefix(v, []byte("@keychain:")) {
			return true
		}
		if (ascii.Run(v[1:], ascii.Lower|ascii.Under) == len(v)-1 || ascii.Run(v[1:], ascii.Upper|ascii.Under|ascii.Digit) == len(v)-1) && Mentions(v) {
			return true // a parameter of SQL or of a template
		}
	case '-':
		if n := ascii.Run(v, ascii.Lower|ascii.Dash); bytes.HasPrefix(v, []byte("--")) && (n == len(v) || v[n] == '=') {
			return true // another option
		}
	case '$', '#':
		if bytes.HasPrefix(v, []byte("#/")) && Wordy(v) && !bytes.ContainsFunc(v[2:], func(c rune) bool { return c != '/' && (c > 'z' || !ascii.Is(byte(c), ascii.Word)) }) {
			return true // a place in a document of JSON
		}
		if name := bytes.TrimLeft(v, "$"); c == '$' && len(name) > 0 && ascii.Is(name[0], ascii.Alpha|ascii.Under|ascii.Colon) {
			return variable(name)
		}
		if bytes.HasPrefix(v, []byte("${")) && !ascii.Contains(v, '}') {
			return true // a string within the template ends it
		}
		if Templates(v) == len(v) || bytes.HasPrefix(v, []byte("#[")) && v[len(v)-1] == ']' || bytes.HasPrefix(v, []byte("$(")) {
			return true
		}
	case '%':
		return len(v) <= 2 || v[1] == '%' && bytes.Count(v, []byte{'-'}) > 1 || strings.IndexByte("sdvq", v[1]) >= 0 && !ascii.Is(v[2], ascii.Alnum) || v[len(v)-1] == '%' || Templates(v) > 0
	case '{':
		if string(v) == "{}" {
			return true
		}
		if len(v) > 2 && v[len(v)-1] == '}' && v[1] != '{' && v[1] != '$' {
			return Templates(v[1:]) > 0 || called(v[1:len(v)-1]) || !TraitsOf(v[1:len(v)-1]).Random(12)
		}
	}
	if i := bytes.Index(v, []byte("%s")); i >= 0 && (i+2 == len(v) && ascii.Run(v, ascii.Word|ascii.Dash|ascii.Dot|ascii.Colon) == i || i+2 < len(v) && v[i+2] >= 0x80) {
		return true // a format
	}
	if Templates(v) > 0 || joined(v) || called(v) {
		return true
	}
	if ascii.Is(v[0], ascii.Alpha) && bytes.Contains(v, []byte("::")) && v[len(v)-1] == '-' {
		return true // a class of Perl, before the arrow of a call
	}
	return lookups.In(v)
}

// lookups are parts of expressions for variables of the environment, and of formats.
var lookups = wordsWithin{'%': {"1$"}, 'E': {"NV["}, 'g': {"etenv"}, 'o': {"s.environ"}, 'p': {"rocess.env"}}

// variable reports whether b, after a dollar, is the name of a variable, alone or before
// another or a part of it: $name, $cfg['name'], $a::b, $USER:$GROUP, $WORK/x, $NAME{{ end }}.
func variable(b []byte) bool {
	n := ascii.Run(b, ascii.Word|ascii.Dot|ascii.Dash)
	if bytes.HasPrefix(b[n:], []byte("::")) || bytes.HasPrefix(b[n:], []byte("()")) && (n+2 == len(b) || !ascii.Is(b[n+2], ascii.Alnum)) || bytes.HasPrefix(b[n:], []byte(":$")) || bytes.HasPrefix(b, []byte("__")) {
		return true
	}
	return !TraitsOf(b).Jumble() && (n+1 >= len(b) || n > 1 && b[n] == '{' && b[len(b)-1] == '}' || n >= Min && strings.IndexByte(":[/{$>", b[n]) >= 0)
}

// joined reports whether v is an expression that a program puts between two strings:
// '<a nonce="'+escape(nonce)+'">'.
func joined(v []byte) bool {
	return len(v) > Min && (v[0] == '+' && v[len(v)-1] == '+' || v[0] == '.' && v[len(v)-1] == '.') && ascii.Is(v[1], ascii.Alpha|ascii.Under) && (ascii.Run(v[1:], ascii.Word|ascii.Dot) == len(v)-2 || Wordy(v))
}

// called reports whether v is a call, or a member of a list, in words: hasRole('ADMIN'),
// auth().getToken(), project:names[1].
func called(v []byte) bool {
	n := ascii.Run(v, ascii.Word|ascii.Dot|ascii.Colon)
	if n < MinWord || n+1 >= len(v) || ascii.Is(v[0], ascii.Digit) {
		return false
	}
	open, last := v[n], v[len(v)-1]
	if (open != '(' || last != ')') && (open != '[' || last != ']') {
		return false
	}
	within := v[n+1 : len(v)-1]
	return ascii.Run(within, ascii.Digit|ascii.Comma|ascii.Blank) == len(within) || (Wordy(v[:n]) || open == '(' && ascii.Run(v[:n], ascii.Lower|ascii.Digit) == n) && syntaxOfCall(within)
}

// syntaxOfCall reports whether b may be the arguments of a call, or an index: names, in quotes or with signs between them.
func syntaxOfCall(b []byte) bool {
	for _, c := range b {
		if !ascii.Is(c, ascii.Word|ascii.Dot|ascii.Colon|ascii.Comma|ascii.Blank|ascii.Dash) && strings.IndexByte(`'"()[]@*$\=#`, c) < 0 {
			return false
		}
	}
	return Wordy(b)
}
