package runcmd

import (
	"sync"
	"testing"
)

// A gate is passed or closed, never both, whoever comes first.
func TestStartGate(t *testing.T) {
	for range 2000 {
		g := startGate{closed: make(chan struct{})}
		var passed, closed bool
		var both sync.WaitGroup
		both.Go(func() { passed = g.tryPass() })
		both.Go(func() { closed = g.close() })
		both.Wait()
		if passed == closed || g.tryPass() != passed || g.passed() != passed || g.close() {
			t.Fatalf("passed %t, closed %t", passed, closed)
		}
	}
	var none *startGate
	if none.pass(); !none.tryPass() || !none.passed() || none.close() {
		t.Error("no gate is not passed")
	}
}
