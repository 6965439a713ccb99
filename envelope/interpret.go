package envelope

import "fmt"

// MaxDepth is the deepest nesting of arrays and objects that is taken as JSON.
// Common readers stop at 256 levels, and the envelope around it needs a few.
const MaxDepth = 200

// A ParseError says why a stream is not the JSON that was asked for.
type ParseError struct {
	Offset int64  // where in the stream, in bytes
	Reason string // what is wrong there
}

func (e *ParseError) Error() string {
	return fmt.Sprintf("read output as JSON: %s at byte %d", e.Reason, e.Offset)
}

// Interpret sets the content of s to the whole redacted stream: Text, JSON or
// Binary, as p says, and Bytes and Lines with it. The error is a *[ParseError]
// where p demands JSON and the text is none; the content is then Text or Binary.
// The stream does not keep raw.
func (s *Stream) Interpret(raw []byte, p Parse) error { return errNotYet }
