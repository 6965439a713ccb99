package below

import (
	"path"
	"strings"
)

// NeedsTerminal reports whether the line, with a terminal on stdout, has to run as it is:
// under envwrap the command's stdout is a pipe. Codex gives a terminal only if the model asks
// for one. Other clients may give one to every command; then lines pass that perhaps run a
// program which draws on the whole screen or talks with a person.
func (a Arrival) NeedsTerminal() bool {
	text := a.Argv[len(a.Argv)-1]
	return a.Client == Codex || namesAny(text, screenPrograms, false) || namesAny(text, talkers, true)
}

// screenPrograms draw on the whole screen.
const screenPrograms = ` vi vim nvim view vimdiff nano pico emacs emacsclient micro joe ne mcedit hx helix kak
 less more most man info top htop btop atop iotop nvtop glances watch tmux screen byobu zellij
 mc ranger nnn vifm lf lazygit lazydocker tig gitui fzf sk dialog whiptail nmtui ncdu k9s
 ssh telnet mosh gdb lldb pudb ipdb su passwd sudoedit visudo crontab fg expect script w3m lynx links
`

// talkers talk with a person if they have no arguments.
const talkers = ` sh bash zsh fish dash ksh python python2 python3 ipython bpython node deno bun irb pry ghci julia R php
 psql mysql mariadb sqlite3 redis-cli mongosh bc dc ftp sftp lua perl scala jshell erl iex ocaml utop
`

// namesAny reports whether a word of a shell's text is, without its directory, in a list;
// with alone, only one that no argument follows.
func namesAny(text, list string, alone bool) bool {
	isWord := func(r rune) bool {
		return r > ' ' && !strings.ContainsRune("'\"`;&|()<>{}$=\\", r)
	}
	for text != "" {
		text = strings.TrimLeftFunc(text, func(r rune) bool { return !isWord(r) })
		end := strings.IndexFunc(text, func(r rune) bool { return !isWord(r) })
		if end < 0 {
			end = len(text)
		}
		word, rest := text[:end], strings.TrimLeft(text[end:], " \t")
		if word != "" && listed(list, path.Base(word)) && (!alone || rest == "" || strings.ContainsAny(rest[:1], "'\";&|)\n")) {
			return true
		}
		text = text[end:]
	}
	return false
}

// listed reports whether a name is in a list of names between spaces.
func listed(list, name string) bool {
	return strings.Contains(list, " "+name+" ") || strings.Contains(list, " "+name+"\n")
}
