package command

import (
	"bytes"
	"slices"
	"strings"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/syntax"
	"github.com/envwrap/envwrap/redact/internal/value"
)

// nearProgram is the most bytes between a program's name and the word that it needs.
const nearProgram = 64

// maxArgs is how many words of a command line are examined.
const maxArgs = 64

// Find marks the passwords in the options and arguments of the program, whose name is at
// pos.
func (p *Program) Find(v *match.View, pos int) {
	if pos > v.Lo && !mayPrecedeProgram(v.Text[pos-1]) {
		return
	}
	p.options(v, pos, pos+len(p.Name))
}

// Continue marks the passwords in the options of a command of curl that the line before
// left unfinished with a backslash.
func Continue(v *match.View) { Programs[0].options(v, v.Lo, v.Lo) }

// nearOption is how many bytes after a program's name Quick examines.
const nearOption = 256

// Quick reports whether the program, whose name with a space is b[pos:end], may have an
// option with a password.
func (p *Program) Quick(b []byte, pos, end int) bool {
	if pos > 0 && b[pos-1] != '\n' && !mayPrecedeProgram(b[pos-1]) && !bytes.HasSuffix(b[:pos], []byte(`\n`)) {
		return false
	}
	if p.Argument > 0 || len(p.Flags) > 0 && p.Flags[0].Option[0] == '/' {
		return true
	}
	n := bytes.IndexByte(b[end:min(len(b), end+nearOption)], '\n')
	if n < 0 || b[end+n-1] == '\\' || b[end+n-1] == '\r' {
		return true
	}
	for line := b[end-1 : end+n]; ; {
		i := bytes.IndexByte(line, '-')
		if i < 0 {
			return false
		}
		if i > 0 && bytes.IndexByte([]byte(" \t\"',"), line[i-1]) >= 0 {
			return true
		}
		line = line[i+1:]
	}
}

// mayPrecedeProgram reports whether a program's name may begin after c.
func mayPrecedeProgram(c byte) bool {
	switch c {
	case ' ', '\t', '/', '\\', '"', '\'', '`', '(', ';', '&', '|', '>', ',', '[', ':', '$', '+', '-', '%':
		return true
	}
	return false
}

// secondSecret is the number of the argument of radtest that is the secret of the server,
// and of snmpd's createUser that encrypts, after the password of the user.
const secondSecret = 5

// sshpassOptions are the options of sshpass that have an argument, which is no password.
var sshpassOptions = [...]string{"-P", "-f", "-d"}

// options marks the passwords in the words from i on, which follow the name of the program
// at pos. It examines each word once, except for programs whose names begin alike.
func (p *Program) options(v *match.View, pos, i int) {
	v.Curl = v.Curl || p == &Programs[0]
	needed := bytes.Contains(v.Text[i:min(v.Hi, i+nearProgram)], []byte(p.Needs))
	if i < v.OptionsTo && pos != v.OptionsFrom || !needed && (p.Argument == 0 || len(p.Flags) == 0) {
		return
	}
	args, counted := 0, len(p.Flags) == 0 // else from the word on that the program needs: those before may be of options
	var before []byte
	for n := 0; n < maxArgs && i < v.Hi; n++ {
		i = v.SkipSpaces(i)
		w := v.ShellWord(i)
		if w == i {
			break
		}
		if c := v.Text[i]; c == '-' || c == '/' || syntax.IsQuote(c) {
			w = p.option(v, i, w)
		}
		counted = counted || bytes.Contains(v.Text[i:w], []byte(p.Needs))
		if v.Text[i] != '-' {
			if p.Name == "sshpass" && !slices.Contains(sshpassOptions[:], string(before)) {
				break // the command that it runs
			}
			if counted {
				args++
			}
			if needed && (args == p.Argument || p.Sep == '=' && args > p.Argument || (p.Name == "radtest" || p.Name == "createuser") && args == secondSecret) {
				p.markArgument(v, i, w)
			}
		}
		if last := v.Text[w-1]; last == ';' || v.Text[i] == last && (last == '&' || last == '|') {
			i = w
			break // another command follows
		}
		before, i = v.Text[i:w], w
	}
	v.OptionsFrom, v.OptionsTo = pos, max(i, v.OptionsTo)
}

// option marks the password in the option v.Text[i:w], and returns the end of its
// argument.
func (p *Program) option(v *match.View, i, w int) int {
	opt, n := bytes.Trim(v.Text[i:w], `"',`), 0
	if p == &Programs[0] && v.Text[i] == '-' {
		n = cluster(opt)
		i, opt = i+n, opt[n:]
	}
	for _, f := range p.Flags {
		if n > 0 && opt[1] == f.Option[1] {
			f.Option = string(opt[:2])
		}
		switch {
		case string(opt) == f.Option:
			j := v.SkipSpaces(w)
			end := v.ShellWord(j)
			if !p.asks() || value.TraitsOf(v.Text[j:end]).DigitInside() {
				f.mark(v, j, end)
			}
			return end
		case len(opt) > len(f.Option) && f.Joined && string(opt[:len(f.Option)]) == f.Option && (!ascii.Is(f.Option[1], ascii.Upper) || ascii.Run(opt[2:], ascii.Lower) < len(opt)-2), // but no -Path
			len(opt) > len(f.Option)+1 && f.Option[0] == '-' && string(opt[:len(f.Option)]) == f.Option && opt[len(f.Option)] == '=':
			at := bytes.Index(v.Text[i:w], opt) + i + len(f.Option)
			if v.Text[at] == '=' {
				at++
			}
			f.mark(v, at, at+len(opt)-(at-i-bytes.Index(v.Text[i:w], opt)))
			return w
		}
	}
	return w
}

// asks reports whether the program asks for the password if nothing is right after -p, and
// takes the word after it for a database: mysql -p app.
func (p *Program) asks() bool {
	return strings.HasPrefix(p.Name, "mysql") || strings.HasPrefix(p.Name, "mariadb")
}

// cluster returns the number of options without an argument before the one of curl that
// has one, in a word of options of one letter each: 2 of -sSuada:x. The letter that
// precedes that one takes the place of its dash.
func cluster(w []byte) int {
	n := 1
	for n < len(w) && bytes.IndexByte([]byte("fsSkLvigNIOjJGa0123456#"), w[n]) >= 0 {
		n++
	}
	if n == 1 || n == len(w) || w[n] != 'u' && w[n] != 'b' {
		return 0
	}
	return n - 1
}
