package proc

import (
	"os"
	"path"
	"strconv"
	"strings"
)

// OOMKills returns how many processes of our cgroup the kernel has killed for lack of
// memory (cgroup-v2.rst, "memory.events"), or false if it does not count them.
func OOMKills() (int, bool) { return oomKills("/") }

// oomKills is OOMKills below a root directory, which is / except in tests.
func oomKills(root string) (int, bool) {
	groups, err := os.ReadFile(path.Join(root, "proc/self/cgroup"))
	if err != nil {
		return 0, false
	}
	for line := range strings.Lines(string(groups)) {
		group, ok := strings.CutPrefix(strings.TrimSpace(line), "0::")
		if !ok {
			continue
		}
		events, err := os.ReadFile(path.Join(root, "sys/fs/cgroup", group, "memory.events"))
		if err != nil {
			return 0, false
		}
		for event := range strings.Lines(string(events)) {
			if count, ok := strings.CutPrefix(strings.TrimSpace(event), "oom_kill "); ok {
				n, err := strconv.Atoi(count)
				return n, err == nil
			}
		}
	}
	return 0, false
}
