package exitcode

import (
	"strings"

	"github.com/envwrap/envwrap/internal/shared/shell"
)

// A wrapper is a program that runs the command in its arguments and ends with
// that command's status.
type wrapper struct {
	name string
	// subcommand is the word that must come before the command.
	subcommand string
	// values are options whose value is the next argument; long ones with "="
	// and letters with the value attached need no mention.
	values string
	// command are options whose value is the first word of the command.
	command string
	// text are options whose value is a text for a shell.
	text string
	// split are options whose value is split at blanks and read as arguments.
	split string
	// only says that there is no command but by such an option.
	only bool
	// alone are options with which the program does something of its own.
	alone string
	// operands is how many come before the command.
	operands int
	// assignments says that NAME=value may come before the command.
	assignments bool
	// own says that the program has statuses of its own, in the table.
	own bool
	// rename derives the program's name from the operand in the command's place.
	rename func(string) string
}

// wrappers follow the manuals of coreutils 9.7, sudo 1.9, npm 11, uv 0.9 and
// Python 3.14.
var wrappers = [...]wrapper{
	{
		name: "sudo", assignments: true,
		values: "-C --close-from -D --chdir -g --group -h --host -p --prompt -R --chroot -r --role -T --command-timeout -t --type -U --other-user -u --user -a --auth-type -c --login-class",
		alone:  "-e --edit -l --list -v --validate -K --remove-timestamp -V --version --help",
	},
	{
		name: "env", assignments: true, own: true,
		values: "-u --unset -C --chdir -a --argv0 -P -L -U",
		split:  "-S --split-string",
		alone:  "--help --version",
	},
	{
		name: "nice", own: true,
		values: "-n --adjustment",
		alone:  "--help --version",
	},
	{
		name: "timeout", operands: 1, own: true,
		values: "-k --kill-after -s --signal",
		alone:  "--help --version",
	},
	{
		name: "npx", rename: packageName,
		values: "-p --package -w --workspace --registry --prefix --cache --userconfig --loglevel --script-shell",
		text:   "-c --call",
		alone:  "--help --version",
	},
	{
		name: "uv", subcommand: "run",
		values: "--directory --project --config-file --cache-dir --color --allow-insecure-host --python-preference " +
			"--extra --no-extra --group --no-group --only-group --env-file --with --with-editable --with-requirements " +
			"-p --python --package --index --default-index -i --index-url --extra-index-url -f --find-links " +
			"-P --upgrade-package --reinstall-package --refresh-package --index-strategy --keyring-provider --resolution --prerelease " +
			"--fork-strategy --exclude-newer --link-mode -C --config-setting --no-build-isolation-package --no-build-package --no-binary-package --python-platform",
		command: "-m --module",
		alone:   "--help --version -h -V",
	},
	{
		name: "python", only: true, rename: moduleName,
		values:  "-W -X --check-hash-based-pycs",
		command: "-m",
		alone:   "-c -h -V --help --version",
	},
}

// wrapperOf returns the row for tool, whatever version its name carries.
func wrapperOf(tool string) *wrapper {
	for i := range wrappers {
		if wrappers[i].name == tool {
			return &wrappers[i]
		}
	}
	if strings.TrimRight(tool, "0123456789.") == "python" {
		return wrapperOf("python")
	}
	return nil
}

// wrappedCommand returns the command that tool runs when it is called with args, or nil if
// tool runs no command.
func wrappedCommand(tool string, args []string) (command []string) {
	w := wrapperOf(tool)
	if w == nil {
		return nil
	}
	if w.subcommand != "" {
		rest, command := w.skipOptions(args)
		if command != nil || len(rest) == 0 || rest[0] != w.subcommand {
			return nil
		}
		args = rest[1:]
	}
	rest, command := w.skipOptions(args)
	if command == nil && !w.only {
		command = w.skipOperands(rest)
	}
	if len(command) > 0 && w.rename != nil {
		command = append([]string{w.rename(command[0])}, command[1:]...)
	}
	return command
}

// skipOptions returns the arguments after the options or, if one of the options holds the
// command, the command. Both are nil if no command follows.
func (w *wrapper) skipOptions(args []string) (rest, command []string) {
	for len(args) > 0 {
		arg := args[0]
		if arg == "--" {
			return args[1:], nil
		}
		if arg == "" || arg[0] != '-' {
			return args, nil
		}
		args = args[1:]
		name, value, attached := w.option(arg)
		if w.takesValue(name) && !attached {
			if len(args) == 0 {
				return nil, nil
			}
			value, args = args[0], args[1:]
		}
		switch {
		case inList(w.alone, ' ', name):
			return nil, nil
		case inList(w.command, ' ', name):
			return nil, append([]string{value}, args...)
		case inList(w.text, ' ', name):
			return nil, onlyCommand(value)
		case inList(w.split, ' ', name):
			args = append(strings.Fields(value), args...)
		}
	}
	return nil, nil
}

func (w *wrapper) takesValue(option string) bool {
	return inList(w.values, ' ', option) || inList(w.command, ' ', option) || inList(w.text, ' ', option) || inList(w.split, ' ', option)
}

// onlyCommand returns the words of a shell text that is one command, or nil if that is not
// certain.
func onlyCommand(text string) []string {
	parsed, err := shell.Parse(text, shell.POSIX)
	if err != nil {
		return nil
	}
	if stage, ok := parsed.Only(); ok && stage.Literal() {
		return stage.Args()
	}
	return nil
}

// option splits one argument into the option that matters in it and the value
// attached to it: the name before "=" of a long option, the first letter of a
// cluster that takes a value or ends the search, else the argument unchanged.
func (w *wrapper) option(arg string) (name, value string, attached bool) {
	if strings.HasPrefix(arg, "--") {
		return strings.Cut(arg, "=")
	}
	for i := 1; i < len(arg); i++ {
		letter := "-" + arg[i:i+1]
		if w.takesValue(letter) || inList(w.alone, ' ', letter) {
			return letter, arg[i+1:], i+1 < len(arg)
		}
	}
	return arg, "", false
}

// skipOperands returns the command after the operands and assignments.
func (w *wrapper) skipOperands(args []string) []string {
	if len(args) < w.operands {
		return nil
	}
	args = args[w.operands:]
	for w.assignments && len(args) > 0 && strings.IndexByte(args[0], '=') > 0 {
		args = args[1:]
	}
	return args
}

// packageName makes the program of a package as npx takes it: without scope
// and version, "@biomejs/biome@2" is biome.
func packageName(spec string) string {
	name := spec[strings.LastIndexByte(spec, '/')+1:]
	if i := strings.IndexByte(name, '@'); i > 0 {
		name = name[:i]
	}
	return name
}

// moduleName makes the program of a Python module: pre_commit is pre-commit.
func moduleName(module string) string {
	return strings.ReplaceAll(module, "_", "-")
}
