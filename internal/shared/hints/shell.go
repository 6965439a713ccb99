package hints

import (
	"fmt"
	"strings"
)

// Words that a shell understands and that are no programs: builtins of POSIX
// shells, bash, zsh and fish, and reserved words.
const builtins = " . : [[ abbr alias autoload bg bind bindkey break builtin case caller cd command compgen complete compopt " +
	"continue coproc declare dirs disown do done elif else emulate enable esac eval exec exit export fc fg fi for " +
	"foreach function functions getopts hash help history if integer jobs let local logout mapfile noglob popd pushd read " +
	"readarray readonly rehash repeat return select set setopt shift shopt source suspend then times trap type " +
	"typeset ulimit umask unalias unfunction unset unsetopt until vared wait whence while zle zmodload zstyle { } ! "

// Those of builtins that bash understands and a POSIX shell does not.
const bashWords = " [[ builtin caller compgen complete compopt coproc declare dirs disown enable function help let logout mapfile " +
	"popd pushd readarray select shopt source suspend typeset "

// Builtin reports whether name is a builtin or keyword of the shell, and not the name
// of a program.
func Builtin(name string) bool {
	return name != "" && !strings.ContainsAny(name, " \t\r\n") && strings.Contains(builtins, " "+name+" ")
}

// shellWord says what to do about a name that only a shell would understand, or
// returns "".
func shellWord(name string) string {
	switch {
	case name == "":
		return "The name of the program is empty; is a variable unset?"
	case strings.Contains(bashWords, " "+name+" ") && Builtin(name):
		return fmt.Sprintf("%q is a word of bash, no program: envwrap -- bash -c %s", name, Quote(name+" ..."))
	case Builtin(name):
		return fmt.Sprintf("%q is a word of the shell, no program: envwrap -- sh -c %s", name, Quote(name+" ..."))
	case assignment(name):
		return fmt.Sprintf("%q sets a variable; envwrap takes it as --env %s, before the --.", name, Quote(name))
	case strings.ContainsAny(name, "|&;<>$`*?()"):
		return "That is a line for a shell: envwrap -- sh -c " + Quote(name)
	case strings.ContainsAny(name, " \t\n"):
		return "Give the program and its arguments as separate words, or the line to a shell: envwrap -- sh -c " + Quote(name)
	}
	return ""
}

// assignment reports whether name is NAME=value.
func assignment(name string) bool {
	variable, _, ok := strings.Cut(name, "=")
	if !ok || variable == "" {
		return false
	}
	for i, c := range []byte(variable) {
		letter := c == '_' || 'a' <= c|0x20 && c|0x20 <= 'z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return true
}

// Quote returns text quoted as one word of a POSIX shell, if it needs quotes.
func Quote(text string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:=@%+,"
	if text != "" && strings.Trim(text, plain) == "" {
		return text
	}
	return SingleQuoted(text)
}

// SingleQuoted returns text in single quotes, as one word of a POSIX shell.
func SingleQuoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
