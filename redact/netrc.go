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
	if pos > v.lo && ascii.Is(v.text[pos-1], ascii.Word|ascii.Dash|ascii.Dot|ascii.Colon) {
		return
	}
	i := v.spaces(pos + ascii.Run(v.text[pos:v.hi], ascii.Alpha))
	i = v.spaces(i + ascii.Run(v.text[i:v.hi], ascii.Token|ascii.Colon)) // the host
	if i >= v.hi {
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
	if v.netrcWords(v.margin()) {
		v.next.netrc = lines - 1
	}
}

// netrcWords looks at the pairs of words from i on, and reports whether they
// are of a .netrc entry. A sentence that has such words in it is none.
func (v *view) netrcWords(i int) bool {
	var found span
	n := 0
	for ; i < v.hi && n < 8; n++ {
		key := v.text[i : i+ascii.Run(v.text[i:v.hi], ascii.Alpha)]
		j := v.spaces(i + len(key))
		end := v.shellWord(j)
		switch {
		case len(key) == 0 && n > 0:
			i = v.hi // the end of the string that the entry is in
			continue
		case j == i+len(key) && j < v.hi:
			return false
		}
		switch string(key) {
		case "login", "account", "port", "protocol", "machine", "macdef":
		case "password":
			var buf [16]byte
			if b := bytes.Trim(v.text[j:end], `"`); len(b) > 0 && !value.Reference(b) && string(b) != Mask && !value.CommonWord(string(ascii.AppendLower(buf[:0], b))) {
				found = span{start: j, end: end}
			}
		default:
			return false
		}
		i = v.spaces(end)
	}
	v.add(found.start, found.end, ruleNetrc)
	return true
}

// pgpassLines is how many lines after one of .pgpass may be of it, too.
const pgpassLines = 4

// pgpass finds the password of a line of PostgreSQL's .pgpass,
// host:port:database:user:password; pos is that of the port and its colons.
func pgpass(v *view, pos int) {
	if n := len(v.spans); n > 0 && v.spans[n-1].rule == ruleNetrc && pos < v.spans[n-1].end || pos == v.lo {
		return // within the password of another
	}
	n := 1 + bytes.IndexByte(v.text[pos+1:v.hi], ':')
	v.pgpassFields(pos + n + 1)
}

// pgpassLine looks at a line after one of .pgpass.
func (v *view) pgpassLine(lines uint8) {
	i := v.margin()
	if v.leads(i) && ascii.Contains(v.text[v.lo:i], '#') {
		v.next.pgpass = lines
		return
	}
	n := ascii.Run(v.text[i:v.hi], ascii.Word|ascii.Dash|ascii.Dot|ascii.Query)
	port := i + n + 1
	if n == 0 || port >= v.hi || v.text[port-1] != ':' {
		return
	}
	m := ascii.Run(v.text[port:v.hi], ascii.Digit)
	if v.text[port] == '*' {
		m = 1
	}
	if m > 0 && m < 6 && port+m < v.hi && v.text[port+m] == ':' {
		v.next.pgpass = lines - 1
		v.pgpassFields(port + m + 1)
	}
}

// pgpassFields looks at database:user:password, which is at i.
func (v *view) pgpassFields(i int) {
	for range 2 {
		n := ascii.Run(v.text[i:v.hi], ascii.Word|ascii.Dash|ascii.Dot|ascii.Query|ascii.Blank)
		if n == 0 || i+n >= v.hi || v.text[i+n] != ':' || ascii.Is(v.text[i], ascii.Blank) {
			return
		}
		i += n + 1
	}
	end := v.shellWord(i)
	if rest := v.text[end:v.hi]; len(rest) > 1 && ascii.Run(rest, ascii.Word|ascii.Blank|ascii.Query) == len(rest) && bytes.Count(rest, []byte{' '}) == 1 && v.next.pgpass > 0 {
		end = v.hi // it has a space in it
	}
	if b := v.text[i:end]; len(b) > 2 && !value.Reference(b) && !ascii.Contains(b, '/') && !bytes.Contains(b, []byte(":*")) {
		v.add(i, end, ruleNetrc)
		v.next.pgpass = pgpassLines
	}
}
