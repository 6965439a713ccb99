//go:build !linux

package testenv

import "testing"

// TempDir is [testing.T.TempDir]: processes cannot be seen here.
func TempDir(t testing.TB) string {
	t.Helper()
	return t.TempDir()
}

// BackgroundEnds does nothing: processes cannot be seen here.
func BackgroundEnds(string) error { return nil }
