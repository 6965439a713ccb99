package envelope

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/envwrap/envwrap/envelope/internal/wire"
	"github.com/envwrap/envwrap/internal/shared/jsontext"
)

// documentMost is the most bytes of one document of an input.
const documentMost = 64 << 20

// A Document is one envelope of the input of [Documents].
type Document struct {
	Line int    // line number of its beginning, from 1
	In   string // JSON Pointer to the text that contains it in the result of an MCP tool; else ""
	Text []byte // valid until the next document is asked for
}

// Documents returns the envelopes of an input. If its first line is a complete JSON
// object, each line is a document (NDJSON), and memory does not grow with their number.
// Otherwise the input is one document: indented JSON, or the two blocks of
// tool-envelope/v1. In the result of an MCP tool,
// {"content":[{"type":"text","text":...}]}, or its list alone, each text that looks
// like a document is one. An error ends the sequence.
func Documents(r io.Reader) iter.Seq2[Document, error] {
	return func(yield func(Document, error) bool) {
		in := lineReader{r: bufio.NewReaderSize(r, 64<<10)}
		first, err := in.next()
		if err == nil && isObject(first) {
			for err == nil && unpack(Document{Line: in.line, Text: first}, yield) {
				first, err = in.next()
			}
			if err != nil && !errors.Is(err, io.EOF) {
				yield(Document{}, err)
			}
			return
		}
		if err == nil {
			first, err = in.all(bytes.Clone(first))
		}
		if err != nil && !errors.Is(err, io.EOF) {
			yield(Document{}, err)
			return
		}
		if len(jsontext.TrimSpace(first)) > 0 {
			unpack(Document{Line: 1, Text: first}, yield)
		}
	}
}

// A lineReader reads lines of up to documentMost bytes and skips empty ones.
type lineReader struct {
	r    *bufio.Reader
	line int
	long []byte
}

// next returns the next line that is not empty; it is valid until the next call.
func (in *lineReader) next() ([]byte, error) {
	for {
		line, err := in.read()
		if len(line) > 0 {
			in.line++
		}
		if len(jsontext.TrimSpace(line)) > 0 {
			return line, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

func (in *lineReader) read() ([]byte, error) {
	in.long = in.long[:0]
	for {
		part, err := in.r.ReadSlice('\n')
		if err == nil && len(in.long) == 0 {
			return part, nil
		}
		in.long = append(in.long, part...)
		if len(in.long) > documentMost {
			return nil, tooLong()
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return in.long, err
		}
	}
}

// all returns first and the rest of the input.
func (in *lineReader) all(first []byte) ([]byte, error) {
	rest, err := io.ReadAll(io.LimitReader(in.r, documentMost))
	if len(first)+len(rest) > documentMost {
		return nil, tooLong()
	}
	return append(first, rest...), err
}

func tooLong() error {
	return fmt.Errorf("read a document: it has more than %d MiB", documentMost>>20)
}

// unpack yields the documents in d: those of an MCP result, or d itself.
func unpack(d Document, yield func(Document, error) bool) bool {
	found := false
	for inner := range contentTexts(d) {
		found = true
		if !yield(inner, nil) {
			return false
		}
	}
	return found || yield(d, nil)
}

// contentTexts yields the documents in the text blocks of an MCP result.
func contentTexts(d Document) iter.Seq[Document] {
	return func(yield func(Document) bool) {
		at, content := contentIn(d.Text)
		var before []string
		for i, block := range jsontext.Elements(content) {
			f := wire.FieldsIn(block)
			text := wire.StringIn(f.Get("text"))
			if wire.StringIn(f.Get("type")) != "text" {
				continue
			}
			inner := Document{Line: d.Line, In: at + "/" + strconv.Itoa(i) + "/text", Text: []byte(text)}
			if isMarkedBlock(text) {
				inner.Text = []byte(strings.Join(append(before, text), "\n\n"))
			} else if _, ok := Guess(inner.Text); !ok {
				before = append(before, text)
				continue
			}
			if !yield(inner) {
				return
			}
		}
	}
}

// contentIn returns the content blocks of an MCP result, of one in its JSON-RPC frame, or
// of a bare list, with their JSON Pointer; nil if there are none.
func contentIn(text []byte) (at string, content json.RawMessage) {
	switch jsontext.Kind(text) {
	case '[':
		if jsontext.Valid(text) {
			return "", text
		}
	case '{':
		if !bytes.Contains(text, []byte(`"content"`)) || !jsontext.Valid(text) {
			return "", nil
		}
		if own := wire.FieldsIn(text).Get("content"); own != nil {
			return "/content", own
		}
		return "/result/content", wire.FieldsIn(wire.FieldsIn(text).Get("result")).Get("content")
	}
	return "", nil
}

// isMarkedBlock reports whether a text block begins with the mark of a dialect and is
// therefore the last one of a document of several blocks.
func isMarkedBlock(text string) bool {
	return slices.ContainsFunc(dialects[:], func(d *dialect) bool { return d.mark != "" && strings.HasPrefix(text, d.mark) })
}
