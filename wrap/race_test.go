//go:build race

package wrap_test

const raceEnabled = true
