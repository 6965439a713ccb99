package cache

import (
	"maps"
	"slices"
	"strconv"
	"time"
)

// A Change is one part of a key that differs between two calls.
type Change struct {
	Part   string `json:"part"`             // command, argv, dir, program, path, umask, stdin, option, env, input, expired, never-run, damaged
	Name   string `json:"name,omitempty"`   // of the variable, input or option
	Change string `json:"change,omitempty"` // changed, added, removed
}

// Diff returns the changes from then to now. Equal keys have no changes.
func Diff(then, now *Parts) []Change {
	var found []Change
	for _, p := range []struct{ part, then, now string }{
		{"command", then.Command, now.Command},
		{"argv", then.Argv, now.Argv},
		{"dir", then.Dir, now.Dir},
		{"program", then.Program, now.Program},
		{"path", then.Path, now.Path},
		{"umask", then.Umask, now.Umask},
		{"stdin", then.Stdin, now.Stdin},
	} {
		if p.then != p.now {
			found = append(found, Change{Part: p.part, Change: "changed"})
		}
	}
	found = append(found, diffMaps("option", then.Options, now.Options)...)
	found = append(found, diffMaps("env", then.Env, now.Env)...)
	return append(found, diffMaps("input", then.Inputs, now.Inputs)...)
}

func diffMaps(part string, then, now map[string]string) []Change {
	all := maps.Clone(then)
	if all == nil {
		all = map[string]string{}
	}
	maps.Copy(all, now)
	var found []Change
	for _, name := range slices.Sorted(maps.Keys(all)) {
		before, had := then[name]
		after, has := now[name]
		switch {
		case !had:
			found = append(found, Change{part, name, "added"})
		case !has:
			found = append(found, Change{part, name, "removed"})
		case before != after:
			found = append(found, Change{part, name, "changed"})
		}
	}
	return found
}

// Nearest returns the entry that differs least from a call, the newest of several, and
// the differences. It returns nil if no entry has this command line, or this command in
// this directory.
func Nearest(entries []*Entry, now *Parts, before time.Time) (*Entry, []Change) {
	var best *Entry
	var changes []Change
	for _, e := range entries {
		if e.Parts == nil || !e.Kept.Before(before) || !related(e.Parts, now) {
			continue
		}
		differs := Diff(e.Parts, now)
		if best == nil || len(differs) < len(changes) || len(differs) == len(changes) && e.Kept.After(best.Kept) {
			best, changes = e, differs
		}
	}
	return best, changes
}

// related reports whether two calls are so alike that one may be meant for the
// other.
func related(a, b *Parts) bool {
	return a.Argv == b.Argv || a.Command == b.Command && a.Dir == b.Dir
}

// String returns the change in a few words, such as: input "go.sum" changed.
func (c Change) String() string {
	s := c.Part
	if c.Name != "" {
		s += " " + strconv.Quote(c.Name)
	}
	if c.Change != "" {
		s += " " + c.Change
	}
	return s
}
