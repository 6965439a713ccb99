package jq

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/itchyny/gojq"
)

// newValues returns the input's values, each of at most max bytes.
func newValues(in io.Reader, max int64) gojq.Iter {
	limited := &limitReader{r: in, max: max, left: max}
	d := json.NewDecoder(&unmarked{r: limited})
	d.UseNumber()
	return &jsonValues{d: d, in: limited}
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

// A limitReader fails where one value takes more bytes than it may.
type limitReader struct {
	r         io.Reader
	max, left int64
}

func (l *limitReader) reset() {
	l.left = l.max
}

func (l *limitReader) Read(b []byte) (int, error) {
	if l.left <= 0 {
		return 0, fmt.Errorf("one value has more than %d bytes", l.max)
	}
	n, err := l.r.Read(b[:min(int64(len(b)), l.left)])
	l.left -= int64(n)
	return n, err
}
