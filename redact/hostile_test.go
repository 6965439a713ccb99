package redact_test

import (
	"strings"
	"testing"

	"github.com/envwrap/envwrap/redact"
)

// A token is found after a character that is written as the digits of its
// code, a colour so written, or an option of one letter, and before the end of a sentence.
func TestTokenBesideAnEscape(t *testing.T) {
	r := redact.New(redact.Options{})
	token := "gh" + "p_" + "FIKRKhZ9OMA1xJB7DsOivW0tc5DMZ8MJGmZs"
	azure := "IWz8Q" + "~7bu0B8PxaZ3yDpz8vonnHpLCqtzgvxob75"
	discord := "NTk2NzMyODE5MDQ0NzE4NjI0" + ".XyZ9aB." + "kQ7mZr3TnX0pLw2VbS8dFg5HjY1c"
	hash := "$2b$12$" + "R9h/cIPz0gi.URNNX3kh2OPST9/PgBkqquzi.Ss7KIUgO2t0jWMUW"
	for _, text := range []string{
		`{"a":"x\n` + discord + `\n"}`,
		`{"a":"\u001b[31m` + discord + `\u001b[0m"}`,
		`{"a":"\u001b[31m` + hash + `\u001b[0m"}`,
		`{"a":"\u0022` + token + `\u0022"}`,
		`{"a":"\u003c` + token + `\u003e"}`,
		`"\x22` + token + `\x22"`,
		"/a?q=%22" + token + "%22",
		"/a?u=q%253D" + token + "%26b",
		`{"a":"\u001b[1;31m` + token + `\u001b[0m"}`,
		`"\033[01;31m\033[K` + token + `\033[m\033[K"`,
		`{"a":"\u001b[31m` + azure + `\u001b[0m"}`,
		"\x1b[01;31m\x1b[K" + azure + "\x1b[m\x1b[K",
		"run -k" + token + " now",
		"rejected " + azure + ". Try again",
		`"a\n` + azure + `\nb"`,
	} {
		want := strings.NewReplacer(token, "***", azure, "***", discord, "***", hash, "***").Replace(text)
		if got, _ := r.String(text); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	for _, text := range []string{"a22" + token, "0022" + token, "run a-k" + token, "a" + discord} {
		if got, _ := r.String(text); got != text {
			t.Errorf("within a word: got %q, want %q", got, text)
		}
	}
}

// A data source name of Go's MySQL drivers has a password before "@tcp(".
func TestSourceName(t *testing.T) {
	r := redact.New(redact.Options{})
	for text, want := range map[string]string{
		`open "bob:Hunter63!@tcp(127.0.0.1:3306)/db"`: `open "bob:***@tcp(127.0.0.1:3306)/db"`,
		"bob:hunter63@unix(/run/mysqld.sock)/db":      "bob:***@unix(/run/mysqld.sock)/db",
		"bob:${PASSWORD}@tcp(127.0.0.1:3306)/db":      "bob:${PASSWORD}@tcp(127.0.0.1:3306)/db",
		"user:password@tcp(localhost)/db":             "user:password@tcp(localhost)/db",
		"bob@tcp(localhost)/db":                       "bob@tcp(localhost)/db",
	} {
		if got, _ := r.String(text); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// The value of a variable in a list of variables may have a line of its own.
func TestListedVariables(t *testing.T) {
	r := redact.New(redact.Options{})
	for _, text := range []string{
		"env:\n  - name: API_TOKEN\n    value: '8f2hJkq0Zr7'\n",
		"- name: DB_PASSWORD\n  value: \"8f2hJkq0Zr7\"\n",
		"{\n  \"name\": \"DB_PASSWORD\",\n  \"value\": \"8f2hJkq0Zr7\"\n}\n",
		"{\n  \"Key\": \"API_SECRET\",\n  \"Value\": \"8f2hJkq0Zr7\"\n}\n",
	} {
		want := strings.Replace(text, "8f2hJkq0Zr7", "***", 1)
		if got, _ := r.String(text); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	for _, text := range []string{
		"- name: DB_PASSWORD\n  valueFrom:\n    secretKeyRef: {name: db-8f2hJkq0Zr7}\n",
		"- name: password\n  type: string7x9q\n",
		"- name: token\n- name: 8f2hJkq0Zr7\n",
	} {
		if got, _ := r.String(text); got != text {
			t.Errorf("got %q, want %q", got, text)
		}
	}
}

// The members of a variable that is a JSON document are known, and so is a
// password that begins as a reference of a program does.
func TestValuesOfVariables(t *testing.T) {
	for _, c := range []struct{ env, secret string }{
		{`GOOGLE_CREDENTIALS={"type":"sa","private_key":"abcKEYabcKEY99"}`, "abcKEYabcKEY99"},
		{`APP_SECRETS=[{"password":"n3sted-pw-12"}]`, "n3sted-pw-12"},
		{"DB_PASSWORD=(a8f!k2jd9", "(a8f!k2jd9"},
		{"DB_PASSWORD=<a8f!k2jd9", "<a8f!k2jd9"},
	} {
		r := redact.New(redact.Options{Mode: redact.Known, Values: redact.EnvValues([]string{c.env})})
		if got, _ := r.String("x " + c.secret + " y"); got != "x *** y" {
			t.Errorf("%.12s: got %q, want %q", c.env, got, "x *** y")
		}
	}
	for _, env := range []string{"API_KEY=<your-own>", "API_KEY=$(fetch it)", "API_KEY=[none yet]"} {
		if v := redact.EnvValues([]string{env}); len(v) > 0 {
			t.Errorf("%s: is a known value", env)
		}
	}
}
