//go:build linux || windows

package wrap

// leftoverMost is the most processes that a record names.
const leftoverMost = 20
