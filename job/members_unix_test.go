//go:build unix

package job

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"
)

// An engine may start a member again while the directory of the members is removed. That
// start finds the member's mark, or no directory.
func TestNoMemberStartsAgain(t *testing.T) {
	s := newStore(t)
	const id, members = "01J00000000000000000000000", 300
	mark := func(n int) error {
		return s.root.Mkdir(fmt.Sprintf("%s/%s/%d%s", id, membersDir, n, MemberStarted), 0o700)
	}
	check(t, s.root.Mkdir(id, 0o700), s.root.Mkdir(id+"/"+membersDir, 0o700))
	for n := range members {
		check(t, mark(n))
	}
	again, asked := make(chan error), make(chan struct{}, 1)
	go func() {
		err := mark(0)
		asked <- struct{}{}
		for n := 1; errors.Is(err, fs.ErrExist); n++ {
			err = mark(n % members)
		}
		again <- err
	}()
	<-asked
	s.removeMembers(id)
	if err := <-again; !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a member starts again: %v", err)
	}
	if names, err := s.root.names(id); err != nil || len(names) > 0 {
		t.Errorf("left: %q, %v", names, err)
	}
}
