package value

// wordsWithin are words to be found anywhere in a value: the rest of each after its first
// byte, by that byte.
type wordsWithin ['z' + 1][]string

// In reports whether one of the words is a part of w, in one pass.
func (words *wordsWithin) In(w []byte) bool {
	for i, c := range w {
		if c < byte(len(words)) && words[c] != nil && words.Begin(w[i:]) {
			return true
		}
	}
	return false
}

// Begin reports whether w, which is not empty, begins with one of the words.
func (words *wordsWithin) Begin(w []byte) bool {
	if w[0] >= byte(len(words)) {
		return false
	}
	for _, rest := range words[w[0]] {
		if len(w) > len(rest) && w[1] == rest[0] && string(w[1:1+len(rest)]) == rest {
			return true
		}
	}
	return false
}

// A mark is what a word says of the value that it is in.
type mark uint8

const (
	instruction mark = 1 << iota // asks the reader to put something else there, in words that no secret has
	filler                       // is in place of a value
	example                      // says that it is one, if the value is mostly words
	sample                       // is in place of a token
)

// markedWords are words with a mark, without their first byte, by that byte.
type markedWords ['z' + 1][]struct {
	rest string
	of   mark
}
