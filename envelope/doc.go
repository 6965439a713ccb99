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
// another format and reports what is lost.
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
