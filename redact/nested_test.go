package redact

import (
	"bytes"
	"compress/gzip"
	"encoding/base32"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"mime/quotedprintable"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf16"

	"github.com/envwrap/envwrap/redact/internal/encodings"
)

// fold breaks s into lines of n characters.
func folded(s string, n int) string {
	var b strings.Builder
	for len(s) > n {
		b.WriteString(s[:n] + "\n")
		s = s[n:]
	}
	return b.String() + s
}

// An encoder is a code that known values are looked for in.
type encoder struct {
	name   string
	encode func(s string) string
	shows  int // how many bytes in a row of it say something, where it has more than two for each
}

var encoders = []encoder{
	{"base64", func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }, 0},
	{"base64url", func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }, 0},
	{"hex", func(s string) string { return hex.EncodeToString([]byte(s)) }, 0},
	{"HEX", func(s string) string { return strings.ToUpper(hex.EncodeToString([]byte(s))) }, 0},
	{"url", url.QueryEscape, 0},
	{"reversed", reversed, 0},
	{"folded at 64", func(s string) string { return folded(s, 64) }, 0},
	{"folded at 76", func(s string) string { return folded(s, 76) }, 0},
	{"gzip", gzipped, 0},
	{"hex with colons", func(s string) string { return hexWith(s, ":") }, 12},
	{"UTF-16LE", func(s string) string { return inUTF16(binary.LittleEndian, s) }, 10},
	{"base32", func(s string) string { return base32.StdEncoding.EncodeToString([]byte(s)) }, 0},
	{"quoted-printable", inQuotedPrintable, 0},
	{"text", func(s string) string { return s }, 0},
}

// gzipWriters are used again: one takes 800 kB.
var gzipWriters = sync.Pool{New: func() any { return gzip.NewWriter(nil) }}

func gzipped(s string) string {
	z := gzipWriters.Get().(*gzip.Writer)
	defer gzipWriters.Put(z)
	var b bytes.Buffer
	z.Reset(&b)
	z.Write([]byte(s))
	z.Close()
	return b.String()
}

// hexWith returns s in hex with a sign between the bytes.
func hexWith(s, sep string) string { return strings.ReplaceAll(fmt.Sprintf("% x", s), " ", sep) }

func reversed(s string) string {
	r := []rune(s)
	slices.Reverse(r)
	return string(r)
}

func spread(s, sep string) string { return strings.Join(strings.Split(s, ""), sep) }

func inQuotedPrintable(s string) string {
	var b strings.Builder
	w := quotedprintable.NewWriter(&b)
	w.Write([]byte(s))
	w.Close()
	return strings.ReplaceAll(b.String(), "=\r\n", "")
}

func inUTF16(order binary.AppendByteOrder, s string) string {
	var b []byte
	for _, c := range utf16.Encode([]rune(s)) {
		b = order.AppendUint16(b, c)
	}
	return string(b)
}

func encoderNamed(name string) func(string) string {
	return encoders[slices.IndexFunc(encoders, func(e encoder) bool { return e.name == name })].encode
}

// foldable are the codes that are folded.
var foldable = []string{"base64", "base64url", "hex", "HEX"}

// printable reports whether s may stand in a text, or be UTF-16 of one.
func printable(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r > '~' || r < ' ' && r != '\n' && r != 0 })
}

// notHeld are the codes, by the one that is within them, in which a value may be left:
// usual ones within those that are less usual, and two of the latter.
var notHeld = map[string]string{
	"base64":           "hex with colons, UTF-16LE, base32",
	"base64url":        "hex with colons, UTF-16LE, base32",
	"hex":              "hex with colons, UTF-16LE",
	"HEX":              "hex with colons, UTF-16LE",
	"url":              "hex with colons, UTF-16LE, base32",
	"reversed":         "hex with colons, UTF-16LE, base32, quoted-printable",
	"gzip":             "hex with colons, quoted-printable",
	"hex with colons":  "base64, base64url, hex, HEX, url, reversed, hex with colons, UTF-16LE, base32",
	"UTF-16LE":         "url, reversed, hex with colons, base32, quoted-printable",
	"base32":           "base64, base64url, hex, HEX, reversed, hex with colons, UTF-16LE, base32",
	"quoted-printable": "url, hex with colons, UTF-16LE, base32, quoted-printable",
}

// A known value is not left in any code, nor in two, one within the other, alone and in
// a text, but for those in notHeld: nothing of the code is left that would be another
// with another value.
func TestNestedCodes(t *testing.T) {
	t.Parallel()
	left := map[string]map[string]string{} // an example, by the codes
	for _, v := range [...]struct{ value, other string }{
		{"Wq7-tR2/pX9+zK4e", "Mb3-vF8/nY5+hJ6a"},
		{"Tz7#kq9W", "Gb4@xm2R"},
		{"Tr0ub4dor&3 $x=y'z%", `Qw9ty5uio#7 @n=m"k^`},
		{"pässwörd-ünïqüe", "gëhhkïnm-äbßtöx"},
	} {
		nestedCodes(v.value, v.other, func(in, out, example string) {
			if left[in] == nil {
				left[in] = map[string]string{}
			}
			left[in][out] = example
		})
	}
	for _, in := range encoders {
		known := strings.Split(notHeld[in.name], ", ")
		for _, out := range encoders {
			if example := left[in.name][out.name]; (example != "") != slices.Contains(known, out.name) {
				t.Errorf("%s in %s: what is left is %q", in.name, out.name, example)
			}
		}
	}
}

// nestedCodes calls left for two codes that leave something of the value.
func nestedCodes(value, other string, left func(in, out, example string)) {
	texts := []func(v string) string{
		func(v string) string { return v },
		func(v string) string { return "x: " + v + " y" },
		func(v string) string { return v + "\n" },
		func(v string) string { return "database:\n  user: ada\n  pass: " + v + "\n  host: db.example.com\n" },
		func(v string) string {
			return strings.Repeat("the quick brown fox jumps over the lazy dog. ", 4) + v + strings.Repeat(" and so it goes on and on", 6) + "\n"
		},
	}
	for _, mode := range []Mode{All, Known} {
		r := New(Options{Mode: mode, Values: []Value{{Rule: "env:X", Secret: value}}})
		for _, text := range texts {
			for _, in := range encoders {
				inA, inB := in.encode(text(value)), in.encode(text(other))
				for _, out := range encoders {
					if strings.HasPrefix(out.name, "folded") && !slices.Contains(foldable, in.name) ||
						strings.HasPrefix(in.name, "folded") && !slices.Contains(foldable, out.name) {
						continue // no program writes it
					}
					a := out.encode(inA)
					if !printable(a) {
						continue
					}
					b := out.encode(inB)
					for _, before := range [...]string{"", "value: "} {
						got, _ := r.String(before + a)
						if in.name == "gzip" && got == before+a || in.name != "gzip" && shows(got, before+a, before+b, max(in.shows, out.shows, 6)) {
							left(in.name, out.name, got)
						}
					}
				}
			}
		}
	}
}

// shows reports whether n bytes in a row of a are in got that begin where a differs
// from b.
func shows(got, a, b string, n int) bool {
	for i := range min(len(a)-n, len(b)) {
		if a[i] != b[i] && strings.Contains(got, a[i:i+n]) {
			return true
		}
	}
	return false
}

// longestLeak returns the length in bytes of the longest piece of a in got that begins
// where a differs from b.
func longestLeak(got, a, b string) int {
	most := 0
	lines, others := strings.Split(a, "\n"), strings.Split(b, "\n")
	for k, l := range lines {
		for i := range len(l) {
			if k < len(others) && i < len(others[k]) && l[i] == others[k][i] {
				continue
			}
			for n := 1; i+n <= len(l) && strings.Contains(got, l[i:i+n]); n++ {
				most = max(most, n)
			}
		}
	}
	return most
}

// A value that lies across the end of a line of folded base64, or xxd -p, is masked
// on both, wherever it is cut, and whatever is before the first line.
func TestFoldedCodes(t *testing.T) {
	const value, other = "Wq7-tR2/pX9+zK4e", "Mb3-vF8/nY5+hJ6a"
	for _, mode := range []Mode{All, Known} {
		r := New(Options{Mode: mode, Values: []Value{{Rule: "env:X", Secret: value}}})
		for _, e := range encoders[:4] {
			for _, width := range []int{60, 64, 76} {
				for before := range 120 {
					text := strings.Repeat("all work and no play ", 9)[:before]
					first := [...]string{"", "value: ", "x=", "  data: \""}[before%4]
					a := first + folded(e.encode(text+value+" and more"), width) + "\n"
					b := first + folded(e.encode(text+other+" and more"), width) + "\n"
					got, _ := r.String(a)
					if n := longestLeak(got, a, b); n > 5 || !strings.HasPrefix(got, first) {
						t.Errorf("mode %d: %s folded at %d, after %d: %d bytes of\n%s are left in\n%s", mode, e.name, width, before, n, a, got)
					}
				}
			}
		}
	}
}

// Values are found in codes that are less usual.
func TestRarerCodes(t *testing.T) {
	r := func(v string) *Redactor {
		return New(Options{Mode: Known, Values: []Value{{Rule: "env:X", Secret: v}}})
	}
	const value = "Wq7-tR2/pX9+zK4e"
	wide := spread(value, "\x00") + "\x00"
	for _, in := range []string{
		hexWith(value, ":"), hexWith(value, " "), strings.ToUpper(hexWith(value, ":")), "0x" + hexWith(value, ", 0x"), hexWith(value, "-"),
		wide, "\x00" + strings.TrimSuffix(wide, "\x00"), base32.StdEncoding.EncodeToString([]byte(value)),
		base32.StdEncoding.EncodeToString([]byte("a:" + value)), strings.ToLower(base32.StdEncoding.EncodeToString([]byte("a:" + value))), reversed(value), base64.StdEncoding.EncodeToString([]byte("user=ada&password=" + wide + " ")),
		base64.StdEncoding.EncodeToString([]byte(spread("echo the password is "+value, "\x00") + "\x00")),
	} {
		got, counts := r(value).String("x: " + in + "\n")
		if counts["env:X"] == 0 || len(got) > len("x: "+Mask+"0x==\n") {
			t.Errorf("%q became %q", in, got)
		}
	}
	for _, v := range []string{"pässwörd-ünique", "пароль-секрет", "密码是一二三四", "ключ:a1b2c3"} {
		known := r(v)
		for _, s := range append(encodings.Of(v), encodings.Rare(v, true)...) {
			if s.Around != 0 {
				continue // a part of a text
			}
			if got, _ := known.String("x: " + s.Text + "\n"); got != "x: "+Mask+"\n" {
				t.Errorf("%q of %q became %q", s.Text, v, got)
			}
		}
	}
	for _, v := range []string{"pässwörd-ünique", "пароль-секрет"} {
		if got, _ := r(v).String("x: " + reversed(v) + "\n"); got != "x: "+Mask+"\n" {
			t.Errorf("%q backwards became %q", v, got)
		}
		for _, raw := range []string{inUTF16(binary.LittleEndian, v), inUTF16(binary.BigEndian, v)} {
			for shift := range 3 {
				s := base64.StdEncoding.EncodeToString([]byte("   "[:shift] + raw))
				if got, _ := r(v).String("x: " + s + " " + raw + "\n"); strings.Contains(got, s[8:len(s)-8]) || strings.Contains(got, raw) {
					t.Errorf("UTF-16 of %q became %q", v, got)
				}
			}
		}
	}
	packed := base32.StdEncoding.EncodeToString([]byte(encoderNamed("gzip")("a text with " + value)))
	if got, counts := r(value).String("x: " + packed + "\n"); counts["env:X"] == 0 || strings.Contains(got, packed[:20]) {
		t.Errorf("base32 of gzip became %q", got)
	}
	const equal = "a=b=c-d1e2f3g4"
	if got, _ := r(equal).String("x: " + inQuotedPrintable(equal) + "\n"); got != "x: "+Mask+"\n" {
		t.Errorf("quoted-printable became %q", got)
	}
}

// Folded text is decoded where all of its lines are short, and where another one that is
// complete is before it.
func TestFoldedLines(t *testing.T) {
	encode := base64.StdEncoding.EncodeToString
	secret := folded(encode([]byte(strings.Repeat("colour: red\n", 3)+"a: b\npw: kQ7mZr3T\n"+strings.Repeat("colour: red\n", 3))), 64)
	for _, before := range []string{"", encode([]byte(strings.Repeat("colour: red\n", 5)[:56])) + "\n"} {
		got, _ := New(Options{}).String(before + secret + "\n")
		if _, last, _ := strings.Cut(secret, "\n"); !strings.HasPrefix(got, before) || strings.Contains(got, last) {
			t.Errorf("%q became %q", before+secret, got)
		}
	}
	secret = strings.ReplaceAll(secret, "\n", `\n`)
	if got, _ := New(Options{}).String(`{"text": "` + secret + `"}`); strings.Contains(got, "bVpyM1QK") {
		t.Errorf("%q became %q", secret, got)
	}
}
