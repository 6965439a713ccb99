package encodings

import (
	"encoding/base32"
	"encoding/hex"
	"slices"
	"strings"
	"testing"
)

// TestAligned32 compares with the characters of encoding/base32 that are the same
// whatever the bytes before and after a value are.
func TestAligned32(t *testing.T) {
	for n := range 20 {
		value := "\xffp\x00as\x80sw0rd-x7Kq9-tail"[:n]
		for shift := range 5 {
			got := aligned32(value, shift)
			zeros := base32.StdEncoding.EncodeToString([]byte("\x00\x00\x00\x00"[:shift] + value + "\x00\x00\x00\x00\x00"))
			ones := base32.StdEncoding.EncodeToString([]byte("\xff\xff\xff\xff"[:shift] + value + "\xff\xff\xff\xff\xff"))
			from := (shift*8 + 4) / 5
			to := max(from, (shift+n)*8/5)
			if got != zeros[from:to] || got != ones[from:to] {
				t.Errorf("%q after %d: %q, want %q", value, shift, got, zeros[from:to])
			}
		}
	}
}

// TestRarer has values with signs that each code writes in its way.
func TestRarer(t *testing.T) {
	forms := append(Rare("pa=s w", true), Rare("w=é", true)...)
	for _, want := range []string{
		"w s=ap", "p\x00a\x00=\x00s\x00 \x00w", "70:61:3d:73:20:77", "70-61-3D-73-20-77",
		"pa=3Ds w", "pa=3Ds=20w", "w=3D=C3=A9", `w=\303\251`, `\160\141\075\163\040\167`, "p   a   =   s       w", "_\bp_\ba_\b=_\bs_\b _\bw",
	} {
		if !slices.ContainsFunc(forms, func(f Form) bool { return f.Text == want }) {
			t.Errorf("no %q", want)
		}
	}
}

// TestDumpSpan finds a value in a dump by each of its parts, and no value of which a byte
// differs.
func TestDumpSpan(t *testing.T) {
	const value = "secret-word!"
	for _, sizes := range [][]int{{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, {2, 2, 2, 2, 2, 2}, {1, 2, 2, 2, 2, 2, 1}} {
		groups := func(b string) string {
			var out []string
			for _, n := range sizes {
				out, b = append(out, hex.EncodeToString([]byte(b[:n]))), b[n:]
			}
			return "00 " + strings.Join(out, " ") + " 00"
		}
		found := 0
		Dumps(value, func(text string, d *Dump) {
			line := groups(value)
			at := strings.Index(line, text)
			if at < 0 {
				return // grouped in another way
			}
			found++
			if from, to, ok := d.Span([]byte(line), at, at+len(text)); from != 3 || to != len(line)-3 || !ok {
				t.Errorf("%q in %q: %d to %d, %v", text, line, from, to, ok)
			}
			for i := range value {
				if i >= d.off && i < d.off+d.n {
					continue
				}
				line := groups(value[:i] + "x" + value[i+1:])
				if from, to, ok := d.Span([]byte(line), at, at+len(text)); ok {
					t.Errorf("%q in %q: %d to %d", text, line, from, to)
				}
			}
		})
		if found == 0 {
			t.Errorf("%q has no part of the value", groups(value))
		}
	}
}
