package redactcases

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"strings"
	"sync"
)

// A Frame is a place where a secret may be.
type Frame struct {
	Name string
	// Write returns a text that has the secret s, with the name of a variable.
	Write func(name, s string) string
}

func quoteJSON(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

// A secret between these two is in the second of three windows that redact looks at.
var (
	loremIpsum = sync.OnceValue(func() string { return strings.Repeat("lorem ipsum ", 6000) })
	dolorSit   = sync.OnceValue(func() string { return strings.Repeat("dolor sit ", 4500) })
)

// Settings are the places where a token with a shape of its own is found.
var Settings = []Frame{
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
	{"Terraform variable", func(n, s string) string {
		return "variable \"" + strings.ToLower(n) + "\" {\n  type = string\n  default = " + quoteJSON(s) + "\n}\n"
	}},
	{"Terraform output", func(n, s string) string {
		return "{\n  \"" + strings.ToLower(n) + "\": {\n    \"sensitive\": true,\n    \"value\": " + quoteJSON(s) + "\n  }\n}\n"
	}},
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
		return loremIpsum() + `"` + n + `":"` + s + `" ` + dolorSit() + "\n"
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
	{"base64 after one byte", func(_, s string) string {
		return "data: " + base64.StdEncoding.EncodeToString([]byte(" "+s+"\n")) + "\n"
	}},
	{"base64 after two bytes", func(_, s string) string {
		return "data: " + base64.URLEncoding.EncodeToString([]byte("= "+s+" z")) + "\n"
	}},
	{"SQL", func(n, s string) string { return "INSERT INTO t (" + n + ") VALUES ('" + s + "');\n" }},
}

// Named are further places, where a secret is found by its name.
var Named = []Frame{
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
