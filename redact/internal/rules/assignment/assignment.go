package assignment

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/classify"
	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/names"
	"github.com/envwrap/envwrap/redact/internal/rules/service"
	"github.com/envwrap/envwrap/redact/internal/rules/table"
	"github.com/envwrap/envwrap/redact/internal/rules/token"
	"github.com/envwrap/envwrap/redact/internal/syntax"
)

// maxNested is how many names are looked for in a value that has no space or
// other sign in it that would end one.
const maxNested = 32

// Find looks for a name around the keyword at pos, an operator after
// it, and a value that may be secret.
func Find(v *match.View, pos int) {
	if pos < v.NameTo {
		return // within the name of an earlier keyword
	}
	if v.InUnquoted(pos) {
		if v.PlainNames++; v.PlainNames > maxNested {
			return
		}
	} else {
		v.PlainNames = 0
	}
	name := v.NameAt(pos)
	v.NameTo = name.End
	st := names.StrengthOf(name.Bytes(), v.Text[v.Lo:name.Start])
	if name.Start+len("-D") <= pos && defines(name.Bytes()) {
		if of := names.StrengthOf(v.Text[name.Start+len("-D"):name.End], nil); of > st {
			name.Start, st = name.Start+len("-D"), of
		}
	}
	if st == names.None {
		service.FindValue(v, name.Start, pos)
		return
	}
	i, op := name.Operator()
	if st >= names.Strong && (op == syntax.OpComma || op == syntax.OpAssign) {
		if k, several := name.Several(i, op); k > 0 {
			i, op = k, several
		}
	}
	if st > names.None && followedByService(name) {
		st = names.Strong
	}
	if op == syntax.OpComma || op == syntax.OpNone || op == syntax.OpBeside {
		table.NoteHeader(v, name)
	}
	opensBlock(v, st, name.End, i, op)
	switch {
	case op == syntax.OpNone && name.NamesVariable():
		v.Expect(st, syntax.OpMember)
		return
	case op == syntax.OpNone:
		if st >= names.Strong && v.SkipSpaces(name.End) == v.Hi {
			v.Expect(st, syntax.OpBeside) // a heading
		}
		compared(v, st, name)
		service.FindValue(v, name.Start, pos)
		return
	case name.ClosesString(i):
		return
	case i >= v.Hi, heredoc(v.Text[i:v.Hi]):
		if op != syntax.OpComma || name.End < v.Hi && syntax.IsQuote(v.Text[name.End]) {
			v.Expect(st, op)
			v.Next.Pending.Below = op == syntax.OpColon && i >= v.Hi
		}
		return
	}
	f := classify.Field{Name: name, Strength: st, Op: op}
	if v.Text[i] == '[' && st >= names.Medium && (op == syntax.OpColon || op == syntax.OpAssign) && !bytes.HasPrefix(v.Text[i:v.Hi], []byte("[]")) {
		findListed(v, f, i)
		return
	}
	assigned(v, f, pos, i)
}

// assigned looks at the value at i of the field f, which has its keyword at pos.
func assigned(v *match.View, f classify.Field, pos, i int) {
	f.Read(i)
	if f.Op == syntax.OpTag && v.Text[i] == '{' && f.Strength >= names.Strong {
		token.FindEncryptedElement(v, i)
		return
	}
	switch {
	case f.Secret(), f.Noise():
		v.Mark(&f)
		changed(v, f)
	case f.Quote.Mark != 0 && changed(v, f):
	case f.Op == syntax.OpBeside && service.FindValue(v, f.Start, pos):
	case f.Quote.Mark == 0 && (f.Op == syntax.OpAssign || f.Op == syntax.OpColon):
		if end := f.Tangled(); end > 0 {
			v.Add(f.Value.Start, end, match.RuleAssignment)
		}
		wrapped(v, f)
		fallback(v, f)
	}
}

// followedByService reports whether the name is followed by that of a service in brackets:
// Key(datadog).
func followedByService(n syntax.Name) bool {
	if n.End+1 >= n.Hi || n.Text[n.End] != '(' {
		return false
	}
	var buf [24]byte
	size := ascii.Run(n.Text[n.End+1:min(n.Hi, n.End+25)], ascii.Alnum)
	return size > 2 && names.Service(string(ascii.AppendLower(buf[:0], n.Text[n.End+1:n.End+1+size])))
}

// defines reports whether id is an option that sets a property, as those of
// Java, Maven and Gradle do: -Dtoken, -Ptoken.
func defines(id []byte) bool {
	return len(id) > 2 && id[0] == '-' && (id[1] == 'D' || id[1] == 'P') && ascii.Is(id[2], ascii.Alpha)
}

// heredoc reports whether a value begins on the next line: rest, of this one, is but a
// sign of that.
func heredoc(rest []byte) bool {
	if len(rest) > 32 {
		return false
	}
	switch string(syntax.TrimRight(rest)) {
	case "<<~EOS", "<<~EOF", "<<EOF", "<<EOS", "|", ">", "|-", ">-", "|+", ">+", `"""`, "'''", `\`, "(", "`", `"`, "'":
		return true
	}
	return false
}

// compared looks at the string that a name is compared with, before it:
// "value" == name.
func compared(v *match.View, st names.Strength, name syntax.Name) {
	i, ok := name.Comparison()
	if !ok || i == v.Lo || !syntax.IsQuote(v.Text[i-1]) || v.Text[i-1] == '"' && v.QuotesBefore(i-1)%2 == 0 {
		return
	}
	name.End = name.Start // the value is compared with it, whatever its words
	f := classify.Field{Name: name, Strength: st, Op: syntax.OpCompare, Quote: syntax.Quote{Mark: v.Text[i-1]}}
	f.Value = syntax.Span{Start: i - 1, End: i - 1}
	for f.Value.Start > v.Lo && v.Text[f.Value.Start-1] != f.Quote.Mark {
		f.Value.Start--
	}
	if f.Value.Start > v.Lo && f.Secret() {
		v.Mark(&f)
	}
}
