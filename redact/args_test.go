package redact_test

import (
	"slices"
	"testing"

	"github.com/envwrap/envwrap/redact"
)

func TestArgs(t *testing.T) {
	r := redact.New(redact.Options{Values: []redact.Value{{Rule: "env:X", Secret: "kn0wn-value"}}})
	for _, c := range []struct{ in, want []string }{
		{[]string{"login", "--password", "secret"}, []string{"login", "--password", "***"}},
		{[]string{"login", "--password=x"}, []string{"login", "--password=***"}},
		{[]string{"login", "--api-token", "abc"}, []string{"login", "--api-token", "***"}},
		{[]string{"login", "--token", "-v"}, []string{"login", "--token", "-v"}},
		{[]string{"login", "--password-file", "pw.txt"}, []string{"login", "--password-file", "pw.txt"}},
		{[]string{"login", "--token", "$TOKEN"}, []string{"login", "--token", "$TOKEN"}},
		{[]string{"env", "DB_PASSWORD=admin", "run"}, []string{"env", "DB_PASSWORD=***", "run"}},
		{[]string{"/usr/bin/curl", "-u", "me:pw", "https://e.com"}, []string{"/usr/bin/curl", "-u", "***", "https://e.com"}},
		{[]string{"sudo", "mysql", "-psesame", "db"}, []string{"sudo", "mysql", "-p***", "db"}},
		{[]string{"sshpass", "-p", "sesame", "ssh", "h"}, []string{"sshpass", "-p", "***", "ssh", "h"}},
		{[]string{"curl", "-H", "Authorization: Bearer mF9x2kQ81LsPz7"}, []string{"curl", "-H", "Authorization: Bearer ***"}},
		{[]string{"echo", "kn0wn-value"}, []string{"echo", "***"}},
		{[]string{"git", "log", "--author", "me", "-p", "key"}, []string{"git", "log", "--author", "me", "-p", "key"}},
		{[]string{"docker", "--config", "/tmp/d", "login", "-u", "ci", "-p", "S3cretPass99x", "r.example"}, []string{"docker", "--config", "/tmp/d", "login", "-u", "ci", "-p", "***", "r.example"}},
		{[]string{"docker", "--debug", "login", "-p", "sesame"}, []string{"docker", "--debug", "login", "-p", "***"}},
		{[]string{"/usr/bin/docker", "login", "-p", "sesame"}, []string{"/usr/bin/docker", "login", "-p", "***"}},
		{[]string{"env", "COLOUR=sesame", "run"}, []string{"env", "COLOUR=sesame", "run"}},
		{[]string{"docker", "run", "-it", "img", "login", "-p", "80"}, []string{"docker", "run", "-it", "img", "login", "-p", "80"}},
		{[]string{"login", "-p", "80"}, []string{"login", "-p", "80"}},
		{[]string{"podman", "login", "-p=sesame"}, []string{"podman", "login", "-p=***"}},
		{[]string{"az", "--only-show-errors", "login", "-p", "sesame"}, []string{"az", "--only-show-errors", "login", "-p", "***"}},
		{[]string{"helm", "-n", "web", "registry", "login", "r.example", "-p", "sesame"}, []string{"helm", "-n", "web", "registry", "login", "r.example", "-p", "***"}},
		{[]string{"kubectl", "create", "secret", "generic", "s", "--from-literal=user=ada"}, []string{"kubectl", "create", "secret", "generic", "s", "--from-literal=***"}},
		{[]string{`C:\bin\MYSQL.EXE`, "-psesame"}, []string{`C:\bin\MYSQL.EXE`, "-p***"}},
		{[]string{"vault", "login", "sesame"}, []string{"vault", "login", "***"}},
		{[]string{"vault", "login", "-method=userpass", "sesame"}, []string{"vault", "login", "-method=userpass", "***"}},
		{[]string{"vault", "login", "-no-store", "s3same99"}, []string{"vault", "login", "-no-store", "***"}},
		{[]string{"vault", "login", "-method", "userpass", "s3same99", "s3same98"}, []string{"vault", "login", "-method", "userpass", "***", "s3same98"}},
		{[]string{"vault", "login", "-method", "userpass", "username=ada"}, []string{"vault", "login", "-method", "userpass", "username=ada"}},
		{[]string{"fly", "secrets", "set", "-a", "shop", "COLOUR=s3same99"}, []string{"fly", "secrets", "set", "-a", "shop", "COLOUR=***"}},
		{[]string{"rabbitmqctl", "-q", "add_user", "ada", "sesame"}, []string{"rabbitmqctl", "-q", "add_user", "ada", "***"}},
		{[]string{"vault", "kv", "put", "secret/x", "a=sesame", "b=sesame"}, []string{"vault", "kv", "put", "secret/x", "a=***", "b=***"}},
		{[]string{"consul", "kv", "put", "app/token", "sesame"}, []string{"consul", "kv", "put", "app/token", "***"}},
		{[]string{"consul", "kv", "put", "app/colour", "sesame"}, []string{"consul", "kv", "put", "app/colour", "sesame"}},
		{[]string{"htpasswd", "-b", "f", "ada", "hunter2x9"}, []string{"htpasswd", "-b", "f", "ada", "***"}},
		{[]string{"htpasswd", "-nbB", "ada", "sesame"}, []string{"htpasswd", "-nbB", "ada", "***"}},
		{[]string{"htpasswd", "f", "ada"}, []string{"htpasswd", "f", "ada"}},
		{[]string{"mysqladmin", "-uroot", "-psesame", "password", "hunter2x9"}, []string{"mysqladmin", "-uroot", "-p***", "password", "***"}},
		{[]string{"aws", "configure", "set", "aws_secret_access_key", "sesame"}, []string{"aws", "configure", "set", "aws_secret_access_key", "***"}},
		{[]string{"aws", "configure", "set", "region", "sesame"}, []string{"aws", "configure", "set", "region", "sesame"}},
		{[]string{"ldappasswd", "-wsesame", "-ssesame"}, []string{"ldappasswd", "-w***", "-s***"}},
		{[]string{"smbclient", "-Uada%sesame", "-Uada"}, []string{"smbclient", "-U***", "-Uada"}},
		{[]string{"curl", "-uada:pw", "-uada"}, []string{"curl", "-u***", "-uada"}},
		{[]string{"vault", "login", "-method", "oidc"}, []string{"vault", "login", "-method", "oidc"}},
		{[]string{"rabbitmqctl", "add_user", "ada", "sesame"}, []string{"rabbitmqctl", "add_user", "ada", "***"}},
		{[]string{"psexec.py", "ada:sesame@host", "whoami"}, []string{"psexec.py", "ada:***@host", "whoami"}},
		{[]string{"psexec.py", "ada@host"}, []string{"psexec.py", "ada@host"}},
		{[]string{"sqlplus", "ada/sesame@//db/x"}, []string{"sqlplus", "ada/***@//db/x"}},
		{[]string{"sqlplus", "/", "as", "sysdba"}, []string{"sqlplus", "/", "as", "sysdba"}},
		{[]string{"bundle", "config", "gems.example", "ada:sesame"}, []string{"bundle", "config", "gems.example", "ada:***"}},
		{[]string{"bundle", "config", "path", "vendor"}, []string{"bundle", "config", "path", "vendor"}},
		{[]string{"fly", "secrets", "set", "COLOUR=sesame"}, []string{"fly", "secrets", "set", "COLOUR=***"}},
		{[]string{"net", "user", "ada", "/active"}, []string{"net", "user", "ada", "/active"}},
		{[]string{"docker", "build", "--secret", "id=npm,src=.npmrc"}, []string{"docker", "build", "--secret", "id=npm,src=.npmrc"}},
	} {
		got, counts := r.Args(c.in)
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: got %q, want %q", c.in, got, c.want)
		}
		if masked := !slices.Equal(got, c.in); masked != (len(counts) > 0) {
			t.Errorf("%q: counts are %v", c.in, counts)
		}
		if again, _ := r.Args(got); !slices.Equal(again, got) {
			t.Errorf("%q: masked twice: %q", c.in, again)
		}
	}
	for _, c := range []struct {
		options int
		want    string
	}{{0, "***"}, {31, "***"}, {32, "sesame"}} { // the program is one of 32 arguments, or none of them
		argv := slices.Concat([]string{"docker"}, slices.Repeat([]string{"-D"}, c.options), []string{"login", "-p", "sesame"})
		if got, _ := r.Args(argv); got[len(got)-1] != c.want {
			t.Errorf("after %d options: got %q, want %q", c.options, got, c.want)
		}
	}
	off := redact.New(redact.Options{Mode: redact.Off})
	if got, counts := off.Args([]string{"--password", "x"}); got[1] != "x" || counts != nil {
		t.Errorf("off: got %q, %v", got, counts)
	}
}

// The value of a variable is known where its name means a secret, unless it would be
// found all over the place.
func TestEnvValues(t *testing.T) {
	for _, kv := range []string{
		"DB_PASSWORD=my-secret-value", "GITHUB_TOKEN=example-token-1", "api_key=abcdefg", "AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI",
		"STRIPE_KEYS=sk_1234", "X_CREDENTIALS=user:pass1", "NPM_AUTH=abcdefgh", "SENTRY_DSN=https://k@host/1",
		"APP_PRIVATE=abcdefgh", "AZURE_CONNECTION_STRING=a=b;c=d", "PGPASSWORD=hunter2", "MYSQL_PWD=hunter2", "TOKEN_2=abcdefgh",
		"DBPASS=letmein1", "SECRET=correct horse battery", "CLIENT_SECRETS=password1",
	} {
		if v := redact.EnvValues([]string{kv}); len(v) != 1 {
			t.Errorf("%q is not known", kv)
		}
	}
	for _, kv := range []string{
		"DB_PASSWORD=short6", "DB_PASSWORD=", "API_KEY=1234567890", "API_KEY=/etc/keys/api", "API_KEY=true", "AUTH=disabled",
		"SECRET_KEY=${SECRET}", "TOKEN=<token>", "TOKEN=xxxxxxxxxxxx", "TOKEN=your-token-here", "PWD=abcdefgh", "MONKEY=abcdefgh",
		"COMPASS=abcdefgh1", "KEYBOARD=abcdefgh", "TOKENIZER=abcdefgh", "AUTHOR=somebody", "SSH_PUBLIC_KEY=ssh-rsa AAAAB3Nza",
		"PATH=/bin:secret-bin", "EDITOR=something", "DB_PASSWORD=password", "SSH_AUTH_SOCK=abcdefgh",
	} {
		if v := redact.EnvValues([]string{kv}); len(v) != 0 {
			t.Errorf("%q is known", kv)
		}
	}
	own := []string{"HOME=home-of-mine", "PATH=first-bin:second-bin", "MY_TOKEN=home-of-mine", "MY_SECRET=second-bin"}
	if v := redact.EnvValues(own); len(v) != 0 {
		t.Errorf("%q are known: %v", own, v)
	}
}
