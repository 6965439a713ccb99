package exitcode

import "strings"

// Tool names the program whose exit status a run of argv reports: the base
// name of argv[0] without a directory or ".exe", looked up through sudo, env,
// nice, timeout, npx, "uv run" and "python -m", and no further. "" stands for
// an empty argv.
func Tool(argv []string) string {
	argv = Through(argv)
	if len(argv) == 0 {
		return ""
	}
	return baseName(argv[0])
}

// maxThrough is how many programs that run another Through looks through, so that its time
// is linear in argv: some of them copy what follows.
const maxThrough = 32

// Through returns the command that argv runs in the end: argv itself, or what
// follows the programs that Tool looks through, at most 32 of them.
func Through(argv []string) []string {
	for range maxThrough {
		if len(argv) == 0 {
			break
		}
		inner := wrappedCommand(baseName(argv[0]), argv[1:])
		if len(inner) == 0 {
			break
		}
		argv = inner
	}
	return argv
}

// IsShell reports whether argv runs a shell, whose only statuses of its own are 126 and
// 127. It looks through the same programs as [Tool].
func IsShell(argv []string) bool {
	argv = Through(argv)
	return len(argv) > 0 && runsShell(baseName(argv[0]), argv[1:])
}

func runsShell(tool string, args []string) bool {
	switch tool {
	case "sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "fish":
		return true
	case "busybox":
		return len(args) > 0 && (args[0] == "sh" || args[0] == "ash")
	}
	return false
}

// isPseudo reports whether the table's name stands for all programs of a kind:
// rows under it give meanings only.
func isPseudo(tool string) bool {
	return tool == "sysexits" || tool == "shell" || tool == everyError
}

// baseName drops the directory, and the endings by which Windows knows that a
// file is a program.
func baseName(path string) string {
	name := path[strings.LastIndexAny(path, `/\`)+1:]
	for _, ending := range [...]string{".exe", ".cmd", ".bat"} {
		if i := len(name) - len(ending); i > 0 && strings.EqualFold(name[i:], ending) {
			return name[:i]
		}
	}
	return name
}

// unversioned drops a version from a program's name: python3.12 is python,
// gcc-14 is gcc. A digit that belongs to the name stays: bzip2, diff3, k6.
func unversioned(name string) string {
	stem := strings.TrimRight(name, "0123456789.")
	version := name[len(stem):]
	switch {
	case version == "" || stem == "":
		return name
	case strings.HasSuffix(stem, "-"):
		return strings.TrimSuffix(stem, "-")
	case strings.Contains(version, "."):
		return stem
	}
	return name
}
