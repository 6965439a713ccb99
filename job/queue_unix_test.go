//go:build unix

package job

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/envwrap/envwrap/internal/test/matrix"
)

// A reader of the queue never finds an unlocked job there, and so cannot take its place.
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
			names, _ := s.root.names(queueDir)
			for _, name := range names {
				if held, heldErr := s.root.held(queueDir + "/" + name); heldErr == nil && !held && s.root.has(queueDir, name) {
					err = errors.New(name + " is not locked")
				}
			}
		}
	}()
	for n := range matrix.Times(40, 300) {
		id := fmt.Sprintf("%026d", n)
		check(t, s.root.Mkdir(id, 0o700))
		f, err := s.queue.enqueue(id)
		check(t, err)
		s.queue.leave(id, f)
		check(t, s.root.Remove(id))
	}
	close(done)
	check(t, <-looked)
}

// The place of a dead job is removed from the queue, that of one that waits is not.
func TestDeadInQueue(t *testing.T) {
	s := newStore(t)
	waits, dead := testID(time.UnixMilli(1e12), 1), testID(time.UnixMilli(1e12), 2)
	check(t, s.root.Mkdir(waits, 0o700), s.root.write(queueDir+"/"+dead, nil))
	f, err := s.queue.enqueue(waits)
	check(t, err)
	defer f.Close()
	if queue, err := s.queue.waiting(); !slices.Equal(queue, []string{waits}) || err != nil {
		t.Errorf("%v, %v", queue, err)
	}
	if names, err := s.root.names(queueDir); !slices.Equal(names, []string{waits}) || err != nil {
		t.Errorf("files: %v, %v", names, err)
	}
}

// A queued job can be stopped, first in the queue or not, and gets the slot once the
// others have left.
func TestStopInQueue(t *testing.T) {
	s := newStore(t)
	busy, err := s.queue.slot(testID(time.UnixMilli(1e12), 0), 1)
	check(t, err)
	var ids []string
	var entries []*os.File
	for i := range 2 {
		ids = append(ids, testID(time.UnixMilli(1e12), i+1))
		check(t, s.root.Mkdir(ids[i], 0o700))
		f, err := s.queue.enqueue(ids[i])
		check(t, err)
		t.Cleanup(func() { _ = f.Close() })
		entries = append(entries, f)
	}
	stop := make(chan struct{})
	close(stop)
	for i, id := range ids {
		if slot, err := s.queue.awaitTurn(id, entries[i], 1, stop); slot != nil || err != nil {
			t.Errorf("%d: %v, %v", i, slot, err)
		}
	}
	s.queue.leave(ids[0], entries[0])
	check(t, busy.Close())
	slot, err := s.queue.awaitTurn(ids[1], entries[1], 1, nil)
	check(t, err)
	defer slot.Close()
	if id := readOwner(slot); id != ids[1] {
		t.Errorf("%q holds the slot, want %q", id, ids[1])
	}
	if names, err := s.root.names(queueDir); len(names) > 0 || err != nil {
		t.Errorf("in the queue: %v, %v", names, err)
	}
}
