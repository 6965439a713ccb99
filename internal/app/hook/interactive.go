package hook

import (
	"slices"
	"strings"
)

// An interactive is a program that talks to a person, or shows what it does as
// it does it: always, or only as its row says.
type interactive struct {
	name string // anyProgram is all of them
	// with are arguments with which it does so; nil is always.
	with []string
	// without are arguments without any of which it does so.
	without []string
	// bare says that it does so where it is given no operand.
	bare bool
	// verb must be its first operand; "" is any.
	verb string
}

const anyProgram = "*"

// interactives follow the manuals of the programs.
var interactives = [...]interactive{
	{name: "vi"},
	{name: "vim"},
	{name: "nvim"},
	{name: "view"},
	{name: "vimdiff"},
	{name: "nano"},
	{name: "emacs"},
	{name: "pico"},
	{name: "micro"},
	{name: "hx"},
	{name: "joe"},
	{name: "ed"},
	{name: "less"},
	{name: "more"},
	{name: "most"},
	{name: "man"},
	{name: "info"},
	{name: "top"},
	{name: "htop"},
	{name: "btop"},
	{name: "watch"},
	{name: "nvtop"},
	{name: "iotop"},
	{name: "tmux"},
	{name: "screen"},
	{name: "zellij"},
	{name: "script"},
	{name: "expect"},
	{name: "dialog"},
	{name: "whiptail"},
	{name: "fzf"},
	{name: "gum"},
	{name: "tig"},
	{name: "lazygit"},
	{name: "k9s"},
	{name: "mc"},
	{name: "ranger"},
	{name: "passwd"},
	{name: "su"},
	{name: "visudo"},
	{name: "crontab", with: []string{"-e"}},
	{name: "telnet"},
	{name: "ftp"},
	{name: "sftp"},
	{name: "claude"},
	{name: "codex"},
	{name: "gemini"},
	{name: "aider"},
	{name: "gdb", without: []string{"-batch", "--batch"}},
	{name: "lldb", without: []string{"-b", "--batch"}},
	{name: "sudo", without: []string{"-n", "--non-interactive"}},
	{name: anyProgram, with: []string{"--watch", "--watchAll", "--watch-all"}},
	{name: "tsc", with: []string{"-w"}},
	{name: "ssh", bare: true},
	{name: "ssh", with: []string{"-t", "-tt"}},
	{name: "bash", bare: true},
	{name: "sh", bare: true},
	{name: "zsh", bare: true},
	{name: "fish", bare: true},
	{name: "python", bare: true},
	{name: "python3", bare: true},
	{name: "python", with: []string{"-i"}},
	{name: "python3", with: []string{"-i"}},
	{name: "node", bare: true},
	{name: "node", with: []string{"-i", "--interactive"}},
	{name: "ipython", bare: true},
	{name: "deno", bare: true},
	{name: "julia", bare: true},
	{name: "lua", bare: true},
	{name: "R", bare: true},
	{name: "bc", bare: true},
	{name: "dc", bare: true},
	{name: "pwsh", bare: true},
	{name: "dash", bare: true},
	{name: "ksh", bare: true},
	{name: "irb"},
	{name: "ghci"},
	{name: "iex", bare: true},
	{name: "psql", without: []string{"-c", "--command", "-f", "--file", "-l", "--list"}},
	{name: "mysql", without: []string{"-e", "--execute"}},
	{name: "sqlite3", bare: true},
	{name: "redis-cli", bare: true},
	{name: "mongosh", without: []string{"--eval", "-f", "--file"}},
	{name: "git", verb: "rebase", with: []string{"-i", "--interactive"}},
	{name: "git", verb: "add", with: []string{"-i", "--interactive", "-p", "--patch", "-e", "--edit"}},
	{name: "git", verb: "commit", without: []string{"-m", "--message", "-F", "--file", "-C", "--reuse-message", "--no-edit", "--fixup", "--allow-empty-message", "-am", "--dry-run"}},
	{name: "git", verb: "tag", with: []string{"-a", "--annotate", "-s", "--sign"}, without: []string{"-m", "--message", "-F", "--file"}},
	{name: "docker", with: []string{"-it", "-ti", "-i", "-t", "--interactive", "--tty"}},
	{name: "podman", with: []string{"-it", "-ti", "-i", "-t", "--interactive", "--tty"}},
	{name: "kubectl", with: []string{"-it", "-ti", "-i", "-t", "--stdin", "--tty"}},
	{name: "docker", verb: "attach"},
	{name: "docker", verb: "login", without: []string{"--password-stdin", "-p", "--password"}},
	{name: "docker", verb: "logs", with: []string{"-f", "--follow"}},
	{name: "kubectl", verb: "edit"},
	{name: "kubectl", verb: "logs", with: []string{"-f", "--follow"}},
	{name: "terraform", verb: "apply", without: []string{"-auto-approve", "--auto-approve"}},
	{name: "terraform", verb: "destroy", without: []string{"-auto-approve", "--auto-approve"}},
	{name: "git", verb: "mergetool"},
	{name: "git", verb: "difftool"},
	{name: "aws", verb: "configure"},
	{name: "gh", verb: "auth"},
	{name: "npm", verb: "login"},
	{name: "npm", verb: "init", without: []string{"-y", "--yes"}},
	{name: "tail", with: []string{"-f", "-F", "--follow"}},
	{name: "journalctl", with: []string{"-f", "--follow"}},
}

// talks reports whether a command is an interactive one. args are its
// arguments, without the program.
func talks(program string, args []string) bool {
	return slices.ContainsFunc(interactives[:], func(i interactive) bool {
		return (i.name == program || i.name == anyProgram) && i.matches(args)
	})
}

func (i *interactive) matches(args []string) bool {
	if i.verb != "" {
		at := i.operand(args)
		if at < 0 || args[at] != i.verb {
			return false
		}
		args = args[at+1:]
	}
	switch {
	case i.bare && i.name == "ssh": // a host, and no command after it
		return len(args) < 2
	case i.bare:
		return len(args) == 0 || len(args) == 1 && slices.Contains([]string{"-i", "-l"}, args[0])
	case i.with != nil && !slices.ContainsFunc(args, i.has(i.with)):
		return false
	case i.without != nil:
		return !slices.ContainsFunc(args, i.has(i.without))
	}
	return true
}

// operand returns the place of the first argument that is no option; -1 is none. Of
// git's own options some have their value after them.
func (i *interactive) operand(args []string) int {
	for at := 0; at < len(args); at++ {
		switch {
		case i.name == "git" && (args[at] == "-c" || args[at] == "-C"):
			at++
		case !strings.HasPrefix(args[at], "-"):
			return at
		}
	}
	return -1
}

// has reports whether an argument is one of the options, with or without a
// value of its own.
func (*interactive) has(options []string) func(string) bool {
	return func(arg string) bool {
		name, _, _ := strings.Cut(arg, "=")
		return slices.Contains(options, name)
	}
}
