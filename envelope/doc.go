// Package envelope turns the neutral record of one command run into the JSON
// envelopes that exist in the field, and reads them back.
//
// The centre is [Result]: what ran, how it ended, what it printed. A [Dialect]
// spells a Result as bytes ([Encode]) and reads bytes as a Result ([Decode]).
// The package knows formats and nothing about processes: it opens no file,
// starts no program and reads no environment variable.
//
// # For programs that read envelopes
//
// [Identify] finds the format of a document, Decode gives the same record for
// all of them, and its Outcome has one of fifteen codes to branch on. Where the
// answer is about background jobs rather than of a run, [Jobs] has it. [Convert]
// writes an envelope in another format and reports what that format cannot carry.
//
// # For programs that print envelopes
//
// [Validate] reports all that is wrong with one document, by place and rule;
// [Documents] and a [Checker] do so for streams and for what tools return.
// [Rules] lists the rules, [Schema] is the JSON Schema of a format, and
// testdata/vectors has documents to test a checker of your own with.
//
// # For the supervisor of a command
//
// A [Summarizer] watches a stream of any length in constant memory,
// [Stream.Interpret] decides between text, JSON and bytes, a [Placement] says when a
// stream must go to the store, and [Adopt] takes over an
// envelope that the command printed itself.
//
// All functions are safe for concurrent use; a Result is not, and belongs to
// whoever made it.
package envelope
