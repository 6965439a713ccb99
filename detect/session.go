package detect

import "strings"

// sessions has the variables in which agents hand their ids to commands. Session is the
// first that is set of the conversation, call of the tool call.
var sessions = []struct{ agent, session, call string }{
	{"claude", "CLAUDE_CODE_SESSION_ID", ""},
	{"cowork", "CLAUDE_CODE_SESSION_ID", ""},
	{"codex", "CODEX_SESSION_ID", "CODEX_TOOL_CALL_ID"},
	{"codex", "CODEX_THREAD_ID", ""},
	{"copilot", "COPILOT_AGENT_SESSION_ID", ""},
	{"amp", "AMP_CURRENT_THREAD_ID", ""},
	{"amp", "AGENT_THREAD_ID", ""},
	{"qwen", "QWEN_CODE_SESSION_ID", ""},
	{"kiro", "KIRO_SESSION_ID", ""},
	{"hermes", "HERMES_SESSION_ID", ""},
}

// SessionOf returns the ids that an agent gives to its conversation and to the tool call,
// each "" where the agent does not pass it on. Characters that are not in
// [A-Za-z0-9._:-] are left out, and longer ones are cut to 64.
func SessionOf(env Env, agent string) (session, call string) {
	for _, row := range sessions {
		if row.agent != agent {
			continue
		}
		if value, ok := env(row.session); ok && session == "" {
			session = ID(value)
		}
		if value, ok := env(row.call); ok && row.call != "" && call == "" {
			call = ID(value)
		}
	}
	return session, call
}

// ID returns an id that an agent chose without the characters that are unsafe to print, cut
// to 64.
func ID(value string) string {
	value = strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', strings.ContainsRune("._:-", r):
			return r
		}
		return -1
	}, value)
	return value[:min(len(value), 64)]
}
