package cli

import "github.com/envwrap/envwrap/detect"

// callingAgent is the id of the agent that calls, detect.Unknown where none
// is seen.
func (r *runner) callingAgent() string { return detect.Detect(r.lookup, r.Ancestors).Agent }
