package jq

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"sync"
)

// A Format says how results are printed.
type Format struct {
	Raw    bool   // strings without quotes
	Pretty bool   // objects and arrays indented
	Digest string // as an array in one JSON object about this artifact; "" is a line each
}

// A Printer prints results as they are found. Its object is whole also where the
// expression fails. It is safe for concurrent use.
type Printer struct {
	Format
	mu  sync.Mutex
	out *bufio.Writer
	n   int
}

// NewPrinter returns a Printer that prints on w.
func NewPrinter(w io.Writer, f Format) *Printer {
	return &Printer{Format: f, out: bufio.NewWriterSize(w, 64<<10)}
}

// Add prints the JSON text of one result.
func (p *Printer) Add(text []byte) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.Digest != "" {
		p.open()
		if p.n++; p.n > 1 {
			p.out.WriteByte(',')
		}
		_, err := p.out.Write(text)
		return err
	}
	if s, ok := unquote(text); ok && p.Raw {
		text = s
	} else if p.Pretty {
		var b bytes.Buffer
		if json.Indent(&b, text, "", "  ") == nil {
			text = b.Bytes()
		}
	}
	p.out.Write(text)
	return p.out.WriteByte('\n')
}

// unquote returns the text of a JSON string. It reports false for any other value.
func unquote(text []byte) ([]byte, bool) {
	var s string
	ok := bytes.HasPrefix(text, []byte{'"'}) && json.Unmarshal(text, &s) == nil
	return []byte(s), ok
}

func (p *Printer) open() {
	if p.n == 0 {
		fmt.Fprintf(p.out, `{"digest":%q,"results":[`, p.Digest)
	}
}

// Close writes the buffered results, and the end of the object.
func (p *Printer) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.Digest != "" {
		p.open()
		fmt.Fprintf(p.out, "],\"count\":%d}\n", p.n)
	}
	return p.out.Flush()
}
