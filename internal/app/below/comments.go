package below

import (
	"bytes"
	"encoding/json"
)

// throughComments makes a change of a JSON document that may have comments and commas before
// closing brackets, as clients' settings may: they stay. The change gets the document with
// blanks in their place. errNotJSON means that it is no such document, or that the change
// would take out a comment.
func throughComments(doc []byte, change func([]byte) ([]byte, error)) ([]byte, error) {
	if json.Valid(doc) || len(bytes.TrimSpace(doc)) == 0 {
		return change(doc)
	}
	plain := blankComments(doc)
	if !json.Valid(plain) {
		return nil, errNotJSON
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
	if !json.Valid(blankComments(changed)) {
		return nil, errNotJSON
	}
	return changed, nil
}

// blankComments returns a document with blanks in the place of comments, and of commas
// before closing brackets.
func blankComments(doc []byte) []byte {
	plain := bytes.Clone(doc)
	blank := func(from, to int) {
		for i := from; i < to; i++ {
			if plain[i] != '\n' {
				plain[i] = ' '
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
				plain[comma] = ' '
			}
			comma = -1
		case c != ' ' && c != '\t' && c != '\n' && c != '\r':
			comma = -1
		}
	}
	return plain
}
