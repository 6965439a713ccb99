package classify

import (
	"bytes"
	"strings"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/names"
	"github.com/envwrap/envwrap/redact/internal/syntax"
	"github.com/envwrap/envwrap/redact/internal/value"
)

// isLabel reports whether the name is a word of a report, of a resource name or of a
// program rather than of a setting: "--- PASS:", "arn:...:secret:", "Event::Pass",
// "pass(x)".
func (f *Field) isLabel() bool {
	name := f.Bytes()
	if f.Start > f.Lo && ((f.Text[f.Start-1] == '!' || f.Text[f.Start-1] == '+') && f.Op == syntax.OpColon || f.Start > f.Lo+1 && f.Text[f.Start-1] == ':' && f.Text[f.Start-2] == ':' && (f.Op != syntax.OpColon || !f.Leads(f.Start))) {
		return true // Event::Pass, !PSK:!RC4
	}
	if ascii.HasFold(name[max(0, len(name)-len("nonce")):], "nonce") {
		b := f.Text[f.Value.Start:f.Value.End]
		n := ascii.Run(b, ascii.HexDigit)
		if n == len(b) || ascii.Run(b, ascii.Alpha) == len(b) || f.Op == syntax.OpBeside || f.Quote.Mark != 0 && (f.Op == syntax.OpColon || b[len(b)-1] == '=') || string(name) == "nonce" && f.inTag() {
			return true // of a cipher or of a page, which is sent along with the text
		}
	}
	switch f.Op {
	case syntax.OpAssign:
		return string(name) == "token" && bytes.Contains(f.Text[max(f.Lo, f.Start-syntax.MaxTag):f.Start], []byte("pkcs11:")) || f.Quote.Mark == 0 && !f.joined() && !f.Leads(f.Start) && value.CatalogNumber(f.Text[f.Value.Start:f.Value.End]) || f.inCatalog() || f.bindsExpression() || (string(name) == "key" || string(name) == "pass" && value.TraitsOf(f.Text[f.Value.Start:f.Value.End]).Words()) && f.inElement()
	case syntax.OpColon:
		if before := f.Text[max(f.Lo, f.Start-syntax.MaxTag):f.Start]; string(name) == "token" {
			if b := f.Text[f.Value.Start:f.Value.End]; bytes.HasSuffix(before, []byte("ecognized ")) && ascii.Contains(b, '\'') || bytes.Contains(before, []byte("cf-beacon=")) && ascii.Run(b, ascii.HexDigit) == len(b) {
				return true // what a parser of SQL read, the id of a page that Cloudflare counts
			}
		}
		if string(name) == "TopSecret" || (bytes.HasSuffix(name, []byte("JWT")) || string(name) == "hashed_secret") && ascii.Run(f.Text[f.Value.Start:f.Value.End], ascii.HexDigit) == f.Value.End-f.Value.Start {
			return true // a product, digests of a secret and of a package
		}
		if f.Start > f.Lo+1 && f.Text[f.Start-1] == '{' && f.Text[f.Start-2] == '$' && f.Value.Start < f.Hi && strings.IndexByte("-=", f.Text[f.End+1]) < 0 {
			n := bytes.IndexByte(f.Text[f.Value.Start:f.Hi], '}')
			if n <= 0 {
				return true
			}
			t := value.TraitsOf(f.Text[f.Value.Start : f.Value.Start+n])
			return !t.Random(12) && !t.MadeUp() // ${NAME:...}
		}
		if f.Start > f.Lo && (f.Text[f.End] == ']' && f.Text[f.Start-1] != '[' || f.joined() && f.namesValue()) {
			return true // a caption of a completion, a name before others: eof_action=pass:repeatlast=0
		}
		return string(name) == "PASS" || string(name) == "pass" && f.passesOn() || f.Start > f.Lo && f.Text[f.Start-1] == '/' && f.ofPath() || f.Start > f.Lo+1 && f.Text[f.Start-1] == ':' && f.Text[f.Start-2] != ' ' && !f.Leads(f.Start) && !f.sectioned()
	case syntax.OpTag:
		return f.Strength < names.Strong && !f.resource() || string(name) == "PASS"
	case syntax.OpBeside, syntax.OpIs, syntax.OpProse, syntax.OpComma:
		return (len(name) == 4 && ascii.HasFold(name, "pass") || string(name) == "CHECK_PASS") && !f.quotedRandom() || // the verb
			string(name) == "pwd" && f.Op == syntax.OpComma && value.FileName(f.Text[f.Value.Start:f.Value.End]) || // join(pwd, "file.py")
			f.namesObject() || f.usedKey() || f.Quote.Mark == 0 && value.CatalogNumber(f.Text[f.Value.Start:f.Value.End]) ||
			f.Start > f.Lo && (f.Text[f.Start-1] == '/' || f.Text[f.Start-1] == '$' && f.Op == syntax.OpBeside) // a path, or an argument
	case syntax.OpCall:
		if bytes.HasPrefix(name[bytes.LastIndexByte(name, '.')+1:], []byte("get")) {
			return true // it looks a secret up by its name
		}
		return string(name) == "pass" || ascii.ContainsFold(name, "username") || f.End < f.Hi && f.Text[f.End] == '(' && ascii.ContainsFold(name, "pass") && !ascii.ContainsFold(name, "passw") && !ascii.ContainsFold(name, "passphrase")
	}
	return false
}

// sectioned reports whether the name is one of .NET's settings in JSON, after its sections:
// "Smtp:Password": "x".
func (f *Field) sectioned() bool {
	start := f.Start - ascii.RunBack(f.Text[f.Lo:f.Start], ascii.Alnum|ascii.Colon)
	return f.Text[f.End] == '"' && f.Quote.Mark == '"' && start > f.Lo && f.Text[start-1] == '"' && ascii.Is(f.Text[start], ascii.Upper)
}

// namesValue reports whether the value is a word of letters, an equals sign and a value:
// repeatlast=0.
func (f *Field) namesValue() bool {
	b := f.Text[f.Value.Start:f.Value.End]
	n := ascii.Run(b, ascii.Alpha)
	return n > 1 && n+1 < len(b) && b[n] == '=' && n < value.LongLetters
}

// passesOn reports whether the value is a path of words, to which NGINX Unit passes
// requests: applications/shop.
func (f *Field) passesOn() bool {
	b := f.Text[f.Value.Start:f.Value.End]
	return ascii.Run(b, ascii.Lower|ascii.Under|ascii.Dash|ascii.Plus) == len(b) && ascii.Contains(b, '/')
}

// ofPath reports whether the name, after a slash, is the last part of a path, of which a
// line says a digest or what changed, or a user without a password in a URL.
func (f *Field) ofPath() bool {
	b := f.Text[f.Value.Start:f.Value.End]
	t := value.TraitsOf(b)
	return len(b) > 0 && b[0] == '@' || t.Digest() || syntax.IsQuote(f.Text[f.End]) && !t.Random(12) || bytes.HasPrefix(f.Text[f.Value.End:f.Hi], []byte(" - "))
}

// bindsExpression reports whether the field is an attribute to which a template of Vue or
// Angular binds an expression: :password="form.secret", <x [password]="y" #password="ngModel">.
func (f *Field) bindsExpression() bool {
	if f.Start == f.Lo || f.Quote.Mark != '"' || f.Quote.Open || !ascii.Is(f.Text[f.Value.Start], ascii.Alpha) {
		return false
	}
	mark, sign := f.Text[f.Start-1], f.Text[f.End:f.Value.Start]
	if string(sign) != `="` && string(sign) != `]="` || (sign[0] == ']') != (mark == '[') || strings.IndexByte(":#[", mark) < 0 {
		return false
	}
	if t := value.TraitsOf(f.Text[f.Value.Start:f.Value.End]); t.Random(value.MinToken) || !t.Wordy() {
		return false
	}
	before := f.Text[max(f.Lo, f.Start-1-syntax.MaxTag) : f.Start-1]
	if len(before) > 0 && !ascii.Is(before[len(before)-1], ascii.Blank) && !bytes.HasSuffix(before, []byte("v-bind")) {
		return false
	}
	if mark == ':' && f.Leads(f.Start-1) { // :name="value" is a setting, too
		return expression(f.Text[f.Value.Start:f.Value.End])
	}
	tag := before[bytes.LastIndexByte(before, '<')+1:]
	return len(tag) < len(before) && len(tag) > 0 && ascii.Is(tag[0], ascii.Alpha) && !ascii.Contains(tag, '>')
}

// expression reports whether b is a name of JavaScript with a capital within, or a member of
// one, and no word.
func expression(b []byte) bool {
	for i, c := range b[1:] {
		if c == '.' && i+2 < len(b) && ascii.Is(b[i+2], ascii.Alpha) || ascii.Is(b[i], ascii.Lower) && ascii.Is(c, ascii.Upper) {
			return ascii.Run(b, ascii.Word|ascii.Dot) == len(b)
		}
	}
	return false
}

// inElement reports whether the name is the first attribute of an element that names what
// it has: <table key="...">.
func (f *Field) inElement() bool {
	b := f.Text[max(f.Lo, f.Start-syntax.MaxTag):f.Start]
	i := bytes.LastIndexByte(b, '<')
	return i >= 0 && f.Quote.Mark != 0 && i+1+ascii.Run(b[i+1:], ascii.Alpha)+1 == len(b) && b[len(b)-1] == ' '
}

// inTag reports whether the field is an attribute of a script, style or link of HTML.
func (f *Field) inTag() bool {
	b := f.Text[max(f.Lo, f.Start-2*syntax.MaxTag):f.Start]
	b = b[bytes.LastIndexByte(b, '<')+1:]
	return !ascii.Contains(b, '>') && (ascii.HasFold(b, "script") || ascii.HasFold(b, "style") || ascii.HasFold(b, "link"))
}

// usedKey reports whether the value is the id of a key with which GnuPG has signed, using
// RSA key 5F4AEE18F83AFDEB, or the name of an index of SQL: KEY x (column), DROP KEY x.
func (f *Field) usedKey() bool {
	if len(f.Bytes()) == len("key") && f.Op == syntax.OpBeside && (bytes.HasPrefix(f.Text[f.Value.End:f.Hi], []byte(" (")) || ascii.HasFold(f.Text[max(f.Lo, f.Start-len("drop ")):f.End], "drop key")) {
		return true
	}
	return string(f.Bytes()) == "key" && bytes.HasSuffix(f.Text[f.Lo:f.Start], []byte("SA ")) &&
		ascii.Run(f.Text[f.Value.Start:f.Value.End], ascii.HexDigit) == f.Value.End-f.Value.Start
}

// formatted reports whether the value is in quotes and has a verb or field that the
// program fills in: "prefix_{}".format(x), f"prefix_{x}", "prefix_%s" % x.
func (c *candidate) formatted() bool {
	rest := bytes.TrimLeft(c.Text[min(c.Quote.After, c.Hi):c.Hi], " ")
	switch {
	case c.Quote.Mark == '`' && bytes.Contains(c.t.Bytes, []byte("${")) && (c.Quote.Open || balanced(c.t.Bytes)):
		return true
	case bytes.Contains(c.t.Bytes, []byte("{0}")):
		return true
	case ascii.Contains(c.t.Bytes, '{') && ascii.Contains(c.t.Bytes, '}'):
		before := c.Value.Start - 2
		return bytes.HasPrefix(rest, []byte(".format(")) || before >= c.Lo && ascii.Fold(c.Text[before]) == 'f' && (before == c.Lo || !ascii.Is(c.Text[before-1], ascii.Word))
	case bytes.Count(c.t.Bytes, []byte("%s")) > 1:
		return true
	case strings.IndexByte(":=", c.t.Bytes[c.t.Len-1]) >= 0 && (bytes.HasPrefix(rest, []byte("|| ")) || bytes.HasPrefix(rest, []byte("+ ")) || bytes.HasPrefix(rest, []byte(". "))):
		return true // the beginning of one
	case strings.IndexByte("([", c.t.Bytes[c.t.Len-1]) >= 0 && bytes.Contains(c.t.Bytes, []byte("${")) && len(rest) > 0 && ascii.Is(rest[0], ascii.Word|ascii.Dot):
		return true // with a string of its own: "${file("x")}"
	case endsInVariable(c.t.Bytes):
		return true
	case ascii.Contains(c.t.Bytes, '%'):
		return bytes.HasPrefix(rest, []byte("% "))
	}
	return false
}

// endsInVariable reports whether b ends in a sign and a variable that a program fills in:
// charlie-$timestamp.
func endsInVariable(b []byte) bool {
	i := bytes.LastIndexByte(b, '$')
	return i > 0 && i+1 < len(b) && strings.IndexByte(":-_./@", b[i-1]) >= 0 && ascii.Is(b[i+1], ascii.Lower) && ascii.Run(b[i+1:], ascii.Word) == len(b)-i-1
}

// namesObject reports whether the value is the name of a Secret of Kubernetes, of which an
// answer says what became of it: secrets "x" not found.
func (f *Field) namesObject() bool {
	if name := f.Bytes(); f.Quote.Mark == 0 || !ascii.HasFold(name, "secret") || len(name) > len("secrets") {
		return false
	}
	rest := f.Text[min(f.Quote.After, f.Hi):f.Hi]
	return ascii.HasPrefix(rest, " not found", " is forbidden", " already exists", " created", " deleted", " configured", " unchanged", " patched")
}

// requestToken reports whether name is of a token by which a service knows a request that
// is made twice, or follows one: ClientToken, registration-token.
func requestToken(name []byte) bool {
	start, _ := names.LastWord(name)
	return ascii.HasFold(name[start:], "token") && ascii.ContainsFold(name[:start], "client", "request", "action", "registration")
}

// resource reports whether the field is a random text of a resource of Android's: <string
// name="maps_key">value</string>.
func (f *Field) resource() bool {
	return f.Strength == names.Medium && ascii.HasFold(f.Text[max(f.Lo, f.Start-len(`<string name="`)):f.Hi], `<string name="`) &&
		value.TraitsOf(f.Text[f.Value.Start:f.Value.End]).Random(20)
}

// quotedRandom reports whether the value is in quotes, random and full of odd signs.
func (f *Field) quotedRandom() bool {
	t := value.TraitsOf(f.Text[f.Value.Start:f.Value.End])
	return f.Quote.Mark != 0 && f.Op == syntax.OpBeside && t.Odd >= 2 && t.Spaces == 0 && t.Random(10)
}

// uiText reports whether the field is a text of a user interface: a word or two with a
// capital, or in another script, beside a name that says what the reader is to do or whose
// password is meant, such as showPassword or userlogin-yourpassword. Beside other names of
// more than a word for a secret, a text in another script without digits is one.
func (c *candidate) uiText() bool {
	if c.t.Foreign*2 > c.t.Len && c.t.Digits == bytes.Count(c.t.Bytes, []byte{'$'}) && !names.Capitals(c.Name.Bytes()) {
		var buf [16]byte
		name := ascii.AppendLower(buf[:0], c.Name.Bytes())
		return names.StrengthOfWord(string(name)) == names.None // a message, in which $1 is filled in
	}
	title := c.t.Title()
	if !ascii.Is(c.t.Bytes[0], ascii.Upper) && c.t.Foreign == 0 || c.t.Digits > 0 || c.t.Uppers > 1 && !title && c.t.Foreign == 0 {
		return false
	}
	if title && c.Quote.Mark != 0 && !names.Capitals(c.Name.Bytes()) && !ascii.ContainsFold(c.Text[max(c.Lo, c.Start-2*syntax.MaxTag):c.Start], "user") &&
		(c.Op == syntax.OpColon && (syntax.IsQuote(c.Text[c.End]) || c.Quote.After < c.Hi) || c.t.Dashes+c.t.Slashes > 0 || c.labelled()) {
		return true // of a form, in some language: "smtpPassword": "Kodeord"
	}
	for _, c := range c.t.Bytes[1:] {
		if !ascii.Is(c, ascii.Alpha|ascii.Under|ascii.Dash|ascii.Dot|ascii.Colon|ascii.Tilde|ascii.Percent|ascii.Query) && c < 0x80 {
			return false
		}
	}
	return c.saysWhat()
}

// labelled reports whether the name is written as on a form, with a capital or for several:
// 'Passwords' => 'x'.
func (f *Field) labelled() bool {
	name := f.Bytes()
	return len(name) > 0 && (ascii.Is(name[0], ascii.Upper) || bytes.HasSuffix(name, []byte("words")))
}

// saysWhat reports whether the name has a word that says what becomes of a password, or
// whose it is, as names of texts and of errors do: at its start, or right before the
// word for a secret.
func (f *Field) saysWhat() bool {
	name := f.Bytes()
	n := 1 + ascii.Run(name[min(1, len(name)):], ascii.Lower)
	if n < len(name) && actionOn(name[:n]) {
		return true
	}
	start, end := names.LastWord(name)
	for n := len("my"); n <= len("confirmation") && start+n < end; n++ {
		if actionOn(name[start : start+n]) {
			return true
		}
	}
	before, end := names.LastWord(name[:start])
	return before < end && actionOn(name[before:end])
}

// describes reports whether a word of the name, before the one for a secret, says that the
// value is about a secret rather than one: VDS_CANNOT_INSTALL_EMPTY_PASSWORD.
func (f *Field) describes() bool {
	name := f.Bytes()
	start, _ := names.LastWord(name)
	for start > 0 {
		from, to := names.LastWord(name[:start])
		var buf [16]byte
		if isDescription(string(ascii.AppendLower(buf[:0], name[from:to]))) {
			return true
		}
		if from == to {
			return false
		}
		start = from
	}
	return false
}

// actionOn reports whether w is a word of saysWhat.
func actionOn(w []byte) bool {
	var buf [12]byte
	return isAction(string(ascii.AppendLower(buf[:0], w)))
}

// inCatalog reports whether the name is a member of a list of texts of a user interface:
// $lang['password'].
func (f *Field) inCatalog() bool {
	b := bytes.TrimRight(f.Text[max(f.Lo, f.Start-syntax.MaxTag):f.Start], `'"`)
	if n := f.Start - len(b); n < f.Lo || len(b) == 0 || b[len(b)-1] != '[' {
		return false
	}
	b = b[:len(b)-1]
	switch strings.TrimRight(strings.ToLower(string(b[len(b)-ascii.RunBack(b, ascii.Alpha):])), "s") {
	case "lang", "label", "message", "text", "translation", "string", "i18n", "l10n":
		return true
	}
	return false
}

// minNamed is the least length of a name, or of a part of one, that a value repeats.
const minNamed = 7

// hasName reports whether the value is words that end in the name, which is more than one
// word itself: field_must_change_passwd.
func (c *candidate) hasName() bool {
	name := c.Name.Bytes()
	start, _ := names.LastWord(name)
	return len(name) > minNamed && start > 0 && c.t.Len > len(name) && ascii.HasFold(c.t.Bytes[c.t.Len-len(name):], string(name)) && ascii.Run(c.t.Bytes, ascii.Word|ascii.Dash) == c.t.Len && c.t.Digits*4 < c.t.Len
}

// namesToken reports whether the value, of small words, ends in the word token or key: a
// program compares a password with the name of the token that it is, gitlab-ci-token.
func (c *candidate) namesToken() bool {
	if c.t.Lowers+c.t.Dashes != c.t.Len || c.t.Dashes == 0 {
		return false
	}
	start, end := names.LastWord(c.t.Bytes)
	w := string(c.t.Bytes[start:end])
	return w == "token" || w == "key"
}

// repeats reports whether b is the end of the name, but for case and for signs between
// words.
func (f *Field) repeats(b []byte) bool {
	name := f.Bytes()
	b = bytes.TrimLeft(b, "-")
	if n := ascii.RunBack(name, ascii.Under|ascii.Digit); n > 0 {
		name, b = name[:len(name)-n], b[:len(b)-ascii.RunBack(b, ascii.Under|ascii.Digit)]
	}
	for len(b) > 0 && len(name) > 0 {
		c, d := b[len(b)-1], name[len(name)-1]
		switch {
		case ascii.Is(c, ascii.Under|ascii.Dash|ascii.Dot):
			b = b[:len(b)-1]
		case ascii.Is(d, ascii.Under|ascii.Dash|ascii.Dot):
			name = name[:len(name)-1]
		case ascii.Fold(c) != ascii.Fold(d):
			return false
		default:
			b, name = b[:len(b)-1], name[:len(name)-1]
		}
	}
	return len(b) == 0
}
