package redact

import "strings"

// A keyword is a part of names that may be telling.
type keyword struct {
	text string
	goes string // letters with which a telling word may go on behind it
}

// keywords begin a search for a name and its value.
var keywords = []keyword{
	{"pass", "wpck"},
	{"pwd", "s"},
	{"secret", "eskt"},
	{"token", "sv"},
	{"key", "s"},
	{"auth", "ktps"},
	{"cred", "es"},
	{"access", "kt"},
	{"private", "k"},
	{"session", "ikt"},
	{"jwt", "st"},
	{"pw:", ""},
	{"pw=", ""},
	{`pw"`, ""},
	{"_pw", ""},
	{"_pat", ""},
	{"-pat", ""},
	{"sig=", ""},
	{"signature", ""},
	{"salt", ""},
	{"nonce", ""},
	{"license", "k"},
	{"licence", "k"},
	{"mnemonic", ""},
	{"otp", "a"},
	{"dsn", ""},
	{"xsrf", "t"},
	{"csrf", "t"},
	{"sid=", ""},
	{"pswd", ""},
	{"psw", ""},
	{"senha", ""},
	{"kennwort", ""},
	{"_sas", ""},
	{"_hmac", ""},
	{"tkn", ""},
	{"webhook", "s"},
	{"sonar", "tl"},
	{"secure:", ""},
}

// quick reports whether a name may end in a telling word at the keyword b[pos:
// end], by the byte behind it: "author" and "passing" are no such words.
func (k *keyword) quick(b []byte, pos, end int) bool {
	if end >= len(b) {
		return true
	}
	c, last := b[end], b[end-1]
	if is(c, alpha) && is(last, alpha) && classes[c]&classes[last]&alpha != 0 {
		return strings.IndexByte(k.goes, fold(c)) >= 0
	}
	if last == 'S' && string(b[pos:end]) == "PASS" && (c == ':' || c == ' ' || c == '\n' || c == '\t') {
		return pos > 0 && (b[pos-1] == '_' || b[pos-1] == '-') // "--- PASS: "
	}
	return true
}

// lineStart reports whether only what YAML and JSON put before a name stands
// right before b[pos].
func lineStart(b []byte, pos int) bool {
	return pos == 0 || strings.IndexByte(" \t\n\"'-{,\\+", b[pos-1]) >= 0
}
