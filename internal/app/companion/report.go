package companion

import "time"

// A Report is what the companion's verb report writes about the lines of the record on its
// stdin, the last one first: one HTML page.
type Report struct {
	Now     time.Time `json:"now"`
	Since   time.Time `json:"since"`             // zero is all of the record
	Running []string  `json:"running,omitempty"` // ids of unfinished runs whose process lives
}
