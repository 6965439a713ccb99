package completion

import (
	"fmt"
	"slices"
	"strings"

	"github.com/envwrap/envwrap/internal/app/cli"
)

// fishCompletion makes the script for fish 3.
func fishCompletion(list []cli.Node) string {
	var paths, lines strings.Builder
	for _, n := range list {
		if n.Path != "" {
			fmt.Fprintf(&paths, " '%s'", n.Path)
		}
		at := fmt.Sprintf("complete -c envwrap -n '__envwrap_at \"%s\"'", n.Path)
		for _, v := range n.Verbs {
			fmt.Fprintf(&lines, "%s -f -a %s -d %s\n", at, v.Name, fishQuote(v.Summary))
		}
		fmt.Fprintf(&lines, "%s%s\n", at, fishOperand(n))
		for _, o := range n.Options {
			fmt.Fprintf(&lines, "%s -l %s%s -d %s\n", at, o.Name, fishOption(o), fishQuote(o.Help))
		}
	}
	return strings.NewReplacer(
		"@PATHS@", paths.String(),
		"@SWITCHES@", "'"+strings.Join(switches(list), "' '")+"'",
		"@TAKE@", strings.Join(withValue(list), " "),
		"@LINES@", lines.String(),
	).Replace(fishScript)
}

// fishOperand completes what a verb takes; fish itself completes files.
func fishOperand(n cli.Node) string {
	switch ask := listing(n.Takes); {
	case ask != "":
		return " -f -a " + fishQuote("("+ask+")")
	case n.Takes == cli.AFile:
		return ""
	case n.Takes == cli.AProgram:
		return " -f -a " + fishQuote(strings.Join(append(slices.Clone(n.Words), "(string length -q -- (commandline -ct); and __fish_complete_command)"), " "))
	case n.Takes == cli.ACommand:
		return " -f -a --"
	case n.Words != nil:
		return " -f -a " + fishQuote(strings.Join(n.Words, " "))
	}
	return " -f"
}

// fishOption says how an option is spelled and what it takes.
func fishOption(o *cli.Option) string {
	var spec strings.Builder
	if o.Short != "" {
		spec.WriteString(" -s " + o.Short)
	}
	words := strings.Join(o.Words(), " ")
	switch {
	case o.Value == "":
		return spec.String()
	case o.Takes == cli.AFile:
		spec.WriteString(" -r -F")
	case o.Takes == cli.ADir:
		spec.WriteString(" -x -a '(__fish_complete_directories)'")
	case o.Takes == cli.AVariable:
		spec.WriteString(" -x -a '(set -xn)'")
	default:
		spec.WriteString(" -x")
	}
	if words != "" {
		spec.WriteString(" -a " + fishQuote(words))
	}
	return spec.String()
}

func fishQuote(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(s) + "'"
}

const fishScript = `# fish completion for envwrap, made by "envwrap completion fish".

# __envwrap_at succeeds where the verbs on the line are these, and no -- is.
function __envwrap_at
    set -l verb ''
    set -l skip 0
    for word in (commandline -opc)[2..-1]
        if test $skip = 1
            set skip 0
            continue
        end
        contains -- "$verb:$word" @SWITCHES@
        and continue
        switch $word
            case --
                return 1
            case @TAKE@
                set skip 1
            case '-*'
            case '*'
                set -l longer (string trim -- "$verb $word")
                contains -- $longer@PATHS@
                and set verb $longer
        end # switch
    end
    test "$verb" = "$argv[1]"
end

# __envwrap_command completes what follows -- as a line of its own.
function __envwrap_command
    set -l words (commandline -opc)
    set -l at (contains -i -- -- $words)
    set -l line (string escape -- $words[(math $at + 1)..-1])
    set line $line (commandline -ct)
    complete -C "$line"
end

function __envwrap_dashed
    contains -- -- (commandline -opc)
end

complete -c envwrap -n __envwrap_dashed -f -a '(__envwrap_command)'
@LINES@`
