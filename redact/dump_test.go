package redact

import (
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
)

// dumps are programs that print bytes in hex, 16 a line.
var dumps = []struct {
	name string
	line func(at int, b []byte) string
}{
	{"hexdump -C", func(at int, b []byte) string {
		h := ""
		for i, c := range b {
			if i == 8 {
				h += " "
			}
			h += fmt.Sprintf(" %02x", c)
		}
		return fmt.Sprintf("%08x %-50s |%s|", at, h, b)
	}},
	{"od -An -tx1", func(_ int, b []byte) string { return " " + hexWith(string(b), " ") }},
	{"od -tx1", func(at int, b []byte) string {
		return fmt.Sprintf("%07o %s", at, hexWith(string(b), " "))
	}},
	{"xxd", func(at int, b []byte) string {
		h := ""
		for i := 0; i < len(b); i += 2 {
			h += " " + hex.EncodeToString(b[i:min(len(b), i+2)])
		}
		return fmt.Sprintf("%08x:%-41s %s", at, h, b)
	}},
}

// Fewer than eight bytes of a value in a dump are left, wherever it begins: those that
// stand alone on a line or half of one.
func TestDumps(t *testing.T) {
	for _, value := range []string{"Tz7#kq9W", "Wq7-tR2/pX9+zK4e", "ghp_x7Kq2LmVt9RzPw4NbYc8JdHs3FgTu6Ea1Qo5"} {
		r := New(Options{Mode: Known, Values: []Value{{Rule: "env:X", Secret: value}}})
		for _, d := range dumps {
			for before := range 32 {
				text := "all work and no play makes Jack a dull boy."[:before] + value + " and so on and on"
				var in strings.Builder
				for i := 0; i < len(text); i += 16 {
					in.WriteString(d.line(i, []byte(text[i:min(len(text), i+16)])) + "\n")
				}
				got, _ := r.String(in.String())
				left := 0
				for i := range len(value) {
					h := hex.EncodeToString([]byte(value[i : i+1]))
					for n := 1; strings.Contains(strings.ReplaceAll(got, " ", ""), h); n++ {
						if left = max(left, n); i+n+1 > len(value) {
							break
						}
						h = hex.EncodeToString([]byte(value[i : i+n+1]))
					}
				}
				if left >= 8 {
					t.Errorf("%s after %d bytes: %d bytes are left in\n%s", d.name, before, left, got)
				}
			}
		}
	}
}
