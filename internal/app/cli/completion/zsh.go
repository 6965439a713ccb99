package completion

import (
	"fmt"
	"strings"

	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/shared/hints"
)

// zshCompletion makes the script for zsh 5. What follows -- is handed to
// the completion of the command there.
func zshCompletion(list []cli.Node) string {
	var cases, paths strings.Builder
	for _, n := range list {
		if n.Path != "" {
			fmt.Fprintf(&paths, "|'%s'", n.Path)
		}
		fmt.Fprintf(&cases, "    '%s')\n      _arguments -S \\\n", n.Path)
		for _, o := range n.Options {
			fmt.Fprintf(&cases, "        %s \\\n", zshOption(o))
		}
		if len(n.Verbs) > 0 {
			fmt.Fprintf(&cases, "        '1:verb:((%s))'\n      ;;\n", zshVerbs(n.Verbs))
		} else {
			fmt.Fprintf(&cases, "        %s\n      ;;\n", hints.Quote("*:"+zshOperand(n)))
		}
	}
	return strings.NewReplacer(
		"@PATHS@", strings.TrimPrefix(paths.String(), "|"),
		"@SWITCHES@", bashPatterns(switches(list)),
		"@TAKE@", strings.Join(withValue(list), "|"),
		"@CASES@", cases.String(),
	).Replace(zshScript)
}

// zshOption is one specification of _arguments.
func zshOption(o *cli.Option) string {
	var spec strings.Builder
	many := ""
	if o.Many {
		many = "*"
	}
	help := "[" + zshText(o.Help) + "]"
	if o.Value != "" {
		help += ":" + zshText(o.Value) + ":" + zshValue(o)
	}
	for i, name := range o.Spellings() {
		if i > 0 {
			spec.WriteByte(' ')
		}
		if o.Value != "" {
			name += "="
		}
		spec.WriteString(hints.Quote(many + name + help))
	}
	return spec.String()
}

// zshValue returns the action that completes an option's value.
func zshValue(o *cli.Option) string {
	words := strings.Join(o.Words(), " ")
	switch {
	case o.Takes == cli.ADir:
		return "_directories"
	case o.Takes == cli.AFile && words != "":
		return `{_alternative "word:word:(` + words + `)" "file:file:_files"}`
	case o.Takes == cli.AFile:
		return "_files"
	case o.Takes == cli.AVariable:
		return "_parameters -g \"*export*\""
	case words != "":
		return "(" + words + ")"
	}
	return " "
}

// zshOperand names and completes what a verb takes.
func zshOperand(n cli.Node) string {
	switch ask := listing(n.Takes); {
	case ask != "":
		return "id:{compadd -- $(" + strings.ReplaceAll(ask, ":", `\:`) + ")}"
	case n.Takes == cli.AFile:
		return "file:_files"
	case n.Takes == cli.AProgram && n.Words != nil:
		return "word:{compadd -- " + strings.Join(n.Words, " ") + " || _command_names -e}" // programs where no word fits
	case n.Takes == cli.AProgram:
		return "program:_command_names -e"
	case n.Takes == cli.ACommand:
		return "command:(--)"
	case n.Words != nil:
		return "word:(" + strings.Join(n.Words, " ") + ")"
	}
	return "nothing: "
}

func zshVerbs(verbs []cli.Child) string {
	var list []string
	for _, v := range verbs {
		list = append(list, v.Name+`\:"`+strings.NewReplacer(`"`, `\"`, "'", `'\''`).Replace(v.Summary)+`"`)
	}
	return strings.Join(list, " ")
}

// zshText escapes what ends a part of a specification.
func zshText(s string) string {
	return strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`, ":", `\:`).Replace(s)
}

const zshScript = `#compdef envwrap
# zsh completion for envwrap, made by "envwrap completion zsh".

_envwrap() {
  local verb='' word
  local -i i from=1
  for ((i = 2; i < CURRENT; i++)); do
    word=$words[i]
    case $verb:$word in
    @SWITCHES@) continue ;;
    esac
    case $word in
    --)
      shift $i words
      ((CURRENT -= i))
      _normal
      return
      ;;
    @TAKE@) ((i++)) ;;
    -*) ;;
    *)
      case ${verb:+$verb }$word in
      @PATHS@)
        verb=${verb:+$verb }$word
        from=$i
        ;;
      esac
      ;;
    esac
  done
  if ((from > 1)); then
    shift $((from - 1)) words
    ((CURRENT -= from - 1))
  fi
  case $verb in
@CASES@  esac
}

if [[ $funcstack[1] == _envwrap ]]; then
  _envwrap "$@"
else
  compdef _envwrap envwrap
fi
`
