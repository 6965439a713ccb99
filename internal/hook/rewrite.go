package hook

import (
	"slices"
	"strings"

	"github.com/envwrap/envwrap/internal/exitcode"
	"github.com/envwrap/envwrap/internal/hints"
)

// Prefix is what is put before a program.
const Prefix = "envwrap -- "

// Rewrite puts envwrap before the one program that a line of a POSIX shell runs,
// and reports whether it did. Before it, joined by &&, only words of the shell
// may stand, as in `cd dir && make`.
//
// All else stays as it is: what is more than simple commands, interactive
// programs, what runs under envwrap already or has ENVWRAP set for it, builtins
// and small talk such as echo, and names for which runs is false: they may be
// functions or aliases.
func Rewrite(line string, runs func(program string) bool) (string, bool) {
	list, ok := split(line)
	if !ok || slices.ContainsFunc(list, simple.namesEnvwrap) {
		return line, false
	}
	at := -1
	for _, c := range list {
		program := c.program()
		switch {
		case program < 0:
			return line, false
		case c.ofTheShell(program):
			continue
		case at >= 0 || !c.wanted(program, runs):
			return line, false
		}
		at = c[program].at
	}
	if at < 0 {
		return line, false
	}
	return line[:at] + Prefix + line[at:], true
}

// namesEnvwrap reports whether a word has the name of a variable of envwrap in
// it: such a variable would be an option of the envwrap that is put before the
// program, and it was meant for the program.
func (c simple) namesEnvwrap() bool {
	return slices.ContainsFunc(c, func(w word) bool {
		return strings.Contains(w.text, "ENVWRAP_") || strings.HasPrefix(w.text, "ENVWRAP=") || w.text == "ENVWRAP"
	})
}

// program is the place of the first word that is no assignment; -1 where there
// is none.
func (c simple) program() int {
	for i, w := range c {
		name, _, assigns := strings.Cut(w.text, "=")
		if !assigns || !isName(name) {
			return i
		}
	}
	return -1
}

func isName(s string) bool {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
	return s != "" && strings.Contains(letters, s[:1]) && strings.Trim(s, letters+"0123456789") == ""
}

// ofTheShell reports whether a command does its work within the shell, and
// leaves the rest of the line as it is.
func (c simple) ofTheShell(program int) bool {
	switch c[program].text {
	case "cd", "export", "unset", "umask", "true", ":", "pushd", "popd", "echo", "printf":
		return c[program].plain
	}
	return false
}

// wanted reports whether a command should run under envwrap.
func (c simple) wanted(program int, runs func(string) bool) bool {
	w := c[program]
	switch {
	case !w.plain, strings.ContainsAny(w.text, "$*?[~"), hints.Builtin(w.text):
		return false
	case slices.Contains([]string{"pwd", "test", "[", "false", "kill", "time", "sleep", "clear", "reset"}, w.text):
		return false
	}
	var argv []string
	for _, w := range c[program:] {
		if w.text != "2>&1" || w.plain {
			argv = append(argv, w.text)
		}
	}
	for i := range argv { // wherever it stands: behind env, timeout, nice
		if base(argv[i]) == "envwrap" {
			return false
		}
	}
	tool := exitcode.Tool(argv)
	args := argv[1:]
	if i := slices.IndexFunc(argv, func(a string) bool { return base(a) == tool }); i > 0 {
		args = argv[i+1:]
	}
	return !talks(base(argv[0]), argv[1:]) && !talks(tool, args) && runs(w.text)
}

func base(program string) string { return program[strings.LastIndexByte(program, '/')+1:] }
