package redact_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/redact"
)

// repeats are texts that look like the start of a secret again and again, or
// like nothing that a program writes.
var repeats = []string{
	"密码是", "Пароль:x1",
	"password", "password=", `"password":"`, "password: ", "--password ", "PASSW", "accesstoken", "authorization=",
	"authorization: basic ", "bearer ", "cookie: a=b;", "$1$", "$2a$", "$argon2id$", "$6$=", "eyJ", "eyJ-", "ZXlK-",
	"-----BEGIN ", "-----BEGIN PRIVATE KEY-----", "-----BEGIN A PRIVATE KEY-----END ", "://", "a://", "a://b:c", "a://b:c@",
	"curl -u ", "http ", "mysql -p", "machine a login b password c ", `"kty":"RSA"@machine h login u password `, "MII/",
	"MHcCAQEE/", ":5432:@", "@tcp(", "identified by '", "kind: Secret ", "password=${", "password={{", "password=(",
	"expo_-", "apk_=", "ABSK/", "xapp-", "xapp-/", "pat.", "T3BlbkFJ", "3Q~", "hooks.slack.com/services/", "akab-", "VF.",
	"AKIA1234567890ABCDEF ", "a=b,", "password,", "%22", `\u0022`, `\`, `"`, "'", "{", "[", "\x1b[1m", "\x1b[", "\x00",
	"\xff\xfe", " ", "x", "Z2hwX", "Z2hwXw", "Z2hwX/", "UFJJVkFURSBLRVkt", "xUFJJVkFURSBLRVkt", "Imt0eSI", "xImt0eSI/", "facebook 1",
	"facebook1308742762612587|", "login_with_api_key", "wandb ", "api-key-", "apikey-a1", "id,token,", "|password|", "token\t",
	"<key>password</key>", "password=a&b", "password%3D", "/token/", "token.equals(", "secret-key-", "aB3dE5fG7hJ9kL2m=token=",
	"password=a1,b2;", "H4sIAAAAAAA", "1f8b080000000000", "%1f%8b%08%00", "%2561%2565", "token:{",
	"DB_PASSWORD=a|b", `variable "token" {`, "token:{value:", "пароль:", "密码是", "abandon ", "zoo able fiction ",
}

// Each of the repeats on lines of 64 KB, all of it on one line, and a known
// value that repeats itself.
func BenchmarkRepeats(b *testing.B) {
	bench := func(name string, text []byte) {
		r := redact.New(redact.Options{Values: []redact.Value{{Rule: "env:A", Secret: strings.Repeat("ab", 2<<10)}}})
		b.Run(name, func(b *testing.B) { benchmark(b, r, text) })
	}
	for _, s := range repeats {
		line := strings.Repeat(s, (64<<10-1)/len(s))
		bench("lines of "+s, []byte(strings.Repeat(line+"\n", 4)))
		bench("one line of "+s, []byte(strings.Repeat(s, 256<<10/len(s))))
	}
	bench("known", bytes.Repeat([]byte("ab"), 128<<10))
}
