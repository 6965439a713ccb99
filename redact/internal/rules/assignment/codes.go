package assignment

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/syntax"
	"github.com/envwrap/envwrap/redact/internal/value"
)

// codeLines is how many lines after a heading may have codes.
const codeLines = 24

// NoteCodes notes that the lines below may have codes that are taken once in place of a
// password, or the passwords of users, by their heading at pos. The subject of a commit is
// none.
func NoteCodes(v *match.View, pos int) {
	if v.Hi-v.Lo >= maxInline || v.CutRight {
		return
	}
	_, rest, _ := bytes.Cut(v.Text[pos:v.Hi], []byte(" "))
	rest = bytes.TrimLeft(rest[ascii.Run(rest, ascii.Alpha):], "\"'*`.")
	first, _, _ := bytes.Cut(v.Text[afterBullet(v):v.Hi], []byte(" "))
	if len(syntax.TrimRight(rest)) > 0 && !ascii.Contains(rest, ':') && !bytes.HasPrefix(rest, []byte(" for ")) || len(first) >= len("8d1f03a") && ascii.Run(first, ascii.HexDigit) == len(first) {
		return
	}
	v.Next.Codes = codeLines
}

// afterBullet returns the offset of the text of the line, after its margin and a bullet.
func afterBullet(v *match.View) int {
	i := v.Margin()
	if rest := v.Text[i:v.Hi]; bytes.HasPrefix(rest, []byte("- ")) || bytes.HasPrefix(rest, []byte("* ")) {
		i += len("- ")
	}
	return i
}

// maxCodes is the most codes on a line.
const maxCodes = 16

// FindCodes marks the codes on a line that has nothing else, but for a bullet, and after
// the names of users. Those on one line have one length. Lines that have words end the list.
func FindCodes(v *match.View, lines uint8) {
	i := afterBullet(v)
	if before := v.Text[v.Lo:i]; len(before) >= len("2026-11-28") && bytes.ContainsAny(before, "0123456789") {
		return // of a log
	}
	start, found := i, make([]syntax.Span, 0, maxCodes)
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
		case t.Len < value.Min, t.Digits == 0, t.UUID(), t.Placeholder(), value.Sample(b), ascii.Run(b, ascii.Alnum|ascii.Dash) < t.Len,
			len(found) == maxCodes, len(found) > 0 && found[0].End-found[0].Start != end-i:
			return
		default:
			found = append(found, syntax.Span{Start: i, End: end})
		}
		i = v.SkipSpaces(end)
	}
	for _, code := range found {
		v.Add(code.Start, code.End, match.RuleAssignment)
	}
	if i > start || lines == codeLines { // an empty line may follow the heading
		v.Next.Codes = lines - 1
	}
}
