package cli

import "github.com/envwrap/envwrap/detect"

// callingAgent is the id of the agent that calls, "" where none is known.
func (r *runner) callingAgent() string {
	if found := detect.Detect(r.lookup, r.Ancestors); found.Agent != detect.Unknown {
		return found.Agent
	}
	return ""
}
