package cache

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// scheme names what a key is made of. Another one never meets the entries of
// this one.
const scheme = "envwrap-cache/2"

// A Call is everything that may change what a command prints.
type Call struct {
	Command string             // namespace/verb
	Argv    []string           // as given, secrets and all
	Dir     string             // where it runs, absolute, as given, with links not resolved
	Env     map[string]*string // the variables that were asked for; nil is one that is not set
	Ambient map[string]*string // other variables that programs obey; not in the key of a shared run
	Inputs  []string           // absolute names of files and directories, and patterns
	Program string             // absolute path of the program, as it was found
	Umask   string             // the process's umask; "" if the system has none
	Stdin   string             // digest of its standard input, or a word for it
	Options map[string]string  // envwrap's options that change the run or the stored record
	// Mask masks secrets in the texts of an entry.
	Mask func(string) string
}

// variables returns all variables of the call.
func (c *Call) variables() map[string]*string {
	all := maps.Clone(c.Ambient)
	if all == nil {
		return c.Env
	}
	maps.Copy(all, c.Env)
	return all
}

// Parts is a [Call] with digests for everything that is long or may be secret, for
// comparing calls.
type Parts struct {
	Command string            `json:"command"` // masked
	Argv    string            `json:"argv"`
	Dir     string            `json:"dir"`
	Program string            `json:"program"`         // its bytes
	Path    string            `json:"path"`            // where it lies
	Umask   string            `json:"umask,omitempty"` // as it is
	Stdin   string            `json:"stdin"`
	Options map[string]string `json:"options,omitempty"`
	Env     map[string]string `json:"env,omitempty"`    // "" is an unset variable
	Inputs  map[string]string `json:"inputs,omitempty"` // by name, masked

	Unmatched []string `json:"-"` // inputs, as given, that match no file
}

// A Key names a call: sha256:<64 hex>.
type Key string

// name returns the key as a file's name.
func (k Key) name() string { return strings.TrimPrefix(string(k), "sha256:") }

// Owner returns the owner of the entry's pins on artifacts. It contains the first half
// of the key, since an owner has at most 64 characters.
func (k Key) Owner() string { return "cache-" + k.name()[:32] }

// Key returns the key of a call: the SHA-256 over the canonical JSON of its parts and
// the salt of this cache. An error means that an input or the program could not be
// read; the call cannot be remembered then.
func (c *Cache) Key(call *Call) (Key, *Parts, error) {
	program, err := c.fileDigest(call.Program)
	if err != nil {
		return "", nil, fmt.Errorf("read the program: %w", err)
	}
	inputs, barren, err := c.inputs(call.Inputs)
	if err != nil {
		return "", nil, err
	}
	parts := c.parts(call, program, inputs)
	parts.Unmatched = barren
	return c.key(call, program, inputs), parts, nil
}

func (c *Cache) key(call *Call, program string, inputs map[string]string) Key {
	env, options := object{}, object{}
	for name, value := range call.variables() {
		env[name] = null{}
		if value != nil {
			env[name] = text(*value)
		}
	}
	for name, value := range call.Options {
		options[name] = text(value)
	}
	files := make(list, 0, len(inputs))
	for _, name := range slices.Sorted(maps.Keys(inputs)) {
		files = append(files, texts([]string{name, inputs[name]}))
	}
	sum := sha256.Sum256(object{
		"version": text(scheme), "salt": text(hex.EncodeToString(c.salt)), "command": text(call.Command),
		"argv": texts(call.Argv), "directory": text(call.Dir), "environment": env, "inputs": files,
		"program": text(program), "path": text(call.Program), "umask": text(call.Umask), "stdin": text(call.Stdin), "options": options,
	}.appendTo(nil))
	return Key("sha256:" + hex.EncodeToString(sum[:]))
}

func (c *Cache) parts(call *Call, program string, inputs map[string]string) *Parts {
	p := &Parts{
		Command: call.Mask(call.Command), Argv: c.mark(append([]string{"argv"}, call.Argv...)...), Dir: c.mark("dir", call.Dir),
		Program: c.mark("program", program), Path: c.mark("path", call.Program), Umask: call.Umask, Stdin: c.mark("stdin", call.Stdin), Options: maps.Clone(call.Options),
		Env: map[string]string{}, Inputs: map[string]string{},
	}
	for name, value := range call.variables() {
		p.Env[name] = ""
		if value != nil {
			p.Env[name] = c.mark("env", name, *value)
		}
	}
	for name, digest := range inputs {
		shown := call.Mask(name)
		if shown != name {
			shown += " (" + c.mark("name", name)[:8] + ")" // two names may look alike now
		}
		p.Inputs[shown] = c.mark("input", digest)
	}
	return p
}
