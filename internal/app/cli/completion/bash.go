package completion

import (
	"fmt"
	"slices"
	"strings"

	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/shared/hints"
)

// bashCompletion makes the script for bash 3.2 and later. It uses
// bash-completion where that is loaded, for what follows --.
func bashCompletion(list []cli.Node) string {
	var paths, values, words strings.Builder
	seen := map[string]bool{}
	for _, n := range list {
		if n.Path != "" {
			fmt.Fprintf(&paths, "|'%s'", n.Path)
		}
		fmt.Fprintf(&words, "            '%s') _envwrap_reply %s ;;\n", n.Path, bashWords(n))
		for _, o := range n.Options {
			if o.Value != "" && !seen[o.Name] {
				seen[o.Name] = true
				fmt.Fprintf(&values, "        %s) %s ;;\n", strings.Join(o.Spellings(), "|"), bashValue(o))
			}
		}
	}
	return strings.NewReplacer(
		"@PATHS@", strings.TrimPrefix(paths.String(), "|"),
		"@SWITCHES@", bashPatterns(switches(list)),
		"@TAKE@", strings.Join(withValue(list), "|"),
		"@VALUES@", values.String(),
		"@WORDS@", words.String(),
	).Replace(bashScript)
}

// bashWords completes what may follow at a node: verbs, options and what the
// verb takes.
func bashWords(n cli.Node) string {
	words := slices.Clone(n.Words)
	for _, v := range n.Verbs {
		words = append(words, v.Name)
	}
	for _, o := range n.Options {
		words = append(words, o.Spellings()...)
	}
	var flags string
	switch n.Takes {
	case cli.ACommand:
		words = append(words, "--")
	case cli.AFile:
		flags = "-f "
	case cli.AProgram:
		flags = "${cur:+-c} " // nothing typed: codes, and no thousand programs
	}
	list := strings.Join(words, " ")
	if ask := listing(n.Takes); ask != "" {
		return flags + `-W "` + list + ` $(` + ask + `)"`
	}
	return flags + "-W '" + list + "'"
}

// bashPatterns are texts of which a case statement takes any.
func bashPatterns(texts []string) string {
	var quoted []string
	for _, t := range texts {
		quoted = append(quoted, hints.Quote(t))
	}
	return strings.Join(quoted, "|")
}

// bashValue returns the command that completes an option's value.
func bashValue(o *cli.Option) string {
	var flags string
	switch o.Takes {
	case cli.AFile:
		flags = " -f"
	case cli.ADir:
		flags = " -d"
	case cli.AVariable:
		flags = " -e"
	}
	if words := o.Words(); len(words) > 0 {
		flags += " -W '" + strings.Join(words, " ") + "'"
	}
	if flags == "" {
		return "return"
	}
	return `_envwrap_reply` + flags
}

const bashScript = `# bash completion for envwrap, made by "envwrap completion bash".

_envwrap_reply() {
    local IFS=$'\n'
    COMPREPLY=($(IFS=' ' compgen "$@" -- "$cur"))
}

_envwrap_command() {
    if declare -F _comp_command_offset >/dev/null; then
        _comp_command_offset "$1"
    elif declare -F _command_offset >/dev/null; then
        _command_offset "$1"
    elif [[ $COMP_CWORD -eq $1 ]]; then
        _envwrap_reply -c
    else
        _envwrap_reply -f
    fi
}

_envwrap() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} verb='' word i
    COMPREPLY=()
    for ((i = 1; i < COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        case $word in
        --)
            _envwrap_command $((i + 1))
            return
            ;;
        -*)
            case $verb:$word in
            @SWITCHES@) continue ;;
            esac
            ;;
        esac
        case $word in
        @TAKE@)
            [[ ${COMP_WORDS[i+1]} == = ]] && ((i++))
            ((i++))
            ;;
        -*) ;;
        *)
            case ${verb:+$verb }$word in
            @PATHS@) verb=${verb:+$verb }$word ;;
            esac
            ;;
        esac
    done
    if [[ $prev == = && $COMP_CWORD -gt 1 ]]; then
        prev=${COMP_WORDS[COMP_CWORD-2]}
    elif [[ $cur == = ]]; then
        cur=''
    fi
    case $verb:$prev in
    @SWITCHES@) prev='' ;;
    esac
    case $prev in
@VALUES@        *)
            case $verb in
@WORDS@            esac
            ;;
    esac
}

complete -F _envwrap envwrap
`
