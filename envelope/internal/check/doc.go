// Package check has the checks of envelopes that do not depend on their format: the
// order of a stream of progress events, and unmasked secrets. It also describes
// documents that are in no known format.
package check
