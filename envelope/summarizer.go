package envelope

// A Summarizer watches a redacted stream go by and keeps what an envelope
// shows of it: counts, both ends, what kind of text it is. Its memory is
// constant, and nothing it tells depends on how the stream was cut into writes.
// The zero value is ready; it is not safe for concurrent use.
type Summarizer struct {
	// Parse is how the stream will be read; ParseText spares the JSON parser.
	Parse Parse
}

// Write never fails.
func (s *Summarizer) Write(p []byte) (int, error) { return len(p), nil }

// Stream returns the stream without content: Bytes, Lines, Head and Tail. The
// two ends are shared with the Summarizer.
func (s *Summarizer) Stream() Stream { return Stream{} }

// Spilled returns the stream as it is spelled once its content is in the store
// under digest: with an excerpt of at most n bytes, a summary, and read, the
// command that shows the rest.
func (s *Summarizer) Spilled(digest, read string, n int) Stream { return Stream{} }

// Excerpt returns at most n bytes of both ends, a quarter from the head.
func (s *Summarizer) Excerpt(n int) *Excerpt { return nil }

// Summary describes the whole stream.
func (s *Summarizer) Summary() *Summary { return nil }

// Err reports whether the whole stream is what Parse demands: a *[ParseError]
// with ParseJSON or ParseNDJSON and a stream that is none, else nil. Repeated
// names are found by [Stream.Interpret] only.
func (s *Summarizer) Err() error { return nil }
