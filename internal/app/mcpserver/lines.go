package mcpserver

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/envwrap/envwrap/internal/shared/jsontext"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxLine is the longest line that is read, in bytes. It is the SDK's limit.
const maxLine = mcp.DefaultMaxLineLength

// keptLine is the size up to which the memory of a line is used for the next one.
const keptLine = 1 << 20

// ServeLines serves s until in or ctx ends: each line of in is a message, and so is each
// line of out (the transport stdio of the protocol). The end of ctx cancels the calls as
// the end of in does, and is no error. A line that is no message is answered with an error
// and changes nothing else.
func ServeLines(ctx context.Context, s *mcp.Server, in io.Reader, out io.Writer) error {
	// Run waits for the calls when its context ends, so ctx ends its input instead.
	lines, writer := io.Pipe()
	defer context.AfterFunc(ctx, func() { _ = writer.Close() })()
	go func() {
		_, err := io.Copy(writer, in)
		_ = writer.CloseWithError(err)
	}()
	err := s.Run(context.WithoutCancel(ctx), &lineTransport{in: lines, out: out})
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// lineTransport implements [mcp.Transport] and [mcp.Connection]. It stands in for
// [mcp.IOTransport], whose connection ends at the first line that is no message.
type lineTransport struct {
	in     *io.PipeReader
	out    io.Writer
	reader *bufio.Reader
	line   []byte

	mu     sync.Mutex // guards what follows and out
	active map[jsonrpc.ID]bool
}

// Connect returns t itself.
func (t *lineTransport) Connect(context.Context) (mcp.Connection, error) {
	t.reader = bufio.NewReaderSize(t.in, 64<<10)
	t.active = map[jsonrpc.ID]bool{}
	return t, nil
}

// SessionID returns "": there is one session.
func (*lineTransport) SessionID() string { return "" }

// Close ends a Read that waits.
func (t *lineTransport) Close() error { return t.in.Close() }

// Read returns the next message. It answers lines before it that are no messages, and
// passes over blank ones.
func (t *lineTransport) Read(ctx context.Context) (jsonrpc.Message, error) {
	for ctx.Err() == nil {
		line, tooLong, err := t.readLine()
		if err != nil {
			return nil, err
		}
		message, answer := t.accept(line, tooLong)
		if message != nil {
			return message, nil
		}
		if answer != nil {
			if err := t.writeLine(answer); err != nil {
				return nil, err
			}
		}
	}
	return nil, ctx.Err()
}

// accept returns the message in a line, or the answer to a line that has none.
func (t *lineTransport) accept(line []byte, tooLong bool) (jsonrpc.Message, []byte) {
	if tooLong {
		return nil, refusal(nil, jsonrpc.CodeInvalidRequest, fmt.Sprintf("a message has at most %d bytes", maxLine))
	}
	if len(jsontext.TrimSpace(line)) == 0 {
		return nil, nil
	}
	message, answer := decode(line)
	call, ok := message.(*jsonrpc.Request)
	if !ok || !call.IsCall() {
		return message, answer
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.active[call.ID] { // the SDK would not answer
		return nil, refusal(nil, jsonrpc.CodeInvalidRequest, "a call with this id has no answer yet")
	}
	t.active[call.ID] = true
	return message, nil
}

// readLine returns the next line, valid until the next call, and whether it had more than
// maxLine bytes. Of such a line it keeps nothing.
func (t *lineTransport) readLine() (line []byte, tooLong bool, err error) {
	if cap(t.line) > keptLine {
		t.line = nil
	}
	t.line = t.line[:0]
	for {
		part, err := t.reader.ReadSlice('\n')
		if tooLong = tooLong || len(t.line)+len(part) > maxLine; tooLong {
			t.line = nil
		} else {
			t.line = append(t.line, part...)
		}
		switch {
		case err == nil, errors.Is(err, io.EOF) && (tooLong || len(t.line) > 0):
			return t.line, tooLong, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, false, err
		}
	}
}

// Write writes a message of the server.
func (t *lineTransport) Write(ctx context.Context, message jsonrpc.Message) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	response, ok := message.(*jsonrpc.Response)
	if ok {
		response.Error = bound(response.Error)
	}
	text, err := jsonrpc.EncodeMessage(message)
	if err != nil {
		return fmt.Errorf("encode message: %w", err)
	}
	if ok {
		t.mu.Lock()
		delete(t.active, response.ID)
		t.mu.Unlock()
	}
	return t.writeLine(text)
}

func (t *lineTransport) writeLine(text []byte) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	_, err := t.out.Write(append(text, '\n'))
	return err
}
