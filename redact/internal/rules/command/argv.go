package command

import (
	"slices"
	"strings"

	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/names"
	"github.com/envwrap/envwrap/redact/internal/value"
)

// programAt returns the program whose name, with the word that its flags need, ends with
// the last of argv; nil if none exists.
func programAt(argv []string) *Program {
	last := argv[len(argv)-1]
	name := fileName(last)
	for i := range Programs {
		p := &Programs[i]
		words, word := p.Name, p.Needs
		if word == "" || p.Argument > 0 {
			words, word = cutLastWord(words)
		}
		if words == "" && isProgram(name, word) || words != "" && strings.EqualFold(word, last) && endsWithProgram(argv[:len(argv)-1], words) {
			return p
		}
	}
	return nil
}

// maxGlobals is how many arguments before the last word of a program's name are examined,
// so that the time for a list grows with its length alone.
const maxGlobals = 32

// endsWithProgram reports whether argv ends with words, the first of which is a program's
// name. Options, each with an argument at the most, may be after any of them: az --debug
// login. Only the last maxGlobals arguments count.
func endsWithProgram(argv []string, words string) bool {
	argv = argv[max(0, len(argv)-maxGlobals):]
	for words != "" {
		rest, word := cutLastWord(words)
		i := len(argv) - 1
		for i >= 0 && argv[i] != word && (rest != "" || !isProgram(fileName(argv[i]), word)) {
			switch {
			case strings.HasPrefix(argv[i], "-"):
				i--
			case i > 0 && strings.HasPrefix(argv[i-1], "-"):
				i -= 2
			default:
				return false
			}
		}
		if i < 0 {
			return false
		}
		words, argv = rest, argv[:i]
	}
	return true
}

// cutLastWord returns s without its last word, and that word.
func cutLastWord(s string) (rest, word string) {
	i := strings.LastIndexByte(s, ' ')
	return s[:max(i, 0)], s[i+1:]
}

func fileName(a string) string { return a[strings.LastIndexAny(a, `/\`)+1:] }

// isProgram reports whether name is the file of a program, which on Windows has an
// extension.
func isProgram(name, program string) bool {
	if strings.EqualFold(name, program) {
		return true
	}
	n := len(name) - len(".exe")
	return n > 0 && strings.EqualFold(name[n:], ".exe") && strings.EqualFold(name[:n], program)
}

// An Argv masks the arguments of a command one after another.
type Argv struct {
	program *Program // the command's, once its name was seen
	args    int      // arguments of the program that are no options
	options int      // how many of them may belong to an option
	needed  bool     // the word that the program needs was there
}

// Mask returns text, the last argument of argv, with its secrets masked, and the rule, if
// the arguments before it or the program say that it is or has one. Else it returns text
// itself. Mask is called for each argument in turn; text may have masks that argv has not.
func (v *Argv) Mask(argv []string, text string) (masked, rule string) {
	last, previous := argv[len(argv)-1], ""
	if len(argv) > 1 {
		previous = argv[len(argv)-2]
	}
	masked, rule = maskArg(v.program, previous, text)
	if at := v.next(last); masked == text && at != noPassword {
		masked, rule = maskArgument(v.program, text, at == maybePassword), match.RuleCLI
	}
	if p := programAt(argv); p != nil {
		*v = Argv{program: p}
	}
	return masked, rule
}

// A position says whether an argument is at the place of a password.
type position int

const (
	noPassword    position = iota
	maybePassword          // unless an argument before it belongs to an option
	isPassword
)

// next returns the position of the argument a, which follows those that were seen.
func (v *Argv) next(a string) position {
	p := v.program
	if p == nil || p.Argument == 0 {
		return noPassword
	}
	v.needed = v.needed || p.Needs == "" || slices.ContainsFunc(Programs[:], func(other Program) bool {
		return other.Name == p.Name && strings.Contains(a, other.Needs)
	})
	if strings.HasPrefix(a, "-") {
		if !strings.Contains(a, "=") {
			v.options++
		}
		return noPassword
	}
	v.args++
	switch {
	case !v.needed || v.args < p.Argument || v.args > p.Argument+v.options && p.Sep != '=':
		return noPassword
	case v.options > 0:
		return maybePassword
	}
	return isPassword
}

// maskArgument masks the password that an argument of p is, or has: user:password@host,
// user/password@host, user:password or name=value. If strict is set the password must look
// like one.
func maskArgument(p *Program, a string, strict bool) string {
	front, password, host := "", a, ""
	sep := p.Sep
	if sep == '@' || sep == '/' {
		i := strings.IndexByte(a, '@')
		switch {
		case i >= 0:
			password, host = a[:i], a[i:]
		case sep == '@':
			return a
		}
	}
	if sep == '@' {
		sep = ':'
	}
	if sep != 0 {
		i := strings.IndexByte(password, sep)
		if i < 0 {
			return a
		}
		front, password = password[:i+1], password[i+1:]
	}
	if !maskable(password) || strict && !passwordLike([]byte(password)) {
		return a
	}
	return front + match.Mask + host
}

// maskArg masks the argument a after previous, in a command of program p (nil is any), if
// previous or the beginning of a says that it is secret.
func maskArg(p *Program, previous, a string) (masked, rule string) {
	if p != nil {
		for _, f := range p.Flags {
			switch {
			case previous == f.Option && f.takes(a) && (!p.asks() || value.TraitsOf([]byte(a)).DigitInside()):
				return match.Mask, match.RuleCLI
			case strings.HasPrefix(a, f.Option+"=") && f.takes(a[len(f.Option)+1:]):
				return f.Option + "=" + match.Mask, match.RuleCLI
			case f.Joined && strings.HasPrefix(a, f.Option) && f.takes(a[len(f.Option):]):
				return f.Option + match.Mask, match.RuleCLI
			}
		}
	}
	if isSecretOption(previous) && !strings.Contains(a, "=") && maskable(a) {
		return match.Mask, match.RuleOption
	}
	name, val, ok := strings.Cut(a, "=")
	if ok && (isSecretOption(name) || strings.ToUpper(name) == name && names.StrengthOf([]byte(name), nil) >= names.Strong) && maskable(val) {
		return name + "=" + match.Mask, match.RuleOption
	}
	return a, ""
}

// takes reports whether a, the argument of f, is or has a password.
func (f cliFlag) takes(a string) bool {
	return (f.Sep == 0 || strings.IndexByte(a, f.Sep) >= 0) && maskable(a)
}

// isSecretOption reports whether a is an option whose argument is secret.
func isSecretOption(a string) bool {
	return len(a) > 2 && a[0] == '-' && !strings.Contains(a, "=") && names.StrengthOf([]byte(a), nil) >= names.Strong
}

// maskable reports whether a, at the place of a secret, is not empty, an option, a path,
// or a reference.
func maskable(a string) bool {
	return a != "" && a[0] != '-' && a != match.Mask && !strings.Contains(a, match.Mask) && !value.Reference([]byte(a)) && !value.FilePath(a)
}
