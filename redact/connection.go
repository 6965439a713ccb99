package redact

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/classify"
	"github.com/envwrap/envwrap/redact/internal/names"
	"github.com/envwrap/envwrap/redact/internal/syntax"
	"github.com/envwrap/envwrap/redact/internal/value"
)

const ruleSQL = "sql-password"

// identifiedBy finds the password of a user in SQL; pos is that of
// "identified".
func identifiedBy(v *view, pos int) {
	if !ascii.ContainsFold(v.Text[max(v.Lo, pos-128):pos], "user") && v.Text[pos] != 'I' {
		return
	}
	i := v.SkipSpaces(pos + len("identified"))
	with := ascii.HasFold(v.Text[i:v.Hi], "with ")
	if with {
		i = v.SkipSpaces(i + len("with "))
		i = v.SkipSpaces(i + ascii.Run(v.Text[i:v.Hi], ascii.Word|ascii.Dash) + skipQuote(v.Text[i:v.Hi]))
	}
	switch {
	case ascii.HasFold(v.Text[i:v.Hi], "by password "):
		i += len("by password ")
	case ascii.HasFold(v.Text[i:v.Hi], "by ") || with && ascii.HasFold(v.Text[i:v.Hi], "as "):
		i += len("by ")
	default:
		return
	}
	val, q := v.Value(v.SkipSpaces(i))
	b := v.Text[val.Start:val.End]
	t := value.TraitsOf(b)
	if t.Len < 3 || value.Reference(b) || string(b) == Mask || value.CommonWord(string(b)) || q.Mark == '`' || q.Mark == 0 && !t.Random(8) {
		return
	}
	v.add(val.Start, val.End, ruleSQL)
}

// setPassword finds the password of a user in SQL, SET PASSWORD FOR 'ada'@'%' = 'x';
// pos is that of "set".
func setPassword(v *view, pos int) {
	n := bytes.IndexByte(v.Text[pos:min(v.Hi, pos+names.MaxAddress*2)], '=')
	if n < 0 {
		return
	}
	val, q := v.Value(v.SkipSpaces(pos + n + 1))
	if b := v.Text[val.Start:val.End]; q.Mark == '\'' && len(b) >= value.Min && !value.Reference(b) && string(b) != Mask {
		v.add(val.Start, val.End, ruleSQL)
	}
}

// secureParameter finds the value of a parameter of AWS Systems Manager that is
// encrypted there, on the line on which its type at pos is or on the next.
func secureParameter(v *view, pos int) {
	i := v.SkipSpaces(pos + len(`"SecureString"`))
	if i >= v.Hi || v.Text[i] != ',' {
		return
	}
	f := classify.Field{Name: syntax.Name{Line: &v.Line, Start: pos, End: i}, Strength: names.Strong, Op: syntax.OpColon}
	k, ok := v.ValueMember(v.SkipSpaces(i + 1))
	if !ok {
		if len(syntax.TrimValue(v.Text[i:v.Hi])) == 0 {
			v.pend(f.Strength, syntax.OpMember)
		}
		return
	}
	v.assigned(f, pos, k)
}

// skipQuote returns the length of the quoted word at the start of b.
func skipQuote(b []byte) int {
	if len(b) == 0 || !syntax.IsQuote(b[0]) {
		return 0
	}
	return bytes.IndexByte(b[1:], b[0]) + 2
}

// sourceName finds the password of a data source name of Go's MySQL drivers,
// user:password@tcp(host:port)/database, whose "@tcp(" is at pos.
func sourceName(v *view, pos int) {
	start := pos
	for start > v.Lo && pos-start < 256 && (!syntax.EndsValue(v.Text[start-1]) || ascii.Is(v.Text[start-1], ascii.Query)) {
		start--
	}
	if i := bytes.IndexByte(v.Text[start:pos], ':'); i >= 0 {
		start += bytes.LastIndexByte(v.Text[start:start+i], '=') + 1 // DSN=user:password@tcp(...)
	}
	user := ascii.Run(v.Text[start:pos], ascii.Word|ascii.Dash|ascii.Dot)
	if i := start + user; user > 0 && pos-i > 4 && v.Text[i] == ':' && !value.Reference(v.Text[i+1:pos]) && !value.TraitsOf(v.Text[i+1:pos]).Placeholder() {
		v.add(i+1, pos, ruleURL)
	}
}

// thin finds the password in an address of Oracle's, jdbc:oracle:thin:user/password@host,
// which begins at pos.
func thin(v *view, pos int) {
	i := pos + len("jdbc:oracle:thin:")
	n := bytes.IndexByte(v.Text[i:min(v.Hi, i+maxUserinfo)], '@')
	slash := bytes.IndexByte(v.Text[i:i+max(n, 0)], '/')
	if slash < 0 || slash+1 >= n {
		return
	}
	if b := v.Text[i+slash+1 : i+n]; !value.Reference(b) && string(b) != Mask && bytes.IndexByte(b, ' ') < 0 {
		v.add(i+slash+1, i+n, ruleURL)
	}
}
