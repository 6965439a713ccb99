package engine

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/envwrap/envwrap/internal/shared/hints"
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
	if len(words) == 0 || words[0] == "" || key != "array" && key != "task" && strings.Contains(words[0], "{") {
		return fmt.Errorf("%q is a list of words, as in [\"program\", \"{id}\"], and the first is a program", key)
	}
	for _, word := range words {
		if wrong, near := misspelled(word); near != "" {
			return fmt.Errorf("%q has no placeholder %s: write %s", key, wrong, near)
		}
	}
	if strings.Contains(" status cancel find logs ", " "+key+" ") && !slices.ContainsFunc(words, namesJob) {
		return fmt.Errorf("%q has to name the job, by {id} or {name}", key)
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

// namesJob reports whether a word has a placeholder that differs from job to job.
func namesJob(word string) bool {
	return slices.ContainsFunc([]string{"{id}", "{name}", "{script}", "{out}", "{err}"}, func(p string) bool { return strings.Contains(word, p) })
}

// misspelled returns the first part of a word that looks like a placeholder and has the name of
// none, and the placeholder that it resembles; "" if every name is known. A word may be text of a shell or awk: ${id}, {print}, { id } and {{id}} are not meant.
func misspelled(word string) (wrong, near string) {
	for rest := word; ; {
		before, after, ok := strings.Cut(rest, "{")
		name, tail, closed := strings.Cut(after, "}")
		if !ok || !closed {
			return "", ""
		}
		if strings.HasPrefix(name, "{") { // it is meant as text
			rest = tail
			continue
		}
		if strings.HasPrefix(name, "job") && strings.HasSuffix(name, "id") {
			return "{" + name + "}", "{id}"
		}
		for known := range strings.FieldsSeq("id name dir script out err array") {
			if name != known && !strings.HasSuffix(before, "$") && hints.Distance(strings.ToLower(name), known, len(known)/3) <= len(known)/3 {
				return "{" + name + "}", "{" + known + "}"
			}
		}
		rest = tail
	}
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
