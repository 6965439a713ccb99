package command

import (
	"bytes"
	"strings"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/syntax"
	"github.com/envwrap/envwrap/redact/internal/value"
)

// maxTag is the most bytes of the name of an element.
const maxTag = 16

// endOfArgument returns the end of the argument l.Text[i:end] without the signs of a shell
// that end a command, or the tag that ends an element, after it: tool -p 'password'; and
// $(tool -p password).
func endOfArgument(l *syntax.Line, i, end int) int {
	if tag := bytes.Index(l.Text[i:end], []byte("</")); tag > 0 {
		name := i + tag + len("</")
		if n := name + ascii.Run(l.Text[name:min(l.Hi, name+maxTag)], ascii.Alnum); n > name && n < l.Hi && l.Text[n] == '>' {
			end = i + tag // in a page
		}
	}
	n := end
	for n > i && strings.IndexByte(";&|)", l.Text[n-1]) >= 0 {
		n--
	}
	switch {
	case n == end || n == i:
		return end
	case syntax.IsQuote(l.Text[i]) && n > i+1 && l.Text[n-1] == l.Text[i]:
		return n
	case syntax.IsQuote(l.Text[i]):
		return end
	case l.Text[end-1] == ';' || l.Text[end-1] == ')' && bytes.Contains(l.Text[max(l.Lo, i-maxCommand):i], []byte("$(")):
		return end - 1
	}
	return end
}

// mark marks the password in the argument v.Text[i:end] of f.
func (f cliFlag) mark(v *match.View, i, end int) {
	end = endOfArgument(&v.Line, i, end)
	i += ascii.Run(v.Text[i:end], ascii.Quote)
	end -= ascii.RunBack(v.Text[i:end], ascii.Quote|ascii.Comma)
	if f.Sep != 0 {
		n := bytes.IndexByte(v.Text[i:end], f.Sep)
		if n < 0 || v.Text[i] == '-' || value.Reference(v.Text[i:end]) || value.Templates(v.Text[i:end]) > 0 {
			return
		}
		p := bytes.Trim(v.Text[i+n+1:end], `"'`)
		if u := v.Text[i : i+n]; len(p) == 0 && !value.TraitsOf(u).Random(8) {
			return
		}
		if string(v.Text[i:i+n])+":"+string(p) == "username:password" || len(p) == 1 && !value.TraitsOf(v.Text[i:i+n]).Random(8) || ascii.Run(p, ascii.Lower|ascii.Under) == len(p) && ascii.Contains(p, '_') && value.Mentions(p) {
			return // consumer_key:consumer_secret
		}
		if len(p) > 0 && (value.Reference(p) || p[0] == '$' || value.TraitsOf(p).Placeholder() && !isWeakPassword(p)) {
			return
		}
		if (f.Option == "-b" || f.Option == "--cookie") && !passwordLike(p) || f.Sep == '=' && bytes.HasSuffix(v.Text[i:i+n], []byte("name")) {
			return // lang=en, username=ada
		}
		if f.Sep == '=' || f.Sep == '/' {
			if i += n + 1; i < end && syntax.IsQuote(v.Text[i]) {
				i++
			}
			v.Add(i, end, match.RuleCLI)
			return
		}
		markPair(v, i, i+n, end)
		return
	}
	b := v.Text[i:end]
	if len(b) == 0 || b[0] == '-' || len(b) > len("12:345") && ascii.Contains(b, ':') && ascii.Run(b, ascii.Digit|ascii.Colon) == len(b) {
		return // nothing, an option, two ports
	}
	if t := value.TraitsOf(b); t.Len < 3 || t.Signs == t.Len || ascii.Run(b, ascii.Digit|ascii.Colon) == len(b) && ascii.Contains(b, ':') || t.Placeholder() && !isWeakPassword(b) {
		return
	}
	v.Add(i, end, match.RuleCLI)
}

// markArgument marks the argument v.Text[i:end] of p, at the position of a password, if it
// looks like one.
func (p *Program) markArgument(v *match.View, i, end int) {
	sep := p.Sep
	if sep == '/' || sep == '@' {
		if n := bytes.LastIndexByte(v.Text[i:end], '@'); n > 0 {
			end = i + n
		}
	}
	if sep == '@' {
		cliFlag{Sep: ':'}.mark(v, i, end)
		return
	}
	b := bytes.Trim(v.Text[i:end], `"'`)
	if passwordLike(b[bytes.IndexByte(b, sep)+1:]) {
		cliFlag{Sep: sep}.mark(v, i, end)
	}
}

// passwordLike reports whether an argument looks like a password.
func passwordLike(b []byte) bool {
	t := value.TraitsOf(b)
	return t.Len >= 6 && t.Spaces == 0 && (t.Digits > 0 || t.Random(8) || t.Coined()) && t.Bytes[0] != '/' && t.Bytes[0] != '$'
}

// markPair marks the user and the password v.Text[start:end] with the colon between them,
// which is at colon. If each has quotes of its own they stay: "user":"password".
func markPair(v *match.View, start, colon, end int) {
	user := colon - ascii.RunBack(v.Text[start:colon], ascii.Quote)
	pass := colon + 1 + ascii.Run(v.Text[colon+1:end], ascii.Quote)
	if user == colon && pass == colon+1 {
		v.Add(start, end, match.RuleCLI)
		return
	}
	v.Add(start, user, match.RuleCLI)
	v.Add(pass, end, match.RuleCLI)
}

// isWeakPassword reports whether b, as an argument, is a bad password rather than a word
// for one.
func isWeakPassword(b []byte) bool {
	switch string(b) {
	case "secret", "admin", "root", "changeme", "test", "guest", "foobar", "pass", "mypass", "password", "passwd", "pwd":
		return true
	}
	return value.WeakPassword(b)
}

// FindSecureString marks the text that PowerShell's ConvertTo-SecureString, whose name is
// at pos, is given.
func FindSecureString(v *match.View, pos int) {
	i := v.SkipSpaces(pos + len("ConvertTo-SecureString"))
	for n := 0; i < v.Hi && n < 8; n++ {
		if v.Text[i] != '-' {
			val, q := v.Value(i)
			b := v.Text[val.Start:val.End]
			if t := value.TraitsOf(b); t.Len > 3 && b[0] != '$' && !t.Placeholder() && (q.Mark != 0 || t.Digits+t.Signs > 0) {
				v.Add(val.Start, val.End, match.RuleCLI)
			}
			return
		}
		i = v.SkipSpaces(v.ShellWord(i))
	}
}

// maxCommand is the most bytes between a command and the sign after which its password is.
const maxCommand = 96
