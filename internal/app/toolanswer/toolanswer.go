// Package toolanswer makes the text that the model of an agent reads of an envelope, in answer
// to its call of a tool. The server of tools sends it; envwrap, which the server runs for the
// call and which prints the envelope for it, counts it for the record of runs.
//
// It has no state: all of it is safe for concurrent use.
package toolanswer

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"strings"
	"sync"

	"github.com/envwrap/envwrap/envelope"
)

// Variable is set for an envwrap that a server of tools runs for a call: [Caller.Variable]. No
// command inherits it.
const Variable = "ENVWRAP_TOOL_ANSWER"

// A Caller is what a server of tools tells of a call and its client.
type Caller struct {
	Format  envelope.Dialect // in which the model reads the answer
	Agent   string           // the client, or ""
	Session string           // the agent's id of the conversation, or ""
	Call    string           // the agent's id of the call, or ""
}

// Variable returns NAME=value. The agent and the ids have no blanks in them.
func (c Caller) Variable() string {
	const none = "-"
	return strings.Join([]string{Variable + "=" + c.Format.Name(), cmp.Or(c.Agent, none), cmp.Or(c.Session, none), cmp.Or(c.Call, none)}, " ")
}

// CallerOf returns the caller that [Variable] describes, and false outside of a call of a tool.
func CallerOf(env func(name string) (value string, ok bool)) (c Caller, ok bool) {
	value, ok := env(Variable)
	if !ok {
		return Caller{}, false
	}
	words := append(strings.Split(value, " "), "", "", "")
	for i, word := range words {
		if word == "-" {
			words[i] = ""
		}
	}
	if c.Format, _ = envelope.Lookup(words[0]); c.Format == nil { // somebody else made it up
		return Caller{}, false
	}
	c.Agent, c.Session, c.Call = words[1], words[2], words[3]
	return c, true
}

// Shown returns how many bytes of text a model reads of doc, which is what envwrap prints for
// the server: an envelope of protocol/v1. Of any other text it is all bytes.
func Shown(format envelope.Dialect, doc []byte) int {
	protocol, _ := envelope.Lookup("protocol/v1")
	if format == protocol { // the model reads the envelope itself
		return len(doc)
	}
	r, err := envelope.Decode(protocol, doc)
	if err != nil {
		return len(doc)
	}
	blocks, err := Blocks(format, r, func(string) bool { return true }) // a job stores its output
	if err != nil {
		return len(doc)
	}
	n := 0
	for _, block := range blocks {
		n += len(block)
	}
	return n
}

// Blocks returns the answer in a format, in one text or several. stored reports whether the store
// has an artifact.
func Blocks(format envelope.Dialect, r *envelope.Result, stored func(digest string) bool) ([]string, error) {
	if format.IsText() {
		nameBinary(r, stored)
	}
	text, err := envelope.Encode(format, r, envelope.EncodeOptions{})
	if err != nil {
		return nil, err
	}
	blocks := format.Blocks(text)
	if format.IsText() {
		for i := range blocks {
			blocks[i] = nameTools(blocks[i], r)
		}
	}
	return blocks, nil
}

// nameBinary has the streams that are no text, which the envelope has as base64 and a text does
// not show, name their artifact, if the job that ran the command has left it in the store.
func nameBinary(r *envelope.Result, stored func(digest string) bool) {
	for _, s := range [...]*envelope.Stream{&r.Stdout, &r.Stderr} {
		if len(s.Binary) == 0 || s.Stored() != "" {
			continue
		}
		if digest := fmt.Sprintf("sha256:%x", sha256.Sum256(s.Binary)); stored(digest) {
			s.Exact = digest
		}
	}
}

// argumentNames replaces options and command lines of envwrap in a hint by what a caller of
// tools has.
var argumentNames = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer(
		"Raise --timeout, or run it in the background", "Raise timeout, or give wait 0 and ask the tool job",
		"Give --cwd a directory", "Give cwd a directory",
		"the path and --cwd", "the path and cwd",
		"Add --retries 3 to let envwrap wait for you", "Then call it again",
		"--retries 3 runs it again", "call it again",
		"give it --stdin null or a file, --non-interactive, or its own option", "give it stdin, or its own option",
		"give it a file with --stdin, or --stdin null", "give it stdin",
		"envwrap takes it as --env ", "give it in env: ",
		", before the --.", ".", ", before the --]", "]",
		": envwrap -- sh ", ": sh ",
		"envwrap job ls shows the jobs", "job with action list shows the jobs",
	)
})

// nameTools returns a brief answer with the tools to call, and their arguments, in the place of
// command lines and options of envwrap.
func nameTools(text string, r *envelope.Result) string {
	if last := strings.LastIndexByte(strings.TrimSuffix(text, "\n"), '\n') + 1; r.Outcome.Hint != "" {
		text = text[:last] + argumentNames().Replace(text[last:])
	}
	if r.Jobs != nil {
		for i := range r.Jobs.List {
			id := r.Jobs.List[i].ID
			text = strings.Replace(text, "; envwrap job wait "+id+"]", fmt.Sprintf("; call job with action wait, id %s]", id), 1)
		}
		return text
	}
	const cat = ": envwrap artifact cat "
	last := strings.LastIndexByte(strings.TrimSuffix(text, "\n"), '\n') + 1
	before, rest, ok := strings.Cut(text[last:], cat)
	if !ok {
		return text
	}
	end := strings.IndexAny(rest, ";]")
	if end < 0 {
		return text
	}
	words := strings.Fields(rest[:end])
	call := ""
	switch {
	case len(words) == 1:
		call = "call read with id " + words[0]
	case len(words) == 3 && words[0] == "--lines":
		call = fmt.Sprintf("call read with id %s, lines %s", words[2], words[1])
	default:
		return text
	}
	return text[:last] + before + ": " + call + rest[end:]
}
