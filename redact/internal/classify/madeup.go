package classify

import (
	"bytes"
	"encoding/base64"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/decode"
	"github.com/envwrap/envwrap/redact/internal/names"
	"github.com/envwrap/envwrap/redact/internal/syntax"
	"github.com/envwrap/envwrap/redact/internal/value"
)

// ownWords reports whether the value is words run together that can be no name of a
// program: of a variable of the environment, DB_PASSWORD=CopperGarnet, of an option,
// --password=fjord-ripple-ember, or with a sign that no name has, walrus!tulip.
func (c *candidate) ownWords() bool {
	apart := c.Value.End == c.Hi || c.Text[c.Value.End] == ' '
	if c.Op == syntax.OpAssign && c.joined() && c.t.Len >= value.MinCoined && c.t.Lowers == c.t.Len && !value.Mentions(c.t.Bytes) && (c.Text[c.Start] == '-' || variableOfEnv(c.Name.Bytes())) {
		return apart
	}
	if !c.t.Coined() {
		return false
	}
	switch name := c.Name.Bytes(); {
	case c.t.Dots > 0:
		return false
	case c.Op == syntax.OpColon && variableOfEnv(name), c.Op == syntax.OpAssign && c.joined() && apart && ascii.Contains(c.t.Bytes, '-') && !ascii.Contains(c.t.Bytes, '_'):
		return apart
	case c.Op == syntax.OpOption, c.Op == syntax.OpAssign && c.joined() && (name[0] == '-' || variableOfEnv(name)):
		return c.Value.End == c.Hi || ascii.Is(c.Text[c.Value.End], ascii.Blank) || syntax.IsQuote(c.Text[c.Value.End]) || c.Text[c.Value.End] == '\\'
	}
	return c.t.Dashes == 0 && ascii.Contains(c.t.Bytes, '!')
}

// announced reports whether the value ends its line, after words that say whose or which
// password it is, and is one that people or programs make: "Generated password: x".
func (c *candidate) announced() bool {
	rest := syntax.TrimRight(c.Text[c.Value.End:c.Hi])
	if c.t.Len < value.MinPassword || value.Mentions(c.t.Bytes) || len(rest) > 1 && (c.Op != syntax.OpIs || rest[0] != ',') || len(rest) == 1 && rest[0] != '.' && !syntax.IsQuote(rest[0]) {
		return false
	}
	if bytes.HasSuffix(c.Text[c.End:c.Value.Start], []byte(" as ")) && len(rest) > 0 && rest[0] == ',' {
		return false // an import under another name
	}
	if !c.t.Coined() && (c.t.Digits == 0 || c.t.Lowers+c.t.Uppers < value.MinWord || c.t.Path() || value.Code(c.t.Bytes) || c.Op == syntax.OpColon && c.joined()) {
		return false
	}
	if c.Op == syntax.OpIs || c.Op == syntax.OpProse {
		return true
	}
	if c.Start-c.Lo > syntax.MaxLead {
		return false
	}
	before := bytes.TrimRight(syntax.Unprefixed(c.Text[c.Lo:c.Start]), " ")
	if c.Op == syntax.OpBeside {
		return ascii.ContainsFold(before, "user")
	}
	n := ascii.RunBack(before, ascii.Alpha)
	var buf [16]byte
	switch w := string(ascii.AppendLower(buf[:0], before[len(before)-n:])); w {
	case "generated", "temporary", "temp", "initial", "default", "admin", "root", "wifi", "enter", "s", "login", "new", "your", "the",
		"database", "db", "vpn", "staging", "production", "keystore", "sudo", "ssh":
		return ascii.Run(before, ascii.Alpha|ascii.Blank|ascii.Dash|ascii.Under|ascii.Query|ascii.Dot) >= len(before)-n-1
	}
	return bytes.HasSuffix(before, []byte("/")) && (ascii.ContainsFold(before, "user") || ascii.ContainsFold(before, "login"))
}

// madeUpSecret reports whether the value is all of a setting with which a program signs or
// encrypts, JWT_SECRET=thistle-lemon-quartz-orchid, and is made up as passwords are.
func (c *candidate) madeUpSecret() bool {
	name := c.Name.Bytes()
	if c.Op != syntax.OpAssign && c.Op != syntax.OpColon || c.t.Len < value.MinToken || !c.Leads(c.Start) || len(syntax.TrimRight(c.Text[c.Value.End:c.Hi])) > 0 {
		return false
	}
	if c.Op == syntax.OpAssign && (!c.joined() || !names.Capitals(name)) {
		return false
	}
	if !ascii.ContainsFold(name, "jwt", "session", "cookie", "sign", "secret_key", "app_secret", "encrypt") {
		return false
	}
	return !value.Mentions(c.t.Bytes) && (c.t.JoinedWords() || c.t.Coined() && c.t.Dots == 0 && (c.Op == syntax.OpAssign || c.t.Signs > 0) || c.t.Digits > 0 && c.t.Lowers >= value.MinWord && !c.t.Path() && !value.Code(c.t.Bytes))
}

// setting reports whether a field is by itself, as in a file of settings: a value that is
// a plain word is one then, and not a variable. With spaces around the sign the name must
// be at the very start of its line. A number is a value if the name is in quotes, as in
// JSON.
func (c *candidate) setting() bool {
	if c.t.Digits == c.t.Len {
		return c.t.Len >= 5 && (syntax.IsQuote(c.Text[min(c.End, c.Hi-1)]) || c.joined()) && (c.Value.End == c.Hi || c.Text[c.Value.End] != ']')
	}
	if c.beforeCommand() && c.t.Len >= 6 && c.Value.End < c.Hi && c.Text[c.Value.End] == ' ' {
		return !value.Mentions(c.t.Bytes)
	}
	if len(syntax.TrimValue(c.Text[c.Value.End:c.Hi])) > 0 || c.Op > syntax.OpColon || c.t.Len < 6 || c.Text[c.Value.End-1] == ',' || c.Op == syntax.OpColon && c.Value.End < c.Hi && c.Text[c.Value.End] == ',' {
		return false
	}
	if c.printed() {
		return !value.Mentions(c.t.Bytes)
	}
	if c.Op == syntax.OpAssign && !c.joined() && c.Start > c.Lo || c.Op == syntax.OpColon && (c.t.Uppers > 0 || c.Value.Start != c.End+len(": ")) {
		return false
	}
	return c.Leads(c.Start) && !value.Mentions(c.t.Bytes)
}

// basicPair reports whether the field is called auth and has user:password in base64, as
// in docker's config.json and in .npmrc.
func (c *candidate) basicPair() bool {
	name := bytes.Trim(c.Name.Bytes(), "_")
	if len(name) != len("auth") || !ascii.HasFold(name, "auth") || !decode.EncodedText(c.t.Bytes) {
		return false
	}
	text, err := base64.StdEncoding.DecodeString(string(c.t.Bytes))
	return err == nil && text[0] != '<' && ascii.Contains(text, ':')
}

// keyOfUser reports whether the field is the key after the name of its user, as in Kaggle's
// kaggle.json: {"username":"ada","key":"..."}.
func (c *candidate) keyOfUser() bool {
	return string(c.Name.Bytes()) == "key" && c.t.Hexes == 32 && c.t.Len == 32 && c.Op == syntax.OpColon &&
		bytes.Contains(c.Text[max(c.Lo, c.Start-syntax.MaxTag):c.Start], []byte(`"username"`))
}

// ofPeer reports whether the field is all of a line secret=value, as of a telephone in
// Asterisk's sip.conf, and the value is no name.
func (c *candidate) ofPeer() bool {
	return string(c.Name.Bytes()) == "secret" && c.Start == c.Lo && c.Value.End == c.Hi && c.t.DigitInside() && c.t.Uppers > 0 && !value.Mentions(c.t.Bytes)
}

// RandomText reports whether the value is in quotes and a long random row of signs and
// letters, with spaces among them, as the keys and salts of WordPress are.
func (f *Field) RandomText() bool {
	if f.Quote.Mark == 0 || f.Quote.Open || f.Strength < names.Medium || f.Op > syntax.OpComma || f.Value.End-f.Value.Start < minRandomText {
		return false
	}
	t := value.TraitsOf(f.Text[f.Value.Start:f.Value.End])
	return !t.Placeholder() && t.Signs*6 >= t.Len && t.Spaces*16 <= t.Len && t.Digits > 2 && t.Uppers > 2 && t.Lowers > 2 &&
		t.Distinct*16 >= min(t.Len, 64)*9 && t.Changes*4 >= t.Len
}

// minRandomText is the least length of such a row.
const minRandomText = 40

// givenWords reports whether the value is a password of words, as people make them up for
// a file of settings: PASSWORD=my_password is all of its line.
func (c *candidate) givenWords() bool {
	if c.Strength != names.Password || c.Op != syntax.OpAssign || !c.joined() || c.Text[c.Value.Start-1] != '=' || c.Value.End < c.Hi || c.t.Len < value.MinToken {
		return false
	}
	var buf [16]byte
	return c.Start == c.PrefixEnd() && c.t.Lowers+c.t.Digits+c.t.Dashes == c.t.Len && c.t.Distinct > value.FewBytes && !c.repeats(c.t.Bytes) &&
		!value.Instructs(c.t.Bytes) && !value.CommonWord(string(ascii.AppendLower(buf[:0], c.t.Bytes))) && !bytes.Contains(c.t.Bytes, []byte("xxx"))
}
