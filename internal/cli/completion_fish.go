package cli

import (
	"fmt"
	"slices"
	"strings"
)

// fishCompletion makes the script for fish 3.
func fishCompletion(list []node) string {
	var paths, lines strings.Builder
	for _, n := range list {
		if n.path != "" {
			fmt.Fprintf(&paths, " '%s'", n.path)
		}
		at := fmt.Sprintf("complete -c envwrap -n '__envwrap_at \"%s\"'", n.path)
		for _, v := range n.verbs {
			fmt.Fprintf(&lines, "%s -f -a %s -d %s\n", at, v.name, fishQuote(v.summary))
		}
		fmt.Fprintf(&lines, "%s%s\n", at, fishOperand(n))
		for _, o := range n.options {
			fmt.Fprintf(&lines, "%s -l %s%s -d %s\n", at, o.name, fishOption(o), fishQuote(o.help))
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
func fishOperand(n node) string {
	switch ask := n.takes.listing(); {
	case ask != "":
		return " -f -a " + fishQuote("("+ask+")")
	case n.takes == aFile:
		return ""
	case n.takes == aProgram:
		return " -f -a " + fishQuote(strings.Join(append(slices.Clone(n.words), "(__fish_complete_command)"), " "))
	case n.takes == aCommand:
		return " -f -a --"
	case n.words != nil:
		return " -f -a " + fishQuote(strings.Join(n.words, " "))
	}
	return " -f"
}

// fishOption says how an option is spelled and what it takes.
func fishOption(o *option) string {
	var spec strings.Builder
	if o.short != "" {
		spec.WriteString(" -s " + o.short)
	}
	words := strings.Join(o.words(), " ")
	switch {
	case o.value == "":
		return spec.String()
	case o.takes == aFile:
		spec.WriteString(" -r -F")
	case o.takes == aDir:
		spec.WriteString(" -x -a '(__fish_complete_directories)'")
	case o.takes == aVariable:
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

# __envwrap_command completes what stands behind -- as a line of its own.
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
