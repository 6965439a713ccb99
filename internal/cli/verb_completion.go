package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
)

func completionVerb(*World) *verb {
	return &verb{
		name:    "completion",
		args:    "bash|zsh|fish|powershell",
		choices: names(completionWords),
		summary: "print a completion script for a shell",
		text: "Behind -- the script completes commands and their arguments as if envwrap were\n" +
			"not there.",
		example: "source <(envwrap completion bash)\n" +
			"envwrap completion zsh >\"${fpath[1]}/_envwrap\"\n" +
			"envwrap completion fish >~/.config/fish/completions/envwrap.fish\n" +
			"envwrap completion powershell | Out-String | Invoke-Expression",
		run: func(_ context.Context, c *call) error {
			args := c.args()
			if len(args) != 1 {
				return usagef("name one shell: bash, zsh, fish or powershell")
			}
			script, err := choice(completionWords)(args[0])
			if err != nil {
				return err
			}
			if _, err := io.WriteString(c.Stdout, script(nodes(c.World))); err != nil {
				return fmt.Errorf("print completion: %w", err)
			}
			return nil
		},
	}
}

// completionWords are the shells.
func completionWords() []word[func([]node) string] {
	return []word[func([]node) string]{
		{"bash", bashCompletion},
		{"zsh", zshCompletion},
		{"fish", fishCompletion},
		{"powershell", powershellCompletion},
	}
}

// A node is one place on the command line where a word is awaited: the verb
// that is complete so far, and what may follow.
type node struct {
	path    string // "artifact cat"; "" is envwrap itself
	options []*option
	verbs   []child
	takes   kind
	words   []string // that may follow beside verbs and options
}

// A child is a verb below a node.
type child struct{ name, summary string }

// nodes walks the table of verbs, from envwrap itself downwards.
func nodes(w *World) []node {
	root, _ := find(w, nil)
	list := []node{{options: root.options, takes: root.takes}}
	children, list := below(w, nil, verbs(), list)
	list[0].verbs = children
	return list
}

// below appends the nodes of rows and returns them as children too.
func below(w *World, path []string, rows []row, list []node) ([]child, []node) {
	var children []child
	for _, r := range rows {
		v := r.make(w)
		children = append(children, child{r.name, v.summary})
		here := append(slices.Clone(path), r.name)
		n := node{path: strings.Join(here, " "), options: append(v.options, helpOption()), takes: v.takes}
		if v.choices != nil {
			n.words = v.choices()
		}
		list = append(list, n)
		at := len(list) - 1
		var under []child
		under, list = below(w, here, v.verbs, list)
		list[at].verbs = under
	}
	return children, list
}

// spellings are an option's names with their dashes.
func (o *option) spellings() []string {
	if o.short == "" {
		return []string{"--" + o.name}
	}
	return []string{"-" + o.short, "--" + o.name}
}

// withValue are the spellings of all options that take one, in any node.
func withValue(list []node) []string {
	var names []string
	for _, n := range list {
		for _, o := range n.options {
			if o.value != "" && !slices.Contains(names, "--"+o.name) {
				names = append(names, o.spellings()...)
			}
		}
	}
	return names
}

// switches are the spellings that take no value at a node and do at another:
// what stands before a word of theirs is "artifact tail:-f".
func switches(list []node) []string {
	valued, names := withValue(list), []string(nil)
	for _, n := range list {
		for _, o := range n.options {
			for _, s := range o.spellings() {
				if o.value == "" && slices.Contains(valued, s) {
					names = append(names, n.path+":"+s)
				}
			}
		}
	}
	return names
}

// listing is a line of POSIX shell, and of fish, that prints what there is of a
// kind, a word a line; "" where nothing needs to be asked. Digests are short,
// and have no colon, at which bash would cut a word.
func (k kind) listing() string {
	const digests = ` 2>/dev/null | sed 's/^sha256:\([0-9a-f]\{12\}\).*/\1/'`
	switch k {
	case aShim:
		return "envwrap shim list 2>/dev/null | cut -d ' ' -f 1"
	case anArtifact:
		return "envwrap artifact ls -n 100" + digests
	case aRun:
		return "envwrap cache ls" + digests
	case aJob:
		return "envwrap job ls -n 100 --format protocol/v1 --compact 2>/dev/null | grep -oE '[0-9A-HJKMNP-TV-Z]{26}' | sort -u"
	}
	return ""
}

// words are the values that an option offers.
func (o *option) words() []string {
	if o.choices == nil {
		return nil
	}
	return o.choices()
}
