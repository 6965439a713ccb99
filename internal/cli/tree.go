package cli

import (
	"slices"
	"strings"
)

// A Node is one place on the command line where a word is awaited: the verb
// that is complete so far, and what may follow.
type Node struct {
	Path    string // "artifact cat"; "" is envwrap itself
	Options []*Option
	Verbs   []Child
	Takes   Kind
	Words   []string // that may follow beside verbs and options
}

// A Child is a verb below a node.
type Child struct{ Name, Summary string }

// Nodes walks the table of verbs, from envwrap itself downwards.
func Nodes(w *World) []Node {
	root, _ := Find(w, nil)
	list := []Node{{Options: root.Options, Takes: root.Takes}}
	children, list := below(w, nil, w.Table.Verbs, list)
	list[0].Verbs = children
	return list
}

// below appends the nodes of rows and returns them as children too.
func below(w *World, path []string, rows []Row, list []Node) ([]Child, []Node) {
	var children []Child
	for _, r := range rows {
		v := r.Make(w)
		children = append(children, Child{r.Name, v.Summary})
		here := append(slices.Clone(path), r.Name)
		n := Node{Path: strings.Join(here, " "), Options: append(v.Options, helpOption()), Takes: v.Takes}
		if v.Choices != nil {
			n.Words = v.Choices()
		}
		list = append(list, n)
		at := len(list) - 1
		var under []Child
		under, list = below(w, here, v.Verbs, list)
		list[at].Verbs = under
	}
	return children, list
}

// Spellings are an option's names with their dashes.
func (o *Option) Spellings() []string {
	if o.Short == "" {
		return []string{"--" + o.Name}
	}
	return []string{"-" + o.Short, "--" + o.Name}
}

// Words are the values that an option offers.
func (o *Option) Words() []string {
	if o.Choices == nil {
		return nil
	}
	return o.Choices()
}
