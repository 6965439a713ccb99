package redact

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/classify"
	"github.com/envwrap/envwrap/redact/internal/names"
	"github.com/envwrap/envwrap/redact/internal/syntax"
)

// maxNested is how many names are looked for in a value that has no space or
// other sign in it that would end one.
const maxNested = 32

// assignment looks for a name around the keyword at pos, an operator after
// it, and a value that may be secret.
func assignment(v *view, pos int) {
	if pos < v.named {
		return // within the name of an earlier keyword
	}
	if v.InUnquoted(pos) {
		if v.plainNames++; v.plainNames > maxNested {
			return
		}
	} else {
		v.plainNames = 0
	}
	name := v.NameAt(pos)
	v.named = name.End
	st := names.StrengthOf(name.Bytes(), v.Text[v.Lo:name.Start])
	if name.Start+len("-D") <= pos && defines(name.Bytes()) {
		if of := names.StrengthOf(v.Text[name.Start+len("-D"):name.End], nil); of > st {
			name.Start, st = name.Start+len("-D"), of
		}
	}
	if st == names.None {
		v.serviceValue(name.Start, pos)
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
		v.tableHeader(name)
	}
	v.opensBlock(st, name.End, i, op)
	switch {
	case op == syntax.OpNone && name.NamesVariable():
		v.pend(st, syntax.OpMember)
		return
	case op == syntax.OpNone:
		if st >= names.Strong && v.SkipSpaces(name.End) == v.Hi {
			v.pend(st, syntax.OpBeside) // a heading
		}
		v.compared(st, name)
		v.serviceValue(name.Start, pos)
		return
	case name.ClosesString(i):
		return
	case i >= v.Hi, heredoc(v.Text[i:v.Hi]):
		if op != syntax.OpComma || name.End < v.Hi && syntax.IsQuote(v.Text[name.End]) {
			v.pend(st, op)
			v.next.open.below = op == syntax.OpColon && i >= v.Hi
		}
		return
	}
	f := classify.Field{Name: name, Strength: st, Op: op}
	if v.Text[i] == '[' && st >= names.Medium && (op == syntax.OpColon || op == syntax.OpAssign) && !bytes.HasPrefix(v.Text[i:v.Hi], []byte("[]")) {
		v.list(f, i)
		return
	}
	v.assigned(f, pos, i)
}

// assigned looks at the value at i of the field f, which has its keyword at pos.
func (v *view) assigned(f classify.Field, pos, i int) {
	f.Read(i)
	if f.Op == syntax.OpTag && v.Text[i] == '{' && f.Strength >= names.Strong {
		encryptedElement(v, i)
		return
	}
	switch {
	case f.Secret(), f.Noise():
		v.mark(&f)
		v.changed(f)
	case f.Quote.Mark != 0 && v.changed(f):
	case f.Op == syntax.OpBeside && v.serviceValue(f.Start, pos):
	case f.Quote.Mark == 0 && (f.Op == syntax.OpAssign || f.Op == syntax.OpColon):
		if end := f.Tangled(); end > 0 {
			v.add(f.Value.Start, end, ruleAssignment)
		}
		v.wrapped(f)
		v.fallback(f)
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
