// Package envelope turns the neutral record of one command run into the JSON
// envelopes that exist in the field, and reads them back.
//
// The centre is [Result]: what ran, how it ended, what it printed. A [Dialect]
// spells a Result as bytes and reads bytes as a Result. The package knows
// formats and nothing about processes: it opens no file, starts no program and
// reads no environment variable.
//
// All functions are safe for concurrent use; a Result is not, and belongs to
// whoever made it.
package envelope
