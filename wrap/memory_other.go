//go:build !linux

package wrap

// oomKills is known on Linux only.
func oomKills(string) (int, bool) { return 0, false }
