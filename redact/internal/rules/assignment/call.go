package assignment

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/syntax"
	"github.com/envwrap/envwrap/redact/internal/value"
)

// passwordArgument returns the number of the argument of a call, by its name, that is a
// password.
func passwordArgument(call []byte) int {
	for _, c := range [...]string{
		"getconnection(", "sequelize(", "new pdo(", "pdo->__construct(", "mysqli(", "mysqli_connect(", "mysql_connect(", "mysql.connect(", "mysqldb.connect(", "createconnection(", "directoryentry(",
	} {
		if ascii.HasFold(call, c) {
			return 3
		}
	}
	return 2
}

// FindCredentials marks the password in a call at pos that takes a name and a password
// without saying so: basicAuth("ada", "x"), auth=("ada", "x"), getConnection(url, "ada",
// "x").
func FindCredentials(v *match.View, pos int) {
	n := bytes.IndexByte(v.Text[pos:v.Hi], '(')
	if n < 0 {
		return
	}
	i := pos + n + 1
	for range passwordArgument(v.Text[pos:v.Hi]) - 1 {
		if i = v.NextArgument(i); i == 0 {
			return
		}
	}
	if i = v.SkipSpaces(i); i+1 < v.Hi && ascii.Is(v.Text[i], ascii.Alpha) && syntax.IsQuote(v.Text[i+1]) {
		i++ // b"..."
	}
	if i >= v.Hi || !syntax.IsQuote(v.Text[i]) && v.Text[i] != '\\' {
		return
	}
	s, q := v.Value(i)
	if bytes.HasPrefix(v.Text[min(q.After, v.Hi):v.Hi], []byte(", user")) {
		return // the name follows
	}
	b := v.Text[s.Start:s.End]
	if t := value.TraitsOf(b); q.Open || t.Len < 6 || t.Spaces > 0 || t.Digits == 0 && t.Odd == 0 && !t.Random(8) && !t.Coined() || t.Placeholder() || t.Path() || value.Code(b) || b[0] == '$' || bytes.Contains(b, []byte("anonymous")) || ascii.HasFold(b, "user") ||
		b[len(b)-1] == '?' && ascii.Run(b, ascii.Word) == len(b)-1 {
		return
	}
	v.Add(s.Start, s.End, match.RuleAssignment)
}
