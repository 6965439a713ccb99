// Package check has what a checker of envelopes looks for beside the format of
// each: the order of a stream of progress events, secrets in the clear, and what
// a document is that is in no known format.
package check
