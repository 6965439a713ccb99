package assignment

import (
	"bytes"
	"cmp"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/syntax"
	"github.com/envwrap/envwrap/redact/internal/value"
)

// A place is where a program that is known by its words writes a password, whatever it is.
type place struct {
	text  string // of the program, before the password
	via   string // text that follows it, up to maxVia bytes later
	skip  int    // words between
	leads bool   // the text begins its line, or follows a tag of IMAP if it begins with a space
	user  bool   // a line before it names the user
	pair  bool   // the password is after the name of a user and a colon
	last  bool   // the password ends its line
	ends  string // the sign that ends the password, which may have spaces then
	least int    // of the password's length; 0 is value.MinPassword
	form  func(t *value.Traits) bool
}

// capitalHex reports whether t is a number in hexadecimal, in capitals.
func capitalHex(t *value.Traits) bool { return t.Hexes == t.Len && t.Lowers == 0 }

func withDigit(t *value.Traits) bool { return t.Digits > 0 }

// community reports whether t is a community of SNMP in Telegraf's settings; those of BGP have
// colons.
func community(t *value.Traits) bool { return withDigit(t) && !bytes.ContainsAny(t.Bytes, ":_") }

const (
	hexOfCipher = 32 // digits of the shortest key, and of a block
	longEncoded = 40 // less than a key of Elasticsearch and its id have in base64
	longAzure   = 80 // less than a key of 64 bytes has in base64
)

// PlaceTexts are the texts of places, placeStarts their first two bytes.
var PlaceTexts, placeStarts = func() (texts [len(places)]string, starts [len(places)][2]byte) {
	for i, p := range places {
		texts[i], starts[i] = p.text, [2]byte([]byte(p.text))
	}
	return texts, starts
}()

// placeAt returns the place whose text b begins with, nil if none exists.
func placeAt(b []byte) *place {
	for i, s := range placeStarts {
		if len(b) >= len(s) && s == [2]byte(b) && bytes.HasPrefix(b, []byte(places[i].text)) {
			return &places[i]
		}
	}
	return nil
}

// maxPlace is the most bytes of the words up to a password and of itself.
const maxPlace = 256

// maxVia is the most bytes between the two texts of a place.
const maxVia = 96

// QuickPlace reports whether a place may begin at b[pos:].
func QuickPlace(b []byte, pos int) bool {
	p := placeAt(b[pos:])
	return p != nil && (!p.leads || pos == 0 || p.text[0] == ' ' && ascii.Is(b[pos-1], ascii.Digit) || ascii.Is(b[pos-1], ascii.Blank) || b[pos-1] == '\n' || b[pos-1] == ':') &&
		(!p.pair || p.via != "" || p.skip > 0 || mayBePair(b[pos+len(p.text):]))
}

// mayBePair reports whether a name and a colon may begin b, by the first sign in it: lines of
// logs with user= have a space there.
func mayBePair(b []byte) bool {
	n := ascii.Run(b[:min(len(b), maxUser+1)], ascii.URLSafe|ascii.Dot)
	return n < min(len(b), maxUser+1) && !ascii.Is(b[n], ascii.Blank) && b[n] != '\r' && b[n] != '\n'
}

// FindPlace marks the password of the place at pos.
func FindPlace(v *match.View, pos int) {
	if p := placeAt(v.Text[pos:v.Hi]); p != nil {
		p.find(v, pos)
	}
}

func (p *place) find(v *match.View, pos int) {
	start := v.Margin()
	if p.text[0] == ' ' {
		start += ascii.Run(v.Text[start:max(start, pos)], ascii.Alnum)
	}
	if p.leads && pos != start || p.user && !v.OfAccount {
		return
	}
	i := pos + len(p.text)
	if p.via != "" {
		n := bytes.Index(v.Text[i:min(v.Hi, i+maxVia)], []byte(p.via))
		if n < 0 {
			return
		}
		i += n + len(p.via)
	}
	l := v.Line
	l.Hi = min(l.Hi, i+maxPlace)
	i = l.SkipSpaces(i)
	for range p.skip {
		i = l.SkipSpaces(l.ShellWord(i))
	}
	if n := ascii.Run(v.Text[i:l.Hi], ascii.Digit); n > 0 && n < value.Min && l.SkipSpaces(i+n) > i+n {
		i = l.SkipSpaces(i + n) // how a router has encrypted it
	}
	end := l.ShellWord(i)
	i = end - len(bytes.TrimLeft(v.Text[i:max(i, end)], `"'`))
	end = i + len(bytes.TrimRight(v.Text[i:end], `"'`))
	if p.pair {
		n := bytes.IndexByte(v.Text[i:end], ':')
		if n <= 0 || n > maxUser || ascii.Contains(v.Text[i+n+1:end], ':') {
			return
		}
		i += n + 1
	}
	if n := bytes.IndexAny(v.Text[i:end], "|<"); n > 0 {
		end = i + n // of hostapd, for whom the password is, or the end of an element
	}
	if p.ends != "" {
		if end = i + bytes.IndexByte(v.Text[i:l.Hi], p.ends[0]); end <= i {
			return
		}
	}
	b := v.Text[i:end]
	if !p.takes(b) || p.last && len(syntax.TrimValue(v.Text[end:v.Hi])) > 0 {
		return
	}
	v.Add(i, end, match.RuleAssignment)
}

// maxUser is the greatest length of the name of a user before a password.
const maxUser = 32

// takes reports whether b, which is not empty, is what stands in such a place.
func (p *place) takes(b []byte) bool {
	t := value.TraitsOf(b)
	switch {
	case t.Len < cmp.Or(p.least, value.MinPassword), t.Digits == t.Len && p.form == nil, b[0] == '-', b[0] == ' ':
		return false
	case value.Reference(b), t.Placeholder(), t.Slashes > 0 && t.Path(), value.Mentions(b) && t.Digits == 0 && p.ends == "":
		return false
	}
	return !(p.pair && t.Lowers == t.Len) && (p.form == nil || p.form(value.TraitsOf(b))) // others are not on the heap
}
