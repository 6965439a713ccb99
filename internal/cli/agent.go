package cli

// CallingAgent is the id of the agent that calls, "" where none is known.
func (w *World) CallingAgent() string { return w.Session().Agent() }
