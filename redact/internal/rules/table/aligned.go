package table

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/names"
	"github.com/envwrap/envwrap/redact/internal/syntax"
)

// gap is what is between the columns of a table without signs.
const gap = "  "

// noteAligned notes that the line of name is the header of a table whose cells begin below
// their headings, which begin with a capital: NAME   API KEY   AGE, of nothing else, or with a
// ruled line below.
func noteAligned(v *match.View, name syntax.Name) {
	rest := v.Text[name.End:v.Hi]
	if next := bytes.TrimLeft(syntax.TrimRight(rest), " "); v.Hi-v.Lo > maxAligned || len(next) > 0 && (rest[0] != ' ' || !ascii.Is(next[0], ascii.Upper)) {
		return
	}
	line, start := syntax.TrimRight(v.Text[v.Lo:v.Hi]), v.Lo
	if i := bytes.LastIndex(v.Text[v.Lo:name.Start], []byte(gap)); i >= 0 {
		start += i + len(gap)
	}
	t := match.Table{From: uint16(start - v.Lo), Sep: ' ', Columns: 1, First: firstWord(line)}
	t.Named = t.Named.With(0, names.StrengthOf(name.Bytes(), v.Text[v.Lo:name.Start]))
	switch heading := v.Text[start:name.End]; {
	case !ascii.Is(heading[0], ascii.Upper):
		return
	case t.Named == (match.Columns{}), string(heading) == "SECRET": // of kubectl: the name of one
		return
	case ascii.Run(line, ascii.Upper|ascii.Digit|ascii.Under|ascii.Dash|ascii.Blank) < len(line):
		t.From, t.Open = uint16(name.Start-v.Lo), 1 // until a ruled line follows
	case len(heading) == len(bytes.TrimSpace(line)), name.End < v.Lo+len(line) && !bytes.HasPrefix(rest, []byte(gap)):
		return // no other heading, or in the middle of one
	}
	v.HeaderSeen, v.Next.Table = true, t
}

// maxAligned is the most bytes of a header without signs.
const maxAligned = 512

// firstWord returns the hash of the first word of a line.
func firstWord(line []byte) uint32 {
	word, _, _ := bytes.Cut(bytes.TrimLeft(line, " "), []byte{' '})
	return hashOf(word)
}

// findAligned marks the secret in a row of the table t, whose columns have no signs between
// them. Another header, a line without columns, and one with something else where the
// column begins end it.
func findAligned(v *match.View, t match.Table) {
	line, i := syntax.TrimRight(v.Text[v.Lo:v.Hi]), v.Lo+int(t.From)
	switch {
	case i >= v.Lo+len(line):
		return
	case rule(line) && v.Text[i] == '-' && ascii.Contains(line, ' '):
		t.From -= uint16(ascii.RunBack(v.Text[v.Lo:i], ascii.Dash))
		t.Open = 0
		v.Next.Table = t
		return
	case t.Open > 0, i > v.Lo && v.Text[i-1] != ' ', firstWord(line) == t.First, !bytes.Contains(line, []byte(gap)):
		return
	}
	v.Next.Table = t
	end := i + len(v.Text[i:v.Lo+len(line)])
	if n := bytes.IndexByte(v.Text[i:end], ' '); n >= 0 {
		end = i + n
	}
	if SecretCell(t.Named.Strength(0), v.Text[i:end]) {
		v.Add(i, end, match.RuleAssignment)
	}
}

// NoteCopy notes that the lines below, after the statement at pos, have the rows of a table in
// a dump of PostgreSQL: COPY users (id, api_token) FROM stdin;
func NoteCopy(v *match.View, pos int) {
	before, _, ok := bytes.Cut(v.Text[pos:v.Hi], []byte(") FROM stdin;"))
	_, list, _ := bytes.Cut(before, []byte(" ("))
	n := bytes.Count(list, []byte(", ")) + 1
	if !ok || pos > v.Lo || n < minColumns || n > syntax.MaxColumns {
		return
	}
	t := match.Table{Sep: '\t', Columns: uint8(n)}
	for i := range n {
		name, rest, _ := bytes.Cut(list, []byte(", "))
		t.Named, list = t.Named.With(i, names.StrengthOf(bytes.Trim(name, `"`), nil)), rest
	}
	if t.Named != (match.Columns{}) {
		v.Next.Table = t
	}
}
