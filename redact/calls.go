package redact

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/value"
)

// maxCall is how much of a call is looked at.
const maxCall = 1024

// passwordArgument returns which argument of a call is a password, by what it is
// called.
func passwordArgument(call []byte) int {
	for _, c := range [...]string{
		"getconnection(", "sequelize(", "new pdo(", "mysqli(", "mysqli_connect(", "mysql_connect(", "mysql.connect(", "mysqldb.connect(", "createconnection(", "directoryentry(",
	} {
		if ascii.HasFold(call, c) {
			return 3
		}
	}
	return 2
}

// credentialsOf finds the password in a call that takes a name and a password
// without saying so: basicAuth("ada", "x"), auth=("ada", "x"), getConnection(url,
// "ada", "x"); pos is that of the call.
func credentialsOf(v *view, pos int) {
	n := bytes.IndexByte(v.text[pos:v.hi], '(')
	if n < 0 {
		return
	}
	i := pos + n + 1
	for range passwordArgument(v.text[pos:v.hi]) - 1 {
		if i = v.comma(i); i == 0 {
			return
		}
	}
	if i = v.spaces(i); i+1 < v.hi && ascii.Is(v.text[i], ascii.Alpha) && isQuote(v.text[i+1]) {
		i++ // b"..."
	}
	if i >= v.hi || !isQuote(v.text[i]) && v.text[i] != '\\' {
		return
	}
	s, q := v.value(i)
	b := v.text[s.start:s.end]
	if t := value.TraitsOf(b); q.open || t.Len < 6 || t.Spaces > 0 || t.Digits == 0 && t.Odd == 0 && !t.Random(8) && !t.Coined() || t.Placeholder() || t.Path() || value.Code(b) || b[0] == '$' || bytes.Contains(b, []byte("anonymous")) {
		return
	}
	v.add(s.start, s.end, ruleAssignment)
}

// comma returns where the argument after that at i begins, 0 where there is none.
func (v *view) comma(i int) int {
	depth := 0
	for end := min(v.hi, i+maxCall); i < end; i++ {
		switch v.text[i] {
		case '"', '\'', '`':
			n := bytes.IndexByte(v.text[i+1:end], v.text[i])
			if n < 0 {
				return 0
			}
			i += n + 1
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth < 0 {
				return 0
			}
		case ',':
			if depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

// secureString finds the text that PowerShell's ConvertTo-SecureString is given;
// pos is that of its name.
func secureString(v *view, pos int) {
	i := v.spaces(pos + len("ConvertTo-SecureString"))
	for n := 0; i < v.hi && n < 8; n++ {
		if v.text[i] != '-' {
			val, q := v.value(i)
			b := v.text[val.start:val.end]
			if t := value.TraitsOf(b); t.Len > 3 && !t.Placeholder() && (q.mark != 0 || t.Digits+t.Signs > 0) {
				v.add(val.start, val.end, ruleCLI)
			}
			return
		}
		i = v.spaces(v.shellWord(i))
	}
}
