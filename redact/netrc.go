package redact

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/value"
)

const ruleNetrc = "netrc"

// maxNetrcLines bounds how far after a "machine" its password may be.
const maxNetrcLines = 8

// netrc finds the password of a .netrc(5) entry that begins at pos with
// "machine" or "default", on the line or on those that follow.
func netrc(v *view, pos int) {
	if pos > v.Lo && ascii.Is(v.Text[pos-1], ascii.Word|ascii.Dash|ascii.Dot|ascii.Colon) {
		return
	}
	i := v.SkipSpaces(pos + ascii.Run(v.Text[pos:v.Hi], ascii.Alpha))
	i = v.SkipSpaces(i + ascii.Run(v.Text[i:v.Hi], ascii.Token|ascii.Colon)) // the host
	if i >= v.Hi {
		v.next.netrc = maxNetrcLines
		return
	}
	if !v.netrcWords(i) {
		return
	}
	v.next.netrc = maxNetrcLines
}

// netrcLine looks at a line after the first of an entry.
func (v *view) netrcLine(lines uint8) {
	if v.netrcWords(v.Margin()) {
		v.next.netrc = lines - 1
	}
}

// netrcWords looks at the pairs of words from i on, and reports whether they
// are of a .netrc entry. A sentence that has such words in it is none.
func (v *view) netrcWords(i int) bool {
	var found span
	n := 0
	for ; i < v.Hi && n < 8; n++ {
		key := v.Text[i : i+ascii.Run(v.Text[i:v.Hi], ascii.Alpha)]
		j := v.SkipSpaces(i + len(key))
		end := v.ShellWord(j)
		switch {
		case len(key) == 0 && n > 0:
			i = v.Hi // the end of the string that the entry is in
			continue
		case j == i+len(key) && j < v.Hi:
			return false
		}
		switch string(key) {
		case "login", "account", "port", "protocol", "machine", "macdef":
		case "password":
			var buf [16]byte
			if b := bytes.Trim(v.Text[j:end], `"`); len(b) > 0 && !value.Reference(b) && string(b) != Mask && !value.CommonWord(string(ascii.AppendLower(buf[:0], b))) {
				found = span{start: j, end: end}
			}
		default:
			return false
		}
		i = v.SkipSpaces(end)
	}
	v.add(found.start, found.end, ruleNetrc)
	return true
}

// pgpassLines is how many lines after one of .pgpass may be of it, too.
const pgpassLines = 4

// pgpass finds the password of a line of PostgreSQL's .pgpass,
// host:port:database:user:password; pos is that of the port and its colons.
func pgpass(v *view, pos int) {
	if n := len(v.spans); n > 0 && v.spans[n-1].rule == ruleNetrc && pos < v.spans[n-1].end || pos == v.Lo {
		return // within the password of another
	}
	n := 1 + bytes.IndexByte(v.Text[pos+1:v.Hi], ':')
	v.pgpassFields(pos + n + 1)
}

// pgpassLine looks at a line after one of .pgpass.
func (v *view) pgpassLine(lines uint8) {
	i := v.Margin()
	if v.Leads(i) && ascii.Contains(v.Text[v.Lo:i], '#') {
		v.next.pgpass = lines
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
		v.next.pgpass = lines - 1
		v.pgpassFields(port + m + 1)
	}
}

// pgpassFields looks at database:user:password, which is at i.
func (v *view) pgpassFields(i int) {
	for range 2 {
		n := ascii.Run(v.Text[i:v.Hi], ascii.Word|ascii.Dash|ascii.Dot|ascii.Query|ascii.Blank)
		if n == 0 || i+n >= v.Hi || v.Text[i+n] != ':' || ascii.Is(v.Text[i], ascii.Blank) {
			return
		}
		i += n + 1
	}
	end := v.ShellWord(i)
	if rest := v.Text[end:v.Hi]; len(rest) > 1 && ascii.Run(rest, ascii.Word|ascii.Blank|ascii.Query) == len(rest) && bytes.Count(rest, []byte{' '}) == 1 && v.next.pgpass > 0 {
		end = v.Hi // it has a space in it
	}
	if b := v.Text[i:end]; len(b) > 2 && !value.Reference(b) && !ascii.Contains(b, '/') && !bytes.Contains(b, []byte(":*")) {
		v.add(i, end, ruleNetrc)
		v.next.pgpass = pgpassLines
	}
}
