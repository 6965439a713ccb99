//go:build unix

package job

import (
	"errors"
	"runtime"
	"testing"
	"time"
)

// A job that was asked for before it came is refused for two weeks, and whoever asks
// again learns that it came.
func TestRefuse(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	first, err := s.Refuse(chosen, "")
	check(t, err)
	if first.Asked.IsZero() || !first.Came.IsZero() {
		t.Errorf("asked: %+v", first)
	}
	if _, err := s.Submit(chosenDraft(s)); !errors.Is(err, ErrRefused) {
		t.Errorf("submit: %v", err)
	}
	if _, err := s.Get(chosen); !errors.Is(err, ErrNotFound) {
		t.Errorf("get: %v", err)
	}
	_, err = s.Cleanup(Policy{})
	check(t, err)
	again, err := s.Refuse(chosen, "")
	if err != nil || again.Came.IsZero() || !again.Asked.Equal(first.Asked) {
		t.Errorf("asked again: %+v, %v", again, err)
	}
	s.now = func() time.Time { return time.Now().Add(Retain + time.Hour) }
	check(t, s.Expire())
	sub := submit(t, s, chosenDraft(s))
	if await(t, s, sub.Record.ID).State != OK {
		t.Error("two weeks later it does not run")
	}
	if _, err := s.Refuse(chosen, ""); !errors.Is(err, ErrTaken) {
		t.Errorf("a job that is there is refused: %v", err)
	}
	if _, err := s.Refuse("x", ""); err == nil {
		t.Error("what is no id is refused")
	}
}

// A refusal that comes while a job is submitted waits until the job is there.
func TestRefuseMeanwhile(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	for i := range 3 {
		d := chosenDraft(s)
		d.ID = chosen[:len(chosen)-1] + string(rune('0'+i))
		done := make(chan error)
		go func() {
			_, err := s.Submit(d)
			done <- err
		}()
		for !s.root.isDir(d.ID) {
			runtime.Gosched()
		}
		if _, err := s.Refuse(d.ID, ""); !errors.Is(err, ErrTaken) {
			t.Errorf("refuse: %v", err)
		}
		check(t, <-done)
	}
}
