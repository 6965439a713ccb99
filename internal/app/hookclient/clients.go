package hookclient

// Clients are all agents, in the order of the documentation.
var Clients = []*Client{claudeCode, codex, cursor, gemini}

// Lookup returns the client with a name.
func Lookup(name string) (*Client, bool) {
	for _, c := range Clients {
		if c.Name == name {
			return c, true
		}
	}
	return nil, false
}
