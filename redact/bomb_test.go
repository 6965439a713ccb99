package redact_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/redact"
)

// pack returns text in base64 of gzip.
func pack(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

// fold returns s in lines of 76 characters, as base64 writes them.
func fold(s string) string {
	var b strings.Builder
	for ; len(s) > 76; s = s[76:] {
		b.WriteString(s[:76] + "\n")
	}
	return b.String() + s + "\n"
}

// A text of some kilobytes that is unpacked to megabytes, in each of which are others,
// is masked in the time of its length: without a bound this test does not end.
func TestWhatIsUnpackedIsBounded(t *testing.T) {
	inner := pack(t, strings.Repeat("token key ", 40_000))
	three := pack(t, strings.Repeat(pack(t, strings.Repeat(inner+"\n", 240))+"\n", 240))
	folded := pack(t, strings.Repeat(fold(inner), 200))
	long := fold(pack(t, strings.Repeat("token key ", 700_000)))
	r := redact.New(redact.Options{})
	for name, text := range map[string]string{
		"three layers": three + "\n", "folded within": folded + "\n", "folded": strings.Repeat(long[:7000]+"\n--\n", 4),
	} {
		if got, _ := r.String(text); got != text {
			t.Errorf("%s: some of it was masked", name)
		}
	}
}

// Ordinary compressed data is still searched: JSON, logs, and a key over many lines of a
// folded text.
func TestWhatIsUnpacked(t *testing.T) {
	line := `{"level":"info","msg":"request done","status":200,"path":"/api/items"}` + "\n"
	secret := `{"db_password":"x7Kq92mZ-Lw4"}` + "\n"
	known := redact.New(redact.Options{Values: []redact.Value{{Rule: "env:A", Secret: "x7Kq92mZ-Lw4"}}})
	for name, r := range map[string]*redact.Redactor{"rules": redact.New(redact.Options{}), "known value": known} {
		for text, packed := range map[string]string{
			"one layer":  pack(t, strings.Repeat(line, 40)+secret),
			"two layers": pack(t, pack(t, strings.Repeat(line, 20)+secret)),
			"folded":     fold(pack(t, strings.Repeat(line, 40)+secret)),
		} {
			if got, _ := r.String(packed); got == packed {
				t.Errorf("%s, %s: the secret stays", name, text)
			}
		}
	}
}
