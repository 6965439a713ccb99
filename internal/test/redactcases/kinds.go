package redactcases

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"

	_ "embed"
)

// A Kind is a kind of secret.
type Kind struct {
	Rule  string
	Name  string // of a variable that may have it
	Shape bool   // its form identifies it without a name
	// Make returns a secret made of random characters.
	Make func(rnd *rand.Rand) string
}

// kindsFile has one kind of token a line: rule, name of a variable, and a sample,
// with tabs between them. A broken bar is where a fixed part of the sample ends and one that
// is made up begins, or the other way round: a fixed one is first.
//
//go:embed kinds.txt
var kindsFile string

// Tokens returns the kinds of kinds.txt.
func Tokens() []Kind {
	var out []Kind
	for line := range strings.Lines(kindsFile) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		if len(f) != 3 || strings.HasPrefix(line, "#") {
			continue
		}
		parts := strings.Split(f[2], "¦")
		out = append(out, Kind{f[0], f[1], !strings.HasPrefix(f[0], "vendor-"), func(rnd *rand.Rand) string {
			var b strings.Builder
			for i, p := range parts {
				if i%2 == 0 {
					b.WriteString(p)
				} else {
					b.WriteString(Like(rnd, p))
				}
			}
			return b.String()
		}})
	}
	return out
}

// Like returns a random secret of the same build as sample: a digit for a digit, a
// letter for a letter.
func Like(rnd *rand.Rand, sample string) string {
	const letters = "abcdefghijklmnopqrstuvwxyz"
	hexOnly := strings.Trim(sample, "0123456789abcdef-_.:") == ""
	b := []byte(sample)
	for i, c := range b {
		switch {
		case '0' <= c && c <= '9':
			b[i] = byte('0' + rnd.IntN(10))
		case 'a' <= c && c <= 'z' && hexOnly:
			b[i] = letters[rnd.IntN(6)]
		case 'a' <= c && c <= 'z':
			b[i] = letters[rnd.IntN(26)]
		case 'A' <= c && c <= 'Z':
			b[i] = letters[rnd.IntN(26)] - 'a' + 'A'
		}
	}
	return string(b)
}

// Values are secrets without a shape of their own, which only a name gives away.
var Values = []Kind{
	value("hex", "API_KEY", "0123456789abcdef0123456789abcdef"),
	value("letters and digits", "ACCESS_TOKEN", "aB3dE5fG7hJ9kL2mN4pQ6rS8"),
	value("small letters and digits", "CLIENT_SECRET", "k7w2m9q4x1z8c5v3b6n0"),
	value("base64", "ENCRYPTION_KEY", "Ab1/Cd2+Ef3/Gh4+Ij5/Kl6+Mn7/Op8+Qr9="),
	value("UUID", "SECRET_KEY", "f47ac10b-58cc-4372-a567-0e02b2c3d479"),
	value("words of three", "SIGNING_SECRET", "xK9-mP2_qR7-tV4_wY1-zB6"),
	value("AWS", "AWS_SECRET_ACCESS_KEY", "wJ4lrXUt3FEMIaK7MDENGbPxRfi1CYzEXAM2PLEK"),
	value("password with signs", "DB_PASSWORD", "Tr0ub4dor&3x!Qz9"),
	value("password of letters and digits", "PASSWORD", "hunter7xyz42"),
	value("password with a dash", "SMTP_PASS", "mint-Cobra-48-fuzz"),
	value("PIN", "MYSQL_PWD", "x7Kq92mZ"),
}

func value(rule, name, sample string) Kind {
	return Kind{Rule: rule, Name: name, Make: func(rnd *rand.Rand) string { return Like(rnd, sample) }}
}

// A Text is a text with a secret in a usual place.
type Text struct {
	Rule  string
	Write func(rnd *rand.Rand) (text, secret string)
}

// from returns n random characters of set.
func from(rnd *rand.Rand, set string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = set[rnd.IntN(len(set))]
	}
	return string(b)
}

const (
	lowers  = "abcdefghijklmnopqrstuvwxyz"
	uppers  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits  = "0123456789"
	hexes   = "0123456789abcdef"
	alnums  = lowers + uppers + digits
	urlSafe = alnums + "-_"
	base64s = alnums + "+/"
)

// folded is random base64, in lines of 64 characters.
func folded(rnd *rand.Rand, lines int) string {
	var b strings.Builder
	for range lines {
		b.WriteString(from(rnd, base64s, 64) + "\n")
	}
	return b.String() + from(rnd, base64s, 22) + "=="
}

// seedWords are some of those of BIP 39, and seedNumbers their places in its list.
var (
	seedWords = strings.Fields("abandon ability able about above absent absorb abstract absurd abuse access accident " +
		"account accuse achieve acid acoustic acquire across act action actor actress actual zebra zero zone zoo yellow wrist " +
		"world wonder window winter witness wolf volcano voyage velvet venture urban urge uniform unfold twelve twenty tunnel " +
		"turtle travel tragic tornado torch symbol symptom sunset supply stove street")
	seedNumbers = []int{
		0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23,
		2044, 2045, 2046, 2047, 2040, 2035, 2029, 2024, 2011, 2016, 2021, 2022, 1965, 1968, 1936, 1938, 1914,
		1915, 1899, 1897, 1880, 1881, 1876, 1879, 1852, 1847, 1835, 1834, 1763, 1764, 1740, 1742, 1717, 1719,
	}
)

func words(rnd *rand.Rand, n int) string {
	w := make([]string, n)
	for i := range w {
		w[i] = seedWords[rnd.IntN(len(seedWords))]
	}
	return strings.Join(w, " ")
}

// seed returns a phrase of n words, whose last has the right checksum.
func seed(rnd *rand.Rand, n int) string {
	for {
		var list []string
		bits, last := new(big.Int), 0
		for range n {
			last = rnd.IntN(len(seedWords))
			list = append(list, seedWords[last])
			bits.Or(bits.Lsh(bits, 11), big.NewInt(int64(seedNumbers[last])))
		}
		check := uint(n / 3)
		sum := sha256.Sum256(new(big.Int).Rsh(bits, check).FillBytes(make([]byte, 4*n/3)))
		if seedNumbers[last]&(1<<check-1) == int(sum[0]>>(8-check)) {
			return strings.Join(list, " ")
		}
	}
}

// filled returns a format whose one %s is the secret that is made.
func filled(rule, format string, secret func(rnd *rand.Rand) string) Text {
	return Text{rule, func(rnd *rand.Rand) (string, string) {
		s := secret(rnd)
		return strings.Replace(format, "%s", s, 1), s
	}}
}

func like(sample string) func(rnd *rand.Rand) string {
	return func(rnd *rand.Rand) string { return Like(rnd, sample) }
}

func of(set string, n int) func(rnd *rand.Rand) string {
	return func(rnd *rand.Rand) string { return from(rnd, set, n) }
}

// weak is a password as people make them.
var weak = like("sunny48kite")

// Texts are secrets that are known by where they are.
var Texts = []Text{
	filled("URL with a token", "Cloning into 'x': https://%s@git.example.com/team/app.git\n", of(alnums, 40)),
	filled("URL with a token of hex", "origin\thttps://%s@git.example.com/team/app.git (fetch)\n", of(hexes, 40)),
	filled("URL with a short token", "url = https://%s@git.example.com/team/app.git\n", of(lowers+digits, 20)),
	filled("URL with a password", "DATABASE=postgres://app:%s@db.internal:5432/app\n", weak),
	filled("URL with a plain password", "redis://:%s@cache.internal:6379/0\n", of(lowers, 10)),
	filled("URL of AMQP", "amqps://svc:%s@mq.example.com/vhost\n", of(alnums, 24)),
	filled("signature of AWS, version 4", "Authorization: AWS4-HMAC-SHA256 Credential=x/20260301/us-east-1/s3/aws4_request, SignedHeaders=host;x-amz-date, Signature=%s\n", of(hexes, 64)),
	filled("presigned URL", "https://b.s3.amazonaws.com/k?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Expires=900&X-Amz-Signature=%s\n", of(hexes, 64)),
	filled("SAS", "https://acct.blob.core.windows.net/c/b?sv=2024-11-04&sp=r&se=2026-03-01&sig=%s%3D\n", of(alnums, 43)),
	filled("credentials of Jenkins", "    <secret>{%s}</secret>\n", func(r *rand.Rand) string { return "AQAAABAAAAA" + from(r, base64s, 53) }),
	filled("password of Jenkins", "      <password>{%s=}</password>\n", func(r *rand.Rand) string { return "AQAAABAAAAA" + from(r, base64s, 52) }),
	filled("initial password of Jenkins", "Please use the following password to proceed to installation:\n\n%s\n\nThis may also be found at: /var/jenkins_home/secrets/initialAdminPassword\n", of(hexes, 32)),
	filled("mnemonic of 12", "mnemonic: \"%s\"\n", func(r *rand.Rand) string { return words(r, 12) }),
	filled("mnemonic of 24", "MNEMONIC=%s\n", func(r *rand.Rand) string { return words(r, 24) }),
	filled("seed phrase", "Your seed phrase is: %s\n", func(r *rand.Rand) string { return words(r, 12) }),
	filled("recovery phrase", "Recovery phrase:\n%s\n", func(r *rand.Rand) string { return words(r, 24) }),
	filled("bare mnemonic", "%s\n", func(r *rand.Rand) string { return seed(r, 12) }),
	jwkMember("d"), jwkMember("p"), jwkMember("q"), jwkMember("dp"), jwkMember("dq"), jwkMember("qi"), jwkMember("k"),
	filled("JWK on one line", `{"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","d":"%s"}`+"\n", of(urlSafe, 43)),
	filled("cookie of ASP.NET Core", "Cookie: .AspNetCore.Identity.Application=%s; path=/\n", func(r *rand.Rand) string { return "CfDJ8" + from(r, urlSafe, 150) }),
	filled("session of ASP.NET", "Cookie: ASP.NET_SessionId=%s; theme=dark\n", of(lowers+"012345", 24)),
	filled("ticket of ASP.NET", "Set-Cookie: .ASPXAUTH=%s; path=/; HttpOnly\n", of("0123456789ABCDEF", 192)),
	filled("PEM", "-----BEGIN RSA "+"PRIVATE KEY-----\n%s\n-----END RSA PRIVATE KEY-----\n", func(r *rand.Rand) string { return folded(r, 12) }),
	filled("PEM with headers", "-----BEGIN RSA "+"PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,1B2C3D4E5F60718293A4B5C6D7E8F901\n\n%s\n-----END RSA PRIVATE KEY-----\n", func(r *rand.Rand) string { return folded(r, 12) }),
	filled("OpenSSH", "-----BEGIN OPENSSH "+"PRIVATE KEY-----\n%s\n-----END OPENSSH PRIVATE KEY-----\n", func(r *rand.Rand) string { return folded(r, 6) }),
	filled("PuTTY", "PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nComment: ada@example.com\nPublic-Lines: 2\nAAAAC3NzaC1lZDI1NTE5AAAAIHXz0m7jFq0yC8mV1q5c3j2Lw8kq4x9o3bZ7\nYq1s\nPrivate-Lines: 1\n%s\nPrivate-MAC: 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\n", of(base64s, 48)),
	filled("passphrase of words", "passphrase: \"%s\"\n", func(r *rand.Rand) string { return strings.ReplaceAll(words(r, 4), " ", "-") }),
	filled("passphrase with spaces", "PASSPHRASE=\"%s\"\n", func(r *rand.Rand) string { return words(r, 5) }),
	filled("Splunk HEC", "curl https://hec.example.com:8088/services/collector -H \"Authorization: Splunk %s\" -d '{}'\n", like("3f2b8c1e-9d04-4a57-b6e1-c0a9f8d7e6b5")),
	filled("JDBC with password", "spring.datasource.url=jdbc:mysql://db.internal:3306/app?user=app&password=%s&useSSL=true\n", weak),
	filled("JDBC of SQL Server", "jdbc:sqlserver://db.internal:1433;databaseName=app;user=sa;password=%s;encrypt=true\n", weak),
	filled("my.cnf", "[client]\nuser=root\npassword=%s\nhost=localhost\n", of(lowers, 11)),
	filled("my.cnf, quoted", "[mysqldump]\nuser = backup\npassword = \"%s\"\n", like("Zeb#ra72")),
	filled("netrc", "machine api.example.com login ada password %s\n", weak),
	filled("netrc, on lines", "machine api.example.com\n  login ada\n  password %s\n", weak),
	{"Basic", func(r *rand.Rand) (string, string) {
		s := base64.StdEncoding.EncodeToString([]byte("ada:" + weak(r)))
		return "> Authorization: Basic " + s + "\n", s
	}},
	{"Proxy-Authorization", func(r *rand.Rand) (string, string) {
		s := base64.StdEncoding.EncodeToString([]byte("proxyuser:" + weak(r)))
		return "Proxy-Authorization: Basic " + s + "\r\n", s
	}},
	filled("proxy", "export https_proxy=http://proxyuser:%s@proxy.example.com:3128\n", weak),
	filled("JAAS", "sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required username=\"svc\" password=\"%s\";\n", weak),
	filled("Discord", "client.login('%s')\n", func(r *rand.Rand) string {
		return "MT" + from(r, "AEIMQUYcgk", 1) + from(r, alnums, 23) + "." + from(r, urlSafe, 6) + "." + from(r, urlSafe, 38)
	}),
	filled("Discord, in a log", "Logging in with %s now\n", func(r *rand.Rand) string {
		return "ND" + from(r, "AEIMQUYcgk", 1) + from(r, alnums, 21) + "." + from(r, urlSafe, 6) + "." + from(r, urlSafe, 27)
	}),
	filled("webhook of Discord", "POST https://discord.com/api/webhooks/1234567890123456789/%s 204\n", of(urlSafe, 68)),
	filled("CURLOPT_USERPWD", "curl_setopt($ch, CURLOPT_USERPWD, \"ada:%s\");\n", weak),
	filled("NuGet", "      <add key=\"ClearTextPassword\" value=\"%s\" />\n", weak),
	filled("Pass", "    <User>ada</User>\n    <Pass>%s</Pass>\n", of(lowers, 10)),
	filled("Pass of FileZilla", "\t<Pass encoding=\"base64\">%s</Pass>\n", func(r *rand.Rand) string { return base64.StdEncoding.EncodeToString([]byte(weak(r))) }),
	filled("pgpass", "db.internal:5432:app:ada:%s\n", weak),
	filled("pgpass, other port", "db.internal:6543:app:ada:%s\n", like("Kp8xw2Lq")),
	filled("pgpass, any host", "*:*:*:ada:%s\n", like("Kp8xw2Lq")),
	filled("Infura", "RPC https://mainnet.infura.io/v3/%s\n", of(hexes, 32)),
	filled("Alchemy", "url: 'https://eth-mainnet.g.alchemy.com/v2/%s'\n", of(urlSafe[:62], 32)),
	filled("QuickNode", "wss://cool-name.solana-mainnet.quiknode.pro/%s/\n", of(hexes, 40)),
	filled("pair of AWS", "AKIAQ3EGRVX7LT2WM5ZD:%s\n", of(base64s, 40)),
	filled("lines of AWS", "aws_id AKIAQ3EGRVX7LT2WM5ZD\nand then %s\n", of(base64s, 40)),
	filled("unseal key", "Unseal Key 2: %s\n", func(r *rand.Rand) string { return from(r, base64s, 43) + "=" }),
	filled("root token of Vault", "Initial Root Token: %s\n", func(r *rand.Rand) string { return "hvs." + from(r, alnums, 24) }),
	filled("vendor and dash", "datadog token - '%s'\n", of(hexes, 32)),
	filled("vendor and value", "Mailgun %s\n", func(r *rand.Rand) string {
		return from(r, hexes, 32) + "-" + from(r, hexes, 8) + "-" + from(r, hexes, 8)
	}),
	filled("vendor and space", "Datadog %s\n", of(hexes, 32)),
	filled("Using", "Using ApiKey=%s\n", of(alnums, 32)),
	filled("Key of a name", "Key(datadog):%s\n", of(hexes, 32)),
	filled("spaces within quotes", "api_key = \" %s \"\n", of(alnums, 32)),
	filled("UUID beside a vendor", "heroku %s\n", like("3f2b8c1e-9d04-4a57-b6e1-c0a9f8d7e6b5")),
	filled("vendor as a variable", "heroku = \"%s\"\n", like("3f2b8c1e-9d04-4a57-b6e1-c0a9f8d7e6b5")),
	filled("vendor as a variable, hex", "SENDGRID = '%s'\n", of(hexes, 32)),
	filled("docker auth", "{\"auths\":{\"registry.example.com\":{\"auth\":\"%s\"}}}\n", func(r *rand.Rand) string { return base64.StdEncoding.EncodeToString([]byte("ada:" + weak(r))) }),
	filled("npmrc", "//registry.npmjs.org/:_authToken=%s\n", like("3f2b8c1e-9d04-4a57-b6e1-c0a9f8d7e6b5")),
	filled("npmrc, password", "//npm.example.com/:_password=%s\n", func(r *rand.Rand) string { return base64.StdEncoding.EncodeToString([]byte(weak(r))) }),
	filled("pypirc", "[pypi]\nusername = ada\npassword = %s\n", weak),
	filled("htpasswd", "ada:$apr1$%s\n", func(r *rand.Rand) string { return from(r, alnums, 8) + "$" + from(r, alnums, 22) }),
	filled("shadow", "ada:$6$%s:19000:0:99999:7:::\n", func(r *rand.Rand) string { return from(r, alnums, 16) + "$" + from(r, alnums, 86) }),
	filled("NTLM", "Administrator:500:aad3b435b51404eeaad3b435b51404ee:%s:::\n", of(hexes, 32)),
	filled("WireGuard", "[Interface]\nPrivateKey = %s\nAddress = 10.0.0.2/24\n", func(r *rand.Rand) string { return from(r, base64s, 43) + "=" }),
	filled("WireGuard, preshared", "PresharedKey = %s\n", func(r *rand.Rand) string { return from(r, base64s, 43) + "=" }),
	filled("wpa_supplicant", "network={\n  ssid=\"home\"\n  psk=\"%s\"\n}\n", weak),
	filled("Ansible", "ansible_ssh_pass=%s ansible_user=root\n", weak),
	filled("sshpass", "sshpass -p %s ssh root@10.0.0.1\n", weak),
	filled("mysql", "mysql -u root -p%s app\n", weak),
	filled("curl", "curl -u ada:%s https://api.example.com\n", weak),
	filled("SQL", "CREATE USER 'ada'@'%' IDENTIFIED BY '%s';\n", weak),
	filled("ODBC", "Driver={SQL Server};Server=db;Uid=sa;Pwd=%s;\n", of(lowers, 10)),
	filled("base64 of a setting", "payload=%s\n", func(r *rand.Rand) string {
		return base64.StdEncoding.EncodeToString([]byte("{\"user\":\"ada\",\"password\":\"" + weak(r) + "\"}"))
	}),
	filled("base64 of a token", "data: %s\n", func(r *rand.Rand) string {
		return base64.StdEncoding.EncodeToString([]byte("export GITHUB_TOKEN=" + "ghp_" + from(r, alnums, 36) + "\n"))
	}),
	filled("base64 of base64", "data: %s\n", func(r *rand.Rand) string {
		return base64.StdEncoding.EncodeToString([]byte(base64.StdEncoding.EncodeToString([]byte("export DB_USER=app\nexport DB_PASSWORD=" + from(r, alnums, 20) + "\n"))))
	}),
	filled("hex of a setting", "%s\n", func(r *rand.Rand) string {
		return hex.EncodeToString([]byte("api_key = '" + from(r, alnums, 32) + "'"))
	}),
	filled("PEM on one line", "key: \"-----BEGIN PRIVATE "+"KEY-----\\n%s\\n-----END PRIVATE KEY-----\\n\"\n", func(r *rand.Rand) string { return strings.ReplaceAll(folded(r, 8), "\n", `\n`) }),
	filled("session id", "Set-Cookie: JSESSIONID=%s; Path=/; HttpOnly\n", of("0123456789ABCDEF", 32)),
	filled("TOTP", "otpauth://totp/Example:ada?secret=%s&issuer=Example\n", of(uppers+"234567", 32)),
	filled("JWT", "token %s accepted\n", func(r *rand.Rand) string {
		return "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9." + base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, `{"sub":"%s"}`, from(r, digits, 10))) + "." + from(r, urlSafe, 43)
	}),
	filled("NKEY", "seed: %s\n", func(r *rand.Rand) string { return "SUA" + from(r, uppers+"234567", 55) }),
}

// jwkMember returns a JSON Web Key on lines with a private member.
func jwkMember(name string) Text {
	return Text{"JWK, member " + name, func(r *rand.Rand) (string, string) {
		s := from(r, urlSafe, 86)
		kty := "RSA"
		if name == "k" {
			kty = "oct"
		}
		return fmt.Sprintf("{\n  \"kty\": %q,\n  \"kid\": \"1\",\n  \"use\": \"sig\",\n  \"n\": \"%s\",\n  \"e\": \"AQAB\",\n  %q: %q\n}\n", kty, from(r, urlSafe, 171), name, s), s
	}}
}

// Lines are changes to each line of a text: something before it, around it or in its place.
var Lines = []Frame{
	{"as it is", func(_, s string) string { return s }},
	{"with the time of a log", func(_, s string) string { return eachLine(s, "2026-03-01T10:00:00.123456Z ") }},
	{"with the name of a service", func(_, s string) string { return eachLine(s, "web-1  | ") }},
	{"with the name of a file", func(_, s string) string { return eachLine(s, "deploy/app.txt:") }},
	{"of syslog", func(_, s string) string { return eachLine(s, "Mar  1 10:00:00 web-1 app[123]: ") }},
	{"of klog", func(_, s string) string { return eachLine(s, "I0301 10:00:00.123456       1 main.go:12] ") }},
	{"in a comment of Go", func(_, s string) string { return eachLine(s, "// ") }},
	{"as an added line", func(_, s string) string { return eachLine(s, "+") }},
	{"as a quoted mail", func(_, s string) string { return eachLine(s, "> ") }},
	{"indented", func(_, s string) string { return eachLine(s, "        ") }},
	{"in a comment", func(_, s string) string { return eachLine(s, "# ") }},
	{"with line ends of Windows", func(_, s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }},
	{"in a string of JSON", func(_, s string) string { return `{"log":` + quoteJSON(s) + "}\n" }},
	{"coloured", func(_, s string) string {
		return "\x1b[33m" + strings.ReplaceAll(s, "\n", "\x1b[0m\n\x1b[33m") + "\x1b[0m"
	}},
}

// eachLine returns s with before at the start of each line.
func eachLine(s, before string) string {
	return before + strings.ReplaceAll(strings.TrimSuffix(s, "\n"), "\n", "\n"+before) + "\n"
}
