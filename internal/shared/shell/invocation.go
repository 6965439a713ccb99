package shell

import "strings"

// An Invocation is a command line that gives a shell a text to run: "bash -ec TEXT".
type Invocation struct {
	Dialect Dialect
	Text    string
	// Arg is the index of Text in the command line.
	Arg int
	// Options are the options but -c, each as a word of its own: -e for a letter, the
	// name after -o, and --norc for a long one.
	Options []string
}

// ReadInvocation finds the text in argv, whose first element is the program. It reports
// false if the program is no shell of a known dialect, if it runs no text, or if an
// option is unknown that could have a value.
func ReadInvocation(argv []string) (inv Invocation, ok bool) {
	if len(argv) == 0 {
		return inv, false
	}
	if inv.Dialect = DialectOf(argv[0]); inv.Dialect == 0 {
		return inv, false
	}
	command := false
	at := 1
	for ; at < len(argv); at++ {
		arg := argv[at]
		if arg == "-" || arg == "--" {
			at++
			break
		}
		if len(arg) > 0 && arg[0] == '+' {
			return inv, false
		}
		if len(arg) == 0 || arg[0] != '-' {
			break
		}
		if strings.HasPrefix(arg, "--") {
			if arg == "--rcfile" || arg == "--init-file" || arg == "--emulate" {
				return inv, false
			}
			inv.Options = append(inv.Options, arg)
			continue
		}
		for _, letter := range arg[1:] {
			switch letter {
			case 'c':
				command = true
			case 'o', 'O':
				if at++; at >= len(argv) {
					return inv, false
				}
				inv.Options = append(inv.Options, argv[at])
			default:
				inv.Options = append(inv.Options, "-"+string(letter))
			}
		}
	}
	if !command || at >= len(argv) {
		return inv, false
	}
	inv.Text, inv.Arg = argv[at], at
	return inv, true
}
