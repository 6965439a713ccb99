package cli

// callingAgent is the id of the agent that calls, "" where none is known.
func (w *World) callingAgent() string { return w.session().Agent() }
