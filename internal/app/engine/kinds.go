package engine

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// kinds returns the engines in the order of the documentation.
func kinds() []*kind { return []*kind{slurm(), kubernetes(), command()} }

// Kinds returns the names of the engines.
func Kinds() []string {
	var names []string
	for _, k := range kinds() {
		names = append(names, k.name)
	}
	return names
}

// Settings are the keys of a runner's table, without those that every runner has.
type Settings struct {
	Engine string
	Values map[string][]string // by key; one value where the key takes one
	States map[string]string   // of the table states: running, success or failed by the engine's word
}

// New makes the engine of a runner's table.
func New(s Settings) (*Engine, error) {
	at := slices.IndexFunc(kinds(), func(k *kind) bool { return k.name == s.Engine })
	if at < 0 {
		return nil, fmt.Errorf("there is no engine %q: there are %s", s.Engine, strings.Join(Kinds(), ", "))
	}
	e := &Engine{kind: kinds()[at], words: map[string]string{}}
	for _, key := range slices.Sorted(maps.Keys(s.Values)) {
		values := s.Values[key]
		switch {
		case slices.Contains(e.kind.words, key):
			if len(values) != 1 {
				return nil, fmt.Errorf("%q takes one value", key)
			}
			e.words[key] = values[0]
		case key == "extra" && slices.Contains(e.kind.lists, key):
			e.extra = values
			if e.kind.extra != nil {
				if err := e.kind.extra(values); err != nil {
					return nil, fmt.Errorf("extra: %w", err)
				}
			}
		case key == "shared" && slices.Contains(e.kind.lists, key):
			if len(values) != 1 || values[0] != "true" && values[0] != "false" {
				return nil, errors.New("shared is true or false")
			}
			e.apart = values[0] == "false"
		case slices.Contains(e.kind.lists, key):
			if err := e.setCommand(key, values); err != nil {
				return nil, err
			}
		default:
			return nil, fmt.Errorf("unknown key %q: the engine %s has %s", key, s.Engine, strings.Join(e.kind.keys(), ", "))
		}
	}
	if err := e.setStates(s.States); err != nil {
		return nil, err
	}
	return e, e.check()
}

// keys returns the keys of a runner's table.
func (k *kind) keys() []string {
	all := slices.Concat(k.words, k.lists)
	if slices.Contains(k.lists, "status") {
		all = append(all, "states")
	}
	return append(all, "cwd", "env")
}

// check returns an error that names what a row lacks.
func (e *Engine) check() error {
	for _, key := range e.kind.needs {
		if e.words[key] == "" {
			return fmt.Errorf("%s is missing", key)
		}
	}
	c := e.kind.commands(e)
	switch {
	case len(c.submit) == 0:
		return errors.New(`submit is missing: a list of words, as in ["qsub", "-N", "{name}", "{script}"]`)
	case len(c.status) == 0:
		return errors.New(`status is missing: a list of words, as in ["my-status", "{id}"], that print running, success or failed`)
	case e.kind.name == "command" && (len(c.array) > 0) != (c.task != ""):
		return errors.New(`array and task belong together: the words that precede the last one of submit, as in ["-t", "{array}"], and the variable with a member's number`)
	case e.kind.name == "command" && len(c.array) > 0 && len(c.logs) > 0:
		return errors.New("array cannot be used with logs, which are of one run: without array each member of a group is a job of its own")
	case len(c.cancel) == 0:
		return errors.New(`cancel is missing: a list of words, as in ["qdel", "{id}"]`)
	case len(c.logs) > 0 && len(c.find) == 0:
		return errors.New(`find is missing: with logs a job whose id was lost is known by its name only: a list of words, as in ["my-find", "{name}"], that print its id`)
	}
	return nil
}
