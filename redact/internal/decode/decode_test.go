package decode

import "testing"

// What may be a text, and what is packed or in base32, each with what is beside it.
func TestJudgementsOfEncoding(t *testing.T) {
	for name, c := range map[string]struct {
		is      func(b []byte) bool
		yes, no []string
	}{
		"EncodedText": {EncodedText, []string{"dXNlcjpw", "YWRtaW5pc3RyYXRvcg==", "YWRtaQo="}, []string{"dXNlcjp", "dXNl", "YWRtaW5pc3RyYXRv!g==", "AAECAwQF", "/////////w=="}},
		"textual":     {Textual, []string{"a b\t~\r\n", ""}, []string{"a\x00", "\x7f", "é"}},
		"compressed":  {Compressed, []string{"\x1f\x8b\x08\x00\x00"}, []string{"\x1f\x8b\x08\x00", "\x1e\x8b\x08\x00\x00", "\x1f\x8c\x08\x00\x00", "\x1f\x8b\x09\x00\x00", "\x1f\x8b\x08\x20\x00"}},
		"text32":      {text32, []string{"JBSWY3DPEHPK3PXP", "A2Z7"}, []string{"JBSWY3DP0", "JBSWY3DP8", "jbswy3dp", "JBSW="}},
	} {
		for _, s := range c.yes {
			if !c.is([]byte(s)) {
				t.Errorf("%s: %q is none", name, s)
			}
		}
		for _, s := range c.no {
			if c.is([]byte(s)) {
				t.Errorf("%s: %q is one", name, s)
			}
		}
	}
}
