package redact

import (
	"bytes"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
)

// bytesAs is format for each byte of b, with sep between two of them.
func bytesAs(format, sep string, b []byte) string {
	out := make([]string, len(b))
	for i, c := range b {
		out[i] = fmt.Sprintf(format, c)
	}
	return strings.Join(out, sep)
}

// wordsOf is format for each two bytes of b, the second of which is the higher.
func wordsOf(format string, b []byte) string {
	out := ""
	for i := 0; i < len(b); i += 2 {
		w := append(b[i:min(len(b), i+2):min(len(b), i+2)], 0)
		out += fmt.Sprintf(format, int(w[0])|int(w[1])<<8)
	}
	return out
}

// dumps are programs that print bytes on lines of any number of them.
var dumps = []struct {
	name string
	line func(at int, b []byte) string
}{
	{"hexdump -C", func(at int, b []byte) string {
		return fmt.Sprintf("%08x  %s  |%s|", at, bytesAs("%02x", " ", b[:min(8, len(b))])+"  "+bytesAs("%02x", " ", b[min(8, len(b)):]), b)
	}},
	{"hexdump", func(at int, b []byte) string { return fmt.Sprintf("%07x", at) + wordsOf(" %04x", b) }},
	{"od", func(at int, b []byte) string { return fmt.Sprintf("%07o", at) + wordsOf(" %06o", b) }},
	{"od -b", func(at int, b []byte) string { return fmt.Sprintf("%07o ", at) + bytesAs("%03o", " ", b) }},
	{"od -c", func(at int, b []byte) string { return fmt.Sprintf("%07o", at) + bytesAs("   %c", "", b) }},
	{"od -An -tx1", func(_ int, b []byte) string { return bytesAs(" %02x", "", b) }},
	{"od -An -tu1", func(_ int, b []byte) string { return bytesAs(" %3d", "", b) }},
	{"od -A x -t x1z", func(at int, b []byte) string {
		return fmt.Sprintf("%06x %s  >%s<", at, bytesAs("%02x", " ", b), b)
	}},
	{"xxd", func(at int, b []byte) string {
		h := ""
		for i := 0; i < len(b); i += 2 {
			h += " " + hex.EncodeToString(b[i:min(len(b), i+2)])
		}
		return fmt.Sprintf("%08x:%s  %s", at, h, b)
	}},
	{"xxd -b", func(at int, b []byte) string { return fmt.Sprintf("%08x: %s  %s", at, bytesAs("%08b", " ", b), b) }},
	{"xxd -p", func(_ int, b []byte) string { return hex.EncodeToString(b) }},
	{"xxd -i", func(_ int, b []byte) string { return bytesAs("  0x%02X,", "", b) }},
	{"array", func(_ int, b []byte) string { return "  " + bytesAs("%d", ", ", b) + "," }},
	{"fingerprint", func(_ int, b []byte) string { return "    " + bytesAs("%02x", ":", b) + ":" }},
}

// A line of these codes has characters, not bytes.
var foldedCodes = map[string]func(b []byte) string{
	"base64":    base64.StdEncoding.EncodeToString,
	"base64url": base64.URLEncoding.EncodeToString,
	"base32":    base32.StdEncoding.EncodeToString,
	"hex":       hex.EncodeToString,
}

// dumped calls do with each program's output for text, in lines of several widths.
func dumped(do func(name string, of func(text string) string)) {
	for _, width := range []int{1, 2, 3, 4, 5, 7, 8, 10, 12, 15, 16, 20, 30, 60, 76} {
		lines := func(text string, line func(at int, b []byte) string) string {
			var out strings.Builder
			for i := 0; i < len(text); i += width {
				out.WriteString(line(i, []byte(text[i:min(len(text), i+width)])) + "\n")
			}
			return out.String()
		}
		for _, d := range dumps {
			do(fmt.Sprintf("%s of %d", d.name, width), func(text string) string { return lines(text, d.line) })
		}
		for name, encode := range foldedCodes {
			do(fmt.Sprintf("%s -w %d", name, width), func(text string) string {
				return lines(encode([]byte(text)), func(_ int, b []byte) string { return string(b) })
			})
		}
	}
}

// leftOf returns how many characters that another value would change, were it there, are
// left of a dump.
func leftOf(in, other, got string) int {
	left := 0
	a, b, g := strings.Split(in, "\n"), strings.Split(other, "\n"), strings.Split(got, "\n")
	for i := range a {
		n := 0
		for n < len(a[i]) && n < len(g[i]) && a[i][n] == g[i][n] {
			n++
		}
		m := len(a[i])
		for k := len(g[i]); m > n && k > n && a[i][m-1] == g[i][k-1]; k-- {
			m--
		}
		for k := range a[i] {
			if (k < n || k >= m) && a[i][k] != b[i][k] {
				left++
			}
		}
	}
	return left
}

// Of a value in a dump only a few bytes are left, wherever it begins, whatever the lines
// have before and after them, and of one that differs in its first bytes nothing is masked.
func TestDumps(t *testing.T) {
	for _, value := range []string{"Tz7akq9W", "Wq7-tR2/pX9+zK4e", "ghp_x7Kq2LmVt9RzPw4NbYc8JdHs3FgTu6Ea1Qo5"} {
		r := New(Options{Mode: Known, Values: []Value{{Rule: "env:X", Secret: value}}})
		other := strings.Map(func(c rune) rune {
			if c >= 'A' {
				return c ^ 1
			}
			return c
		}, value)
		dumped(func(name string, of func(text string) string) {
			for _, begin := range []string{"", "x", "pass=", "all work and no play makes Jack a dull boy."} {
				in, not := of(begin+value+" and so on"), of(begin+other+" and so on")
				for about, change := range map[string]func(s string) string{
					"":        func(s string) string { return s },
					"CRLF":    func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") },
					"service": func(s string) string { return "web-1  | " + strings.ReplaceAll(s, "\n", "\nweb-1  | ") },
					"log":     func(s string) string { return strings.ReplaceAll("\n"+s, "\n", "\n2026-11-27T10:00:00Z INFO ") },
					"numbers": func(s string) string { return strings.ReplaceAll("\n"+s, "\n", "\n     7\t") },
					"empty":   func(s string) string { return strings.ReplaceAll(s, "\n", "\n\n") },
				} {
					got, _ := r.String(change(in))
					if left := leftOf(change(in), change(not), got); left > 4 {
						t.Errorf("%s after %q, %s: %d characters are left in\n%s", name, begin, about, left, got)
					}
					if got, counts := r.String(change(not)); len(counts) > 0 {
						t.Errorf("%s, %s: another value became\n%s", name, about, got)
					}
				}
			}
		})
	}
}

// What is masked of a dump does not depend on how it was written.
func TestDumpsInPieces(t *testing.T) {
	const value = "Wq7-tR2/pX9+zK4e"
	r := New(Options{Mode: Known, Values: []Value{{Rule: "env:X", Secret: value}}})
	dumped(func(name string, of func(text string) string) {
		in := []byte(of("pass=" + value + "\n"))
		want, _ := r.Bytes(in)
		for i := range in {
			var out bytes.Buffer
			w := r.Writer(&out)
			for _, b := range [][]byte{in[:i], in[i:]} {
				if _, err := w.Write(b); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(out.Bytes(), want) {
				t.Fatalf("%s, cut at %d: %q became %q, not %q", name, i, in, out.Bytes(), want)
			}
		}
	})
}

// A line that is the beginning of a value is no part of one that began on the line before.
func TestDumpsOfOtherWords(t *testing.T) {
	for _, c := range []struct{ secret, text string }{
		{"localhost:5432", "beef\nmysql\nlocal\nfoo\n"},
		{"production2024", "p\nproduct\n"},
		{"password123x", "pass\npass\nfail\n"},
	} {
		r := New(Options{Mode: Known, Values: []Value{{Rule: "env:X", Secret: c.secret}}})
		if got, counts := r.String(c.text); got != c.text {
			t.Errorf("%q became %q (%v)", c.text, got, counts)
		}
	}
}
