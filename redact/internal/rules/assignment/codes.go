package assignment

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/value"
)

// codeLines is how many lines after a heading may have codes.
const codeLines = 24

// NoteCodes notes that the lines below may have codes that are taken once in place of a
// password, or the passwords of users, by their heading.
func NoteCodes(v *match.View, _ int) {
	if v.Hi-v.Lo < maxInline && !v.CutRight {
		v.Next.Codes = codeLines
	}
}

// FindCodes marks the codes on a line that has nothing else, but for a bullet, and after
// the names of users. Lines that have words end the list.
func FindCodes(v *match.View, lines uint8) {
	i := v.Margin()
	if rest := v.Text[i:v.Hi]; bytes.HasPrefix(rest, []byte("- ")) || bytes.HasPrefix(rest, []byte("* ")) {
		i += len("- ")
	}
	start := i
	for i < v.Hi {
		end := i + len(v.Text[i:v.Hi])
		if n := bytes.IndexAny(v.Text[i:v.Hi], " \t\r"); n >= 0 {
			end = i + n
		}
		if n := bytes.IndexByte(v.Text[i:end], ':'); n > 0 {
			i += n + 1
		}
		b := bytes.Trim(v.Text[i:end], `"`) // of a mask
		switch t := value.TraitsOf(b); {
		case string(b) == match.Mask:
		case t.Len < value.Min, t.Digits == 0, t.UUID(), ascii.Run(b, ascii.Alnum|ascii.Dash) < t.Len:
			return
		default:
			v.Add(i, end, match.RuleAssignment)
		}
		i = v.SkipSpaces(end)
	}
	if i > start || lines == codeLines { // an empty line may follow the heading
		v.Next.Codes = lines - 1
	}
}
