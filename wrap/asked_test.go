package wrap_test

import (
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/redact"
	"github.com/envwrap/envwrap/wrap"
)

// masked returns what a command prints as it is masked.
func masked(t *testing.T, says string, argv ...string) string {
	t.Helper()
	var c wrap.Command
	c.Argv, c.Redactor = argv, redact.New(redact.Options{})
	var out strings.Builder
	w := c.MaskStdout(&out)
	if _, err := io.WriteString(w, says); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// A command that is asked for a secret has it masked, although no prompt and no name is beside
// it; what else it may print is shown.
func TestMaskStdout(t *testing.T) {
	t.Parallel()
	const uuid, digest = "3f9a1c7b-e05d-824f-6a91-c3d7e8b24f06", "8d1f03ac9b27e4561c0e9fa3b5d7284610fe93ac"
	for _, c := range []struct {
		command, says string
		secret        bool
	}{
		{"pass show prod/db", "hunter2x9", true},
		{"pass show prod/db", "Error: prod/db is not in the password store.", false},
		{"pass prod/db", "hunter2x9", true},
		{"pass show prod/db 2>/dev/null", "hunter2x9", true},
		{"pass show prod/db 2>&1 || true", "hunter2x9", true},
		{"pass show prod/db 2>>log", "hunter2x9", true},
		{"pass show prod/db >/dev/null; jq .", "hunter2x9", false},
		{"pass show prod/db 2>&1 >>out | git x", "hunter2x9", false},
		{"pass show prod/db; echo", "hunter2x9", true},
		{"pass show prod/db && echo && echo 'exit '$?", "hunter2x9", true},
		{"pass show prod/db || echo missing >&2; :", "hunter2x9", true},
		{"pass show prod/db >/dev/null && git x; echo done", "hunter2x9", false},
		{"kubectl get secret x -o jsonpath={.data.password} | base64 -d; echo", "hunter2x9", true},
		{"git x; : pass show prod/db", "hunter2x9", false},
		{"pass ls prod/db", "hunter2x9", false},
		{"pass show --help", "Usage: pass [show] pass-name", false},
		{"pass ls", "Password Store", false},
		{"vault kv get -field=password secret/x", "hunter2x9", true},
		{"vault kv get -field=username secret/x", "app_user1", false},
		{"vault kv get -field=password secret/x", "No value found at secret/data/x", false},
		{"vault status", "Sealed", false},
		{"op read op://v/i/password", "hunter2x9", true},
		{"op read op://v/i/username", "app_user1", false},
		{"kubectl get secret x -o jsonpath={.data.password}", "aHVudGVyMng5Cg==", true},
		{"kubectl get secret x -o jsonpath={.data.username}", "YXBwX3VzZXIx", false},
		{"kubectl get secret x -o jsonpath='{.data.api-token}' 2>/dev/null; echo", "aHVudGVyMng5Cg==", true},
		{"kubectl get secret x -o jsonpath={.data.token}", "aHVudGVyMng5Cg==", true},
		{"kubectl get secret x -o jsonpath={.data.password.y}", "aHVudGVyMng5Cg==", false},
		{"kubectl get secret x -o jsonpath={.data.zone}", "ZXUtd2VzdC0yYQ==", false},
		{"kubectl get secret x -o name", "secret/x-4f8d9", false},
		{"jq -r .token auth.json", digest, true},
		{"jq -r .db.password auth.json", "hunter2x9", true},
		{"jq -r .token package.json", "null", false},
		{"jq -r .token package.json", "word", false},
		{"jq -r .token_type auth.json", "Bearer2", false},
		{"jq -r '.token | length' auth.json", "40", false},
		{"secret-tool lookup user ada", "hunter2x9", true},
		{"security find-generic-password -w -s x", "hunter2x9", true},
		{"bw get password x", "hunter2x9", true},
		{"bw get username x", "ada2", false},
		{"lpass show --password x", "hunter2x9", true},
		{"influx auth create --username ada | jq -r .token", digest, true},
		{"app --username ada get api_token", digest, true},
		{"lpass show --username x", "app_user1", false},
		{"gcloud secrets versions access latest --secret=x", "hunter2x9", true},
		{"gcloud secrets versions access latest --secret=db-host", "db1.internal", false},
		{"aws secretsmanager get-secret-value --secret-id x --query SecretString --output text", "hunter2x9", true},
		{"aws secretsmanager get-secret-value --secret-id x --query VersionId --output text", uuid, false},
		{"aws ssm get-parameter --name /x --with-decryption --query Parameter.Value --output text", "hunter2x9", true},
		{"aws ssm get-parameter --name /ami --query Parameter.Value --output text", "ami-0abc1234def567890", false},
		{"aws ssm get-parameter --name /db/host --with-decryption --query Parameter.Value --output text", "db1.internal", false},
		{"az keyvault secret show --vault-name v --name x --query value -o tsv", "hunter2x9", true},
		{"az keyvault secret show --vault-name v --name x --query attributes.version -o tsv", digest, false},
		{"heroku config:get DB_PASSWORD", "hunter2x9", true},
		{"heroku config:get APP_NAME", "shop-api2", false},
		{"docker exec db printenv DB_PASSWORD", "hunter2x9", true},
		{"docker exec db printenv TOKEN_URL", "https://x1.example.com/token", false},
		{"docker exec db cat /run/secrets/db", "hunter2x9", true},
		{"docker exec db cat /run/secrets/db_user", "app_user1", false},
		{"git config --get x.token", digest, true},
		{"git config --get user.signingkey", "3AA5C34371567BD2", false},
		{"git rev-parse --short api_key", "8d1f03ac", false},
		{"git hash-object password", digest, false},
		{"docker network create db-password", digest + digest[:24], false},
		{"git log --format=%h -- secrets/password", "8d1f03ac", false},
		{"npm config get //registry.npmjs.org/:_authToken", digest, true},
		{"npm config get registry", "https://registry.npmjs.org/", false},
		{"npm view access-token dist.integrity", "sha512-xipiHMYVjtYDvlCEpCm4OvbQVMrRfNMYKP6dcUKHIKeFlOVVBZgrpCl0UbAGm7d0YVLqi8YA5J5oJMFcvx5Tpw==", false},
		{"terraform output -raw db_password", "hunter2x9", true},
		{"terraform output -raw token_url", "https://x1.example.com/token", false},
		{"wg genkey", "gI6EdUSYvn8ugXOt8QQD6Yc+JyiZxIhp3GInSWRfWGE=", true},
		{"wg pubkey", "gI6EdUSYvn8ugXOt8QQD6Yc+JyiZxIhp3GInSWRfWGE=", false},
		{"wg genkey | tee privatekey | wg pubkey", "gI6EdUSYvn8ugXOt8QQD6Yc+JyiZxIhp3GInSWRfWGE=", false},
		{"gh auth token", digest, true},
		{"curl -H 'Authorization: Bearer '$(gh auth token) https://x/version", "abc123def4", false},
		{"curl -H \"Authorization: Bearer $TOKEN\" https://x/version | jq -r .id", "cus_NffrFeUfNV2Hib8Q", false},
		{"openssl x509 -in secrets/tls.crt -noout -serial", "serial=5A2B8C1D9E3F7A6B4C0D", false},
		{"openssl x509 -in secrets/tls.crt -noout -modulus", "Modulus=C5A2B8C1D9E3F7A6B4C0D", false},
		{"aws s3api put-object --key secrets/x --query VersionId", "3sL4kqtJlcpXroDTDmJrmSpXd3dIbrHY", false},
		{"pass show prod/db", "\nhunter2x9", true},
		{"pass show prod/db", "\n\n\nhunter2x9", false},
		{"vault kv get -mount=secret -field=password x", "hunter2x9", true},
		{"vault kv get -field password secret/x", "hunter2x9", true},
		{"vault kv get -mount=secret x", "hunter2x9", false},
		{"vault kv get -field=public_key secret/x", "k9x2abcd7ef", false},
		{"vault kv get -field=commit secret/x", digest, false},
		{"cat secrets/db_password | docker secret create db_password -", "k3v2xq7r5m6n4p8s9t1u2w3y4", false},
		{"docker secret create x secrets/db_password", "k3v2xq7r5m6n4p8s9t1u2w3y4", false},
		{"vault read -field=certificate pki/x", "k9x2abcd7ef", false},
		{"op item get x --fields password", "hunter2x9", true},
		{"op item get x --fields label=password --reveal", "hunter2x9", true},
		{"op item get x --fields username", "app_user1", false},
		{"gopass show prod/db username", "app_user1", false},
		{"gopass show prod/db password", "hunter2x9", true},
		{"oc whoami -t", "sha256~abcDEF123456", true},
		{"oc whoami", "app_user1", false},
		{"kubectl create token sa1", digest, true},
		{"kubectl create ns token1", "namespace/token1 created", false},
		{"gcloud auth application-default print-access-token", "hunter2x9", true},
		{"az account get-access-token --query accessToken -o tsv", "hunter2x9", true},
		{"az account get-access-token --query tenant -o tsv", uuid, false},
		{"az acr credential show -n r --query 'passwords[0].value' -o tsv", "hunter2x9", true},
		{"az acr credential show -n r --query username -o tsv", "app_user1", false},
		{"az storage account keys list -n x --query [0].keyName -o tsv", "k9x2abcd7ef", false},
		{"aws ssm get-parameters --names /db --with-decryption --query 'Parameters[0].Value' --output text", "hunter2x9", true},
		{"aws ssm get-parameter --name /app/ami --with-decryption --query Parameter.Value --output text", "k9x2abcd7ef", false},
		{"aws ssm get-parameter --name /app/db --with-decryption --query Parameter.Name --output text", "k9x2abcd7ef", false},
		{"heroku config:get DB_PASSWORD -a app", "hunter2x9", true},
		{"heroku config:get APP_NAME -a app", "k9x2abcd7ef", false},
		{"ansible-vault view password.yml", "hunter2x9", true},
		{"ansible-vault view vars.yml", "---", false},
		{"cat secrets/x", "hunter2x9", true},
		{"cat secrets/db_user", "app_user1", false},
		{"sudo -u ada pass prod/db", "hunter2x9", true},
		{"env A=b /usr/bin/pass prod/db", "hunter2x9", true},
		{"pass 'show'  prod/db", "hunter2x9", true},
		{"x=$(pass show a/b); echo \"$x\"", "hunter2x9", true},
		{"export x=`pass show a/b` && printf '%s\\n' ${x}", "hunter2x9", true},
		{"x=$(pass show a/b); echo $y", "hunter2x9", false},
		{"x=$(git rev-parse HEAD); echo $x", digest, false},
		{"DB_PASSWORD=$(cat x); echo $DB_PASSWORD", "hunter2x9", true},
		{"export TOKEN=$(curl x); echo \"$TOKEN\"", digest, true},
		{"cat <<< $API_TOKEN", digest, true},
		{"bash <<< 'pass show a'", "hunter2x9", true},
		{"python3 <<< $API_TOKEN", "hunter2x9", false},
		{"tr -d x < api_token", digest, true},
		{"eval $(op signin); op read op://v/i/password", "correct-horse-Battery7", true},
		{"eval 'pass show a'", "hunter2x9", true},
		{"cp a b; false || pass show a", "correct-horse-Battery7", true},
		{"x=$(wg pubkey < privatekey); echo $x", "gI6EdUSYvn8ugXOt8QQD6Yc+JyiZxIhp3GInSWRfWGE=", false},
		{"echo `pass show a/b`", "hunter2x9", true},
		{"printf %s \"$(pass show a/b)\"", "hunter2x9", true},
		{"printf '%s\\n' \"$DB_PASSWORD\"", "hunter2x9", true},
		{"printf '%s\\n' \"$DB_NAME\"", "k9x2abcd7ef", false},
		{"docker exec db sh -c 'echo $DB_PASSWORD'", "hunter2x9", true},
		{"kubectl exec p -- bash -c \"echo \\$DB_PASSWORD\"", "hunter2x9", true},
		{"docker exec db sh -c 'echo $HOSTNAME'", "k9x2abcd7ef", false},
		{"ssh host 'pass show x'", "hunter2x9", true},
		{"cat < db_password", "hunter2x9", true},
		{"cat db_password | head -1", "hunter2x9", true},
		{"pass show a/b | tee copy | tr -d ' '", "hunter2x9", true},
		{"gh auth token | docker login ghcr.io --password-stdin", "k9x2abcd7ef", false},
		{"pass show a | gh secret set A; ./release", "k9x2abcd7ef", false},
		{"pass show a | sudo -S cat secrets/x", "hunter2x9", true},
		{"pass show a/b | jq -r .id", "k9x2abcd7ef", false},
		{"uuidgen | tee db_password", uuid, false},
		{"head -n 1 secrets/x", "hunter2x9", true},
		{"tail -1 db_password", "hunter2x9", true},
		{"tail -1 build.log", "k9x2abcd7ef", false},
		{"vercel deploy --token $VERCEL_TOKEN", digest, false},
		{"python app.py --password \"$DB_PASSWORD\"", "k9x2abcd7ef", false},
		{"openssl rand -hex 20", digest, false}, // random text is no stored secret
		{"pwgen 12 1", "Ohsh4eiphoo3", false},
	} {
		ways := [][]string{{"bash", "-c", "# what is asked\ncd . && " + c.command + "; echo done"}, {"sh", "-c", c.command}}
		if !strings.ContainsAny(c.command, "$'|<>;&\"`") {
			ways = append(ways, strings.Fields(c.command))
		}
		for _, argv := range ways {
			want := c.says
			if c.secret {
				want = c.says[:len(c.says)-len(strings.TrimLeft(c.says, "\n"))] + "***"
			}
			if out := masked(t, c.says, argv...); out != want {
				t.Errorf("%q: %s", argv, out)
			}
		}
	}
}

// Where other commands print, too, the secret is found among their lines, if it looks random.
func TestMaskStdoutOfSeveral(t *testing.T) {
	t.Parallel()
	const commit = "8d1f03ac9b27e4561c0e9fa3b5d7284610fe93ac\n"
	long := strings.Repeat("main.go\n", 20)
	for _, c := range []struct{ command, says, want string }{
		{"whoami; pass show a", "ada1\nhunter2x9\n", "ada1\n***\n"},
		{"whoami; pass show a", "hunter2x9\nx7Kq92mZ\n", "***\nx7Kq92mZ\n"},
		{"openssl x509 -text; pass show a", "    hunter2x9\n", "    hunter2x9\n"},
		{"git rev-parse HEAD; cat secrets/db_password", commit + "hunter2x9\n", commit + "***\n"},
		{"cat a_password; git rev-parse HEAD", "hunter2x9\n" + commit, "***\n" + commit},
		{"pass show a\npass show b || exit", "hunter2x9\nlogin ada\nkd8fj2xs\n", "***\nlogin ada\n***\n"},
		{"pass show a; make; pass show b; id x", "make: done\nhunter2x9\nx7Kq92mZ\n", "make: done\n***\nx7Kq92mZ\n"},
		{"ls; pass show a; make", "v2-notes\ndb2_backup\nREADME.md\nhunter2x9\nx7Kq92mZ\n", "v2-notes\ndb2_backup\nREADME.md\n***\nx7Kq92mZ\n"},
		{"date +%F; hostname; gh auth token", "2026-11-28\ndb1-eu\n" + commit, "2026-11-28\ndb1-eu\n***\n"},
		{"sha1sum x | cut -c1-40; cat api_token", commit + "q7Zk3vB9xT2mL5wR\n", commit + "***\n"},
		{"cat tls.crt; pass show a", "-----BEGIN CERTIFICATE-----\nGgLdb3HXu8mTLMn1z6JGWl4oDsbY28QBomLHm4PsNQ4U0HYVnK4sKBbQPgkRrOlQ\nhunter2x9\n", "-----BEGIN CERTIFICATE-----\nGgLdb3HXu8mTLMn1z6JGWl4oDsbY28QBomLHm4PsNQ4U0HYVnK4sKBbQPgkRrOlQ\n***\n"},
		{"npm ci; jq .token x", "up to date\n\"q7Zk3vB9xT2mL5wR\"\n", "up to date\n\"***\"\n"},
		{"go.sum; pass show a", "h1:dRaEfpa2VI55EwlIW72hMRHdWouJeRF7TPYhI+AUQjk=\n", "h1:dRaEfpa2VI55EwlIW72hMRHdWouJeRF7TPYhI+AUQjk=\n"},
		{"ls; pass show a", long + "hunter2x9\n", long + "hunter2x9\n"}, // after 16 lines
		{"time; pass show a", "hunter2x9\n", "***\n"},
		{"pass show a >x; make", "hunter2x9\n", "hunter2x9\n"},
		{"whoami && sh -c 'cat go.mod; pass show a'", "ada1\nmodule x\nhunter2x9\n", "ada1\nmodule x\n***\n"},
		{"x=$(echo $x; echo $x); echo $x", "hunter2x9\n", "hunter2x9\n"},
	} {
		if out := masked(t, c.says, "bash", "-c", c.command); out != c.want {
			t.Errorf("%q: %s", c.command, out)
		}
	}
}

// A shell is looked for among the first words of a command only, so that its options are not
// read from each of thousands of words.
func TestMaskStdoutOfLongArgv(t *testing.T) {
	t.Parallel()
	for before, want := range map[int]string{63: "***\n", 64: "Kq7xv2Lm9pTz\n"} {
		argv := append(slices.Repeat([]string{"run"}, before), "sh", "-c", "x=$(pass show prod/db); echo $x")
		if got := masked(t, "Kq7xv2Lm9pTz\n", argv...); got != want {
			t.Errorf("a shell after %d words: %q", before, got)
		}
	}
}
