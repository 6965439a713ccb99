package wrap

import (
	"io"
	"os"
)

// A Passthrough hands one of the child's streams on as the child wrote it, secrets
// included: what reads it is what would read it if envwrap were not there. The
// zero Passthrough hands on nothing.
type Passthrough struct {
	// To gets the bytes as they come. Once a write has failed it gets no more;
	// the child runs on, until 64 MiB more went unread: then its pipe is closed.
	To io.Writer
	// Own is a file that the child writes to itself, a terminal for instance.
	// The record then knows nothing of the stream, and --idle-timeout sees
	// nothing of it either. To is not used.
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

// deserted reports whether so much went unread that nobody will come back.
func (p *passthrough) deserted() bool { return p.unread > unreadMost }
