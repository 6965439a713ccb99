package redact_test

import (
	"bytes"
	"encoding/base64"
	"io"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/internal/test/matrix"
	"github.com/envwrap/envwrap/redact"
)

// stream masks text, cut into writes before each of the offsets.
func stream(t testing.TB, r *redact.Redactor, text string, cuts ...int) (string, redact.Counts) {
	t.Helper()
	var out bytes.Buffer
	w := r.Writer(&out)
	from := 0
	for _, c := range append(cuts, len(text)) {
		if n, err := io.WriteString(w, text[from:c]); n != c-from || err != nil {
			t.Fatalf("Write = %d, %v; want %d, nil", n, err, c-from)
		}
		from = c
	}
	if err := w.Close(); err != nil {
		t.Fatalf("Close = %v", err)
	}
	return out.String(), w.Counts()
}

const secret = "s3cr3t/V4lue+with=signs"

func known() *redact.Redactor {
	return redact.New(redact.Options{Mode: redact.Known, Values: []redact.Value{{Rule: "env:X", Secret: secret}}})
}

// A known value is found in each way in which programs print it.
func TestKnownEncodings(t *testing.T) {
	for _, text := range []string{
		secret,
		base64.StdEncoding.EncodeToString([]byte(secret)),
		base64.StdEncoding.EncodeToString([]byte("user:" + secret)),
		base64.StdEncoding.EncodeToString([]byte("users:" + secret + "!")),
		base64.RawURLEncoding.EncodeToString([]byte("u:" + secret)),
		"s3cr3t%2FV4lue%2Bwith%3Dsigns", "s3cr3t%2fV4lue%2bwith%3dsigns",
		`s3cr3t\/V4lue+with=signs`, `s3cr3t\u002fV4lue+with=signs`,
	} {
		if got, c := known().String("a " + text + " b"); got != "a *** b" || c["env:X"] != 1 {
			t.Errorf("%q: got %q, %v", text, got, c)
		}
	}
}

var streams = []string{
	"a " + secret + " b\nc",
	"password=hunter2x9\nAuthorization: Bearer abcdef0123456789\n",
	"https://user:" + "pa55word@example.com/path\n",
	"-----BEGIN RSA PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0\nBAQEFAASCBKcwggSjAgEAAoIBAQDAC4A=\n-----END RSA PRIVATE KEY-----\nafter\n",
	`{"key":"-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0\n-----END PRIVATE KEY-----\n","password":"hunter2x9"}`,
	"\x1b[32mpassword\x1b[0m: \x1b[33m\"hunter2x9\"\x1b[0m\n",
	"password:\n  \"hunter2x9\"\nnext\n",
	strings.Repeat("x", 70000) + " " + secret + " " + strings.Repeat("y ", 50000) + secret + "\n" + secret,
}

// The output does not depend on how the input is split into writes.
func TestSplit(t *testing.T) {
	t.Parallel()
	r := redact.New(redact.Options{Values: []redact.Value{{Rule: "env:X", Secret: secret}}})
	for _, text := range streams {
		want, counts := stream(t, r, text)
		if len(counts) == 0 {
			t.Errorf("%.60q: nothing masked", text)
		}
		step := 1 + len(text)/matrix.Times(120, 500)
		for i := 0; i <= len(text); i += step {
			if got, _ := stream(t, r, text, i); got != want {
				t.Fatalf("%.60q cut at %d: got %.200q, want %.200q", text, i, got, want)
			}
		}
		if again, c := stream(t, r, want); again != want || len(c) > 0 {
			t.Errorf("%.60q: masked twice: got %.200q, want %.200q", text, again, want)
		}
	}
}

// A complete line is passed on in the Write that completed it.
func TestPrompt(t *testing.T) {
	var out bytes.Buffer
	w := known().Writer(&out)
	for _, c := range []struct{ in, want string }{{"one", ""}, {" two\nthree", "one two\n"}, {"\n", "three\n"}} {
		out.Reset()
		if _, err := io.WriteString(w, c.in); err != nil {
			t.Fatal(err)
		}
		if out.String() != c.want {
			t.Errorf("after %q: got %q, want %q", c.in, &out, c.want)
		}
	}
}

// A text does not depend on the texts that the same Redactor masked before.
func TestTextsAreApart(t *testing.T) {
	const name, value = "password:\n", "aK3jf92kfLq0\n"
	r := redact.New(redact.Options{})
	for _, text := range []string{name, value, name} {
		if got, counts := r.String(text); got != text || counts != nil {
			t.Errorf("%q became %q, %v", text, got, counts)
		}
	}
	if got, counts := r.String(name + value); got != name+redact.Mask+"\n" || counts["assignment"] != 1 {
		t.Errorf("both became %q, %v", got, counts)
	}
}

// A text that ends where a value is awaited, without a newline, has none.
func TestValueAwaitedAtTheEnd(t *testing.T) {
	for _, text := range []string{"\"name\": \"DB_PASSWORD\"\n\"value\":", "name: password\n\"value\": ", "- name: DB_PASSWORD\n  value:"} {
		if got, _ := redact.New(redact.Options{}).String(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}
