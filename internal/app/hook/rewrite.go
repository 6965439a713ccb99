package hook

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/envwrap/envwrap/internal/shared/exitcode"
	"github.com/envwrap/envwrap/internal/shared/hints"
)

// Prefix is inserted before a program or a shell.
const Prefix = "envwrap -f brief -- "

// Options configure [Text.Rewrite].
type Options struct {
	// Shell runs the texts: "bash" or "zsh".
	Shell string
	// All rewrites commands that are cheap and print little, too.
	All bool
	// Persistent means that one shell runs all texts of a session, so that changes of
	// variables, options and functions have to last. A change of directory always
	// lasts.
	Persistent bool
	// Runs reports whether a name is that of a program. Any other name may be a
	// function or an alias of the agent's shell.
	Runs func(name string) bool
}

// Rewrite returns the text changed so that it runs under envwrap, and false if it has
// to be left unchanged. Prefix is inserted before a simple command; any other text
// becomes the argument of a shell under envwrap. Commands such as cd at its beginning
// stay outside.
//
// A text is left unchanged if one of its commands is interactive, runs in the background,
// runs under envwrap already or uses its variables, may be an alias, or changes the state
// of a shell that continues, or if all its commands are cheap.
func (t *Text) Rewrite(o Options) (string, bool) {
	if strings.Contains(t.source, "ENVWRAP") || t.background || len(t.file.Stmts) == 0 || !o.Runs("envwrap") || !t.wanted(o) {
		return t.source, false
	}
	at, rest, ok := t.cut()
	later := func(offset uint) bool { return int(offset) >= at }
	if !ok || slices.ContainsFunc(t.moves, later) || o.Persistent && slices.ContainsFunc(t.keeps, later) {
		return t.source, false
	}
	if c, ok := rest.(*syntax.CallExpr); ok && o.Runs(c.Args[0].Lit()) && !slices.Contains(t.functions, c.Args[0].Lit()) && !builtin(c.Args[0].Lit()) {
		at = int(c.Args[0].Pos().Offset())
		return t.source[:at] + Prefix + t.source[at:], true
	}
	if !o.Runs(o.Shell) {
		return t.source, false
	}
	tail := strings.TrimRight(t.source[at:], " \t\n")
	if strings.HasSuffix(tail, "\\") { // the blank after it belongs to it
		tail = t.source[at:]
	}
	head, end := t.source[:at], t.source[at+len(tail):]
	return head + Prefix + o.Shell + " -c " + hints.SingleQuoted(tail) + end, true
}

// cut finds what has to stay outside: it returns where the rest begins, and the
// rest where it is one command without redirections.
func (t *Text) cut() (at int, rest syntax.Command, ok bool) {
	list := t.file.Stmts
	for len(list) > 1 && outside(list[0]) {
		list = list[1:]
	}
	if len(list) > 1 {
		if first := ands(list[0]); outside(first[0]) && len(first) > 1 {
			return 0, nil, false // if it fails, the other statements still run
		}
		return t.begin(list[0]), nil, true
	}
	chain := ands(list[0])
	for len(chain) > 1 && outside(chain[0]) {
		chain = chain[1:]
	}
	if outside(chain[0]) {
		return 0, nil, false
	}
	if only := chain[0]; len(chain) == 1 && len(only.Redirs) == 0 && !only.Negated {
		if call, isCall := only.Cmd.(*syntax.CallExpr); isCall && len(call.Args) > 0 && len(t.file.Last)+len(only.Comments) == 0 {
			rest = call
		}
	}
	return t.begin(chain[0]), rest, true
}

// begin returns where a statement begins: with the text where it is the first.
func (t *Text) begin(s *syntax.Stmt) int {
	at := int(s.Pos().Offset())
	if s == t.file.Stmts[0] {
		return len(t.source) - len(strings.TrimLeft(t.source, " \t\n"))
	}
	return at
}

// ands returns the commands of a list that has no operator but &&.
func ands(s *syntax.Stmt) []*syntax.Stmt {
	b, ok := s.Cmd.(*syntax.BinaryCmd)
	if !ok || b.Op != syntax.AndStmt || s.Negated || len(s.Redirs) > 0 {
		return []*syntax.Stmt{s}
	}
	if left, ok := b.X.Cmd.(*syntax.BinaryCmd); ok && left.Op == syntax.OrStmt {
		return []*syntax.Stmt{s}
	}
	return append(ands(b.X), b.Y)
}

// outside reports whether a command does its work in the shell itself, in a way
// that a process started later sees.
func outside(s *syntax.Stmt) bool {
	if s.Negated || slices.ContainsFunc(s.Redirs, func(r *syntax.Redirect) bool { return r.Hdoc != nil }) {
		return false
	}
	switch c := s.Cmd.(type) {
	case *syntax.DeclClause:
		return c.Variant.Value == "export"
	case *syntax.CallExpr:
		return len(c.Args) > 0 && slices.Contains([]string{"cd", "pushd", "popd", "unset", "umask", "ulimit"}, c.Args[0].Lit())
	}
	return false
}

// wanted reports whether all commands may run under envwrap, and one of them is
// worth it.
func (t *Text) wanted(o Options) bool {
	worth := o.All
	for i := range t.Calls {
		c := &t.Calls[i]
		if !t.may(c, o) {
			return false
		}
		worth = worth || !cheap(c)
	}
	return worth && len(t.Calls) > 0
}

// may reports whether a command may run under envwrap.
func (t *Text) may(c *Call, o Options) bool {
	if len(c.Words) == 0 {
		return true
	}
	name := c.Program()
	for _, w := range c.Words { // wherever it is: after env, timeout, nice
		if base(w) == "envwrap" || base(w) == "envwrap-net" {
			return false
		}
	}
	switch {
	case name == "", slices.Contains(ofTheSession, name):
		return false
	case slices.Contains(t.functions, name), builtin(name), slices.Contains(declarations, name):
		return true
	case !strings.Contains(name, "/") && !o.Runs(name):
		return false
	}
	tool := exitcode.Tool(c.Words)
	args := c.Words[1:]
	if i := slices.IndexFunc(c.Words, func(a string) bool { return base(a) == tool }); i > 0 {
		args = c.Words[i+1:]
	}
	return !talks(base(name), c.Words[1:]) && !talks(tool, args)
}

// ofTheSession are builtins that only the agent's own shell can do, programs
// that outlive it, and what may do either.
var ofTheSession = []string{
	"exec", "eval", "fg", "bg", "jobs", "disown", "wait", "history", "fc", "bind", "complete", "compgen", "suspend", "logout", "login",
	"nohup", "setsid", "daemonize", "start-stop-daemon", "at", "batch", "select", "dirs", "reset", "clear",
}

var declarations = []string{"declare", "local", "export", "readonly", "typeset", "nameref", "let"}

// builtin reports whether a name is one of a shell's own commands.
func builtin(name string) bool {
	return hints.Builtin(name) || slices.Contains([]string{"[", "test", "true", "false", "echo", "printf", "pwd", "kill"}, name)
}

// cheap reports whether a command takes little time and prints little.
func cheap(c *Call) bool {
	name := c.Program()
	if c.Reads && slices.Contains([]string{"wc", "head", "tail", "tr", "cut", "sort", "uniq", "cat"}, name) {
		return true
	}
	if name == "ls" {
		return !slices.ContainsFunc(c.Words[1:], func(w string) bool {
			return strings.HasPrefix(w, "-") && !strings.HasPrefix(w, "--") && strings.Contains(w, "R") || w == "--recursive"
		})
	}
	return len(c.Words) == 0 || slices.Contains(cheapPrograms, name) || slices.Contains(declarations, name)
}

// cheapPrograms are builtins and programs that print a line or two, or nothing.
var cheapPrograms = []string{
	"cd", "pushd", "popd", "pwd", "echo", "printf", ":", "true", "false", "test", "[", "export", "unset", "umask", "ulimit", "set", "shopt", "exit",
	"basename", "dirname", "realpath", "readlink", "which", "type", "command", "whoami", "id", "date", "hostname", "uname", "arch", "nproc", "tty",
	"sleep", "mkdir", "rmdir", "touch", "rm", "cp", "mv", "ln", "chmod", "kill", "hash", "alias", "trap", "shift", "break", "continue", "return",
	"source", ".",
}

func base(program string) string { return program[strings.LastIndexByte(program, '/')+1:] }
