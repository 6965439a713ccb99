package testenv

import (
	"os"
	"testing"
	"time"
)

// Await waits until a file exists, or the test's time is over.
func Await(t *testing.T, name string) {
	t.Helper()
	for {
		if _, err := os.Stat(name); err == nil {
			return
		}
		select {
		case <-t.Context().Done():
			t.Fatalf("%s never came", name)
		case <-time.After(10 * time.Millisecond):
		}
	}
}
