package artifact

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"testing/synctest"
)

// An until is a writer that calls done once it has got a text.
type until struct {
	text string
	done func()
	got  bytes.Buffer
}

func (u *until) Write(b []byte) (int, error) {
	u.got.Write(b)
	if bytes.Contains(u.got.Bytes(), []byte(u.text)) {
		u.done()
	}
	return len(b), nil
}

// TestSlowOutputIsOnDisk follows output that comes in drops, long before it
// fills a buffer, and then stores the whole of it.
func TestSlowOutputIsOnDisk(t *testing.T) {
	t.Parallel()
	s := openTemp(t)
	p, err := s.Create()
	if err != nil {
		t.Fatal(err)
	}
	defer p.Discard()
	whole := ""
	for _, drop := range []string{"first\n", "second\n"} {
		if _, err := p.Write([]byte(drop)); err != nil {
			t.Fatal(err)
		}
		whole += drop
		parts, err := s.Parts()
		if err != nil || len(parts) != 1 {
			t.Fatalf("%v, %v", parts, err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		w := &until{text: whole, done: cancel}
		err = s.Follow(ctx, parts[0].Name, func(*Object) (int64, error) { return 0, nil }, w)
		cancel()
		if !errors.Is(err, context.Canceled) || w.got.String() != whole {
			t.Fatalf("it followed %q, %v", w.got.String(), err)
		}
	}
	// what follows is fast and large, and goes on where the drops ended
	rest := bytes.Repeat([]byte("0123456789abcde\n"), (largeStep+3*largeSize)/16)
	if _, err := p.Write(rest); err != nil {
		t.Fatal(err)
	}
	digest, err := p.Commit(Info{})
	if err != nil {
		t.Fatal(err)
	}
	if v, err := s.Verify(Check{IDs: []string{digest}}); err != nil || len(v.Faults) != 0 || v.Bytes != int64(len(whole)+len(rest)) {
		t.Errorf("verify found %+v, %v", v, err)
	}
}

// Waiting bytes are passed on if nothing else was meanwhile, and not once the object is
// finished or nothing waits. No time passes here.
func TestHandOnIdle(t *testing.T) {
	s := openTemp(t)
	synctest.Test(t, func(t *testing.T) {
		p, err := s.Create()
		if err != nil {
			t.Fatal(err)
		}
		defer p.Discard()
		if _, err := p.Write([]byte("text")); err != nil {
			t.Fatal(err)
		}
		p.stopIdle()
		for i, step := range []struct {
			change func()
			given  int64
			waits  bool
		}{
			{func() { p.finished = make(chan struct{}) }, 0, false},
			{func() { p.finished, p.since = nil, 1 }, 0, true},
			{func() {}, 4, false},
			{func() { p.since = 0 }, 4, false},
		} {
			step.change()
			p.passIdle()
			if p.handed != step.given || (p.idle != nil) != step.waits {
				t.Errorf("step %d: %d bytes are handed on, it waits: %v", i, p.handed, p.idle != nil)
			}
			p.stopIdle()
		}
	})
}
