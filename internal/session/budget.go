package session

// BudgetOf returns how many characters of one tool answer an agent does not cut
// again, less a margin; 0 is no limit.
func BudgetOf(agent string) int {
	switch agent {
	case "claude":
		return 28_000
	case "codex":
		return 9_000
	case "gemini":
		return 36_000
	case "pi", "opencode":
		return 45_000
	}
	return 0
}
