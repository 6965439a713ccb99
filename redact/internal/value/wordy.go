package value

import "github.com/envwrap/envwrap/redact/internal/ascii"

// pairs says how much more often than by chance one letter follows another in English
// words and identifiers: 5 is as often, 6 twice, 4 half as often. Counted over the words
// of the Go source tree.
const pairs = "" +
	"56774462615867261878554443" + // a
	"64546431631632531553522141" + // b
	"74547447506644842657542241" + // c
	"64568432732533642563534441" + // d
	"75786663513768465887455742" + // e
	"54456732711634641554512231" + // f
	"52437344511435640553422121" + // g
	"62336222612332520444412121" + // h
	"65766662123769752677261416" + // i
	"31213111201111310031311000" + // j
	"42226242511333321253212121" + // k
	"73468433813734741365533262" + // l
	"75347322613453671254521130" + // m
	"74777583625545642478553132" + // n
	"55663552414668660766655322" + // o
	"73547434504633651756522230" + // p
	"11220111100211011221501001" + // q
	"74559453714555741676543251" + // r
	"64648346714544663468634262" + // s
	"74548536802544751775533462" + // t
	"55545541512657351666121302" + // u
	"63437421501342431242211211" + // v
	"52335323501324420442112201" + // w
	"44444412400221250235142320" + // x
	"32323211301354250254141222" + // y
	"31226001310211310121121013" // z

const evenOdds = 5

// LongLetters is how many letters are longer than nearly all words of English.
const LongLetters = 16

// Wordy reports whether the letters of b look like words rather than chance. It takes
// letters in runs of one word: to the next digit or sign, or from a small to a capital
// letter.
func Wordy(b []byte) bool {
	score, n := 0, 0
	var before ascii.Class // of the previous byte, if it is a letter
	row := 0               // of that letter in pairs
	for _, c := range b {
		k := ascii.ClassOf(c) & ascii.Alpha
		if k == 0 {
			before = 0
			continue
		}
		letter := int(c|0x20) - 'a'
		if before == k || before == ascii.Upper {
			score += int(pairs[row+letter]) - '0' - evenOdds
			n++
		}
		before, row = k, letter*26
	}
	return n >= 3 && score*8 > -n
}

// Worded reports whether at least a third of b, or half if it is short, is words: rows of letters of one case, or
// after a capital, that look like words rather than chance and are between signs, other
// words and the ends of b, as in research-distillation-20260111. In random values letters
// are between digits.
func Worded(b []byte) bool {
	n := 0
	for i := 0; i < len(b); {
		from := i
		i += ascii.Run(b[i:], ascii.Upper)
		if lowers := ascii.Run(b[i:], ascii.Lower); i-from <= 1 {
			i += lowers
		} else if lowers > 0 {
			i-- // the capital of the next word
		}
		size, digits := i-from, ascii.Run(b[i:], ascii.Digit)
		apart := digits == 0 || digits <= maxNumber && (i+digits == len(b) || !ascii.Is(b[i+digits], ascii.Alpha))
		if size >= minRow && size <= LongLetters && apart && Wordy(b[from:from+size]) {
			n += size
		}
		if i += digits; i == from {
			i++
		} else if digits > 0 {
			i += ascii.Run(b[i:], ascii.Alnum) // no word
		}
	}
	if len(b) < LongLetters {
		return n*2 >= len(b)
	}
	return n*3 >= len(b)
}

const (
	minRow    = 5 // letters of a word that Worded counts, at least
	maxNumber = 4 // digits after one, at most
)
