package job

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The supervisor creates no file once the record says that the job has ended, since a
// waiting process may remove the store then.
func TestNoFileAfterTheEnd(t *testing.T) {
	s := newStore(t)
	sub, open := submitGated(t, s, draft(s, "cat"))
	id := sub.Record.ID
	jobs := s.root.Name()
	fd, err := unix.InotifyInit1(unix.IN_CLOEXEC | unix.IN_NONBLOCK)
	if err != nil {
		t.Fatal(err)
	}
	events := os.NewFile(uintptr(fd), "inotify")
	defer events.Close()
	for _, dir := range []string{jobs, filepath.Join(jobs, id)} {
		if _, err := unix.InotifyAddWatch(fd, dir, unix.IN_CREATE|unix.IN_MOVED_TO); err != nil {
			t.Fatal(err)
		}
	}
	open()
	await(t, s, id)
	<-s.records.over(t.Context(), id)
	made := inotifyNames(t, fd)
	if len(made) == 0 || made[len(made)-1] != recordFile {
		t.Errorf("made, in this order: %q; the record is not the last", made)
	}
}

// inotifyNames returns the names of the events that wait in fd.
func inotifyNames(t *testing.T, fd int) (names []string) {
	t.Helper()
	buf := make([]byte, 64<<10)
	for {
		n, err := unix.Read(fd, buf)
		if errors.Is(err, unix.EAGAIN) {
			return names
		}
		if err != nil {
			t.Fatal(err)
		}
		for b := buf[:n]; len(b) > 0; {
			e := (*unix.InotifyEvent)(unsafe.Pointer(&b[0]))
			name, _, _ := bytes.Cut(b[unix.SizeofInotifyEvent:unix.SizeofInotifyEvent+e.Len], []byte{0})
			names = append(names, string(name))
			b = b[unix.SizeofInotifyEvent+e.Len:]
		}
	}
}
