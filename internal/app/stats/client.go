package stats

import "slices"

// A client is an agent of which it is known how much of a command's output it shows to its
// model. Sizes are in bytes; the agents count characters.
type client struct {
	agents []string
	// shows returns how much the model is shown of an output of so many bytes.
	shows  func(output int64, failed bool) int64
	source string
}

// clients is the table of agents whose limits are known. Of any other agent no savings are
// counted.
var clients = []client{
	{
		agents: []string{"claude", "cowork"},
		shows: func(output int64, failed bool) int64 {
			switch {
			case failed:
				return min(output, 10_000)
			case output > 30_000:
				return 2 << 10
			}
			return output
		},
		source: "measured with Claude Code 2.1.330: above 30,000 characters the first 2 KB and a path; of a failure the beginning and the end, 10,000 together",
	},
	{
		agents: []string{"codex"},
		shows:  atMost(10_200),
		source: "measured with Codex: beginning and end, with the default of max_output_tokens",
	},
	{
		agents: []string{"gemini"},
		shows:  atMost(40_000),
		source: "measured with Gemini CLI: the first 8,000 and the last 32,000 characters",
	},
	{
		agents: []string{"pi", "opencode"},
		shows:  atMost(50 << 10),
		source: "their sources: the last 50 KB",
	},
}

func atMost(most int64) func(int64, bool) int64 {
	return func(output int64, _ bool) int64 { return min(output, most) }
}

// clientOf returns the row of an agent, or nil.
func clientOf(agent string) *client {
	for i := range clients {
		if slices.Contains(clients[i].agents, agent) {
			return &clients[i]
		}
	}
	return nil
}
