//go:build unix && !linux

package wrap

import (
	"os"
	"runtime"
)

// maxRSSUnit is the unit of getrusage's ru_maxrss in bytes: bytes on Darwin,
// kilobytes on the BSDs (getrusage(2)).
var maxRSSUnit = map[bool]int64{true: 1, false: 1 << 10}[runtime.GOOS == "darwin"]

// descendants is empty: these systems have no /proc to read them from.
func descendants(int) []int { return nil }

// holders is empty for the same reason.
func holders([]*os.File) []holder { return nil }
