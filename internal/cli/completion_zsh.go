package cli

import (
	"fmt"
	"strings"
)

// zshCompletion makes the script for zsh 5. What stands behind -- is handed to
// the completion of the command there.
func zshCompletion(list []node) string {
	var cases, paths strings.Builder
	for _, n := range list {
		if n.path != "" {
			fmt.Fprintf(&paths, "|'%s'", n.path)
		}
		fmt.Fprintf(&cases, "    '%s')\n      _arguments -S \\\n", n.path)
		for _, o := range n.options {
			fmt.Fprintf(&cases, "        %s \\\n", zshOption(o))
		}
		if len(n.verbs) > 0 {
			fmt.Fprintf(&cases, "        '1:verb:((%s))'\n      ;;\n", zshVerbs(n.verbs))
		} else {
			fmt.Fprintf(&cases, "        %s\n      ;;\n", shellQuote("*:"+zshOperand(n)))
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
func zshOption(o *option) string {
	var spec strings.Builder
	many := ""
	if o.many {
		many = "*"
	}
	help := "[" + zshText(o.help) + "]"
	if o.value != "" {
		help += ":" + zshText(o.value) + ":" + zshValue(o)
	}
	for i, name := range o.spellings() {
		if i > 0 {
			spec.WriteByte(' ')
		}
		if o.value != "" {
			name += "="
		}
		spec.WriteString(shellQuote(many + name + help))
	}
	return spec.String()
}

// zshValue is the action that completes an option's value.
func zshValue(o *option) string {
	words := strings.Join(o.words(), " ")
	switch {
	case o.takes == aDir:
		return "_directories"
	case o.takes == aFile && words != "":
		return `{_alternative "word:word:(` + words + `)" "file:file:_files"}`
	case o.takes == aFile:
		return "_files"
	case o.takes == aVariable:
		return "_parameters -g \"*export*\""
	case words != "":
		return "(" + words + ")"
	}
	return " "
}

// zshOperand names and completes what a verb takes.
func zshOperand(n node) string {
	switch ask := n.takes.listing(); {
	case ask != "":
		return "id:{compadd -- $(" + strings.ReplaceAll(ask, ":", `\:`) + ")}"
	case n.takes == aFile:
		return "file:_files"
	case n.takes == aProgram && n.words != nil:
		return "word:{compadd -- " + strings.Join(n.words, " ") + " || _command_names -e}" // programs where no word fits
	case n.takes == aProgram:
		return "program:_command_names -e"
	case n.takes == aCommand:
		return "command:(--)"
	case n.words != nil:
		return "word:(" + strings.Join(n.words, " ") + ")"
	}
	return "nothing: "
}

func zshVerbs(verbs []child) string {
	var list []string
	for _, v := range verbs {
		list = append(list, v.name+`\:"`+strings.NewReplacer(`"`, `\"`, "'", `'\''`).Replace(v.summary)+`"`)
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
