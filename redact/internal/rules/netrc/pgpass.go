package netrc

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/value"
)

// pgpassLines is how many lines after one of .pgpass may be of it, too.
const pgpassLines = 4

// maxHost is the most bytes of the name of a host, after the margin of its line.
const maxHost = 256

// FindPgpass marks the password of a line of PostgreSQL's .pgpass,
// host:port:database:user:password, whose port with its colons is at pos.
func FindPgpass(v *match.View, pos int) {
	if n := len(v.Spans); n > 0 && v.Spans[n-1].Rule == match.RuleNetrc && pos < v.Spans[n-1].End || pos == v.Lo {
		return // within the password of another
	}
	if host := v.Text[max(min(v.Margin(), pos), pos-maxHost):pos]; bytes.Contains(host, []byte("arn")) || v.Text[pos+1] == '*' && bytes.ContainsAny(host, " ':") {
		return // a resource of AWS, a context of zsh
	}
	n := 1 + bytes.IndexByte(v.Text[pos+1:v.Hi], ':')
	markFields(v, pos+n+1)
}

// FindPgpassLine marks the password on a line after one of .pgpass.
func FindPgpassLine(v *match.View, lines uint8) {
	i := v.Margin()
	if v.Leads(i) && ascii.Contains(v.Text[v.Lo:i], '#') {
		v.Next.Pgpass = lines
		return
	}
	n := ascii.Run(v.Text[i:v.Hi], ascii.Word|ascii.Dash|ascii.Dot|ascii.Query)
	port := i + n + 1
	if n == 0 || port >= v.Hi || v.Text[port-1] != ':' {
		return
	}
	m := ascii.Run(v.Text[port:v.Hi], ascii.Digit)
	if v.Text[port] == '*' {
		m = 1
	}
	if m > 0 && m < 6 && port+m < v.Hi && v.Text[port+m] == ':' {
		v.Next.Pgpass = lines - 1
		markFields(v, port+m+1)
	}
}

// markFields marks the password of database:user:password at i.
func markFields(v *match.View, i int) {
	for range 2 {
		n := ascii.Run(v.Text[i:v.Hi], ascii.Word|ascii.Dash|ascii.Dot|ascii.Query|ascii.Blank)
		if i+n >= v.Hi || v.Text[i+n] != ':' || ascii.Is(v.Text[i], ascii.Blank) || ascii.Run(v.Text[i:i+n], ascii.Digit) == n { // or empty
			return
		}
		i += n + 1
	}
	end := v.ShellWord(i)
	if rest := v.Text[end:v.Hi]; len(rest) > 1 && ascii.Run(rest, ascii.Word|ascii.Blank|ascii.Query) == len(rest) && bytes.Count(rest, []byte{' '}) == 1 && v.Next.Pgpass > 0 {
		end = v.Hi // it has a space in it
	}
	if b := v.Text[i:end]; len(b) > 2 && !value.Reference(b) && !ascii.Contains(b, '/') && !bytes.Contains(b, []byte(":*")) {
		v.Add(i, end, match.RuleNetrc)
		v.Next.Pgpass = pgpassLines
	}
}
