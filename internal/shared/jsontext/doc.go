// Package jsontext reads and writes JSON text (RFC 8259).
//
// A [Reader] is the one parser: it checks a whole document, or a stream that
// arrives in pieces, in constant memory. The functions [Skip], [Members],
// [Elements] and [Unquote] walk text that a Reader has found well-formed, and
// the Append functions write.
//
// The standard library's encoding/json/jsontext is compiled only with
// GOEXPERIMENT=jsonv2 as of Go 1.26, so a program that imports it cannot be
// built with a plain go install. It also stops at the first repeated name or
// half of a surrogate pair, where a checker has to report all of them.
package jsontext
