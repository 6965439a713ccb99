//go:build unix && !linux

package wrap

import (
	"runtime"

	"github.com/envwrap/envwrap/envelope"
)

func (r *run) strays() []int { return nil }

func (r *run) stopStrays() []holder { return nil }

func (r *run) adopted() bool { return false }

// groupLives reports that the group that the kernel knows is alive: zombies count.
func (r *run) groupLives() bool { return true }

func (r *run) leftovers() []envelope.Leftover { return nil }

// maxRSSUnit is the unit of getrusage's ru_maxrss in bytes: bytes on Darwin,
// kilobytes on the BSDs (getrusage(2)).
var maxRSSUnit = map[bool]int64{true: 1, false: 1 << 10}[runtime.GOOS == "darwin"]
