package query

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Values are the input of an expression. Next returns the next value, or an
// error as a value, and reports whether there is one.
type Values interface{ Next() (any, bool) }

// newValues makes the input as a jq iterator.
func newValues(in io.Reader, o Options) Values {
	limited := &limitReader{r: in, max: o.MaxValue, left: o.MaxValue}
	switch {
	case o.Lines && o.Slurp:
		return &textValue{limited}
	case o.Lines:
		return &lineValues{bufio.NewReaderSize(limited, 64<<10), limited}
	}
	d := json.NewDecoder(&unmarked{r: limited})
	d.UseNumber()
	docs := &jsonValues{d: d, in: limited}
	if o.Slurp {
		limited.whole = true
		return &slurped{docs: docs}
	}
	return docs
}

// unmarked reads blanks for a byte order mark at the beginning, as other programs
// that read JSON do, so that offsets stay what they are.
type unmarked struct {
	r    io.Reader
	head []byte // of the input, that was looked at and not read yet
	seen bool
}

func (u *unmarked) Read(b []byte) (int, error) {
	if !u.seen {
		u.seen, u.head = true, make([]byte, len(byteOrderMark))
		n, err := io.ReadFull(u.r, u.head)
		if u.head = u.head[:n]; string(u.head) == byteOrderMark {
			u.head = []byte("   ")
		}
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return 0, err
		}
	}
	if len(u.head) > 0 {
		n := copy(b, u.head)
		u.head = u.head[n:]
		return n, nil
	}
	return u.r.Read(b)
}

const byteOrderMark = "\xef\xbb\xbf"

// jsonValues are the documents of a JSON stream.
type jsonValues struct {
	d    *json.Decoder
	in   *limitReader
	done bool
}

func (i *jsonValues) Next() (any, bool) {
	if i.done {
		return nil, false
	}
	i.in.reset()
	var v any
	err := i.d.Decode(&v)
	if err == nil {
		return v, true
	}
	i.done = true
	if errors.Is(err, io.EOF) {
		return nil, false
	}
	return notJSON(err, i.d.InputOffset()), true
}

// notJSON says where the input stops being JSON.
func notJSON(err error, offset int64) error {
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("the input is no JSON at byte %d: %w", syntax.Offset, err)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("the input is no JSON at byte %d: it ends in the middle of a value", offset)
	}
	return fmt.Errorf("read the input: %w", err)
}

// slurped is all documents as one array.
type slurped struct {
	docs *jsonValues
	done bool
}

func (i *slurped) Next() (any, bool) {
	if i.done {
		return nil, false
	}
	i.done = true
	all := []any{}
	for {
		v, ok := i.docs.Next()
		if !ok {
			return all, true
		}
		if _, failed := v.(error); failed {
			return v, true
		}
		all = append(all, v)
	}
}

// lineValues are lines, without their ends.
type lineValues struct {
	r  *bufio.Reader
	in *limitReader
}

func (i *lineValues) Next() (any, bool) {
	i.in.reset()
	line, err := i.r.ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("read the input: %w", err), true
	}
	if line == "" {
		return nil, false
	}
	return strings.ToValidUTF8(strings.TrimSuffix(line, "\n"), "\uFFFD"), true
}

// textValue is all of the input as one string.
type textValue struct{ in *limitReader }

func (i *textValue) Next() (any, bool) {
	if i.in == nil {
		return nil, false
	}
	b, err := io.ReadAll(i.in)
	i.in = nil
	if err != nil {
		return fmt.Errorf("read the input: %w", err), true
	}
	return strings.ToValidUTF8(string(b), "\uFFFD"), true
}

// A limitReader fails where one value takes more bytes than it may.
type limitReader struct {
	r         io.Reader
	max, left int64
	whole     bool // the limit is for all values together
}

func (l *limitReader) reset() {
	if !l.whole {
		l.left = l.max
	}
}

func (l *limitReader) Read(b []byte) (int, error) {
	if l.left <= 0 {
		return 0, fmt.Errorf("one value has more than %d bytes", l.max)
	}
	n, err := l.r.Read(b[:min(int64(len(b)), l.left)])
	l.left -= int64(n)
	return n, err
}
