// Package envelope writes the record of one command run in each of the JSON envelope
// formats that agents' tools use, and reads such envelopes back.
//
// The central type is [Result]: what ran, how it ended, what it printed. A [Dialect] is
// one of the formats: [Encode] writes a Result in it, [Decode] reads one. The package
// knows formats and nothing about processes: it opens no file, starts no program and
// reads no environment variable.
//
// # For programs that read envelopes
//
// [Identify] finds the format of a document, and Decode returns the same record
// whatever the format, with one of fifteen codes in its [Outcome] to branch on. An
// answer about background jobs is in Result.Jobs. [Convert] writes an envelope in
// another format and reports which facts that format cannot hold.
//
// # For programs that print envelopes
//
// [Validate] reports everything that is wrong with one document, by place and rule;
// [Documents] and a [Checker] do so for streams and for the results of MCP tools.
// [Rules] lists the rules, [Schema] returns the JSON Schema of a format, and
// testdata/vectors has documents to test other checkers with.
//
// # For the supervisor of a command
//
// A [Summarizer] reads a stream of any length in constant memory, [Stream.Interpret]
// decides between text, JSON and bytes, a [Placement] decides which stream must be
// stored, and [Adopt] recognizes an envelope that the command printed itself.
//
// All functions are safe for concurrent use; a Result is not.
package envelope

import (
	"encoding/json"

	"github.com/envwrap/envwrap/envelope/internal/wire"
	"github.com/envwrap/envwrap/internal/shared/jsontext"
)

// A Dialect is an envelope format in one version of its document. It writes and reads a
// [Result] and decides nothing about the run.
//
// The interface has no implementations outside this package: [Dialects] returns all of
// them. In every dialect, members are in the order of its document, an absent value has
// no member, the same Result is always written as the same bytes, and each document is
// valid UTF-8 and passes [Validate].
type Dialect interface {
	// Name is the full name, for instance "protocol/v1".
	Name() string
	// Indented reports whether the dialect is written with two spaces of
	// indentation unless the caller chooses otherwise.
	Indented() bool
	// Placement returns which outputs are inline in an envelope with these options.
	Placement(o EncodeOptions) Placement
	// Failed reports whether the status in the envelope of r is an error. Results that
	// are ok, partial or tool-missing in this dialect have not failed.
	Failed(r *Result) bool
	// Events reports whether the dialect has progress events.
	Events() bool
	// AnswersRequest reports whether an envelope has the id of the request that it
	// answers.
	AnswersRequest() bool
	// IsText reports whether the format is plain text, which Decode cannot read.
	IsText() bool
	// Blocks returns the texts that an envelope, written by Encode, consists of.
	Blocks(doc []byte) []string

	self() *dialect
}

// A dialect describes one format. Everything that is not in it or in the format's wire
// struct is written once for all formats.
type dialect struct {
	name     string
	known    []string // members by which a document is guessed to be in the dialect; nil is members
	members  []string // a document with all of these claims to be in the dialect
	indented bool
	limit    int                                                        // most bytes of an envelope; 0 means no limit
	keep     func(o EncodeOptions) Keep                                 // nil is KeepLarge
	failed   func(r *Result) bool                                       // reports whether status is error; if nil, of any run that did not end well
	complete func(v *view) bool                                         // nil: an envelope never leaves out output that no store has
	rules    func() []json.RawMessage                                   // rules of the schema beyond the members; may be nil
	text     func(v *view) []byte                                       // encodes a text dialect, which is write-only; the fields below are then nil
	blank    func() wireDoc                                             // a document with nothing in it
	frame    func(doc []byte, v *view) []byte                           // puts marks around the JSON; nil if the JSON is the envelope
	unframe  func(text []byte) (doc []byte, rest string, f *wire.Fault) // takes it out again
	mark     string                                                     // begins the last line of a document; "": it is known by its members
	variant  func(doc []byte) bool                                      // reports whether a document with the members of another dialect is in this one; if nil, none is
	own      func(doc []byte) func(path []jsontext.Step) bool           // selects the members that envwrap wrote, and not a command; if nil, all
	nameless string                                                     // the command of records that do not say what was run; "" where they do
	lean     func(v *view, f wire.Fields) wire.Fields                   // takes out of a document what says nothing new; nil: all that is there has to be
	full     func(f wire.Fields) wire.Fields                            // puts it back; nil where f is not lean
	events   bool                                                       // there are progress events
	request  bool                                                       // an envelope names the request that it answers
}

func (d *dialect) Name() string   { return d.name }
func (d *dialect) Indented() bool { return d.indented }
func (d *dialect) Events() bool   { return d.events }
func (d *dialect) IsText() bool   { return d.text != nil }
func (d *dialect) self() *dialect { return d }

func (d *dialect) AnswersRequest() bool { return d.request }

func (d *dialect) Blocks(doc []byte) []string {
	if d.unframe == nil {
		return []string{string(doc)}
	}
	_, text, _ := d.unframe(doc)
	return []string{text, lastLine(string(doc))}
}

func (d *dialect) Failed(r *Result) bool {
	if d.failed == nil {
		return !r.Outcome.OK()
	}
	return d.failed(r)
}

// A wireDoc is a wire struct: the document of one dialect.
type wireDoc interface {
	fill(v *view)           // makes the document of a record
	check(p *wire.Problems) // reports the faults of the document beyond its shape
	result() *Result        // the record, with the payload as it is
	run() *Result           // the run of envwrap's own that it may record, or nil
}

// Names of the dialects that have the data and meta of protocol/v1.
const (
	protocolName = "protocol/v1"
	foxctlName   = "foxctl/v1"
)

// isProtocol reports whether a dialect has the data of protocol/v1.
func isProtocol(name string) bool { return name == protocolName || name == foxctlName }
