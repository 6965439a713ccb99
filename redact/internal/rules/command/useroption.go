package command

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/syntax"
	"github.com/envwrap/envwrap/redact/internal/value"
)

// QuickUserOption reports whether an option for a user precedes the option at pos.
func QuickUserOption(b []byte, pos int) bool {
	before := b[max(0, pos-syntax.MaxTag):pos]
	return bytes.Contains(before, []byte(" -u ")) || bytes.Contains(before, []byte(" --user")) || bytes.Contains(before, []byte(" -U "))
}

// projectOption are parts of commands in which -p is a port or a project, or asks.
var projectOption = [...]string{"docker", "podman", "compose", "changelog", "mysql", "mariadb"}

// FindUserOption marks the password after the option at pos if an option before it names a
// user, whatever the program: tool -u ada -p password. Numbers, such as that of a port,
// and paths are no passwords.
func FindUserOption(v *match.View, pos int) {
	if mentions(v.Text[max(v.Lo, pos-maxCommand):pos], projectOption[:]) {
		return
	}
	i := v.SkipSpaces(pos + len(" -p "))
	end := v.ShellWord(i)
	b := bytes.Trim(v.Text[i:end], `"'`)
	t := value.TraitsOf(b)
	if !QuickUserOption(v.Text[v.Lo:], pos-v.Lo) || t.Len < value.MinPassword || ascii.Run(b, ascii.Digit|ascii.Dot|ascii.Colon|ascii.Comma|ascii.Plus|ascii.Dash) == t.Len || t.Path() || b[0] == '%' || t.Slashes > 0 || ascii.Contains(b, ':') {
		return
	}
	if t.Digits > 0 || t.Coined() || t.Random(value.MinToken) {
		cliFlag{}.mark(v, i, end)
	}
}

// FindPassArgument marks the password in the argument of OpenSSL's option at pos: -passin
// pass:x.
func FindPassArgument(v *match.View, pos int) {
	i := pos + bytes.IndexByte(v.Text[pos:v.Hi], ':') + 1
	cliFlag{}.mark(v, i, v.ShellWord(i))
}

// listed are programs in whose lists of arguments, ["mysql", "-px"], -p is a password.
var listed = [...]string{"mysql", "mariadb", "sshpass", "7z"}

// QuickListedOption reports whether the option -p at b[pos:], in a list, has a password.
func QuickListedOption(b []byte, pos int) bool {
	return mentions(b[max(0, pos-maxCommand):pos], listed[:])
}

// FindListedOption marks the password in the option -p at pos, in a list of arguments.
func FindListedOption(v *match.View, pos int) {
	if s, q := v.Value(pos); QuickListedOption(v.Text[v.Lo:], pos-v.Lo) && !q.Open && s.Start < s.End {
		cliFlag{}.mark(v, s.Start+len("-p"), s.End)
	}
}
