package redact

import (
	"encoding/base64"
	"encoding/json"
	"maps"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/internal/matrix"
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
	{"Markdown table", func(n, s string) string { return "| name | value |\n|---|---|\n| " + n + " | " + s + " |\n" }},
	{"Markdown table by header", func(n, s string) string {
		return "| id | " + n + " | role |\n|----|:---|---|\n| 7 | " + s + " | admin |\n"
	}},
	{"CSV by header", func(n, s string) string { return "id," + n + ",role\n7," + s + ",admin\n8,\"" + s + "\",user\n" }},
	{"TSV by header", func(n, s string) string { return "id\t" + n + "\trole\n7\t" + s + "\tadmin\n" }},
	{"psql", func(n, s string) string {
		return " id | " + strings.ToLower(n) + " | role\n----+------+-----\n  7 | " + s + " | admin\n(1 row)\n"
	}},
	{"plist", func(n, s string) string {
		return "<dict>\n\t<key>" + n + "</key>\n\t<string>" + s + "</string>\n</dict>\n"
	}},
	{"JSON twice within JSON", func(n, s string) string {
		in := quoteJSON(`{"` + n + `":` + quoteJSON(s) + `}`)
		return `{"log":` + quoteJSON(`{"msg":`+in+`}`) + "}\n"
	}},
	{"list of variables", func(n, s string) string { return `[{"name":"` + n + `","value":` + quoteJSON(s) + "}]\n" }},
	{"list of assignments", func(n, s string) string { return `"Env": ["PATH=/bin", "` + n + "=" + s + "\"],\n" }},
	{"YAML flow", func(n, s string) string { return "db: {" + strings.ToLower(n) + ": " + s + ", port: 5432}\n" }},
	{"YAML block", func(n, s string) string { return strings.ToLower(n) + ": |-\n  " + s + "\nnext: 1\n" }},
	{"CDATA", func(n, s string) string { return "<" + n + "><![CDATA[" + s + "]]></" + n + ">\n" }},
	{"properties", func(n, s string) string {
		return "app." + strings.ReplaceAll(strings.ToLower(n), "_", ".") + "=" + s + "\n"
	}},
	{"Dockerfile", func(n, s string) string { return "ENV " + n + " " + s + "\n" }},
	{"cmd.exe", func(n, s string) string { return "set " + n + "=" + s + "\r\n" }},
	{"PowerShell", func(n, s string) string { return "$env:" + n + " = \"" + s + "\"\n" }},
	{"fish", func(n, s string) string { return "set -gx " + n + " " + s + "\n" }},
	{"header of curl", func(n, s string) string {
		return "curl -H 'X-" + strings.ReplaceAll(n, "_", "-") + ": " + s + "' https://api.example.com\n"
	}},
	{"cookie", func(n, s string) string { return "Cookie: theme=dark; " + strings.ToLower(n) + "=" + s + "; lang=en\n" }},
	{"Python repr", func(n, s string) string { return "{'id': 7, '" + strings.ToLower(n) + "': '" + s + "', 'ok': True}\n" }},
	{"Go struct", func(n, s string) string { return "cfg={Host:db " + camel("x_" + n)[1:] + ":" + s + " Port:5432}\n" }},
	{"Rust debug", func(n, s string) string {
		return "Config { host: \"db\", " + strings.ToLower(n) + ": Some(\"" + s + "\") }\n"
	}},
	{"Ruby inspect", func(n, s string) string { return "#<C:0x00 @host=\"db\", @" + strings.ToLower(n) + "=\"" + s + "\">\n" }},
	{"kubectl describe", func(n, s string) string { return "    Environment:\n      " + n + ":  " + s + "\n" }},
	{"terraform plan", func(n, s string) string { return "      + " + strings.ToLower(n) + " = \"" + s + "\"\n" }},
	{"systemd", func(n, s string) string { return "Environment=\"" + n + "=" + s + "\"\n" }},
	{"logfmt", func(n, s string) string { return "level=info msg=start " + strings.ToLower(n) + "=\"" + s + "\" n=3\n" }},
	{"set -x", func(n, s string) string { return "+ export '" + n + "=" + s + "'\n+ " + n + "='" + s + "'\n" }},
	{"followed by &", func(n, s string) string { return "body: a=1&" + strings.ToLower(n) + "=" + s + "&b=2\n" }},
	{"escaped URL", func(n, s string) string {
		return "next=https%3A%2F%2Fa.example.com%2F%3F" + strings.ToLower(n) + "%3D" + url.QueryEscape(url.QueryEscape(s)) + "%26b%3D2\n"
	}},
	{"base64", func(_, s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) + "\n" }},
	{"base64 behind one byte", func(_, s string) string {
		return "data: " + base64.StdEncoding.EncodeToString([]byte("x"+s+"\n")) + "\n"
	}},
	{"base64 behind two bytes", func(_, s string) string {
		return "data: " + base64.URLEncoding.EncodeToString([]byte("xy"+s+" z")) + "\n"
	}},
	{"SQL", func(n, s string) string { return "INSERT INTO t (" + n + ") VALUES ('" + s + "');\n" }},
}

// named are further places, where a secret is found by its name.
var named = []setting{
	{"JSON list", func(n, s string) string { return `{"` + strings.ToLower(n) + `": ["` + s + `", "` + s + "\"]}\n" }},
	{"JSON list on lines", func(n, s string) string { return "\"" + n + "\": [\n  \"" + s + "\",\n  \"" + s + "\"\n],\n" }},
	{"YAML item", func(n, s string) string { return strings.ToLower(n) + ":\n  - " + s + "\n  - " + s + "\n" }},
	{"YAML anchor", func(n, s string) string { return strings.ToLower(n) + ": &it " + s + "\n" }},
	{"YAML tag", func(n, s string) string { return strings.ToLower(n) + ": !!str " + s + "\n" }},
	{"Rust", func(n, s string) string { return "const " + n + ": &'static str = \"" + s + "\";\n" }},
	{"Visual Basic", func(n, s string) string { return "Dim " + camel(n) + " As String = \"" + s + "\"\n" }},
	{"C# property", func(n, s string) string { return "public string " + camel(n) + " { get; set; } = \"" + s + "\";\n" }},
	{"variables of JSON on lines", func(n, s string) string { return "{\n  \"Name\": \"" + n + "\",\n  \"Value\": \"" + s + "\"\n}\n" }},
	{"HTML meta", func(n, s string) string { return "<meta name=\"" + strings.ToLower(n) + "\" content=\"" + s + "\">\n" }},
	{"element of a namespace", func(n, s string) string {
		return "<x:" + camel(n) + " type=\"text\">" + s + "</x:" + camel(n) + ">\n"
	}},
	{"escaped XML", func(n, s string) string { return "&lt;" + camel(n) + "&gt;" + s + "&lt;/" + camel(n) + "&gt;\n" }},
	{"escaped quotes of HTML", func(n, s string) string { return "{&quot;" + camel(n) + "&quot;:&quot;" + s + "&quot;}\n" }},
	{"escaped quotes of .NET", func(n, s string) string {
		return `{"m":"{\u0022` + camel(n) + `\u0022:\u0022` + s + `\u0022}"}` + "\n"
	}},
	{"escaped quotes of a URL", func(n, s string) string {
		return "?q=%7B%22" + camel(n) + "%22%3A%22" + url.QueryEscape(s) + "%22%7D\n"
	}},
	{"else", func(n, s string) string { return "key: process.env." + n + " ?? '" + s + "',\n" }},
	{"else of a call", func(n, s string) string { return "k = getenv('" + n + "') ?: '" + s + "';\n" }},
	{"default", func(n, s string) string { return "k = env.str(\"" + n + "\", default=\"" + s + "\")\n" }},
	{"default of a template", func(n, s string) string { return "{{ " + strings.ToLower(n) + " | default('" + s + "') }}\n" }},
	{"psql, expanded", func(n, s string) string { return "-[ RECORD 1 ]\nid  | 1\n" + strings.ToLower(n) + " | " + s + "\n" }},
	{"LDIF", func(n, s string) string { return camel(n) + ":: " + s + "\n" }},
	{"bold Markdown", func(n, s string) string { return "- **" + n + "**: `" + s + "`\n" }},
	{"header of Go", func(n, s string) string {
		return "map[Accept:[*/*] X-" + strings.ReplaceAll(n, "_", "-") + ":[" + s + "]]\n"
	}},
	{"var_dump", func(n, s string) string { return "  [\"" + n + "\"]=>\n  string(9) \"" + s + "\"\n" }},
	{"registry of Windows", func(n, s string) string { return "    " + camel(n) + "    REG_SZ    " + s + "\r\n" }},
	{"option in a list", func(n, s string) string {
		return "[\"run\", \"--" + strings.ToLower(strings.ReplaceAll(n, "_", "-")) + "\", \"" + s + "\"]\n"
	}},
	{"property of Java", func(n, s string) string { return "java -D" + strings.ToLower(n) + "=" + s + " -jar x.jar\n" }},
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

// leastRecall is the share of secrets that must be found in each context.
const leastRecall = 0.97

// TestTokensInSettings puts tokens of every kind in every place.
func TestTokensInSettings(t *testing.T) {
	rnd := random()
	r := New(Options{})
	missed, of, kinds := map[string]int{}, map[string]int{}, map[string]int{}
	good, all, turn := 0, 0, 0
	for _, table := range tokenTables {
		for _, f := range *table {
			for _, tok := range f.tokens {
				turn++
				for i, p := range settings {
					if (turn+i)%matrix.Every(5) > 0 {
						continue
					}
					if strings.HasPrefix(p.name, "base64") && !strings.Contains(p.name, " in ") && !slices.Contains(usualTokens[:], tok.prefix) {
						continue // looked for in base64 are the usual ones
					}
					s := tok.prefix + like(rnd, tok.sample)
					text := p.write("SERVICE_TOKEN", s)
					out := string(masked(t, r, usual, []byte(text)))
					all++
					of[p.name]++
					if !leaks(out, s) {
						good++
						continue
					}
					missed[p.name]++
					kinds[f.rule+" "+tok.prefix]++
				}
			}
		}
	}
	report(t, "tokens", good, all, missed, of, kinds)
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

// report tells which share was found, of all and in each context, and what was
// missed. Each share is to be leastRecall.
func report(t *testing.T, what string, good, all int, missed, of, kinds map[string]int) {
	t.Helper()
	recall := float64(good) / float64(all)
	t.Logf("%s: %d of %d, %.4f", what, good, all, recall)
	if recall < leastRecall {
		t.Errorf("%s: recall is %.4f, want %.2f", what, recall, leastRecall)
	}
	for _, name := range slices.Sorted(maps.Keys(of)) {
		share := 1 - float64(missed[name])/float64(of[name])
		t.Logf("%s, %s: %d of %d, %.4f", what, name, of[name]-missed[name], of[name], share)
		if share < leastRecall {
			t.Errorf("%s, %s: recall is %.4f, want %.2f", what, name, share, leastRecall)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(kinds)) {
		t.Logf("%s: %d of %s are missed", what, kinds[name], name)
	}
}

// Values without a shape of their own are masked by their names.
func TestNamesInSettings(t *testing.T) {
	rnd := random()
	r := New(Options{})
	missed, of, kinds := map[string]int{}, map[string]int{}, map[string]int{}
	good, all := 0, 0
	for _, name := range []string{
		"DB_PASSWORD", "PASSWORD", "API_KEY", "SECRET_KEY", "ACCESS_TOKEN", "CLIENT_SECRET", "AWS_SECRET_ACCESS_KEY", "PRIVATE_KEY",
		"GITHUB_TOKEN", "AUTH_TOKEN", "ENCRYPTION_KEY", "DB_PASS", "MYSQL_PWD", "PASSPHRASE", "STRIPE_KEY", "SIGNING_SECRET",
	} {
		for _, sample := range []string{
			"0123456789abcdef0123456789abcdef", "aB3dE5fG7hJ9kL2mN4pQ6rS8", "k7w2m9q4x1z8c5v3b6n0", "Ab1/Cd2+Ef3/Gh4+Ij5/Kl6+Mn7/Op8+Qr9=",
			"f47ac10b-58cc-4372-a567-0e02b2c3d479", "xK9-mP2_qR7-tV4_wY1-zB6",
		} {
			for _, p := range slices.Concat(settings, named) {
				switch p.name {
				case "bare", "sentence", "SQL", "header", "base64 in a header", "base64", "base64 behind one byte", "base64 behind two bytes":
					continue // no name
				}
				s := like(rnd, sample)
				out := string(masked(t, r, usual, []byte(p.write(name, s))))
				all++
				of[p.name]++
				if !leaks(out, s) && !strings.Contains(out, url.QueryEscape(s)) {
					good++
					continue
				}
				missed[p.name]++
				kinds["name "+name]++
				kinds["sample "+sample]++
			}
		}
	}
	report(t, "names", good, all, missed, of, kinds)
}
