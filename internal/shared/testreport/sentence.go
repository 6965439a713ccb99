package testreport

import (
	"encoding/json"
	"strconv"
	"strings"
)

// A sentence is a line that names the failure where other lines of a tool look as telling.
type sentence struct {
	mark   string // is in the output of the tool when it failed
	prefix string // of the line, or "" where find returns it
	find   func(lines []string) string
}

// sentences follow npm 11, prettier 3, ESLint 9, git 2, pylint 3, kubectl 1.34, vitest 4, tsc 5.9, Gradle 8,
// pip 23, gh 2, Ansible 2.14, shellcheck 0.9, GNU coreutils 9, bzip2 1.0, 7-Zip 26, terser 5, UglifyJS 3, Bandit 1
// and Perl's Test::More.
var sentences = [...]sentence{
	{mark: "npm error code ", find: func(lines []string) string { return followingNpmCode(lines, "npm error ") }},
	{mark: "npm ERR! code ", find: func(lines []string) string { return followingNpmCode(lines, "npm ERR! ") }},
	{mark: "[warn] Code style issues", prefix: "[warn] "},
	{mark: "CONFLICT (", prefix: "CONFLICT ("},
	{mark: " problem", find: listedError},
	{mark: "************* Module ", find: func(lines []string) string { return firstWith(lines, isPylintError) }},
	{mark: "* What went wrong:", find: func(lines []string) string {
		_, following := from(lines, "* What went wrong:")
		if what := text(following, 1, never); !strings.HasPrefix(what, "Execution failed for task") {
			return what
		}
		return ""
	}},
	{mark: "No matching distribution found for ", prefix: "ERROR: No matching distribution found for "},
	{mark: "│ Error: ", find: terraformError},
	{mark: "Terraform has no command named ", prefix: "Terraform has no command named "},
	{mark: "#   Failed test ", prefix: "#   Failed test "},
	{mark: "^-- SC", find: shellcheckFinding},
	{mark: "curl: Can't open '", prefix: "curl: Can't open '"},
	{mark: "curl: (", prefix: "curl: ("},
	{mark: "]: FAILED! => {", find: failedTask},
	{mark: "no valid OpenPGP data found", prefix: "gpg: no valid OpenPGP data found"},
	{mark: "Open ERROR: ", prefix: "Open ERROR: "},
	{mark: "nothing changed", prefix: "nothing changed"},
	{mark: "regex parse error:", prefix: "error: "},
	{mark: "would reformat ", prefix: "would reformat "},
	{mark: "please run:  gh auth login", prefix: "To get started with GitHub CLI, please run:"},
	{mark: "This is not the tsc command", prefix: "                This is not the tsc command"},
	{mark: "No test files found, ", prefix: "No test files found, "},
	{mark: "java.lang.OutOfMemoryError", find: containing("java.lang.OutOfMemoryError")},
	{mark: "JavaScript heap out of memory", find: containing("JavaScript heap out of memory")},
	{mark: "\nNode.js v", find: uncaughtInNode},
	{mark: tracebackMark, find: endedByException},
	{mark: "tsc: The TypeScript Compiler", find: func([]string) string {
		return "no tsconfig.json and no file"
	}},
	{mark: ": FAILED", find: failedChecksum},
	{mark: ">> Issue: ", prefix: ">> Issue: "},
	{mark: "bzip2recover", prefix: "bzip2: "},
	{mark: "ERROR: errno=", find: func(lines []string) string {
		_, reason, _ := strings.Cut(joined(lines, "ERROR: errno=", ""), " : ")
		return reason
	}},
	{mark: "Parse error at ", find: func(lines []string) string { return joined(lines, "Parse error at ", "ERROR: ") }},
	{mark: ".go:", find: lastAfterLog},
	{mark: "rake aborted!", find: func(lines []string) string { return joined(lines, "rake aborted!", "") }},
	{mark: ":error:", prefix: "Could not "},
	{mark: ": F", find: pyflakesFinding},
	{mark: ": E9", find: pyflakesFinding},
	{mark: " lint/", find: biomeFinding},
	{mark: "ERR_PNPM_", prefix: "  × "},
	{mark: "╭─[", find: framedError},
	{mark: ignoredPaths, find: func(lines []string) string { return ignoredPaths + " " + joined(lines, ignoredPaths, "") }},
	{mark: "\tzip warning: name not matched: ", prefix: "\tzip warning: name not matched: "},
}

// Sentence returns the line of an output that names the failure, where a tool prints others
// that look as telling. It returns "" if it knows none.
func Sentence(output string) string {
	for _, s := range sentences {
		if !strings.Contains(output, s.mark) {
			continue
		}
		lines, line := strings.Split(output, "\n"), ""
		if s.find != nil {
			line = s.find(lines)
		} else {
			line = firstWith(lines, func(line string) bool { return strings.HasPrefix(line, s.prefix) })
		}
		if line != "" {
			return strings.TrimSpace(line)
		}
	}
	return ""
}

// failedChecksum returns the first file whose checksum is another, where all lines are of a
// check of checksums, as sha256sum -c prints them.
func failedChecksum(lines []string) string {
	failed := ""
	for _, line := range lines {
		switch {
		case line == "", strings.HasSuffix(line, ": OK"):
		case strings.HasSuffix(line, ": FAILED"), strings.HasSuffix(line, ": FAILED open or read"):
			if failed == "" {
				failed = line
			}
		default:
			return ""
		}
	}
	return failed
}

// joined returns the first line that begins with one prefix, and the next one that begins with
// another, without the two prefixes.
func joined(lines []string, first, next string) string {
	line, following := from(lines, first)
	for _, other := range following {
		if rest, ok := strings.CutPrefix(other, next); ok && rest != "" {
			return strings.TrimPrefix(line+": "+rest, ": ")
		}
	}
	return line
}

// pyflakesFinding returns the first finding of flake8 or Ruff that is more than style: of a
// file that cannot be parsed, of a name that is not defined, else another one of Pyflakes.
func pyflakesFinding(lines []string) string {
	for _, code := range [...]string{": E9", ": F8", ": F7", ": F"} {
		finding := firstWith(lines, func(line string) bool {
			place, rest, ok := strings.Cut(line, code)
			number, _, _ := strings.Cut(rest, " ")
			return ok && strings.Count(place, ":") == 2 && number != "" && strings.Trim(number, "0123456789") == ""
		})
		if finding != "" {
			return finding
		}
	}
	return ""
}

// ignoredPaths precedes the paths that git add did not add.
const ignoredPaths = "The following paths are ignored by one of your .gitignore files:"

// terraformError returns the first error of Terraform, and the first line of what it says
// about it: a place, or a reason.
func terraformError(lines []string) string {
	what, following := from(lines, "│ Error: ")
	for _, line := range following {
		line, inBox := strings.CutPrefix(line, "│")
		if !inBox {
			break
		}
		if line = strings.TrimSpace(line); line != "" {
			return "Error: " + what + ": " + strings.TrimSuffix(line, ":")
		}
	}
	return "Error: " + what
}

// uncaughtInNode returns the exception that ended Node.js, with its cause. It follows the line
// of the source that threw it, a line with a caret, and an empty one.
func uncaughtInNode(lines []string) string {
	thrown := ""
	for i, line := range lines {
		caret := strings.Trim(line, " ^") == "" && strings.Contains(line, "^")
		if caret && thrown == "" && i+1 < len(lines) && lines[i+1] == "" {
			thrown = strings.TrimSuffix(text(lines[i+1:], 1, never), " {")
		}
		if cause, ok := strings.CutPrefix(strings.TrimLeft(line, " "), "[cause]: "); ok && thrown != "" {
			return thrown + "; [cause]: " + strings.TrimSuffix(cause, " {")
		}
	}
	return thrown
}

// framedError returns the error above the first frame of code, and the place in the first line
// of the frame: "╭─[ main.js:1:18 ]". Rolldown, Oxc and programs that use miette print it so.
func framedError(lines []string) string {
	said := ""
	for _, line := range lines {
		if _, place, ok := strings.Cut(line, "╭─["); ok && said != "" {
			place, _, _ = strings.Cut(place, "]")
			return strings.TrimSpace(place) + ": " + said
		}
		if line = strings.TrimSpace(line); line != "" {
			said = line
		}
	}
	return ""
}

// biomeFinding returns the place and the text of the first finding of Biome.
func biomeFinding(lines []string) string {
	place := ""
	for _, line := range lines {
		if at := strings.Index(line, " lint/"); at > 0 && place == "" {
			place = line[:at]
		}
		if finding, ok := strings.CutPrefix(line, "  × "); ok && place != "" {
			return place + ": " + finding
		}
	}
	return ""
}

// containing returns a function that returns the first line with a text.
func containing(text string) func([]string) string {
	return func(lines []string) string {
		return firstWith(lines, func(line string) bool { return strings.Contains(line, text) })
	}
}

func firstWith(lines []string, fits func(string) bool) string {
	for _, line := range lines {
		if fits(line) {
			return line
		}
	}
	return ""
}

// listedError returns the first error of a list below the name of a file, as ESLint prints it,
// with that name: "/srv/app/x.js: 1:11 error 'b' is not defined no-undef".
func listedError(lines []string) string {
	file := ""
	for _, line := range lines {
		switch words := strings.Fields(line); {
		case len(words) == 0:
		case line[0] != ' ':
			file = line
		case len(words) > 2 && words[1] == "error" && isPlace(words[0]) && file != "":
			return file + ": " + strings.Join(words, " ")
		}
	}
	return ""
}

// isPlace reports whether a word is a line and a column: 1:11.
func isPlace(word string) bool {
	line, column, ok := strings.Cut(word, ":")
	return ok && line != "" && column != "" && strings.Trim(line+column, "0123456789") == ""
}

// shellcheckFinding returns the place and the text of the first finding of shellcheck.
func shellcheckFinding(lines []string) string {
	place := ""
	for _, line := range lines {
		switch {
		case strings.HasPrefix(line, "In ") && strings.HasSuffix(line, ":"):
			place = line
		case strings.Contains(line, "^-- SC"), strings.Contains(line, "-^ SC"):
			return place + " " + strings.TrimLeft(line, " ^-")
		}
	}
	return ""
}

// failedTask returns the host and the message of the first task of Ansible that failed, with
// what the task's command said last on standard error.
func failedTask(lines []string) string {
	for _, line := range lines {
		host, result, ok := strings.Cut(line, ": FAILED! => ")
		var task struct{ Msg, Stderr string }
		if !ok || json.Unmarshal([]byte(result), &task) != nil || task.Msg == "" {
			continue
		}
		if said := strings.TrimSpace(task.Stderr); said != "" {
			task.Msg += ": " + said[strings.LastIndexByte(said, '\n')+1:]
		}
		return host + ": " + strings.ReplaceAll(task.Msg, "\n", " ")
	}
	return ""
}

// followingNpmCode returns the line after npm's code, which says in words what that is.
func followingNpmCode(lines []string, prefix string) string {
	for i, line := range lines {
		if !strings.HasPrefix(line, prefix+"code ") {
			continue
		}
		for _, next := range lines[i+1:] {
			words, ok := strings.CutPrefix(next, prefix)
			switch {
			case !ok, strings.Contains(words, " log of this run"):
				return ""
			case strings.HasPrefix(words, "syscall "), strings.HasPrefix(words, "path "), strings.HasPrefix(words, "errno "), strings.HasPrefix(words, "command "):
				continue
			case strings.Count(words, " ") > 1:
				return next
			}
		}
	}
	return ""
}

// Lines that Python prints before and between the exceptions of a chain.
const (
	tracebackMark    = "Traceback (most recent call last):"
	causedException  = "The above exception was the direct cause of the following exception:"
	handledException = "During handling of the above exception, another exception occurred:"
)

// endedByException returns the exception of Python that ended the program: that of the last
// traceback, where nothing but what make says follows it, or where an earlier one led to
// it. That one follows it, if it does not say the same.
func endedByException(lines []string) string {
	var first, raised, link string
	ended, inTraceback := false, false
	for _, line := range lines {
		line = strings.TrimRight(line, "\r")
		switch {
		case line == tracebackMark:
			inTraceback = true
		case line == "", line[0] == ' ', strings.HasPrefix(line, "make") && strings.Contains(line, ": *** ["):
		case inTraceback:
			raised, ended, inTraceback = line, true, false
		case line == causedException, line == handledException:
			if link == "" {
				first, link = raised, "; caused by "
				if line == handledException {
					link = "; while handling "
				}
			}
		default:
			ended = false
		}
	}
	_, message, _ := strings.Cut(first, ": ")
	switch {
	case !ended && link == "":
		return ""
	case first == "":
		return raised
	case len(raised) > longException:
		kind, _, _ := strings.Cut(raised, ":")
		return kind + link + first
	case message != "" && strings.Contains(raised, message):
		return raised
	}
	return raised + link + first
}

// longException is the length of an exception, in bytes, from which on only its type precedes
// the exception that led to it: a message has room for 200 characters.
const longException = 160

// isPylintError reports whether a line has a message of pylint with the category E or F.
func isPylintError(line string) bool {
	for _, category := range [...]string{": E", ": F"} {
		_, rest, ok := strings.Cut(line, category)
		if ok && len(rest) > 5 && strings.Trim(rest[:4], "0123456789") == "" && rest[4] == ':' {
			return true
		}
	}
	return false
}

// lastAfterLog returns the last line of an output that ends after lines of klog, or the error
// that the last of those names, as kubectl prints them: "E1126 22:44:58.282851 8500 memcache.go:265] ...".
func lastAfterLog(lines []string) string {
	logged, last := false, ""
	for _, line := range lines {
		switch {
		case isKlog(line):
			logged, last = true, ""
			if _, text, ok := strings.Cut(line, ` err="`); ok {
				last, _ = strconv.Unquote(`"` + text)
			}
		case strings.TrimSpace(line) != "":
			last = line
		}
	}
	if !logged {
		return ""
	}
	return last
}

func isKlog(line string) bool {
	return len(line) > 20 && strings.IndexByte("EFWI", line[0]) >= 0 && strings.Trim(line[1:5], "0123456789") == "" && line[5] == ' ' && line[8] == ':' && strings.Contains(line, ".go:")
}
