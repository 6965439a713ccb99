package wire

import "strings"

// Cache describes a remembered run. protocol/v1 and foxctl/v1 have the key in meta.
type Cache struct {
	Key   Digest `json:"key,omitempty" doc:"what it is remembered under"`
	AgeMS Count  `json:"age_ms" doc:"how long ago the run ended, in milliseconds"`
	Stale bool   `json:"stale,omitempty" doc:"true where it is older than was asked for, and is being made anew"`
	Rest  Fields `json:",inline"`
}

// Redactions counts what was masked, by rule name.
type Redactions struct {
	Total  int            `json:"total" is:"unsigned" doc:"how many spans were masked"`
	ByRule map[string]int `json:"by_rule" doc:"how many, by the rule that found them"`
}

// A TimeoutType is the time limit that passed.
type TimeoutType string

// Limits returns both limits.
func (TimeoutType) Limits() Limits { return OneOf("idle", "hard") }

// lineEnds end a line for some reader.
const lineEnds = "\n\v\f\r\u0085\u2028\u2029"

// CheckMessage checks the message of a run's error.
func CheckMessage(p *Problems, pointer, text string) {
	if strings.ContainsAny(text, lineEnds) {
		p.Add(pointer, "run/message", "the message has several lines; it must be one")
	}
}
