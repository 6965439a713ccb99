package failpattern

import (
	"strings"
)

// A Reason is why a shell ended with 126 or 127.
type Reason int

const (
	// NotFound means that there is no such program.
	NotFound Reason = iota + 1
	// NotExecutable means that the program is there, and cannot be executed.
	NotExecutable
	// NoInterpreter means that the interpreter that a script names is not there.
	NoInterpreter
	// NoScript means that the script that the shell was to run is not there.
	NoScript
	// NoLibrary means that a shared library of the program is not there.
	NoLibrary
	// Unset means that a variable is not set.
	Unset
)

// shellReasons are the ends of the messages of bash 5, dash 0.5, busybox 1.36, zsh 5.9 and
// the dynamic loaders of glibc and musl. The first that fits decides.
var shellReasons = [...]struct {
	text   string
	reason Reason
}{
	{": command not found", NotFound},
	{": not found", NotFound},
	{": cannot execute: required file not found", NoInterpreter},
	{": bad interpreter: No such file or directory", NoInterpreter},
	{": No such file or directory", NoScript},
	{": unbound variable", Unset},
	{": parameter not set", Unset},
	{": parameter null or not set", Unset},
	{": parameter not set or null", Unset},
	{": Permission denied", NotExecutable},
	{": Is a directory", NotExecutable},
	{": is a directory", NotExecutable},
	{": cannot execute binary file: Exec format error", NotExecutable},
	{": cannot execute binary file", NotExecutable},
	{": Exec format error", NotExecutable},
	{": Argument list too long", NotExecutable},
}

// zshReasons are the messages of zsh 5.9 that precede the name.
var zshReasons = [...]struct {
	text   string
	reason Reason
}{
	{"command not found: ", NotFound},
	{"no such file or directory: ", NotFound},
	{"can't open input file: ", NoScript},
	{"permission denied: ", NotExecutable},
	{"exec format error: ", NotExecutable},
	{"argument list too long: ", NotExecutable},
}

// Shell returns why a shell ended with 126 or 127, as it says itself, and the name that it
// speaks of: a program, a script, a variable. It reports false if no line of the output is
// a message of a shell. The streams may be whole or only their tails.
func Shell(stderr, stdout []byte) (reason Reason, name string, ok bool) {
	for _, stream := range [...][]byte{stderr, stdout} {
		rawLines(stream, func(line []byte) bool {
			reason, name = shellReason(string(line))
			return reason == 0
		})
		if reason != 0 {
			return reason, name, true
		}
	}
	return 0, "", false
}

func shellReason(line string) (Reason, string) {
	if _, rest, ok := strings.Cut(line, ": error while loading shared libraries: "); ok {
		name, _, _ := strings.Cut(rest, ":")
		return NoLibrary, name
	}
	if rest, ok := strings.CutPrefix(line, "Error loading shared library "); ok {
		name, _, _ := strings.Cut(rest, ":")
		return NoLibrary, name
	}
	if reason, name := zshReason(line); reason != 0 {
		return reason, name
	}
	for _, r := range shellReasons {
		before, ok := strings.CutSuffix(line, r.text)
		if !ok {
			continue
		}
		shell, name, ok := strings.Cut(before, ": ")
		if !ok || !speaksAsShell(shell) {
			continue
		}
		position, rest, numbered := strings.Cut(name, ": ")
		numbered = numbered && strings.Trim(strings.TrimPrefix(position, "line "), "0123456789") == ""
		if numbered {
			name = rest
		}
		for _, builtin := range [...]string{"exec: ", "eval: ", "command: "} {
			name = strings.TrimPrefix(name, builtin)
		}
		reason := r.reason
		if reason == NoScript && numbered { // a program that was named with a path
			reason = NotFound
		}
		return reason, name
	}
	return 0, ""
}

// zshReason reads messages of the form "zsh:1: permission denied: NAME". In the place of zsh
// stands (eval), a script or a function, and of a builtin ".:" or "source:" before the number.
func zshReason(line string) (Reason, string) {
	before, rest, ok := strings.Cut(line, ": ")
	from, number, numbered := cutLast(before, ":")
	if !ok || !numbered || number == "" || strings.Trim(number, "0123456789") != "" {
		name, missing := strings.CutPrefix(rest, "command not found: ")
		if missing && !strings.Contains(before, " ") { // of a function in eval
			return NotFound, strings.TrimSpace(name)
		}
		if before != "zsh" {
			return 0, ""
		}
	}
	if name, interpreter, ok := strings.Cut(rest, ": bad interpreter: "); ok && strings.HasSuffix(interpreter, ": no such file or directory") {
		return NoInterpreter, name
	}
	for _, r := range zshReasons {
		name, ok := strings.CutPrefix(rest, r.text)
		switch {
		case !ok:
		case r.reason == NotFound && (strings.HasSuffix(from, ":.") || strings.HasSuffix(from, ":source")):
			return NoScript, name
		default:
			return r.reason, strings.TrimSpace(name)
		}
	}
	return 0, ""
}

// cutLast cuts s at the last sep.
func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// speaksAsShell reports whether a message begins with the name of a shell or of a script.
func speaksAsShell(name string) bool {
	name, _, _ = strings.Cut(name, ":") // zsh:1:
	base := name[strings.LastIndexByte(name, '/')+1:]
	return hasWord("bash sh dash ash zsh ksh mksh busybox (eval)", strings.TrimPrefix(base, "-")) || strings.HasSuffix(base, "sh") || strings.Contains(name, "/")
}

// Demanded returns the variable that text, which a shell ran, demands by ${NAME:?message} or
// ${NAME?message} and that the shell says, with a message of the text's own, is not set.
func Demanded(stderr []byte, text string) (name string, ok bool) {
	rawLines(stderr, func(line []byte) bool {
		part := strings.SplitN(string(line), ": ", 4) // bash: line 1: X: message
		if len(part) == 4 && part[2] != "" && speaksAsShell(part[0]) && part[1] != "" && strings.Trim(strings.TrimPrefix(part[1], "line "), "0123456789") == "" {
			name = part[2]
			ok = strings.Contains(text, "${"+name+":?") || strings.Contains(text, "${"+name+"?")
		}
		return !ok
	})
	return name, ok
}

// runners are programs that run another program and report if it does not exist.
const runners = "env nice nohup timeout stdbuf setsid sudo xargs time strace make gmake gnumake"

// Missing returns the name of a program that a command could not run since it was not found,
// as a shell, make or a program like env says.
func Missing(stderr, stdout []byte) (name string, ok bool) {
	if reason, name, ok := Shell(stderr, stdout); ok {
		return name, reason == NotFound
	}
	for _, stream := range [...][]byte{stderr, stdout} {
		rawLines(stream, func(line []byte) bool {
			_, name = missingOf(string(line))
			return name == ""
		})
		if name != "" {
			return name, true
		}
	}
	return "", false
}

// MissingOf returns the name of a program that runner, a program like env or xargs, says it
// did not find.
func MissingOf(runner string, stderr []byte) (name string) {
	rawLines(stderr, func(line []byte) bool {
		by, missing := missingOf(string(line))
		if by == runner {
			name = missing
		}
		return name == ""
	})
	return name
}

// missingOf reads messages of the form "env: ‘gti’: No such file or directory".
func missingOf(line string) (runner, name string) {
	runner, rest, ok := strings.Cut(line, ": ")
	runner, _, _ = strings.Cut(runner, "[") // make[1]
	runner = runner[strings.LastIndexByte(runner, '/')+1:]
	if !ok || !hasWord(runners, runner) {
		return "", ""
	}
	name, ok = strings.CutSuffix(rest, ": No such file or directory")
	if !ok {
		name, ok = strings.CutSuffix(rest, ": command not found")
	}
	for _, words := range [...]string{"failed to run command ", "failed to execute ", "cannot run "} {
		name = strings.TrimPrefix(name, words)
	}
	name = strings.TrimSuffix(strings.TrimPrefix(name, "‘"), "’")
	name = strings.Trim(name, `'"`)
	if !ok || strings.ContainsAny(name, " :*") {
		return "", ""
	}
	return runner, name
}
