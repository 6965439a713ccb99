//go:build !race

package testenv

// Race reports whether the race detector is compiled in, which takes several times the
// memory and the time.
const Race = false
