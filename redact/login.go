package redact

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/syntax"
	"github.com/envwrap/envwrap/redact/internal/value"
)

// quickUserOption reports whether an option for a user is before the option at pos.
func quickUserOption(b []byte, pos int) bool {
	before := b[max(0, pos-syntax.MaxTag):pos]
	return bytes.Contains(before, []byte(" -u ")) || bytes.Contains(before, []byte(" --user")) || bytes.Contains(before, []byte(" -U "))
}

// projectOption are parts of commands in which -p is no password: it is a port, or a
// project.
var projectOption = [...]string{"docker", "podman", "compose", "changelog"}

// userOption finds the password of the user that an option before that at pos names,
// whatever the program: tool -u ada -p password. It is no number, such as that of a port,
// and no path.
func userOption(v *view, pos int) {
	for _, other := range projectOption {
		if bytes.Contains(v.Text[max(v.Lo, pos-maxCommand):pos], []byte(other)) {
			return
		}
	}
	i := v.SkipSpaces(pos + len(" -p "))
	end := v.ShellWord(i)
	b := bytes.Trim(v.Text[i:end], `"'`)
	t := value.TraitsOf(b)
	if !quickUserOption(v.Text[v.Lo:], pos-v.Lo) || t.Len < value.MinPassword || ascii.Run(b, ascii.Digit|ascii.Dot|ascii.Colon|ascii.Comma|ascii.Plus|ascii.Dash) == t.Len || t.Path() || b[0] == '%' || t.Slashes > 0 || ascii.Contains(b, ':') {
		return
	}
	if t.Digits > 0 || t.Coined() || t.Random(value.MinToken) {
		cliFlag{}.argument(v, i, end)
	}
}

// quickLogin reports whether a colon is before the sign of a host at pos, and no address.
func quickLogin(b []byte, pos int) bool {
	return ascii.Contains(b[max(0, pos-syntax.MaxTag):pos], ':') && pos > 0 && ascii.Is(b[pos-1], ascii.Alnum|ascii.Query|ascii.Tilde)
}

// loginOfHost finds the password of user:password@address, as lists of proxies have it;
// pos is that of the sign. Those with a scheme are of URLs.
func loginOfHost(v *view, pos int) {
	start := pos
	for start > v.Lo && pos-start < value.MaxExamined && !syntax.EndsValue(v.Text[start-1]) && v.Text[start-1] != '=' && v.Text[start-1] != '/' {
		start--
	}
	user, password, _ := bytes.Cut(v.Text[start:pos], []byte{':'})
	switch t := value.TraitsOf(password); {
	case t.Len < value.MinPassword, len(user) == 0 || ascii.Run(user, ascii.Word|ascii.Dash|ascii.Dot) < len(user), start > v.Lo && v.Text[start-1] == '/':
	case string(user) == "sip" || string(user) == "ssh" || string(user) == "mailto" || string(user) == "tel":
	case t.Digits == t.Len || t.Placeholder() || t.Digits == 0 && !t.Coined() && !t.Random(value.MinToken):
	default:
		v.add(pos-len(password), pos, ruleURL)
	}
}
