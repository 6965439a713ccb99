package below

import (
	"bytes"
	"encoding/json"
	"strings"
)

// byteOrderMark begins files of some editors on Windows.
const byteOrderMark = "\ufeff"

// throughLineEnds makes a change of a document whose lines may all end with CRLF, and which may
// begin with a byte order mark: they stay. The change gets the document with LF and without the
// mark.
func throughLineEnds(doc []byte, change func([]byte) ([]byte, error)) ([]byte, error) {
	plain, marked := bytes.CutPrefix(doc, []byte(byteOrderMark))
	crlf := bytes.Count(plain, []byte("\r\n"))
	windows := crlf > 0 && crlf == bytes.Count(plain, []byte("\n"))
	if windows {
		plain = bytes.ReplaceAll(plain, []byte("\r\n"), []byte("\n"))
	}
	changed, err := change(plain)
	if err != nil {
		return nil, err
	}
	if windows {
		changed = bytes.ReplaceAll(changed, []byte("\n"), []byte("\r\n"))
	}
	if marked {
		changed = append([]byte(byteOrderMark), changed...)
	}
	return changed, nil
}

// throughComments makes a change of a JSON document that may have comments and commas before
// closing brackets, as clients' settings may: they stay. The change gets the document with
// comments as carriage returns, which are space to JSON, or if it cannot be made so, as blanks.
// errNotJSON means that it is no such document, or that the change would take out a comment.
func throughComments(doc []byte, change func([]byte) ([]byte, error)) ([]byte, error) {
	if json.Valid(doc) || len(bytes.TrimSpace(doc)) == 0 {
		return change(doc)
	}
	plain := blankComments(doc, ' ')
	if !json.Valid(plain) {
		return nil, errNotJSON
	}
	if !bytes.Contains(doc, []byte("\r")) {
		if changed, err := change(blankComments(doc, '\r')); err == nil {
			if changed, ok := restoreComments(changed, doc); ok {
				return changed, nil
			}
		}
	}
	changed, err := change(plain)
	if err != nil || bytes.Equal(changed, plain) {
		return doc, err
	}
	n := min(len(plain), len(changed))
	head := 0
	for head < n && plain[head] == changed[head] {
		head++
	}
	tail := 0
	for tail < n-head && plain[len(plain)-1-tail] == changed[len(changed)-1-tail] {
		tail++
	}
	if !bytes.Equal(plain[head:len(plain)-tail], doc[head:len(doc)-tail]) {
		return nil, errNotJSON
	}
	changed = bytes.Join([][]byte{doc[:head], changed[head : len(changed)-tail], doc[len(doc)-tail:]}, nil)
	if !json.Valid(blankComments(changed, ' ')) {
		return nil, errNotJSON
	}
	return changed, nil
}

// restoreComments puts the comments and commas of doc back into a document that has carriage
// returns in their place. It reports false if one is missing, or if the result is not valid.
func restoreComments(changed, doc []byte) ([]byte, bool) {
	plain := blankComments(doc, '\r')
	if bytes.Count(changed, []byte("\r")) != bytes.Count(plain, []byte("\r")) {
		return nil, false
	}
	at := 0
	for i, c := range changed {
		if c != '\r' {
			continue
		}
		at += bytes.IndexByte(plain[at:], '\r')
		changed[i] = doc[at]
		at++
	}
	return changed, json.Valid(blankComments(changed, ' '))
}

// blankComments returns a document with a character of space in the place of each of comments, and
// of commas before closing brackets.
func blankComments(doc []byte, space byte) []byte {
	plain := bytes.Clone(doc)
	blank := func(from, to int) {
		for i := from; i < to; i++ {
			if plain[i] != '\n' {
				plain[i] = space
			}
		}
	}
	comma := -1 // the last one, if only blanks and comments follow
	for i := 0; i < len(doc); i++ {
		rest := doc[i:]
		switch c := doc[i]; {
		case c == '"':
			for i++; i < len(doc) && doc[i] != '"'; i++ {
				if doc[i] == '\\' {
					i++
				}
			}
			comma = -1
		case bytes.HasPrefix(rest, []byte("//")):
			end := bytes.IndexByte(rest, '\n')
			if end < 0 {
				end = len(rest)
			}
			blank(i, i+end)
			i += end - 1
		case bytes.HasPrefix(rest, []byte("/*")):
			end := bytes.Index(rest[2:], []byte("*/"))
			if end < 0 {
				return plain
			}
			blank(i, i+end+4)
			i += end + 3
		case c == ',':
			comma = i
		case c == ']' || c == '}':
			if comma >= 0 {
				plain[comma] = space
			}
			comma = -1
		case strings.IndexByte(" \t\r\n", c) < 0:
			comma = -1
		}
	}
	return plain
}
