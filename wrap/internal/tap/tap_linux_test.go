package tap

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/envwrap/envwrap/internal/test/testenv"
	"golang.org/x/sys/unix"
)

func TestMain(m *testing.M) { os.Exit(testenv.Run(m)) }

// A record is a Sink that remembers.
type record struct {
	bytes.Buffer
	end []bool // what each End was told
}

func (r *record) Take(b []byte)  { r.Write(b) }
func (r *record) End(early bool) { r.end = append(r.end, early) }

func pipe(t *testing.T) (r, w *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close(); w.Close() })
	return r, w
}

// own returns a descriptor of f that is not closed with it, as a tap opens one.
func own(t *testing.T, f *os.File, flags int) int {
	t.Helper()
	fd, err := openPipe("/proc/self/fd/"+strconv.Itoa(int(f.Fd())), flags)
	if err != nil {
		t.Fatal(err)
	}
	return fd
}

// The copying ends with the writer, with the reader or with the tap; what the pipe still holds
// is taken, and only the writer's end is not early.
func TestCopierEnds(t *testing.T) {
	for _, c := range []struct {
		name                   string
		written                string
		writerEnds, readerEnds bool
		stopped                bool
		taken, read, answered  string
		early                  bool
	}{
		{"writer", "some\n", true, false, false, "some\n", "some\n", "done\n", false},
		{"writer without output", "", true, false, false, "", "", "done\n", false},
		{"reader", "some\n", false, true, false, "some\n", "", "done\n", true},
		{"reader of nothing", "", false, true, false, "", "", "done\n", true},
		{"both", "some\n", true, true, false, "some\n", "", "done\n", false},
		{"tap", "some\n", false, false, true, "", "", "", true},
		{"tap after the writer", "some\n", true, false, true, "", "", "", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			fromWriter, writer := pipe(t)
			reader, toReader := pipe(t)
			stop, stopper := pipe(t)
			answer, process := pipe(t)
			var sink record
			copier := copier{
				in: own(t, fromWriter, unix.O_RDONLY), out: own(t, toReader, unix.O_WRONLY),
				stop: int(stop.Fd()), sink: &sink, process: process, done: "done",
			}
			_, err := writer.WriteString(c.written)
			err = errors.Join(err, fromWriter.Close(), toReader.Close())
			if c.writerEnds {
				err = errors.Join(err, writer.Close())
			}
			if c.readerEnds {
				err = errors.Join(err, reader.Close())
			}
			if c.stopped {
				err = errors.Join(err, stopper.Close())
			}
			if err != nil {
				t.Fatal(err)
			}
			copier.run()
			process.Close()
			if got, err := io.ReadAll(answer); string(got) != c.answered || err != nil {
				t.Errorf("the process got %q, %v, want %q", got, err, c.answered)
			}
			if got, err := io.ReadAll(reader); string(got) != c.read || err != nil && !c.readerEnds {
				t.Errorf("the reader got %q, %v, want %q", got, err, c.read)
			}
			if sink.String() != c.taken || !slices.Equal(sink.end, []bool{c.early}) {
				t.Errorf("the sink got %q and ends %v, want %q and %v", sink.String(), sink.end, c.taken, c.early)
			}
		})
	}
}

// A tap copies all that passes between the pipes of the process that asks, more than they hold
// too, and refuses what is no request.
func TestTap(t *testing.T) {
	var sink, other, third, fourth record
	tap, err := New([]Sink{&sink, &other, &third, &fourth}, "done")
	if err != nil {
		t.Fatal(err)
	}
	defer tap.Close()
	var answers [4]*bufio.Reader
	for i := range answers {
		f, err := os.Open(tap.Answer(i))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		answers[i] = bufio.NewReader(f)
	}
	fromWriter, writer := pipe(t)
	reader, toReader := pipe(t)
	waits := exec.CommandContext(t.Context(), "cat")
	waits.ExtraFiles = []*os.File{5: fromWriter, 6: toReader} // 8 and 9 in the process
	held, err := waits.StdinPipe()
	if err == nil {
		err = waits.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	half := exec.CommandContext(t.Context(), "cat")
	half.ExtraFiles = waits.ExtraFiles[:6] // it has no 9
	heldToo, err := half.StdinPipe()
	if err == nil {
		err = half.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	requests, err := os.OpenFile(tap.Request(), os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer requests.Close()
	pid := strconv.Itoa(waits.Process.Pid)
	for _, line := range []string{"", "x " + pid, "-1 " + pid, "4 " + pid, "1 2147483647 more", "3 self more", "2 " + strconv.Itoa(half.Process.Pid) + " more", "0 " + pid + " more", "0 " + pid + " again"} {
		if _, err := requests.WriteString(line + "\n"); err != nil {
			t.Fatal(err)
		}
	}
	for i, who := range map[int]string{1: "a process that does not exist", 2: "a process without the second pipe", 3: "no process"} {
		if line, err := answers[i].ReadString('\n'); line != "" || !errors.Is(err, io.EOF) {
			t.Errorf("%s got %q, %v", who, line, err)
		}
	}
	if line, err := answers[0].ReadString('\n'); line != "\n" || err != nil {
		t.Fatalf("the process got %q, %v", line, err)
	}
	// The tap has the pipes.
	if err := errors.Join(held.Close(), heldToo.Close(), waits.Wait(), half.Wait(), fromWriter.Close(), toReader.Close()); err != nil {
		t.Fatal(err)
	}
	text := bytes.Repeat([]byte("0123456789abcde\n"), 16<<10)
	go func() {
		_, _ = writer.Write(text)
		writer.Close()
	}()
	if got, err := io.ReadAll(reader); !bytes.Equal(got, text) || err != nil {
		t.Errorf("the reader got %d of %d bytes, %v", len(got), len(text), err)
	}
	if line, err := answers[0].ReadString('\n'); line != "done\n" || err != nil {
		t.Errorf("the process got %q, %v", line, err)
	}
	tap.Close()
	if !bytes.Equal(sink.Bytes(), text) || !slices.Equal(sink.end, []bool{false}) || other.end != nil || third.end != nil || fourth.end != nil {
		t.Errorf("the sinks got %d bytes and %v, %v, %v, %v", sink.Len(), sink.end, other.end, third.end, fourth.end)
	}
}

// A tap leaves descriptors to the rest of the process.
func TestTapNeedsDescriptors(t *testing.T) {
	r, _ := pipe(t)
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	for _, left := range []uint64{0, 1, 2, 3, 4, 5, 6, 7, 8, spare} {
		few := limit
		few.Cur = uint64(r.Fd()) + left
		if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &few); err != nil {
			t.Fatal(err)
		}
		tap, err := New([]Sink{&record{}}, "done")
		if restored := unix.Setrlimit(unix.RLIMIT_NOFILE, &limit); restored != nil {
			t.Fatal(restored)
		}
		if tap != nil || !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, unix.EMFILE) {
			t.Errorf("a tap with %d descriptors: %v, %v", left, tap, err)
		}
	}
}

// Only pipes are opened, and only descriptors without close-on-exec are inherited.
func TestDescriptors(t *testing.T) {
	if fd, err := openPipe(os.DevNull, unix.O_RDONLY); !errors.Is(err, unix.EINVAL) {
		t.Errorf("a device was opened as %d: %v", fd, err)
	}
	if fd, err := openPipe("/proc/self/fd/none", unix.O_RDONLY); !errors.Is(err, unix.ENOENT) {
		t.Errorf("nothing was opened as %d: %v", fd, err)
	}
	r, _ := pipe(t)
	fd, err := unix.Dup(int(r.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	var tap Tap
	if tap.Inherited(int(r.Fd())) || !tap.Inherited(fd) {
		t.Error("close-on-exec is taken for its opposite")
	}
	if err := unix.Close(fd); err != nil || tap.Inherited(fd) {
		t.Errorf("a closed descriptor is inherited: %v", err)
	}
}

// What a pipe has no room for is written when its reader has made some, and nothing without a
// reader.
func TestWriteWaits(t *testing.T) {
	reader, toReader := pipe(t)
	stop, _ := pipe(t)
	c := copier{out: own(t, toReader, unix.O_WRONLY), stop: int(stop.Fd())}
	if _, err := unix.FcntlInt(uintptr(c.out), unix.F_SETPIPE_SZ, 4096); err != nil {
		t.Fatal(err)
	}
	toReader.Close()
	text := bytes.Repeat([]byte("0123456789abcde\n"), 64<<10)
	full, err := unix.Write(c.out, text)
	if err != nil {
		t.Fatal(err)
	}
	written := make(chan struct{})
	go func() {
		c.write(text[full:])
		_ = unix.Close(c.out)
		close(written)
	}()
	if got, err := io.ReadAll(reader); !bytes.Equal(got, text) || err != nil {
		t.Errorf("the reader got %d of %d bytes, %v", len(got), len(text), err)
	}
	<-written
	gone, toNobody := pipe(t)
	c.out = own(t, toNobody, unix.O_WRONLY)
	gone.Close()
	c.write(text)
	_ = unix.Close(c.out)
}

// A signal to the thread that waits is no end.
func TestSignalIsNoEnd(t *testing.T) {
	reader, writer := pipe(t)
	stop, _ := pipe(t)
	c := copier{out: int(writer.Fd()), stop: int(stop.Fd())}
	thread, waited := make(chan int), make(chan [2]bool)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		thread <- unix.Gettid()
		ready, gone := c.wait(int(reader.Fd()), unix.POLLIN)
		waited <- [2]bool{ready, gone}
	}()
	tid, poll := <-thread, time.NewTicker(time.Millisecond)
	defer poll.Stop()
	for {
		select {
		case got := <-waited:
			if got != [2]bool{} {
				t.Errorf("ready and gone are %v", got)
			}
			return
		case <-poll.C: // the one before may have come too early
			if err := unix.Tgkill(os.Getpid(), tid, unix.SIGURG); err != nil {
				t.Fatal(err)
			}
		}
	}
}
