package cli

import "github.com/envwrap/envwrap/detect"

// callingAgent is the id of the agent that calls, "" where none is known.
func (w *World) callingAgent() string {
	if found := detect.Detect(w.lookup, w.Ancestors); found.Agent != detect.Unknown {
		return found.Agent
	}
	return ""
}
