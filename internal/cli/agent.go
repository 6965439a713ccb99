package cli

// callingAgent is the id of the agent that calls, "" where none is seen.
func (r *runner) callingAgent() string { return "" }
