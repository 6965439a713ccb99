package stats

import "slices"

// A client is an agent of which it is known how much of a command's output it shows to its
// model. Sizes are in bytes; the agents count characters.
type client struct {
	agents []string
	most   int64 // is shown to the model of an output
	// measured returns how much is shown of an output of so many bytes, where most is 0.
	measured func(output int64, failed bool) int64
	source   string
}

// clients is the table of agents whose limits are known. Of any other agent no savings are
// counted.
var clients = []client{
	{
		agents: []string{"claude", "cowork"},
		measured: func(output int64, failed bool) int64 {
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
		most:   10_200,
		source: "measured with Codex: beginning and end, with the default of max_output_tokens",
	},
	{
		agents: []string{"gemini"},
		most:   40_000,
		source: "measured with Gemini CLI: the first 8,000 and the last 32,000 characters",
	},
	{
		agents: []string{"pi", "opencode"},
		most:   50 << 10,
		source: "their sources: the last 50 KB",
	},
}

// shows returns how much the model is shown of an output of so many bytes.
func (c *client) shows(output int64, failed bool) int64 {
	if c.measured != nil {
		return c.measured(output, failed)
	}
	return min(output, c.most)
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
