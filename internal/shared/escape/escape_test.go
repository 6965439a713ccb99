package escape

import "testing"

// A control sequence ends where ECMA-48 says, or where a byte cannot be of it.
func TestLen(t *testing.T) {
	for text, want := range map[string]int{
		"a": 0, "\x7f": 0, "\xa0": 0, "\xc2": 0, "\xc2\x7f": 0, "\u00a0": 0, "é": 0,
		"\x1b": 1, "\x1b\x1f": 1, "\x1b\x7f": 1, "\x1b=x": 2, "\x1b0x": 2, "\x1b~x": 2,
		"\x80x": 1, "\u0085x": 2, "\x9fx\ax": 3, "\u009fx\ax": 4,
		// CSI
		"\x1b[": 2, "\x1b[3": 3, "\x1b[31mx": 5, "\x1b[ ?mx": 5, "\x1b[@x": 3, "\x1b[~x": 3,
		"\x1b[3\x1fx": 3, "\x1b[3\x7fx": 3, "\x1b[3\x80x": 3, "\x9b31mx": 4, "\u009b31mx": 5,
		// a character set
		"\x1b(": 2, "\x1b(Bx": 3, "\x1b( /0x": 5, "\x1b(0x": 3, "\x1b(~x": 3, "\x1b(\x1fx": 2, "\x1b(\x7fx": 2, "\x1b/0": 3,
		// strings
		"\x1b]t\ax": 4, "\x1bPt\ax": 4, "\x1bXt\ax": 4, "\x1b^t\ax": 4, "\x1b_t\ax": 4, "\x1b]t\x1b\\x": 5,
		"\x1b]": 2, "\x1b]t": 3, "\x1b]t\x1b": 4, "\x1b]t\x1bx": 5, "\x1b]t\\x": 5,
		"\x1b]\x9cx": 3, "\x1b]t\x9cx": 4, "\x1b]é\x9cx": 5, "\x1b]✓\x9cx": 6,
		"\x1b]\u009cx\a": 6, "\x1b]\xe2\x9c\x93\ax": 6, "\x1b]\xf0\x9c\x9c\x9c\ax": 7,
		"\x1b]\x80\x80\x80\x9cx": 6, "\x1b]\xf0\x80\x80\x80\x9cx": 7, "\x1b]\xc2": 3,
	} {
		if got := Len([]byte(text)); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}
