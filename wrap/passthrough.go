package wrap

import (
	"io"
	"os"
)

// A Passthrough passes one of the child's streams on exactly as the child wrote it,
// including secrets, to the program that would read it without envwrap. The zero
// Passthrough passes nothing on.
type Passthrough struct {
	// To receives the bytes as they are read. After a failed write it receives no more,
	// and the child runs on; 64 MiB later its pipe is closed.
	To io.Writer
	// Own is a file, for instance a terminal, that the child writes to directly. Then
	// the record has nothing of the stream, IdleTimeout does not see it, and To is not
	// used.
	Own *os.File
}

// unreadMost is how many bytes are read for the record alone once the reader
// of a Passthrough has gone away. It lets `command | head` end as the command
// does, and ends a command that would print for ever, as a pipe of its own
// would.
const unreadMost = 64 << 20

// A passthrough is a Passthrough.To in use, by the goroutine that pumps the stream.
type passthrough struct {
	to     io.Writer
	gone   bool
	unread int
}

func (p *passthrough) take(b []byte) {
	switch {
	case p.to == nil:
	case p.gone:
		p.unread += len(b)
	default:
		_, err := p.to.Write(b)
		p.gone = err != nil
	}
}

// deserted reports whether unreadMost bytes were read after the reader had gone away.
func (p *passthrough) deserted() bool { return p.unread > unreadMost }
