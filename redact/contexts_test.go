package redact

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"sort"
	"strings"
	"testing"
)

// A setting is a place where a secret may stand: it writes the secret s, with
// a name.
type setting struct {
	name  string
	write func(name, s string) string
}

func quoteJSON(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

var settings = []setting{
	{"bare", func(_, s string) string { return s + "\n" }},
	{"sentence", func(_, s string) string { return "the new token is " + s + ".\n" }},
	{"env", func(n, s string) string { return n + "=" + s + "\n" }},
	{"export", func(n, s string) string { return "export " + n + "='" + s + "'\n" }},
	{"JSON", func(n, s string) string {
		return `{"a":1,"` + strings.ToLower(n) + `":` + quoteJSON(s) + `,"z":[true]}` + "\n"
	}},
	{"JSON in JSON", func(n, s string) string {
		return `{"msg":` + quoteJSON(`{"`+strings.ToLower(n)+`": `+quoteJSON(s)+`}`) + "}\n"
	}},
	{"pretty JSON", func(n, s string) string { return "{\n  \"" + n + "\": " + quoteJSON(s) + "\n}\n" }},
	{"YAML", func(n, s string) string { return "service:\n  " + strings.ToLower(n) + ": " + s + "\n" }},
	{"YAML next line", func(n, s string) string { return strings.ToLower(n) + ":\n  \"" + s + "\"\n" }},
	{"YAML list", func(n, s string) string { return "- name: " + n + "\n  value: " + s + "\n" }},
	{"TOML", func(n, s string) string { return "[auth]\n" + strings.ToLower(n) + " = \"" + s + "\"\n" }},
	{"INI", func(n, s string) string { return "[auth]\n" + strings.ToLower(n) + " = " + s + "\n" }},
	{"XML", func(n, s string) string { return "<conf><" + n + ">" + s + "</" + n + "></conf>\n" }},
	{"XML attribute", func(n, s string) string { return `<add key="` + n + `" value="` + s + "\"/>\n" }},
	{"URL query", func(n, s string) string {
		return "GET https://api.example.com/v1/x?" + strings.ToLower(n) + "=" + url.QueryEscape(s) + "&page=2 200\n"
	}},
	{"header", func(_, s string) string { return "> Authorization: Bearer " + s + "\n" }},
	{"named header", func(n, s string) string { return "X-" + strings.ReplaceAll(n, "_", "-") + ": " + s + "\n" }},
	{"CLI flag", func(n, s string) string {
		return "+ deploy --region eu --" + strings.ToLower(strings.ReplaceAll(n, "_", "-")) + " " + s + " --force\n"
	}},
	{"CLI flag with =", func(n, s string) string {
		return "deploy --" + strings.ToLower(strings.ReplaceAll(n, "_", "-")) + "=" + s + "\n"
	}},
	{"Go", func(n, s string) string { return "\tconst " + camel(n) + " = \"" + s + "\"\n" }},
	{"JS", func(n, s string) string { return "const c = { " + camel(n) + ": '" + s + "', retries: 3 };\n" }},
	{"Python", func(n, s string) string { return n + ": str = \"" + s + "\"  # old\n" }},
	{"Ruby", func(n, s string) string { return "  \"" + n + "\" => \"" + s + "\",\n" }},
	{"call", func(n, s string) string { return "System.setProperty(\"" + n + "\", \"" + s + "\");\n" }},
	{"diff", func(n, s string) string { return "@@ -1 +1 @@\n-" + n + "=\n+" + n + "=" + s + "\n" }},
	{"CSV", func(n, s string) string { return "id,name,value\n7," + n + "," + s + "\n" }},
	{"log", func(n, s string) string {
		return "2026-03-01T10:00:00Z INFO worker[3] started " + strings.ToLower(n) + "=" + s + " queue=mail\n"
	}},
	{"escaped newline", func(n, s string) string { return `{"env":"A=1\n` + n + "=" + s + `\nB=2"}` + "\n" }},
	{"base64 in a header", func(_, s string) string {
		return "authorization: Basic " + base64.StdEncoding.EncodeToString([]byte("user:"+s)) + "\n"
	}},
	{"base64 in a Secret", func(n, s string) string {
		return "apiVersion: v1\nkind: Secret\ndata:\n  " + n + ": " + base64.StdEncoding.EncodeToString([]byte(s)) + "\n"
	}},
	{"ANSI", func(n, s string) string {
		return "\x1b[36m" + strings.ToLower(n) + "\x1b[0m=\x1b[33m" + s + "\x1b[0m ok\n"
	}},
	{"ANSI within", func(n, s string) string {
		return "\x1b[1m" + n + "\x1b[0m: " + s[:len(s)/2] + "\x1b[31m" + s[len(s)/2:] + "\x1b[0m\n"
	}},
	{"CRLF", func(n, s string) string { return "A=1\r\n" + n + "=" + s + "\r\nB=2\r\n" }},
	{"long line", func(n, s string) string {
		return strings.Repeat("lorem ipsum ", 9000) + `"` + n + `":"` + s + `" ` + strings.Repeat("dolor sit ", 9000) + "\n"
	}},
	{"markdown", func(n, s string) string { return "* `" + n + "`: `" + s + "`\n" }},
	{"SQL", func(n, s string) string { return "INSERT INTO t (" + n + ") VALUES ('" + s + "');\n" }},
}

func camel(name string) string {
	words := strings.Split(strings.ToLower(name), "_")
	for i := range words {
		if i > 0 {
			words[i] = strings.ToUpper(words[i][:1]) + words[i][1:]
		}
	}
	return strings.Join(words, "")
}

// like is a random secret of the same build as sample: a digit for a digit, a
// letter for a letter.
func like(rnd *rand.Rand, sample string) string {
	const letters = "abcdefghijklmnopqrstuvwxyz"
	hexOnly := strings.Trim(sample, "0123456789abcdef-_.:") == ""
	b := []byte(sample)
	for i, c := range b {
		switch k := classes[c]; {
		case k&digit != 0:
			b[i] = byte('0' + rnd.IntN(10))
		case k&lower != 0 && hexOnly:
			b[i] = letters[rnd.IntN(6)]
		case k&lower != 0:
			b[i] = letters[rnd.IntN(26)]
		case k&upper != 0:
			b[i] = letters[rnd.IntN(26)] - 'a' + 'A'
		}
	}
	return string(b)
}

// TestTokensInSettings puts tokens of every kind in every place.
func TestTokensInSettings(t *testing.T) {
	rnd := random()
	r := New(Options{})
	missed := map[string]int{}
	good, all := 0, 0
	for _, table := range tokenTables {
		for _, f := range *table {
			for _, tok := range f.tokens {
				for _, p := range settings {
					if p.name == "SQL" && false {
						continue
					}
					s := tok.prefix + like(rnd, tok.sample)
					text := p.write("SERVICE_TOKEN", s)
					out := string(masked(t, r, usual, []byte(text)))
					all++
					if !leaks(out, s) {
						good++
						continue
					}
					missed[p.name]++
					missed[f.rule+" "+tok.prefix]++
				}
			}
		}
	}
	report(t, "tokens", good, all, missed)
}

// leaks reports whether more than a tenth of s, or six bytes, is left in out,
// as it is or in base64.
func leaks(out, s string) bool {
	n := max(6, len(s)/10) + 1
	for i := 0; i+n <= len(s); i++ {
		if strings.Contains(out, s[i:i+n]) {
			return true
		}
	}
	e := base64.StdEncoding.EncodeToString([]byte(s))
	return strings.Contains(out, e[:len(e)*3/4])
}

func report(t *testing.T, what string, good, all int, missed map[string]int) {
	t.Helper()
	recall := float64(good) / float64(all)
	t.Logf("%s: %d of %d, %.4f", what, good, all, recall)
	if recall >= 0.97 && !testing.Verbose() {
		return
	}
	var keys []string
	for k := range missed {
		keys = append(keys, k)
	}
	sort.Slice(keys, func(i, j int) bool { return missed[keys[i]] > missed[keys[j]] })
	for _, k := range keys[:min(60, len(keys))] {
		t.Logf("%4d %s", missed[k], k)
	}
	if recall < 0.97 {
		t.Errorf("%s: recall is %.4f, want 0.97", what, recall)
	}
}

// Values without a shape of their own are masked by their names.
func TestNamesInSettings(t *testing.T) {
	rnd := random()
	r := New(Options{})
	missed := map[string]int{}
	good, all := 0, 0
	for _, name := range []string{
		"DB_PASSWORD", "PASSWORD", "API_KEY", "SECRET_KEY", "ACCESS_TOKEN", "CLIENT_SECRET", "AWS_SECRET_ACCESS_KEY", "PRIVATE_KEY",
		"GITHUB_TOKEN", "AUTH_TOKEN", "ENCRYPTION_KEY", "DB_PASS", "MYSQL_PWD", "PASSPHRASE", "STRIPE_KEY", "SIGNING_SECRET",
	} {
		for _, sample := range []string{
			"0123456789abcdef0123456789abcdef", "aB3dE5fG7hJ9kL2mN4pQ6rS8", "k7w2m9q4x1z8c5v3b6n0", "Ab1/Cd2+Ef3/Gh4+Ij5/Kl6+Mn7/Op8+Qr9=",
			"f47ac10b-58cc-4372-a567-0e02b2c3d479", "xK9-mP2_qR7-tV4_wY1-zB6",
		} {
			for _, p := range settings {
				switch p.name {
				case "bare", "sentence", "CSV", "SQL", "header", "base64 in a header":
					continue // no name
				}
				s := like(rnd, sample)
				out := string(masked(t, r, usual, []byte(p.write(name, s))))
				all++
				if !leaks(out, s) && !strings.Contains(out, url.QueryEscape(s)) {
					good++
					continue
				}
				missed[p.name]++
				missed["name "+name]++
				missed[fmt.Sprintf("sample %s", sample)]++
			}
		}
	}
	report(t, "names", good, all, missed)
}
