package redactcases

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"strings"
)

// Repeats are texts that look like the start of a secret again and again, or
// like nothing that a program writes.
var Repeats = []string{
	"insert into a (token) values (?) ", " where token = ? or (1,", "/reset/kJ8s0dK2mQz7WvXp1LrT",
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

// A HostileText was made to be slow to search, for known values if it has some.
type HostileText struct {
	Text  []byte
	Known []string
}

// HostileTexts returns such texts by their names.
func HostileTexts() map[string]HostileText {
	const size = 512 << 10
	fill := func(unit string) []byte { return []byte(strings.Repeat(unit, 1+size/len(unit))) }
	rnd := rand.New(rand.NewPCG(1, 1))
	var packed bytes.Buffer
	for packed.Len() < size {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		fmt.Fprintf(z, "%x status=%d", rnd.Uint64(), rnd.Uint64())
		z.Close()
		packed.WriteString(base64.StdEncoding.EncodeToString(b.Bytes()) + " ")
		if rnd.IntN(8) == 0 {
			packed.WriteByte('\n')
		}
	}
	var near, names, values bytes.Buffer
	var known []string
	for i := range 8 {
		known = append(known, fmt.Sprintf("walrus-tulip-4711-quartz-%d/orchid", i))
	}
	for near.Len() < size {
		fmt.Fprintf(&near, "walrus-tulip-4711-quartz-%d-orchid ", rnd.IntN(10))
	}
	for names.Len() < size {
		fmt.Fprintf(&names, "token%d key%d password%d ", rnd.IntN(99), rnd.IntN(99), rnd.IntN(99))
	}
	for values.Len() < size {
		fmt.Fprintf(&values, "the token is %x, the password: word\n", rnd.IntN(99))
	}
	line := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("a line of a text. ", 3)))
	texts := map[string]HostileText{
		"gzip members":      {Text: packed.Bytes()},
		"near known values": {near.Bytes(), known},
		"base64 lines":      {Text: fill(line + "\n")},
		"base64 of zeros":   {Text: fill(strings.Repeat("QUFB", 19) + "\n")},
		"bytes on lines":    {fill(strings.Join(strings.Split(fmt.Sprintf("%x", known[0]), ""), "\n") + "\n"), known},
		"open quotes":       {Text: fill(`token="`)},
		"open quotes lines": {Text: fill(strings.Repeat(`token="`, 99) + "\n")},
		"names":             {Text: names.Bytes()},
		"names joined":      {Text: fill("password_token_")},
		"names and words":   {Text: values.Bytes()},
		"names and values":  {Text: fill("password=a ")},
		"names in a row":    {Text: fill("password_token_secret_key_")},
		"headers of tables": {Text: fill("user,password\n")},
		"headers of keys":   {Text: fill("-----BEGIN PRIVATE KEY-----\n")},
		"header in header":  {Text: fill(strings.Repeat("authorization=", 4000) + "\n")},
		"hash in hash":      {Text: fill(strings.Repeat("$1$", 20000) + "\n")},
		"name in name":      {Text: fill(strings.Repeat("\u041f\u0430\u0440\u043e\u043b\u044c:x1", 4000) + "\n")},
	}
	for _, unit := range longLines {
		var b bytes.Buffer
		for b.Len() < size {
			fmt.Fprintf(&b, "%x %s\n", b.Len(), strings.Repeat(unit, 65000/len(unit)))
		}
		texts["long lines of "+unit] = HostileText{Text: b.Bytes()}
	}
	for _, unit := range numbered {
		var b bytes.Buffer
		for n := 1; b.Len() < size; n++ {
			fmt.Fprintf(&b, unit, n)
			if n%15000 == 0 {
				b.WriteByte('\n')
			}
		}
		texts["numbered "+strings.TrimSpace(unit)] = HostileText{Text: b.Bytes()}
	}
	return texts
}

// longLines are texts that are slow on lines of 64 KB, each of which begins differently.
var longLines = []string{
	"sshpass -p ", "ssh-keygen -N ", "openssl enc -k ", "keytool -storepass ", "gpg --passphrase ", "podman login -p '",
	"curl --user a:b ", `psexec.py "a:`, "nxc -p ",
	"glwt-", "glpat-", "username", "xoxd-/", "sk_test_", "mnemonic ", "phrase", ":5432:= a", "dsn=", "AAAAAAAAAA", "EAAG",
}

// numbered are texts that are slow on long lines on which nothing repeats itself.
var numbered = []string{
	"?code=%d ", "accounts: [%d ", "$USER%d ", "PASSW%d,", "auth=(%d", "AUTH %d ", `XAUTH "%d `, "pre-shared-key=%d ", "pwgen %d ",
	"Private-Lines: %d ", "AWS4-HMAC-SHA256 %d ", "random_password%d",
}
