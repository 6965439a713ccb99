package envelope

// Keep says which outputs a dialect wants in the store although they are small.
type Keep int

const (
	KeepLarge  Keep = iota // only what is over the inline limit
	KeepFailed             // and the output of a command that failed
	KeepAll                // any output
)

// Parse says how stdout is read.
type Parse int

const (
	ParseAuto   Parse = iota // one JSON object or array is JSON, all else text
	ParseJSON                // any JSON value; stdout that is none is EPARSE
	ParseNDJSON              // a line a value, as an array
	ParseText                // always text; an envelope is not adopted
)
