package redact

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/names"
	"github.com/envwrap/envwrap/redact/internal/value"
)

// connectionString reports whether the field is part of a connection string:
// key=value pairs with semicolons or spaces between them, of which another
// names a server, a user or a database.
func (v *view) connectionString(f *field) bool {
	var buf [384]byte
	near := v.text[max(v.lo, f.start-256):min(v.hi, f.value.end+128)]
	w := ascii.AppendLower(buf[:0], near)
	for _, k := range [...]string{
		"server=", "host=", "data source=", "datasource=", "uid=", "user id=", "userid=", "user=", "username=",
		"database=", "dbname=", "initial catalog=", "driver=", "endpoint=", "accountname=", "db=",
	} {
		if bytes.Contains(w, []byte(k)) {
			return true
		}
	}
	return false
}

const ruleSQL = "sql-password"

// identifiedBy finds the password of a user in SQL; pos is that of
// "identified".
func identifiedBy(v *view, pos int) {
	if !ascii.ContainsFold(v.text[max(v.lo, pos-128):pos], "user") && v.text[pos] != 'I' {
		return
	}
	i := v.spaces(pos + len("identified"))
	with := ascii.HasFold(v.text[i:v.hi], "with ")
	if with {
		i = v.spaces(i + len("with "))
		i = v.spaces(i + ascii.Run(v.text[i:v.hi], ascii.Word|ascii.Dash) + skipQuote(v.text[i:v.hi]))
	}
	switch {
	case ascii.HasFold(v.text[i:v.hi], "by password "):
		i += len("by password ")
	case ascii.HasFold(v.text[i:v.hi], "by ") || with && ascii.HasFold(v.text[i:v.hi], "as "):
		i += len("by ")
	default:
		return
	}
	val, q := v.value(v.spaces(i))
	b := v.text[val.start:val.end]
	t := value.TraitsOf(b)
	if t.Len < 3 || value.Reference(b) || string(b) == Mask || value.CommonWord(string(b)) || q.mark == '`' || q.mark == 0 && !t.Random(8) {
		return
	}
	v.add(val.start, val.end, ruleSQL)
}

// setPassword finds the password of a user in SQL, SET PASSWORD FOR 'ada'@'%' = 'x';
// pos is that of "set".
func setPassword(v *view, pos int) {
	n := bytes.IndexByte(v.text[pos:min(v.hi, pos+names.MaxAddress*2)], '=')
	if n < 0 {
		return
	}
	val, q := v.value(v.spaces(pos + n + 1))
	if b := v.text[val.start:val.end]; q.mark == '\'' && len(b) >= value.Min && !value.Reference(b) && string(b) != Mask {
		v.add(val.start, val.end, ruleSQL)
	}
}

// secureParameter finds the value of a parameter of AWS Systems Manager that is
// encrypted there, on the line on which its type at pos is or on the next.
func secureParameter(v *view, pos int) {
	i := v.spaces(pos + len(`"SecureString"`))
	if i >= v.hi || v.text[i] != ',' {
		return
	}
	f := field{strength: names.Telling, op: opColon, start: pos, end: i}
	k, ok := v.valueMember(v.spaces(i + 1))
	if !ok {
		if len(trimValue(v.text[i:v.hi])) == 0 {
			v.pend(f.strength, opMember)
		}
		return
	}
	v.assigned(f, pos, k)
}

// skipQuote returns the length of the quoted word at the start of b.
func skipQuote(b []byte) int {
	if len(b) == 0 || !isQuote(b[0]) {
		return 0
	}
	return bytes.IndexByte(b[1:], b[0]) + 2
}

// sourceName finds the password of a data source name of Go's MySQL drivers,
// user:password@tcp(host:port)/database, whose "@tcp(" is at pos.
func sourceName(v *view, pos int) {
	start := pos
	for start > v.lo && pos-start < 256 && (!stops(v.text[start-1]) || ascii.Is(v.text[start-1], ascii.Query)) {
		start--
	}
	if i := bytes.IndexByte(v.text[start:pos], ':'); i >= 0 {
		start += bytes.LastIndexByte(v.text[start:start+i], '=') + 1 // DSN=user:password@tcp(...)
	}
	user := ascii.Run(v.text[start:pos], ascii.Word|ascii.Dash|ascii.Dot)
	if i := start + user; user > 0 && pos-i > 4 && v.text[i] == ':' && !value.Reference(v.text[i+1:pos]) && !value.TraitsOf(v.text[i+1:pos]).Placeholder() {
		v.add(i+1, pos, ruleURL)
	}
}

// thin finds the password in an address of Oracle's, jdbc:oracle:thin:user/password@host,
// which begins at pos.
func thin(v *view, pos int) {
	i := pos + len("jdbc:oracle:thin:")
	n := bytes.IndexByte(v.text[i:min(v.hi, i+maxUserinfo)], '@')
	slash := bytes.IndexByte(v.text[i:i+max(n, 0)], '/')
	if slash < 0 || slash+1 >= n {
		return
	}
	if b := v.text[i+slash+1 : i+n]; !value.Reference(b) && string(b) != Mask && bytes.IndexByte(b, ' ') < 0 {
		v.add(i+slash+1, i+n, ruleURL)
	}
}
