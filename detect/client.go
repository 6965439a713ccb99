package detect

// clients has the agents that call servers of the Model Context Protocol under a name which is
// not their own (clientInfo), or which tell ids in a call: the members of _meta with the
// conversation and with the call.
//
// Source: the names that servers have met in clientInfo, the members that they read.
var clients = [...]struct{ agent, name, session, call string }{
	{"claude", "claude-code", "", "claudecode/toolUseId"},
	{"codex", "codex-mcp-client", "threadId", ""},
	{"gemini", "gemini-cli-mcp-client", "", ""},
	{"cursor", "cursor-vscode", "", ""},
	{"copilot", "github-copilot-developer", "", ""},
	{"amazon-q", "q-dev-cli", "", ""},
	{"opencode", "opencode", "ai.opencode/sessionID", ""},
	{"antigravity", "antigravity", "antigravity.google/conversation_id", ""},
}

// ClientOf returns the id of the agent that a client of the Model Context Protocol is, by its
// name in clientInfo, or "". A client that is no agent (claude-ai) has none.
func ClientOf(name string) string {
	for i := range clients {
		if beginsWith(name, clients[i].name) {
			return clients[i].agent
		}
	}
	return exactNameOf(name)
}

// CallOf returns the ids that an agent gives to its conversation and to the tool call, as
// [SessionOf] does, from the texts in the _meta of a call of a tool.
func CallOf(agent string, meta Env) (session, call string) {
	for i := range clients {
		if clients[i].agent != agent {
			continue
		}
		if value, ok := meta(clients[i].session); ok && clients[i].session != "" {
			session = ID(value)
		}
		if value, ok := meta(clients[i].call); ok && clients[i].call != "" {
			call = ID(value)
		}
	}
	return session, call
}
