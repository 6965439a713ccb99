package envelope

import "time"

// A Progress is a look at a run that goes on.
type Progress struct {
	Stage       string // one word: "running", "stopping"
	Message     string // the last line printed, redacted; "" before the first
	Pct         *float64
	Elapsed     time.Duration
	StdoutBytes int64
	StderrBytes int64
	Lines       int64 // newlines on both streams
}
