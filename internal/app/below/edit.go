package below

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strings"
)

// An edit is a change of one file: a member of a JSON object, pairs of TOML, or a whole
// file of envwrap's own.
type edit struct {
	file   string
	member []string
	value  string // of the member, as text
	raw    string // of the member, as JSON
	toml   [][2]string
	before userStartup // what BASH_ENV in toml takes the place of
	text   string
	own    bool
}

func (e *edit) json() string {
	if e.raw != "" {
		return e.raw
	}
	return jsonString(e.value)
}

// ours reports whether a member's value is one that envwrap wrote, in whatever place.
func (e *edit) ours(value []byte) bool {
	var text string
	if e.raw == "" {
		return json.Unmarshal(value, &text) == nil && path.Base(text) == path.Base(e.value)
	}
	var server struct {
		Command string   `json:"command"`
		Args    []string `json:"args"`
	}
	return json.Unmarshal(value, &server) == nil && path.Base(server.Command) == "envwrap" && len(server.Args) > 0 && server.Args[0] == "mcp"
}

// apply makes the edit in a document.
func (e *edit) apply(doc []byte) ([]byte, error) {
	if e.own {
		return []byte(e.text), nil
	}
	return throughLineEnds(doc, e.applyText)
}

func (e *edit) applyText(doc []byte) ([]byte, error) {
	switch {
	case e.toml != nil:
		if !e.before.plain() {
			return nil, fmt.Errorf("BASH_ENV is %q already, which envwrap cannot read in your place: make it a path, in which $NAME may be", e.before.value)
		}
		return addTOML(doc, e.toml)
	}
	done, err := throughComments(doc, func(doc []byte) ([]byte, error) {
		checked, err := checkJSON(doc)
		if err != nil {
			return nil, err
		}
		return set(checked, e.member, e.json(), e.ours)
	})
	if errors.Is(err, errNotJSON) {
		err = fmt.Errorf("%w: add this by hand:\n%s", err, e.byHand())
	}
	return done, err
}

// byHand returns the object that has nothing but the member.
func (e *edit) byHand() string {
	doc, err := set([]byte("{}\n"), e.member, e.json(), e.ours)
	if err != nil {
		return e.json()
	}
	return strings.TrimSuffix(string(doc), "\n")
}

// revert takes the edit out of a document.
func (e *edit) revert(doc []byte) ([]byte, error) {
	if e.own {
		return nil, nil
	}
	return throughLineEnds(doc, e.revertText)
}

func (e *edit) revertText(doc []byte) ([]byte, error) {
	switch {
	case e.toml != nil:
		before := ""
		if e.before.settings {
			before = e.before.value
		}
		return removeTOML(doc, e.toml, before)
	case len(bytes.TrimSpace(doc)) == 0:
		return doc, nil
	}
	done, err := throughComments(doc, func(doc []byte) ([]byte, error) {
		if _, err := checkJSON(doc); err != nil {
			return nil, err
		}
		return unset(doc, e.member, e.ours), nil
	})
	if err != nil {
		err = fmt.Errorf("%w: take %s out by hand", err, strings.Join(e.member, "."))
	}
	return done, err
}
