package companion

import "time"

// A Report is a request to the companion's verb report, which reads the lines of the record on
// stdin, the last one first, and writes one HTML page about them.
type Report struct {
	Now     time.Time `json:"now"`
	Since   time.Time `json:"since"`             // zero is all of the record
	Running []string  `json:"running,omitempty"` // ids of unfinished runs whose process lives
}
