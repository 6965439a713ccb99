package redact_test

import (
	"bytes"
	"compress/zlib"
	"encoding/ascii85"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/redact"
)

// listed is s as a list of its bytes, with width bytes on a line.
func listed(format, sep string, width int, s string) string {
	var b strings.Builder
	for i := range len(s) {
		if fmt.Fprintf(&b, format, s[i]); i < len(s)-1 {
			b.WriteString(sep)
		}
		if (i+1)%width == 0 {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// folded is s in lines of width characters.
func folded(width int, s string) string { return listed("%c", "", width, s) }

// zlibbed is s in base64 of zlib.
func zlibbed(t *testing.T, s string) string {
	t.Helper()
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	if _, err := z.Write([]byte(s)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

// ascii85ed is s in Ascii85, after n other bytes.
func ascii85ed(n int, s string) string {
	b := make([]byte, ascii85.MaxEncodedLen(n+len(s)))
	return string(b[:ascii85.Encode(b, []byte("...."[:n]+s))])
}

// A known value is found as programs list its bytes, and where others have the same form
// nothing is masked. What stays of it, at the ends of lines, has fewer than seven bytes.
func TestSpelledValues(t *testing.T) {
	const value, other = "Kq7/mZr3Tn-X0kLpV8wYb2Qs+9", "Lw6/nAq2Um-Y9lKoW7xZc3Rt+8"
	for name, spell := range map[string]func(s string) string{
		"xxd -p":          func(s string) string { return listed("%02x", "", 30, "ab"+s) },
		"xxd -p -c 12":    func(s string) string { return listed("%02x", "", 12, "ab"+s) },
		"xxd -i":          func(s string) string { return listed("0x%02x", ", ", 12, "ab"+s) },
		"xxd -p -c 10":    func(s string) string { return listed("%02x", "", 10, s) },
		"hexdump -C":      func(s string) string { return hex.Dump([]byte("ab" + s + "\n")) },
		"base64 -w 15":    func(s string) string { return folded(15, base64.StdEncoding.EncodeToString([]byte("ab"+s))) },
		"base64 -w 16":    func(s string) string { return folded(16, base64.URLEncoding.EncodeToString([]byte(s))) },
		"base64 -w 19":    func(s string) string { return folded(19, base64.StdEncoding.EncodeToString([]byte("a"+s))) },
		"base64 -w 24":    func(s string) string { return folded(24, base64.StdEncoding.EncodeToString([]byte(s))) },
		"bytes of Go":     func(s string) string { return fmt.Sprint([]byte(s)) },
		"bytes of JSON":   func(s string) string { return listed("%d", ",", 99, s) },
		"list on lines":   func(s string) string { return listed("%d", ", ", 10, "ab"+s) },
		"JSON on lines":   func(s string) string { return listed("%d", ",", 11, "a"+s) },
		"list of Python":  func(s string) string { return listed("%d", ", ", 99, s) },
		"escapes of Perl": func(s string) string { return listed(`\x{%x}`, "", 99, s) },
		"signs of Perl":   func(s string) string { return strings.NewReplacer("/", `\x{2f}`, "+", `\u{2b}`).Replace(s) },
		"escapes of Rust": func(s string) string { return listed(`\u{%x}`, "", 99, s) },
		"capitals":        strings.ToUpper,
		"small letters":   strings.ToLower,
		"UTF-32":          func(s string) string { return listed("%c", "\x00\x00\x00", 99, s) },
		"Ascii85":         func(s string) string { return ascii85ed(0, s) },
		"Ascii85, later":  func(s string) string { return ascii85ed(3, s) },
		"zlib":            func(s string) string { return zlibbed(t, "here is a list: "+s+"\n") },
		"zlib in hex": func(s string) string {
			b, _ := base64.StdEncoding.DecodeString(zlibbed(t, "list: "+s))
			return hex.EncodeToString(b)
		},
		"zero width space":  func(s string) string { return s[:9] + "\u200b" + s[9:] },
		"soft hyphen":       func(s string) string { return s[:9] + "\u00ad" + s[9:] },
		"byte order mark":   func(s string) string { return s[:9] + "\ufeff" + s[9:] },
		"zero width joiner": func(s string) string { return strings.Join(strings.Split(s, ""), "\u200d") },
	} {
		mode := redact.Known
		if strings.HasPrefix(name, "zlib") {
			mode = redact.All // what begins it is too short to be searched for alone
		}
		r := redact.New(redact.Options{Mode: mode, Values: []redact.Value{{Rule: "env:X", Secret: value}}})
		if got, _ := r.String("x " + spell(value) + "\n"); strings.Count(got, redact.Mask) == 0 || len(got) > 60+len(spell(value))/3 {
			t.Errorf("%s: %q became %q", name, spell(value), got)
		}
		if got, counts := r.String("x " + spell(other) + "\n"); len(counts) > 0 {
			t.Errorf("%s: another value became %q", name, got)
		}
	}
}
