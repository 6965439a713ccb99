package pipeline

import (
	"slices"
	"strings"

	"github.com/envwrap/envwrap/internal/shared/shell"
)

// A looker is a program that prints parts or counts of what it reads, and changes nothing.
type looker struct {
	names string // separated by blanks
	// writes are options with which it writes a file or runs a program.
	writes string
	// script reports whether a script, or another argument that is no option, does neither.
	script func(string) bool
	// operands is how many arguments that are no options it has at the most; 0 is any
	// number.
	operands int
}

// lookers follow the manuals of the same versions as readers.
var lookers = [...]looker{
	{names: "head tail grep egrep fgrep wc cut tr cat tac nl column fold expand less more cksum md5sum sha256sum jq"},
	{names: "rg", writes: "--pre"},
	{names: "uniq", operands: 1},
	{names: "sort", writes: "-o --output --compress-program"},
	{names: "sed", writes: "-i --in-place -f --file -s --separate", script: sedLooks},
	{names: "awk gawk mawk nawk", writes: "-f --file -i --include -E --exec -l --load", script: awkLooks},
}

// Looks reports whether a stage of a pipeline only looks at what the stage before it prints:
// head, tail, grep, wc, sort and the like, that write no file and run no program.
func Looks(s shell.Stage) bool {
	if s.Input || len(s.Argv) == 0 || slices.ContainsFunc(s.Redirections, writesFile) {
		return false
	}
	name := s.Name()[strings.LastIndexByte(s.Name(), '/')+1:]
	i := slices.IndexFunc(lookers[:], func(l looker) bool { return contains(l.names, name) })
	return i >= 0 && lookers[i].only(s.Argv[1:])
}

// writesFile reports whether a redirection opens a file, but for the null device.
func writesFile(r shell.Redirection) bool {
	switch {
	case !r.Target.Literal:
		return true
	case r.Op == ">&":
		return strings.Trim(r.Target.Text, "0123456789-") != ""
	}
	return r.Target.Text != "/dev/null"
}

// only reports whether the program only looks with these arguments.
func (l *looker) only(args []shell.Word) bool {
	if l.writes == "" && l.operands == 0 {
		return true
	}
	operands := 0
	for _, w := range args {
		switch {
		case !w.Literal, l.writesBy(w.Text):
			return false
		case len(w.Text) > 1 && w.Text[0] == '-':
		case l.script != nil && !l.script(w.Text):
			return false
		default:
			operands++
		}
	}
	return l.operands == 0 || operands <= l.operands
}

// writesBy reports whether an argument is, or may be, an option with which the program writes.
func (l *looker) writesBy(arg string) bool {
	if len(arg) < 2 || arg[0] != '-' {
		return false
	}
	name, _, _ := strings.Cut(arg, "=")
	for known := range strings.FieldsSeq(l.writes) {
		if strings.HasPrefix(arg, "--") && strings.HasPrefix(known, name) || arg[1] != '-' && len(known) == 2 && strings.Contains(arg, known[1:]) {
			return true
		}
	}
	return false
}

// awkLooks reports whether a script of awk has none of the words with which it writes files
// and runs programs.
func awkLooks(script string) bool {
	return !slices.ContainsFunc([]string{"system", "getline", "|", ">"}, func(word string) bool { return strings.Contains(script, word) })
}

// sedLooks reports whether each command of a script of sed is one that only selects lines, or
// an s command with / that writes none. It returns false for scripts that it cannot read.
func sedLooks(script string) bool {
	for command := range strings.FieldsFuncSeq(script, func(r rune) bool { return r == ';' || r == '\n' || r == '{' || r == '}' }) {
		command = strings.TrimLeft(command, "0123456789,$~+! ")
		for strings.HasPrefix(command, "/") { // an address
			end := strings.IndexByte(command[1:], '/')
			if end < 0 || command[end] == '\\' {
				return false
			}
			command = strings.TrimLeft(command[end+2:], "0123456789,$~+!I ")
		}
		if s, ok := strings.CutPrefix(command, "s/"); ok {
			parts := strings.Split(strings.ReplaceAll(s, `\/`, ""), "/")
			if len(parts) != 3 || strings.Trim(parts[2], "gpiIm0123456789 ") != "" {
				return false
			}
			continue
		}
		command = strings.TrimRight(command, "0123456789 ")
		if len(command) > 1 || strings.Trim(command, "pdqQ=nNgGhHDPx") != "" {
			return false
		}
	}
	return true
}

// A Kept is a pipeline whose last stages only look at what an earlier stage prints, so that a
// reader may want the rest later.
type Kept struct {
	// Stage is the stage that prints it, and Of how many the pipeline has.
	Stage shell.Stage
	// Command is the pipeline up to that stage.
	Command string
	// Terminal means that the first stage has no redirection of its standard input, which
	// may be a terminal.
	Terminal bool

	at int // offset in the command where the next stage can get another standard input
}

// keep finds the stages of a pipeline that only look.
func keep(p shell.Pipeline) (Kept, bool) {
	first := len(p.Stages)
	for first > 1 && Looks(p.Stages[first-1]) {
		first--
	}
	if first == len(p.Stages) {
		return Kept{}, false
	}
	next := p.Stages[first]
	k := Kept{Stage: p.Stages[first-1], Terminal: !p.Stages[0].Input, at: next.End}
	if len(next.Redirections) > 0 {
		k.at = slices.MinFunc(next.Redirections, func(a, b shell.Redirection) int { return a.Start - b.Start }).Start
	}
	return k, true
}
