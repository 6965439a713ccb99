// Package assignment finds values beside names for secrets, in settings, programs,
// documents and sentences.
package assignment

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/classify"
	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/names"
	"github.com/envwrap/envwrap/redact/internal/rules/service"
	"github.com/envwrap/envwrap/redact/internal/rules/sql"
	"github.com/envwrap/envwrap/redact/internal/rules/table"
	"github.com/envwrap/envwrap/redact/internal/rules/token"
	"github.com/envwrap/envwrap/redact/internal/syntax"
)

// maxNested is how many names are searched for in a value without quotes, spaces or other
// signs that would end a name.
const maxNested = 32

// Quick reports whether Find may find a value for the keyword b[pos:end]. A name in a sentence,
// "token refreshed for ada", has none; many lines of logs have one.
func Quick(b []byte, pos, end int) bool {
	if pos == 0 || b[pos-1] != ' ' || end >= len(b) || b[end] != ' ' || !ascii.Is(b[pos], ascii.Alpha) || !ascii.Is(b[end-1], ascii.Alpha) {
		return true
	}
	n := syntax.PlainWord(b[end+1:])
	return n == 0 || service.Joins(b[end+1:end+1+n])
}

// Find finds the value of the name around the keyword at pos, and marks it if it is a
// secret.
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
	if i := name.Start - 2; i >= v.Lo && v.Text[i] >= 0xc3 && v.Text[i] <= 0xc9 {
		return // the end of a word with letters beyond ASCII: sp\u00e6nskaevr\u00f3psk
	}
	st := names.StrengthOf(name.Bytes(), v.Text[v.Lo:name.Start])
	if name.Start+len("-D") <= pos && setsProperty(name.Bytes()) {
		if of := names.StrengthOf(v.Text[name.Start+len("-D"):name.End], nil); of > st {
			name.Start, st = name.Start+len("-D"), of
		}
	}
	if st == names.None {
		service.FindValue(v, name.Start, pos)
		return
	}
	if st == names.Weak && bytes.HasPrefix(v.Text[name.End:v.Hi], []byte(" Content ")) {
		name.End, st = name.End+len(" Content"), names.Password // of netsh wlan
	}
	after := name
	if st == names.Weak && bytes.HasPrefix(v.Text[name.End:v.Hi], []byte(" code:")) {
		after.End += len(" code") // PIN code: 4711
	}
	i, op := after.Operator()
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
	noteBlock(v, st, name.End, i, op)
	noteCommand(v, st, name, op)
	switch {
	case op == syntax.OpNone:
		findNoValue(v, st, name, pos)
		return
	case name.ClosesString(i), ofURL(name):
		return
	case i >= v.Hi, valueBelow(v.Text[i:v.Hi]):
		expectBelow(v, st, name, i, op)
		return
	}
	f := classify.Field{Name: name, Strength: st, Op: op, OfAccount: v.OfAccount}
	if v.Text[i] == '[' && st >= names.Medium && (op == syntax.OpColon || op == syntax.OpAssign) && !bytes.HasPrefix(v.Text[i:v.Hi], []byte("[]")) {
		findListed(v, f, i)
		return
	}
	findValue(v, f, pos, i)
}

// expectBelow notes that the value of a name may be on the next line: nothing follows the
// operator at i, or a sign that opens it.
func expectBelow(v *match.View, st names.Strength, name syntax.Name, i int, op syntax.Operator) {
	if op == syntax.OpComma && (name.End == v.Hi || !syntax.IsQuote(v.Text[name.End])) {
		return
	}
	if op == syntax.OpComma && v.Text[name.Start] == '-' && listedOption(name) {
		op = syntax.OpOption
	}
	v.Expect(st, op)
	v.Next.Pending.Below = op == syntax.OpColon && i >= v.Hi
	v.Next.Pending.User = op == syntax.OpTag && string(name.Bytes()) == "auth-user-pass" // of OpenVPN
}

// findNoValue looks for the value of a name, whose keyword is at pos, that no value follows
// on its line.
func findNoValue(v *match.View, st names.Strength, name syntax.Name, pos int) {
	switch {
	case st >= names.Strong && v.Text[name.Start] == '-' && listedOption(name):
		v.Expect(st, syntax.OpOption)
		return
	case followsPrompt(v.Text[v.Lo:v.Hi]) && printsOther(v.Text[v.Lo:v.Hi]):
	case st >= names.Medium && asksFor(name):
		v.Expect(max(st, names.Strong), syntax.OpIs)
		return
	case name.NamesVariable():
		op := syntax.OpMember
		if bytes.Contains(v.Text[max(v.Lo, name.Start-syntax.MaxTag):name.Start], []byte("form-data; name=")) {
			op = syntax.OpProse // after an empty line
		}
		v.Expect(st, op)
		return
	case st < names.Strong:
	case bytes.HasPrefix(v.Text[v.Lo:v.Hi], []byte("// ")): // a comment of a program is no heading
	case v.SkipSpaces(name.End) == v.Hi && !givenToOption(name):
		v.Expect(st, syntax.OpBeside) // a heading
		v.Next.Pending.Thing = v.Next.Pending.Op == syntax.OpBeside && followsPrompt(v.Text[v.Lo:v.Hi]) && namesThing(name)
	case name.End+1 == v.Hi && numberedItem(v.Text[v.Lo:v.Hi]) == name.Start-v.Lo-1:
		v.Expect(st, syntax.OpElse) // of an answer of Redis
	}
	findCompared(v, st, name)
	service.FindValue(v, name.Start, pos)
}

// findValue marks the value at i of the field f, whose keyword is at pos, if it is a
// secret.
func findValue(v *match.View, f classify.Field, pos, i int) {
	if c := v.Text[i]; f.Strength >= names.Strong && f.Op == syntax.OpAssign && (c == '?' || c == '$') {
		sql.FindAtPlace(v, f.Strength, i)
	}
	f.Read(i)
	if f.Op == syntax.OpTag && v.Text[i] == '{' && f.Strength >= names.Strong {
		token.FindEncryptedElement(v, i)
		return
	}
	switch {
	case f.Value.Start == f.Value.End && f.Quote.Mark == 0 && i < v.Hi && syntax.IsQuote(v.Text[i]): // it ends the string that the name is in
	case f.Secret(), f.RandomText():
		f.TakeMemberMark()
		v.Mark(&f)
		findReplacement(v, f)
	case f.Quote.Mark != 0 && findReplacement(v, f):
	case f.Op == syntax.OpBeside:
		service.FindValue(v, f.Start, pos)
	case f.Quote.Mark == 0 && (f.Op == syntax.OpAssign || f.Op == syntax.OpColon):
		if end := f.UnbalancedEnd(); end > 0 {
			v.Add(f.Value.Start, end, match.RuleAssignment)
		}
		findConverted(v, f)
		findDefault(v, f)
	}
}

// ofURL reports whether the name is the user of a URL, whose password has a rule of its own.
func ofURL(n syntax.Name) bool {
	if !bytes.HasSuffix(n.Text[n.Lo:n.Start], []byte("://")) {
		return false
	}
	rest, _, ok := bytes.Cut(n.Text[n.End:min(n.Hi, n.End+maxInline)], []byte{'@'})
	return ok && len(rest) > 0 && rest[0] == ':' && !bytes.ContainsAny(rest, " /\"'?,;[](){}<>") && n.Start-n.Lo > 3 && ascii.Is(n.Text[n.Start-4], ascii.Alpha)
}

// followedByService reports whether the name of a service in brackets follows the name:
// Key(datadog).
func followedByService(n syntax.Name) bool {
	if n.End+1 >= n.Hi || n.Text[n.End] != '(' {
		return false
	}
	var buf [24]byte
	size := ascii.Run(n.Text[n.End+1:min(n.Hi, n.End+25)], ascii.Alnum)
	return size > 2 && names.Service(string(ascii.AppendLower(buf[:0], n.Text[n.End+1:n.End+1+size])))
}

// setsProperty reports whether id is an option that sets a property, as those of Java,
// Maven and Gradle do: -Dtoken, -Ptoken.
func setsProperty(id []byte) bool {
	return len(id) > 2 && id[0] == '-' && (id[1] == 'D' || id[1] == 'P') && ascii.Is(id[2], ascii.Alpha)
}

// valueBelow reports whether rest, the end of a line after an operator, says that the
// value begins on the next line: a here document, an open quote or bracket.
func valueBelow(rest []byte) bool {
	if len(rest) > 32 {
		return false
	}
	switch string(syntax.TrimRight(rest)) {
	case "<<~EOS", "<<~EOF", "<<EOF", "<<EOS", "|", ">", "|-", ">-", "|+", ">+", `"""`, "'''", `\`, "(", "`", `"`, "'":
		return true
	}
	return false
}

// findCompared marks the string that a name is compared with and that precedes it: "value"
// == name.
func findCompared(v *match.View, st names.Strength, name syntax.Name) {
	i, ok := name.Comparison()
	if !ok || i == v.Lo || !syntax.IsQuote(v.Text[i-1]) || v.Text[i-1] == '"' && v.QuotesBefore(i-1)%2 == 0 {
		return
	}
	name.End = name.Start // the words of the name do not matter
	f := classify.Field{Name: name, Strength: st, Op: syntax.OpCompare, Quote: syntax.Quote{Mark: v.Text[i-1]}}
	f.Value = syntax.Span{Start: i - 1, End: i - 1}
	for f.Value.Start > v.Lo && v.Text[f.Value.Start-1] != f.Quote.Mark {
		f.Value.Start--
	}
	if f.Value.Start > v.Lo && f.Secret() {
		v.Mark(&f)
	}
}
