// Package tap reads what passes through pipes of another process, and passes it on.
//
// A [Tap] has a pipe on which processes ask for that: each stands between two pipes as their
// reader and writer, writes a line with its process id, and waits. The tap then
// opens both pipes of the process, copies from one to the other, and tells the process to end.
// If this process is killed, the other one goes on. The process that writes notices no more than that the pipes hold one buffer more: it gets
// SIGPIPE when the reader goes away, and the reader the end of the file when the writer ends.
//
// It needs /proc and /dev/fd, as Linux has them: elsewhere, and where few descriptors are left, [New]
// returns [errors.ErrUnsupported].
package tap

// A Sink receives what passes through one pipe. Its methods are called one after the other.
type Sink interface {
	// Take receives the next bytes, which it must not keep.
	Take(b []byte)
	// End is called once, when nothing more comes. early means that the reader went away, or
	// that the tap was closed, before the writers had closed the pipe.
	End(early bool)
}
