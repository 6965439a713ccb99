package encodings

import (
	"encoding/base64"
	"encoding/binary"
	"strings"

	"github.com/envwrap/envwrap/redact/internal/ascii"
)

// The characters of base85: of Ascii85, as PostScript has it, and of RFC 1924, as git and
// Python do.
const (
	ascii85  = "!\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstu"
	rfc1924  = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~"
	around85 = ascii.Word | ascii.Dash | ascii.Dot | ascii.Plus | ascii.Equals | ascii.Colon | ascii.Tilde | ascii.Percent | ascii.Query | ascii.Comma
)

// base85 lists s in base85, wherever it is in a text: the groups of four bytes that have
// nothing else in them, at each of their four alignments. Their neighbours have the rest.
func base85(s string) []Form {
	var out []Form
	for _, digits := range [...]string{ascii85, rfc1924} {
		for shift := range min(4, len(s)) {
			var t []byte
			for b := s[shift:]; len(b) >= 4; b = b[4:] {
				var group [5]byte
				for n, i := binary.BigEndian.Uint32([]byte(b)), 4; i >= 0; i-- {
					group[i] = digits[n%85]
					n /= 85
				}
				t = append(t, group[:]...)
			}
			if len(t) >= MinWide {
				out = append(out, Form{Text: string(t), Around: around85})
			}
		}
	}
	return out
}

// uuPart is how many bytes of a value are searched for in uuencoded lines, each of which
// has 45 bytes.
const uuPart = 9

// uuencoded lists parts of s as uuencode(1) writes them, at each of the three alignments.
func uuencoded(s string) []Form {
	const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	var out []Form
	for off := 0; off+uuPart <= len(s); off += uuPart {
		for shift := range 3 {
			t := []byte(aligned(base64.RawStdEncoding, s[off:off+uuPart], shift))
			for i, c := range t {
				t[i] = ' ' + byte(strings.IndexByte(digits, c))
				if t[i] == ' ' {
					t[i] = '`'
				}
			}
			out = append(out, Form{Text: string(t), Around: around85 &^ ascii.Lower})
		}
	}
	return out
}
