package companion

import "time"

// A Query says how the companion's verb query evaluates an expression, the argument that
// follows, and the JSON values on its stdin.
type Query struct {
	Null   bool   `json:"null,omitempty"`   // run once, on null; input and inputs read the values
	Raw    bool   `json:"raw,omitempty"`    // print strings without quotes
	Pretty bool   `json:"pretty,omitempty"` // indent objects and arrays
	Digest string `json:"digest,omitempty"` // print one object about this artifact, not a line for each result

	Timeout   time.Duration `json:"timeout_ns,omitempty"` // longest time for one input value; 0 is no limit
	MaxMemory int64         `json:"max_memory,omitempty"` // limit of the heap in bytes; 0 is no limit
}
