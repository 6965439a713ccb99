package engine

import (
	"fmt"
	"maps"
)

// command returns the engine of a user's own commands, which stand in the row.
func command() *kind {
	return &kind{
		name:     "command",
		lists:    []string{"submit", "status", "cancel", "find", "logs", "array", "task"},
		commands: func(e *Engine) commands { return e.own },
	}
}

// setCommand takes the words of one command of a row.
func (e *Engine) setCommand(key string, words []string) error {
	if len(words) == 0 || words[0] == "" {
		return fmt.Errorf("%q is a list of words, and the first is a program", key)
	}
	switch key {
	case "submit":
		e.own.submit = words
	case "status":
		e.own.status, e.own.members = [][]string{words}, [][]string{words}
	case "cancel":
		e.own.cancel = words
	case "find":
		e.own.find = [][]string{words}
	case "logs":
		e.own.logs, e.own.marked = words, true
	case "array":
		e.own.array = words
	case "task":
		e.own.task = words[0]
	}
	return nil
}

// stateWords returns the words that the status of a row may print, and those that the
// table states may give a meaning.
func stateWords() map[string]State {
	return map[string]State{"queued": Queued, "running": Running, "success": Succeeded, "failed": Failed, "preempted": Preempted}
}

// setStates takes the table states of a row.
func (e *Engine) setStates(table map[string]string) error {
	if e.kind.name != "command" {
		if len(table) > 0 {
			return fmt.Errorf("unknown key %q: the engine %s has its own", "states", e.kind.name)
		}
		return nil
	}
	e.own.states = maps.Clone(stateWords())
	for word, meaning := range table {
		state, ok := stateWords()[meaning]
		if !ok {
			return fmt.Errorf("states: %q is no state: there are queued, running, success, failed and preempted", meaning)
		}
		e.own.states[word] = state
	}
	return nil
}
