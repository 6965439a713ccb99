//go:build unix

package job

import (
	"errors"
	"fmt"
	"testing"
)

// Whoever looks at the queue never finds a job there that is not locked, and so
// cannot take its place.
func TestLookersDoNotRefuse(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	done := make(chan struct{})
	looked := make(chan error, 1)
	go func() {
		var err error
		defer func() { looked <- err }()
		for {
			select {
			case <-done:
				return
			default:
			}
			names, _ := s.names(queueDir)
			for _, name := range names {
				if held, heldErr := s.held(queueDir + "/" + name); heldErr == nil && !held && s.has(queueDir, name) {
					err = errors.New(name + " is not locked")
				}
			}
		}
	}()
	for n := range 300 {
		id := fmt.Sprintf("%026d", n)
		check(t, s.root.Mkdir(id, 0o700))
		f, err := s.enqueue(id)
		check(t, err)
		s.leave(id, f)
		check(t, s.root.Remove(id))
	}
	close(done)
	check(t, <-looked)
}
