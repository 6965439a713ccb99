package envelope

import (
	"fmt"
)

// A pushParser follows a JSON text as it goes by: one value, or values on lines
// of their own (NDJSON). It takes what [scan] takes, but for repeated names,
// which need memory, and UTF-8, which its owner checks. When the text can no
// longer be JSON it is dead and costs nothing more.
type pushParser struct {
	scalars bool // numbers, strings and literals may stand at top level
	single  bool // there must be no second value
	empty   bool // there may be no value

	state  pushState
	isName bool           // the string in hand is a name
	word   string         // rest of the literal in hand
	hex    rune           // digits of a \u escape so far
	digits int            // how many
	high   bool           // the first half of a surrogate pair came last
	nest   [MaxDepth]byte // the open brackets
	depth  int

	values   int64 // complete values at top level
	items    int64 // elements of the first value, where it is an array
	array    bool  // the first value is an array
	newline  bool  // since the last value at top level
	manyline bool  // a value has a line break inside

	names pushNames // of the open objects

	at     int64  // where the byte in hand is, or what ended the parse
	reason string // why it is no JSON
}

type pushState uint8

const (
	pushTop       pushState = iota // between values at top level
	pushValue                      // a value must come
	pushFirstItem                  // a value or ]
	pushFirstName                  // a name or }
	pushName                       // a name must come
	pushColon                      // a colon must come
	pushAfter                      // behind a value in an array or object
	pushString                     // in a string
	pushEscape                     // behind a backslash
	pushHex                        // in the digits of \u
	pushMinus                      // behind -
	pushZero                       // behind a leading 0
	pushInteger                    // in the digits of an integer
	pushPoint                      // behind .
	pushFraction                   // in the digits of a fraction
	pushExp                        // behind e
	pushExpSign                    // behind the sign of an exponent
	pushExpDigits                  // in the digits of an exponent
	pushLiteral                    // in true, false or null
	pushDead                       // it is no JSON
)

func (j *pushParser) write(p []byte) {
	start := j.at
	for i := 0; i < len(p); i++ {
		switch {
		case j.state == pushString && !j.high:
			n := plainLength(p[i:])
			if j.isName {
				j.names.text = append(j.names.text, p[i:i+n]...)
			}
			i += n
		case j.state == pushInteger:
			for i < len(p) && isDigit(p[i]) {
				i++
			}
		case p[i] == '"' && (j.state == pushName || j.state == pushFirstName || j.state == pushValue):
			i += j.wholeString(p[i:])
		case p[i] == ':' && j.state == pushColon:
			j.state = pushValue
			continue
		}
		if i == len(p) {
			break
		}
		j.at = start + int64(i)
		if j.take(p[i]); j.state == pushDead {
			return
		}
	}
	j.at = start + int64(len(p))
}

// wholeString takes the string that p begins with up to its closing quote, where
// all of that is here and nothing in it is special, and returns how much it took.
func (j *pushParser) wholeString(p []byte) int {
	n := 1 + plainLength(p[1:])
	if n == len(p) || p[n] != '"' {
		return 0
	}
	j.isName = j.state != pushValue
	j.state = pushString
	if j.isName {
		j.names.text = append(j.names.text[:0], p[1:n]...)
	}
	return n
}

// end says that nothing more comes.
func (j *pushParser) end() {
	if j.numberIsWhole() {
		j.endValue()
	}
	switch {
	case j.state == pushDead:
	case j.state != pushTop:
		j.die("the text ends inside a value")
	case j.values == 0 && !j.empty:
		j.die("there is no value")
	}
}

func (j *pushParser) die(format string, args ...any) {
	j.state, j.reason = pushDead, fmt.Sprintf(format, args...)
}

// one reports whether the text was one value, after end.
func (j *pushParser) one() bool { return j.state == pushTop && j.values == 1 }

// lines reports whether the text was values on lines of their own, after end.
func (j *pushParser) lines() bool { return j.state == pushTop && j.values > 0 && !j.manyline }

func (j *pushParser) take(c byte) {
	switch {
	case j.state >= pushMinus && j.state <= pushExpDigits:
		j.number(c)
	case j.state == pushLiteral:
		j.literal(c)
	case j.state == pushString || j.state == pushEscape || j.state == pushHex:
		j.str(c)
	case isSpace(c):
		if c == '\n' && j.depth > 0 {
			j.breakLine()
		}
		j.newline = j.newline || c == '\n'
	default:
		j.structure(c)
	}
}

// breakLine notes that a value goes on in another line.
func (j *pushParser) breakLine() {
	if j.manyline = true; j.values > 0 {
		j.die("a value goes on in another line")
	}
}

func (j *pushParser) structure(c byte) {
	switch j.state {
	case pushTop:
		j.top(c)
	case pushFirstItem:
		if c == ']' {
			j.close()
			return
		}
		if j.depth == 1 && j.values == 0 {
			j.items = 1
		}
		j.begin(c)
	case pushValue:
		j.begin(c)
	case pushFirstName, pushName:
		if c == '}' && j.state == pushFirstName {
			j.close()
			return
		}
		j.name(c)
	case pushColon:
		if c != ':' {
			j.unexpected(c)
			return
		}
		j.state = pushValue
	case pushAfter:
		j.behind(c)
	}
}

// top begins another value at top level.
func (j *pushParser) top(c byte) {
	switch {
	case c != '{' && c != '[' && !j.scalars:
		j.unexpected(c)
	case j.values > 0 && (j.single || j.manyline || !j.newline):
		j.die("there is more behind the value")
	default:
		if j.values == 0 {
			j.array = c == '['
		}
		j.begin(c)
	}
}

// begin takes the first byte of a value.
func (j *pushParser) begin(c byte) {
	switch c {
	case '{':
		j.open(c, pushFirstName)
	case '[':
		j.open(c, pushFirstItem)
	case '"':
		j.state, j.isName = pushString, false
	case '-':
		j.state = pushMinus
	case '0':
		j.state = pushZero
	case 't':
		j.state, j.word = pushLiteral, "rue"
	case 'f':
		j.state, j.word = pushLiteral, "alse"
	case 'n':
		j.state, j.word = pushLiteral, "ull"
	default:
		if !isDigit(c) {
			j.unexpected(c)
			return
		}
		j.state = pushInteger
	}
}

func (j *pushParser) open(c byte, next pushState) {
	if j.depth == MaxDepth {
		j.die("nested deeper than %d levels", MaxDepth)
		return
	}
	j.nest[j.depth] = c
	j.depth++
	j.state = next
	if c == '{' {
		j.names.open()
	}
}

func (j *pushParser) close() {
	j.depth--
	if j.nest[j.depth] == '{' {
		j.names.close()
	}
	j.endValue()
}

func (j *pushParser) endValue() {
	if j.depth > 0 {
		j.state = pushAfter
		return
	}
	j.state, j.newline = pushTop, false
	j.values++
}

func (j *pushParser) name(c byte) {
	if c != '"' {
		j.unexpected(c)
		return
	}
	j.state, j.isName = pushString, true
	j.names.text = j.names.text[:0]
}

// behind takes what stands behind a value in an array or object.
func (j *pushParser) behind(c byte) {
	switch in := j.nest[j.depth-1]; {
	case c == ',' && in == '{':
		j.state = pushName
	case c == ',':
		if j.depth == 1 && j.values == 0 {
			j.items++
		}
		j.state = pushValue
	case c == '}' && in == '{', c == ']' && in == '[':
		j.close()
	default:
		j.unexpected(c)
	}
}
