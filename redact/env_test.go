package redact_test

import (
	"strings"
	"testing"

	"github.com/envwrap/envwrap/redact"
)

// Which variables have a secret, by name and by value, at both sides of each limit.
func TestEnvValueOfEachKind(t *testing.T) {
	const value = "x7Kq92mZ"
	names := map[bool]string{
		true: "PASSWORD DB_PASSWORD db_password APIKEY MY_KEY KEY A_PAT PAT TOKEN_JSON TOKEN_PROD_JSON SECRET_2 SECRETS KEYS API_KEYS " +
			"ConnectionStrings__Default ConnectionStrings:Default CONNECTION_STRING MYSQL_PWD PUBLIC_KEY_SECRET SESSION_DATA",
		false: "PWD OLDPWD SSH_AUTH CACHE_KEY PUBLIC_KEY SSH_PUBKEY PUBLIC_KEY_2 MONKEY COMPAT USER_NAME A KEYBOARD TOKENS_LIST PATH_X",
	}
	for secret, list := range names {
		for name := range strings.FieldsSeq(list) {
			if got := redact.EnvValues([]string{name + "=" + value}); (len(got) == 1 && got[0].Secret == value && got[0].Rule == "env:"+name) != secret {
				t.Errorf("%s: %v", name, got)
			}
		}
	}
	for _, c := range []struct{ variable, want string }{
		{"DB_TOKEN", ""},
		{"DB_TOKEN=", ""},
		{"DB_TOKEN=kQ8vLm2", "kQ8vLm2"},
		{"DB_TOKEN=kQ8vLm", ""},
		{"DB_TOKEN=12345678", ""},
		{"DB_TOKEN=1234.5678", ""},
		{"DB_TOKEN=12-34:56,78+9", ""},
		{"DB_TOKEN=1234/5678", "1234/5678"},
		{"DB_PASSWORD=482913", "482913"},
		{"DB_PASSWORD=48291", ""},
		{"DB_PASSWORD=111111", ""},
		{"DB_SECRET=482913", "482913"},
		{"CARD_PIN=482913", "482913"},
		{"PIN=482913", "482913"},
		{"SPIN=482913", ""},
		{"A_PWD_2=482913", "482913"},
		{"SECRETARY=482913", ""},
		{"DB_KEY=/run/keys/db", ""},
		{"DB_KEY=./keys/db1", ""},
		{"DB_KEY=../keys/db1", ""},
		{"DB_KEY=~/keys/db1", ""},
		{`DB_KEY=c:\keys\db1`, ""},
		{"DB_KEY=c:/keys/db1", ""},
		{"DB_KEY=/run keys/db1", "/run keys/db1"},
		{"DB_KEY=cx/keys/db1", "cx/keys/db1"},
		{"DB_KEY=run/keys/db1", "run/keys/db1"},
		{"DB_KEY=abababab", ""},
		{"DB_KEY=abcdabcd", "abcdabcd"},
		{"DB_KEY=${OTHER_KEY}", ""},
		{"DB_KEY=<your-key>", ""},
		{"DB_KEY=<kQ8vLm2Tz", "<kQ8vLm2Tz"},
		{"DB_KEY=kQ8xxxxLm2", ""},
		{"DB_KEY=changeme", ""},
		{"HTTPS_PROXY=http://ada:kQ8vLm2T@proxy.example.com:80/", "kQ8vLm2T"},
		{"HTTPS_PROXY=http://proxy.example.com:80/", ""},
		{"DB_KEY=own-value-1", ""},
		{"DB_KEY=own-value-2", ""},
		{"DB_KEY=own-value-3", ""},
		{"DB_KEY=own-value-4", ""},
		{"DB_KEY=own-value-5", "own-value-5"},
	} {
		environ := []string{c.variable, "HOME=own-value-1", "PATH=own-value-2:own-value-3;own-value-4", "OTHER=own-value-5"}
		got := ""
		for _, v := range redact.EnvValues(environ) {
			got += v.Secret
		}
		if got != c.want {
			t.Errorf("%s: got %q, want %q", c.variable, got, c.want)
		}
	}
}
