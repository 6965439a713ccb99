package redact_test

import (
	"encoding/base64"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"html"
	"math/rand/v2"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/envwrap/envwrap/internal/test/matrix"
	"github.com/envwrap/envwrap/redact"
)

// everyByte is s with each byte written by form.
func everyByte(form, s string) string {
	var b strings.Builder
	for i := range len(s) {
		fmt.Fprintf(&b, form, s[i])
	}
	return b.String()
}

// asciiJSON is s as encoders write it that know no characters but ASCII.
func asciiJSON(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case r < 0x80:
			b.WriteRune(r)
		case r > 0xffff:
			hi, lo := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, hi, lo)
		default:
			fmt.Fprintf(&b, `\u%04X`, r)
		}
	}
	return b.String()
}

func xmlText(s string) string {
	var b strings.Builder
	if err := xml.EscapeText(&b, []byte(s)); err != nil {
		panic(err)
	}
	return b.String()
}

func inner(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b[1 : len(b)-1])
}

// writings are the ways in which programs write a value.
var writings = []struct {
	name  string
	write func(s string) string
}{
	{"raw", func(s string) string { return s }},
	{"JSON", func(s string) string { return inner(s) }},
	{"JSON in JSON", func(s string) string { return inner(inner(s)) }},
	{"JSON three deep", func(s string) string { return inner(inner(inner(s))) }},
	{"JSON, slashes escaped", func(s string) string { return strings.ReplaceAll(inner(s), "/", `\/`) }},
	{"JSON, a mix", func(s string) string {
		return strings.NewReplacer("/", `\/`, "+", `\u002B`, "=", `\u003D`, "$", `\u0024`).Replace(inner(s))
	}},
	{"JSON in ASCII", asciiJSON},
	{"Go", func(s string) string { q := strconv.Quote(s); return q[1 : len(q)-1] }},
	{"URL query", url.QueryEscape},
	{"URL path", url.PathEscape},
	{"URL, escaped twice", func(s string) string { return url.QueryEscape(url.QueryEscape(s)) }},
	{"URL, every byte", func(s string) string { return everyByte("%%%02X", s) }},
	{"URL, every byte in lower case", func(s string) string { return everyByte("%%%02x", s) }},
	{"URL, a few", func(s string) string { return strings.NewReplacer("/", "%2f", "&", "%26").Replace(s) }},
	{"XML", xmlText},
	{"HTML", html.EscapeString},
	{"HTML, every byte", func(s string) string { return everyByte("&#%d;", s) }},
	{"HTML, every byte in hex", func(s string) string { return everyByte("&#x%x;", s) }},
	{"HTML in JSON", func(s string) string { return inner(html.EscapeString(s)) }},
	{"hex escapes", func(s string) string { return everyByte(`\x%02x`, s) }},
	{"shell, in single quotes", func(s string) string { return strings.ReplaceAll(s, "'", `'\''`) }},
	{"shell, in double quotes", func(s string) string {
		return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`").Replace(s)
	}},
	{"SQL", func(s string) string { return strings.ReplaceAll(s, "'", "''") }},
	{"CSV", func(s string) string { return strings.ReplaceAll(s, `"`, `""`) }},
	{"base64", func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }},
	{"base64 after a byte", func(s string) string { return base64.StdEncoding.EncodeToString([]byte("x" + s)) }},
	{"base64 for URLs", func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte("xy" + s + "z")) }},
	{"hex", func(s string) string { return fmt.Sprintf("%x", s) }},
}

// A known value is found in every way of writing, and no byte of it is left.
func TestKnownWritings(t *testing.T) {
	for _, secret := range []string{
		"kq09ZxLm2TnB5vRc8f3A", "s3cr3t/V4lue+with=signs&more", `p"q\correcthorse$1'x<y>`, "héllo-wörld-pässwort99", "rocket🚀launcher7",
		"Tr0ub4dor&3", "a b\tcdefghijk", "100%sure&certain/1", `C:\keys\secretpart9`,
	} {
		r := redact.New(redact.Options{Mode: redact.Known, Values: []redact.Value{{Rule: "env:X", Secret: secret}}})
		for _, w := range writings {
			s := w.write(secret)
			for _, around := range [][2]string{{"", ""}, {"a ", " b"}, {`{"k":"`, `"}`}, {"x=", "&y=1"}, {"[", "]\n"}} {
				in := around[0] + s + around[1]
				if got, counts := r.String(in); got != around[0]+redact.Mask+around[1] || counts["env:X"] != 1 {
					t.Errorf("%q as %s: %q became %q (%v)", secret, w.name, in, got, counts)
				}
			}
		}
	}
}

// Texts that only resemble a known value are not masked.
func TestKnownNearMisses(t *testing.T) {
	r := redact.New(redact.Options{Mode: redact.Known, Values: []redact.Value{{Rule: "env:X", Secret: "s3cr3t/V4luewith=signs"}}})
	for _, text := range []string{
		"V4luewith", "x/V4luewith=signs", "s3cr3t/V4luewith", "s3cr3t%2fV4luewith=sign", "s3cr3t\n/V4luewith=signs", `s3cr3t\nV4luewith=signs`,
		"s3cr3t//V4luewith=signs", "%V4luewith=signs", `\V4luewith=signs`, "&V4luewith=signs",
	} {
		if got, counts := r.String(text); got != text {
			t.Errorf("%q became %q (%v)", text, got, counts)
		}
	}
}

// The parts of a value are known, too.
func TestKnownParts(t *testing.T) {
	docker := `{"auths":{"r.example.com":{"auth":"` + base64.StdEncoding.EncodeToString([]byte("ada:opensesame7")) + `"}}}`
	for _, c := range []struct{ env, text, want string }{
		{"HTTPS_PROXY=http://ada:opensesame7@proxy.example.com:3128", "login with opensesame7", "login with ***"},
		{"DATABASE_URL=postgres://app:p%40ss-w0rd9@db/app", "password p@ss-w0rd9 refused", "password *** refused"},
		{"ConnectionStrings__Default=Server=db;Uid=sa;Password=opensesame7", "sa with opensesame7", "sa with ***"},
		{"DOCKER_AUTH_CONFIG=" + docker, "ada:opensesame7", "ada:***"},
		{"SERVICE_ACCOUNT_JSON=" + `{"type":"service_account","private_key":"-----BEGIN K-----\nMIIEvQIBADANBgkqh\n-----END K-----\n"}`, "got MIIEvQIBADANBgkqh", "got ***"},
		{"SERVICE_ACCOUNT_JSON=" + `{"etag":"q8Zr3kLm2Xw9Tv5B"}`, "etag q8Zr3kLm2Xw9Tv5B", "etag q8Zr3kLm2Xw9Tv5B"},
		{"SERVICE_ACCOUNT_JSON=" + `{"auth":"q8Zr3kLm2Xw9Tv5B"}`, "sent q8Zr3kLm2Xw9Tv5B", "sent ***"},
		{"SERVICE_ACCOUNT_JSON=" + `{"auth":"directory"}`, "by directory", "by directory"},
		{"SERVICE_ACCOUNT_JSON=" + `{"auth":"YWFhYWFhYWFh"}`, "sent YWFhYWFhYWFh", "sent YWFhYWFhYWFh"},
		{"SAS_URL=https://x.example.net/c?sig=abcdefgh", "GET https://x.example.net/c?sig=abcdefgh", "GET ***"},
		{"ADMIN_PW=opensesame", "opensesame", "***"},
		{"OTP_SEED=JBSWY3DPEHPK3PXP", "JBSWY3DPEHPK3PXP", "***"},
		{"PIN=four-five-six", "four-five-six", "***"},
		{"SALT=opensesame", "opensesame", "***"},
		{"API_KEY_PROD=opensesame", "opensesame", "***"},
		{"TLS_KEY_BASE64=b3BlbnNlc2FtZQ", "b3BlbnNlc2FtZQ", "***"},
		{"REPOSITORY_URL=https://example.com/opensesame", "https://example.com/opensesame", "https://example.com/opensesame"},
		{"EDITOR_PWD_HINT=opensesame", "opensesame", "opensesame"},
	} {
		r := redact.New(redact.Options{Mode: redact.Known, Values: redact.EnvValues([]string{c.env})})
		if got, _ := r.String(c.text); got != c.want {
			t.Errorf("with %s: %q became %q, want %q", c.env[:strings.IndexByte(c.env, '=')], c.text, got, c.want)
		}
	}
}

// A value is found however its signs are written, each in a way of its own.
func TestKnownMixes(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(3, 4))
	const signs = "!#$%&'()*+,-./:;<=>?@[]^_`{|}~\"\\ "
	forms := []func(c byte) string{
		func(c byte) string { return string(c) },
		func(c byte) string { return fmt.Sprintf(`\u%04x`, c) },
		func(c byte) string { return fmt.Sprintf(`\x%02X`, c) },
		func(c byte) string { return fmt.Sprintf("%%%02X", c) },
		func(c byte) string { return fmt.Sprintf("%%25%02x", c) },
		func(c byte) string { return fmt.Sprintf("&#%d;", c) },
		func(c byte) string { return `\` + string(c) },
	}
	some := func() string {
		b := make([]byte, 1+rnd.IntN(5))
		for i := range b {
			b[i] = signs[rnd.IntN(len(signs))]
		}
		return string(b)
	}
	for range matrix.Times(500, 3000) {
		before, after := some(), some()
		secret := strings.ReplaceAll("x"+before+"anchor77"+after+"y", `\\`, `\-`)
		r := redact.New(redact.Options{Mode: redact.Known, Values: []redact.Value{{Rule: "v", Secret: secret}}})
		var b strings.Builder
		for i := range len(secret) {
			c := secret[i]
			if strings.IndexByte(signs, c) < 0 {
				b.WriteByte(c)
				continue
			}
			b.WriteString(forms[rnd.IntN(len(forms))](c))
		}
		in := "a " + b.String() + " b"
		if got, _ := r.String(in); got != "a *** b" {
			t.Errorf("%q written as %q became %q", secret, in, got)
		}
	}
}

// A password that is a number is known.
func TestNumberOfVariable(t *testing.T) {
	for env, want := range map[string]bool{
		"DB_PASSWORD=482913": true, "APP_SECRET=19283746": true, "CARD_PIN=482913": true, "DB_PASSWORD=48291": false,
		"DB_PASSWORD=111111": false, "API_TOKEN_TTL=482913": false, "PORT=482913": false,
	} {
		got := redact.EnvValues([]string{env})
		if (len(got) > 0) != want {
			t.Errorf("%s: %v, want a value: %v", env, got, want)
		}
	}
	r := redact.New(redact.Options{Mode: redact.Known, Values: redact.EnvValues([]string{"DB_PASSWORD=482913"})})
	if got, _ := r.String(`{"pin": 482913, "text": "code 482913."}`); got != `{"pin": "***", "text": "code ***."}` {
		t.Errorf("became %s", got)
	}
}
