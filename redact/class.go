package redact

// A class is a set of bytes, made of the bits below.
type class uint16

const (
	digit    class = 1 << iota // 0-9
	lower                      // a-z
	upper                      // A-Z
	hexDigit                   // 0-9 a-f A-F
	under                      // _
	dash                       // -
	dot                        // .
	plus                       // + /
	equals                     // =
	colon                      // :
	tilde                      // ~ !
	percent                    // %
	query                      // ? & @ # $ *
	blank                      // space and tab
	comma                      // ,

	alpha    = lower | upper
	alnum    = alpha | digit
	word     = alnum | under
	base64c  = alnum | plus
	urlSafe  = alnum | under | dash
	anyToken = urlSafe | dot | plus | equals | tilde | percent | query
)

var classes = [256]class{
	'0': digit | hexDigit, '1': digit | hexDigit, '2': digit | hexDigit, '3': digit | hexDigit, '4': digit | hexDigit,
	'5': digit | hexDigit, '6': digit | hexDigit, '7': digit | hexDigit, '8': digit | hexDigit, '9': digit | hexDigit,
	'a': lower | hexDigit, 'b': lower | hexDigit, 'c': lower | hexDigit, 'd': lower | hexDigit, 'e': lower | hexDigit,
	'f': lower | hexDigit, 'g': lower, 'h': lower, 'i': lower, 'j': lower, 'k': lower, 'l': lower, 'm': lower,
	'n': lower, 'o': lower, 'p': lower, 'q': lower, 'r': lower, 's': lower, 't': lower, 'u': lower, 'v': lower,
	'w': lower, 'x': lower, 'y': lower, 'z': lower,
	'A': upper | hexDigit, 'B': upper | hexDigit, 'C': upper | hexDigit, 'D': upper | hexDigit, 'E': upper | hexDigit,
	'F': upper | hexDigit, 'G': upper, 'H': upper, 'I': upper, 'J': upper, 'K': upper, 'L': upper, 'M': upper,
	'N': upper, 'O': upper, 'P': upper, 'Q': upper, 'R': upper, 'S': upper, 'T': upper, 'U': upper, 'V': upper,
	'W': upper, 'X': upper, 'Y': upper, 'Z': upper,
	'_': under, '-': dash, '.': dot, '+': plus, '/': plus, '=': equals, ':': colon, '~': tilde, '%': percent, '!': tilde,
	' ': blank, '\t': blank, ',': comma, '?': query, '&': query, '@': query, '#': query, '$': query, '*': query,
}

func is(c byte, k class) bool { return classes[c]&k != 0 }

// run returns how many bytes at the start of b are of class k.
func run(b []byte, k class) int {
	n := 0
	for n < len(b) && classes[b[n]]&k != 0 {
		n++
	}
	return n
}

// runOfMany is run where b may have thousands of such bytes: eight at a time as long as
// they have a class of k in common.
func runOfMany(b []byte, k class) int {
	n := 0
	for len(b)-n >= 8 {
		w := b[n:][:8]
		both := classes[w[0]] & classes[w[1]] & classes[w[2]] & classes[w[3]]
		if both&classes[w[4]]&classes[w[5]]&classes[w[6]]&classes[w[7]]&k == 0 {
			break
		}
		n += 8
	}
	return n + run(b[n:], k)
}

// runBack returns how many bytes at the end of b are of class k.
func runBack(b []byte, k class) int {
	n := 0
	for n < len(b) && classes[b[len(b)-1-n]]&k != 0 {
		n++
	}
	return n
}

// fold returns c in lower case, where it is an ASCII letter.
func fold(c byte) byte {
	if classes[c]&upper != 0 {
		return c | 0x20
	}
	return c
}

// hasFold reports whether b begins with prefix, which is in lower case,
// whatever the case of b.
func hasFold(b []byte, prefix string) bool {
	if len(b) < len(prefix) {
		return false
	}
	for i := range len(prefix) {
		if fold(b[i]) != prefix[i] {
			return false
		}
	}
	return true
}

func trimRight(b []byte) []byte {
	for len(b) > 0 && (b[len(b)-1] == ' ' || b[len(b)-1] == '\t' || b[len(b)-1] == '\r') {
		b = b[:len(b)-1]
	}
	return b
}

// trimValue returns b without what may follow a value on its line.
func trimValue(b []byte) []byte {
	for len(b) > 0 {
		switch b[0] {
		case ' ', '\t', '\r', '\\', ',', ';', ')', '"', '\'', '`':
			b = b[1:]
		default:
			return b
		}
	}
	return b
}
