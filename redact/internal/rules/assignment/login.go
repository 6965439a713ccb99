package assignment

import (
	"bytes"
	"encoding/base64"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/syntax"
	"github.com/envwrap/envwrap/redact/internal/value"
)

// FindLogin marks the password that ends a line after a user's name, by the word at pos:
// login: ada / x, credentials: ada:x.
func FindLogin(v *match.View, pos int) {
	i := v.SkipSpaces(pos + bytes.IndexByte(v.Text[pos:v.Hi], ':') + 1)
	i += ascii.Run(v.Text[i:v.Hi], ascii.URLSafe|ascii.Dot|ascii.Query)
	switch rest := v.Text[i:v.Hi]; {
	case bytes.HasPrefix(rest, []byte(" / ")):
		i += len(" / ")
	case len(rest) > 0 && (rest[0] == '/' || rest[0] == ':'):
		i++
	default:
		return
	}
	markChosen(v, i, i+len(syntax.TrimRight(v.Text[i:v.Hi])), match.RuleAssignment)
}

// FindNewValue marks the value that a program has set in place of another, by its word at
// pos, New value: x, or the key of a network without wires, Key Content : x.
func FindNewValue(v *match.View, pos int) {
	if pos-v.Lo > longValue || v.Margin() != pos {
		return
	}
	i := v.SkipSpaces(pos + bytes.IndexByte(v.Text[pos:v.Hi], ':') + 1)
	b := syntax.TrimRight(v.Text[i:v.Hi])
	if t := value.TraitsOf(b); i > pos && (v.Text[pos] == 'K' && t.Len >= value.MinToken && !t.Placeholder() || generated(b)) {
		v.Add(i, i+len(b), match.RuleAssignment)
	}
}

// generated reports whether b is a password that a program has made.
func generated(b []byte) bool {
	t := value.TraitsOf(b)
	return t.Random(longValue) && t.Uppers > 0 && t.Lowers > 0 && t.Digits > 0 && t.Spaces == 0 && t.Slashes == 0
}

// longValue is the least length of a value that is shown without a name.
const longValue = 16

// markChosen marks Text[i:end] if it is one word that people choose for a password.
func markChosen(v *match.View, i, end int, rule string) {
	b := v.Text[i:end]
	if t := value.TraitsOf(b); t.Len >= value.MinPassword && t.Spaces == 0 && t.Digits > 0 && t.Lowers+t.Uppers >= value.MinWord &&
		!t.Placeholder() && !t.Path() && !value.Code(b) && !value.Pair(b) && !syntax.IsQuote(b[0]) && !ascii.Contains(b, '\\') {
		v.Add(i, end, rule)
	}
}

// FindPlain marks what a client sends to a server of mail by the mechanism PLAIN (RFC 4616),
// two NUL bytes with user and password after them in base64, after the sign at pos.
func FindPlain(v *match.View, pos int) {
	i := pos + 1
	i += bytes.IndexAny(v.Text[i:v.Hi], " =") + 1
	n := ascii.Run(v.Text[i:v.Hi], ascii.Base64|ascii.Equals)
	if text, err := base64.StdEncoding.DecodeString(string(v.Text[i : i+n])); err == nil && bytes.Count(text, []byte{0}) == 2 {
		v.Add(i, i+n, match.RuleCLI)
	}
}

// FindRedisAuth marks the password of Redis's command AUTH at pos, which is all of a line
// or follows a prompt: AUTH ada x. Of SMTP it is a mechanism, and what goes with it.
func FindRedisAuth(v *match.View, pos int) {
	if b := v.Text[v.Margin():max(pos, v.Margin())]; len(b) > 0 && !bytes.HasSuffix(b, []byte("> ")) {
		return
	}
	i := v.SkipSpaces(pos + len("AUTH "))
	end := i + len(syntax.TrimRight(v.Text[i:v.Hi]))
	if n := bytes.IndexByte(v.Text[i:end], ' '); n > 0 {
		i += n + 1
	}
	if ascii.Run(v.Text[i:end], ascii.Upper|ascii.Digit|ascii.Dash) == end-i {
		return // CRAM-MD5
	}
	markChosen(v, i, end, match.RuleCLI)
}

// FindAccountKeys marks the private keys of accounts in a list, as programs print those of
// a chain for tests, (0) 0x..., or take them: accounts: ["0x..."].
func FindAccountKeys(v *match.View, pos int) {
	for i := pos; ; {
		n := bytes.Index(v.Text[i:min(v.Hi, i+maxToKey)], []byte("0x"))
		if n < 0 || i > pos && n > maxListGap {
			return
		}
		i += n
		size := ascii.Run(v.Text[i+2:min(v.Hi, i+2+accountKey+1)], ascii.HexDigit)
		if size != accountKey || value.TraitsOf(v.Text[i+2:i+2+size]).Distinct < value.FewBytes {
			return
		}
		v.Add(i, i+2+size, match.RuleAssignment)
		if i += 2 + size; v.Text[pos] == ')' {
			return
		}
	}
}

const (
	accountKey = 64 // digits of a private key of 256 bits
	maxToKey   = 64 // bytes from the word before the first key to it
	maxListGap = 8  // bytes between two keys
)

// accountLines is how many lines after the one that names a user may have the password.
const accountLines = 3

// QuickAccount reports whether b[pos:] may be a setting that names a user.
func QuickAccount(b []byte, pos int) bool {
	i := pos + ascii.Run(b[pos:min(len(b), pos+len("usernames"))], ascii.Alpha)
	return i < len(b) && bytes.IndexByte([]byte(" =:\t"), b[i]) >= 0 && (pos == 0 || bytes.IndexByte([]byte(" \t\n_-."), b[pos-1]) >= 0)
}

// NoteAccount notes that the line, if it is all name = ada, names a user or a peer by the
// word at pos.
func NoteAccount(v *match.View, pos int) {
	if pos-v.Lo > maxBlockIndent {
		return
	}
	start := pos - ascii.RunBack(v.Text[v.Lo:pos], ascii.Word|ascii.Dash|ascii.Dot)
	i := v.SkipSpaces(pos + ascii.Run(v.Text[pos:v.Hi], ascii.Alpha))
	n := start - v.Lo
	if i >= v.Hi || v.Text[i] != ':' && v.Text[i] != '=' || v.CutLeft || v.CutRight || n > maxBlockIndent || ascii.Run(v.Text[v.Lo:start], ascii.Blank|ascii.Dash) < n {
		return
	}
	user, host, _ := bytes.Cut(syntax.TrimRight(v.Text[v.SkipSpaces(i+1):v.Hi]), []byte{'@'})
	user, _, _ = bytes.Cut(user, []byte{'/'}) // of a network
	const small = ascii.Lower | ascii.Digit | ascii.Dot | ascii.Under | ascii.Dash
	if len(user) > 0 && ascii.Run(user, small) == len(user) && ascii.Run(host, small) == len(host) && (ascii.Run(user, ascii.Digit|ascii.Dot) == len(user) || !value.TraitsOf(user).Placeholder() && !value.Mentions(user)) {
		v.Next.Account = match.Account{Lines: accountLines, Indent: uint8(n)}
	}
}

// NoteUser notes that the line, if it is all USER ada, begins the login of a client of POP3
// or FTP; pos is where it is.
func NoteUser(v *match.View, pos int) {
	i := pos + len("USER ")
	if n := ascii.Run(v.Text[i:v.Hi], ascii.URLSafe|ascii.Dot|ascii.Query); pos == v.Margin() && n > 0 && len(syntax.TrimRight(v.Text[i+n:v.Hi])) == 0 && !v.CutLeft && !v.CutRight {
		v.Next.Account = match.Account{Lines: accountLines, Indent: uint8(min(maxBlockIndent, ascii.Run(v.Text[v.Lo:pos], ascii.Blank)))}
	}
}

// FollowAccount has the settings of the line, if it is indented as that which names the
// user a, taken for his.
func FollowAccount(v *match.View, a match.Account) {
	n := ascii.Run(v.Text[v.Lo:v.Hi], ascii.Blank)
	if v.OfAccount = n == int(a.Indent) && v.Lo+n < v.Hi; v.OfAccount && a.Lines > 1 {
		v.Next.Account = match.Account{Lines: a.Lines - 1, Indent: a.Indent}
	}
}
