package redact_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"io"
	"math/rand/v2"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/internal/test/matrix"
	"github.com/envwrap/envwrap/redact"
)

// The masked bytes of texts, beside texts that only look like a secret.
func TestEdges(t *testing.T) {
	r := redact.New(redact.Options{})
	for _, c := range []struct{ text, want string }{
		{`a\nacmeco_live_a7d4A16kQ09zXlM2tnB4 b`, `a\n*** b`},
		{`a\u0022acmeco_live_a7d4A16kQ09zXlM2tnB4 b`, `a\u0022*** b`},
		{`{"kty":"EC","names":["d","f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"]}`, `{"kty":"EC","names":["d","f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"]}`},
		{`{"kty":"EC","crv":"P-256","d":"jpsQnnGQmL-YBI"}`, `{"kty":"EC","crv":"P-256","d":"jpsQnnGQmL-YBI"}`},
		{"password:\n  Tr0ub4dor&3\n", "password:\n  \"***\"\n"},
		{"passwords:\n  - Tr0ub4dor&3\n", "passwords:\n  - \"***\"\n"},
		{"apiVersion: v1\nkind: Secret\ndata:\n  user: YWRtaW5pc3RyYXRvcg==\n", "apiVersion: v1\nkind: Secret\ndata:\n  user: \"***\"\n"},
		{"apiVersion: v1\nkind: Secret\nmetadata:\n  ownerReferences:\n  - apiVersion: batch/v1\n    kind: Job\ndata:\n  user: YWRtaW5pc3RyYXRvcg==\n", "apiVersion: v1\nkind: Secret\nmetadata:\n  ownerReferences:\n  - apiVersion: batch/v1\n    kind: Job\ndata:\n  user: \"***\"\n"},
		{"- apiVersion: v1\n  kind: Secret\n- kind: ConfigMap\n  data:\n    user: YWRtaW5pc3RyYXRvcg==\n", "- apiVersion: v1\n  kind: Secret\n- kind: ConfigMap\n  data:\n    user: YWRtaW5pc3RyYXRvcg==\n"},
		{"apiVersion: v1\nkind: Secret\ndata:\n  tls.crt: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUI=\n", "apiVersion: v1\nkind: Secret\ndata:\n  tls.crt: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUI=\n"},
		{"apiVersion: v1\ndata:\n  user: YWRtaW5pc3RyYXRvcg==\n  b: ada-lovelace\nkind: Secret\n", "apiVersion: v1\ndata:\n  user: \"***\"\n  b: ada-lovelace\nkind: Secret\n"},
		{`{"kind":"Secret","data":{"user": "YWRtaW5pc3RyYXRvcg==", "name":"bXktbmFtZS1vZg==" ,"pin":"c2VjcmV0LXBpbi0xMg=="}, "a":"bXktbmFtZS1vaA=="}`, `{"kind":"Secret","data":{"user": "***", "name":"bXktbmFtZS1vZg==" ,"pin":"***"}, "a":"bXktbmFtZS1vaA=="}`},
		{`{"kind":"Secret","stringData":{"user":"ada-lovelace"},"data": {"b":"YWRtaW5pc3RyYXRvcg=="}}`, `{"kind":"Secret","stringData":{"user":"***"},"data": {"b":"***"}}`},
		{`{"kind":"Secret","data":{` + strings.Repeat(`"a":"YWRtaW5pc3RyYXRvcg==",`, 300) + `"b":1}}`, `{"kind":"Secret","data":{` + strings.Repeat(`"a":"***",`, 300) + `"b":1}}`},
		{`{"kind":"Secret","data":{"a" "b":"YWRtaW5pc3RyYXRvcg=="}}`, `{"kind":"Secret","data":{"a" "b":"YWRtaW5pc3RyYXRvcg=="}}`},
		{`{"kind":"Secret","data":{"a":17,"b":"YWRtaW5pc3RyYXRvcg=="}}`, `{"kind":"Secret","data":{"a":17,"b":"YWRtaW5pc3RyYXRvcg=="}}`},
		{`{"kind":"Secret","data":{}, "x":"YWRtaW5pc3RyYXRvcg=="}`, `{"kind":"Secret","data":{}, "x":"YWRtaW5pc3RyYXRvcg=="}`},
		{`{"kind":"Secret","data":{`, `{"kind":"Secret","data":{`},
		{`{"kind":"Secret","data":{"a"`, `{"kind":"Secret","data":{"a"`},
		{`{"kind":"Secret","data":{"a":"YWRtaW5pc3RyYXRvcg=="`, `{"kind":"Secret","data":{"a":"***"`},
		{`accounts: ["0x4f3edf983ac636a65a842ce7c78d9aa706d3b113bce9c46f30d7d21715b23b1d", "0x6cbed15c793ce57650b9877cf6fa156fbef513c4e6134f022a85b1ffdd59b2a1"]`, `accounts: ["***", "***"]`},
		{"(0) 0x4f3edf983ac636a65a842ce7c78d9aa706d3b113bce9c46f30d7d21715b23b1d 0x6cbed15c793ce57650b9877cf6fa156fbef513c4e6134f022a85b1ffdd59b2a1", "(0) *** 0x6cbed15c793ce57650b9877cf6fa156fbef513c4e6134f022a85b1ffdd59b2a1"},
		{"DB_PASSWORD=str(", "DB_PASSWORD=str("},
		{`DB_PASSWORD=str("Tr0ub4dor&3")`, `DB_PASSWORD=str("***")`},
		{`DB_PASSWORD=get("Tr0ub4dor&3")`, `DB_PASSWORD=get("Tr0ub4dor&3")`},
		{`DB_PASSWORD=get("kq09zxlm2tnb5vrc8f3a")`, `DB_PASSWORD=get("***")`},
		{`DB_PASSWORD=get("3f2504e0-4f89-41d3-9a0c-0305e82c3301")`, `DB_PASSWORD=get("***")`},
		{"CREATE USER app IDENTIFIED AS 'l3tmein'", "CREATE USER app IDENTIFIED AS 'l3tmein'"},
		{"CREATE USER app IDENTIFIED WITH x AS 'l3tmein'", "CREATE USER app IDENTIFIED WITH x AS '***'"},
		{"https://app.example.com/callback?code=kq09zxlm2tnb5vrc8f3a", "https://app.example.com/callback?code=***"},
		{"https://app.example.com/oauth?code=kq09zxlm2tnb5vrc8f3a", "https://app.example.com/oauth?code=***"},
		{"https://app.example.com/redirect?code=kq09zxlm2tnb5vrc8f3a", "https://app.example.com/redirect?code=***"},
		{"https://app.example.com/x?code=kq09zxlm2tnb5vrc8f3a", "https://app.example.com/x?code=kq09zxlm2tnb5vrc8f3a"},
		{"ada:kQ7mZr3T@10.0.0.1", "ada:***@10.0.0.1"},
		{"a!b:kQ7mZr3T@10.0.0.1", "a!b:kQ7mZr3T@10.0.0.1"},
		{":kQ7mZr3T@10.0.0.1", ":kQ7mZr3T@10.0.0.1"},
		{"/ada:kQ7mZr3T@10.0.0.1", "/ada:kQ7mZr3T@10.0.0.1"},
		{"ssh:kQ7mZr3T@10.0.0.1", "ssh:kQ7mZr3T@10.0.0.1"},
		{"ada:12345678@10.0.0.1", "ada:12345678@10.0.0.1"},
		{"ada:abcdefgh@10.0.0.1", "ada:abcdefgh@10.0.0.1"},
		{"ada:kQ7@10.0.0.1", "ada:kQ7@10.0.0.1"},
		{"ada:fjord-ripple-ember@192.168.0.1", "ada:***@192.168.0.1"},
		{"12 | -----BEGIN PRIVATE KEY-----\n13 | MIIEvQIBADANBgkqhkiG9w0BAQEFAA\n14 | kQ7mZr3TnX0aB9\n15 | -----END PRIVATE KEY-----\n", "12 | ***\n13 | ***\n14 | ***\n15 | ***\n"},
		{"-----BEGIN PRIVATE KEY-----\nkBcwggSjAgEAAoIBAQDAC4AWkdwKYSd8kq09zxlm2tnb5vrc8f3aQ7mZr3TnX0aB...\nnext line\n", "***\n***...\nnext line\n"},
		{"9:59:59 x -----BEGIN PRIVATE KEY-----\n10:00:00 x kBcwggSjAgEAAoIBAQDAC4AWkdwKYSd8kq09zxlm2tnb5vrc8f3aQ7mZr3TnX0aB\n10:00:00 x -----END PRIVATE KEY-----\n", "9:59:59 x ***\n10:00:00 x ***\n10:00:00 x ***\n"},
		{"  \"type\": \"random_password\",\n  \"name\": \"x\",\n  \"instances\": [\n    {\n      \"result\": \"kQ7mZr3TnX0a\"\n    }\n", "  \"type\": \"random_password\",\n  \"name\": \"x\",\n  \"instances\": [\n    {\n      \"result\": \"***\"\n    }\n"},
		{`{"type":"random_password","name":"x","attributes":{"result":"kQ7mZr3TnX0a"}}`, `{"type":"random_password","name":"x","attributes":{"result":"***"}}`},
		{"resource \"random_password\" \"x\" {\n  result = \"kQ7mZr3TnX0a\"\n}\n", "resource \"random_password\" \"x\" {\n  result = \"***\"\n}\n"},
		{`random_password.x.result = "kQ7mZr3TnX0a"`, `random_password.x.result = "***"`},
		{`random_password of "result": "kQ7mZr3TnX0a"`, `random_password of "result": "kQ7mZr3TnX0a"`},
		{"see random_password\n  result = \"kQ7mZr3TnX0a\"\n", "see random_password\n  result = \"kQ7mZr3TnX0a\"\n"},
		{"  \"keyName\": \"key1\",\n  \"value\": \"kq09zxlm2tnb5vrc8f3a\"\n", "  \"keyName\": \"key1\",\n  \"value\": \"***\"\n"},
		{"\"keyName\": \"key1\",\n\"value\": \"kq09zxlm2tnb5vrc8f3a\"\n", "\"keyName\": \"key1\",\n\"value\": \"kq09zxlm2tnb5vrc8f3a\"\n"},
		{"java -Dpass=Tr0ub4dor3x -jar x", "java -Dpass=*** -jar x"},
		{"mysql --password hunter2secret{} -e x", "mysql --password *** -e x"},
		{"PASSWORD=hunter2secret{}x{}; ./run", "PASSWORD=***; ./run"},
		{"mysql --password {} -e x", "mysql --password {} -e x"},
		{"PASSWORD={} TOKEN={name} SECRET=${x1y2z3w4} ./run", "PASSWORD={} TOKEN={name} SECRET=${x1y2z3w4} ./run"},
		{"password := hunter2secret{}", "password := hunter2secret{}"},
		{"sshpass -p 'kQ7mZr3T'; ls", "sshpass -p '***'; ls"},
		{"curl \\\n  -u admin:letmein42 https://example.com", "curl \\\n  -u *** https://example.com"},
		{"curl \\\r\n  -u admin:letmein42 https://example.com", "curl \\\r\n  -u *** https://example.com"},
		{"aad3b435b51404eeaad3b435b51404ee:8846f7eaee8fb117ad06bdd830b7586c", "***"},
		{"faad3b435b51404eeaad3b435b51404ee:8846f7eaee8fb117ad06bdd830b7586c", "faad3b435b51404eeaad3b435b51404ee:8846f7eaee8fb117ad06bdd830b7586c"},
		{"abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about", "***"},
		{"Recovery phrase:\nlegal winner thank year wave sausage worth useful legal winner thank thank", "Recovery phrase:\n***"},
		{"sshpass -p kQ7mZr3T; ls", "sshpass -p ***; ls"},
		{"$(sshpass -p kQ7mZr3T) x", "$(sshpass -p ***) x"},
		{"sshpass -p ';' ls", "sshpass -p ';' ls"},
		{"app --pin 4711 x", "app --pin *** x"},
		{"card pin is 4711", "card pin is ***"},
		{"card pin 4711", "card pin 4711"},
		{`("card_pin", "4711")`, `("card_pin", "4711")`},
		{"Server=db;Password=changeme;x=1", "Server=db;Password=***;x=1"},
		{"Server=db;Password=changeme", "Server=db;Password=changeme"},
		{"Set-Cookie: sid=1; version=kq09zxlm2tnb5vrc8f3a; HttpOnly", "Set-Cookie: sid=1; version=kq09zxlm2tnb5vrc8f3a; HttpOnly"},
		{" 1) \"requirepass\"\n 2) \"kQ7mZr3TnX0a\"\n", " 1) \"requirepass\"\n 2) \"***\"\n"},
		{"1) \"password\"\n2) kQ7mZr3TnX0a\n", "1) \"password\"\n2) kQ7mZr3TnX0a\n"},
		{"1) \"password\"\n) \"kQ7mZr3TnX0a\n", "1) \"password\"\n) \"kQ7mZr3TnX0a\n"},
		{"contraseña por defecto", "contraseña por defecto"},
		{"contraseña por defecto:", "contraseña por defecto:"},
		{"contraseña por defecto: kQ7mZr3TnX0a", "contraseña por defecto: ***"},
		{"db:\n  password: Tr0ub4dor&3   \n", "db:\n  password: \"***\"   \n"},
		{"db:\n  password: |\n    Tr0ub4dor&3\n", "db:\n  password: |\n    ***\n"},
		{"db:\n  password: 'Tr0ub4dor&3'\n", "db:\n  password: '***'\n"},
		{"db:\n  password: \"***\"\n", "db:\n  password: \"***\"\n"},
		{"password: Tr0ub4dor&3\n", "password: \"***\"\n"},
		{"Auth-Token: kq09zxlm2tnb5vrc8f3a\n", "Auth-Token: ***\n"},
		{"password: Tr0ub4dor&3 # old\n", "password: \"***\" # old\n"},
		{"password: Tr0ub4dor&3#old\n", "password: \"***\"\n"},
		{"- password: Tr0ub4dor&3\n", "- password: \"***\"\n"},
		{"passwords:\n- Tr0ub4dor&3\n", "passwords:\n- \"***\"\n"},
		{"passwords: [Tr0ub4dor&3, 'n0rthWind+7', \"n0rthWind+7\"]\n", "passwords: [\"***\", '***', \"***\"]\n"},
		{"passwords: [\n  Tr0ub4dor&3,\n  n0rthWind+7\n  ]\n", "passwords: [\n  \"***\",\n  \"***\"\n  ]\n"},
		{"db: {password: Tr0ub4dor&3, port: 1}\n", "db: {password: \"***\", port: 1}\n"},
		{"db: {password:Tr0ub4dor&3}\n", "db: {password:***}\n"},
		{"tokens: [https://ada:x1y2z3w4@h/,!!str " + aToken + "]\n", "tokens: [https://ada:***@h/,!!str \"***\"]\n"},
		{"password: !!str Tr0ub4dor&3\n", "password: !!str \"***\"\n"},
		{"password: &a Tr0ub4dor&3\n", "password: &a \"***\"\n"},
		{"\"password\": Tr0ub4dor&3\n", "\"password\": \"***\"\n"},
		{"  X-Auth-Token: kq09zxlm2tnb5vrc8f3a\n", "  X-Auth-Token: ***\n"},
		{"\tpassword: Tr0ub4dor&3\n", "\tpassword: ***\n"},
		{"10:00:00   password: Tr0ub4dor&3\n", "10:00:00   password: ***\n"},
		{"db:\n  passwords: kQ7mZr3T,admin-secret-2,x\n", "db:\n  passwords: \"***\"\n"},
		{"db:\n  password: kQ7m}Zr3TnX0\n", "db:\n  password: \"***\"\n"},
		{"u=https%3A%2F%2Fada%3A$PASS%40h%2F\n", "u=https%3A%2F%2Fada%3A$PASS%40h%2F\n"},
		{"DB_PASSWORD=kQ7m|Zr3TnX0\n", "DB_PASSWORD=***\n"},
		{"DB_PASSWORD=kQ7mZr3;user=x1\n", "DB_PASSWORD=***;user=x1\n"},
		{"DB_PASSWORD=kQ7mZr3|sha256sum\n", "DB_PASSWORD=***|sha256sum\n"},
		{"apiVersion: v1\nkind: ConfigMap\ndata:\n  user: YWRtaW5pc3RyYXRvcg==\n", "apiVersion: v1\nkind: ConfigMap\ndata:\n  user: YWRtaW5pc3RyYXRvcg==\n"},
		{"machine api.example.com login me\n  password hunter2\n", "machine api.example.com login me\n  password ***\n"},
		{"db.example.com:5432:app:me:hunter2\nb.example.com:*:app:me:walnut77\n", "db.example.com:5432:app:me:***\nb.example.com:*:app:me:***\n"},
		{"db.example.com:5432:app:me:hunter2\nb.example.com 5432:app:me:walnut77\n", "db.example.com:5432:app:me:***\nb.example.com 5432:app:me:walnut77\n"},
		{"db.example.com:5432:app:me:hunter2\n:5432:app:me:walnut77\n", "db.example.com:5432:app:me:***\n:5432:app:me:walnut77\n"},
		{"db.example.com:5432::me:hunter2\n", "db.example.com:5432::me:hunter2\n"},
		{"db.example.com:5432:12:me:hunter2\n", "db.example.com:5432:12:me:hunter2\n"},
		{"db.example.com:5432: app:me:hunter2\n", "db.example.com:5432: app:me:hunter2\n"},
		{"db.example.com:5432:app/me:ada:hunter2\n", "db.example.com:5432:app/me:ada:hunter2\n"},
		{"machine api.example.com runs\n  password hunter2\n", "machine api.example.com runs\n  password hunter2\n"},
		{"AWS4-HMAC-SHA256 Signature\\\": \\\"5d41402abc4b2a76b9719d911017c5925d41402abc4b2a76b9719d911017c592", "AWS4-HMAC-SHA256 Signature\\\": \\\"***"},
		{"AWS4-HMAC-SHA256 Signature=5d41402abc4b2a76b9719d911017c5925d41402abc4b2a76b9719d911017c592 AWS4-HMAC-SHA256 Signature=5d41402abc4b2a76b9719d911017c5925d41402abc4b2a76b9719d911017c592", "AWS4-HMAC-SHA256 Signature=*** AWS4-HMAC-SHA256 Signature=***"},
		{"AWS4-HMAC-SHA256 Signature=5d41402abc4b2a76b9719d911017c5925d41402abc4b2a76b9719d911017c59AWS4-HMAC-SHA256", "AWS4-HMAC-SHA256 Signature=***WS4-HMAC-SHA256"},
		{"AWS4-HMAC-SHA256 Signature 5d41402abc4b2a76b9719d911017c5925d41402abc4b2a76b9719d911017c592", "AWS4-HMAC-SHA256 Signature ***"},
		{"facebook 1308742762612587|rhoK1cbv0DOU_RTX_87O4MkX7AI", "facebook ***"},
		{"facebook 1308742762612587%7CrhoK1cbv0DOU_RTX_87O4MkX7AI", "facebook ***"},
		{"facebook 130874276261|rhoK1cbv0DOU_RTX_87O4MkX7AI", "facebook 130874276261|rhoK1cbv0DOU_RTX_87O4MkX7AI"},
		{"facebook 130874276261258712|rhoK1cbv0DOU_RTX_87O4MkX7AI", "facebook 130874276261258712|rhoK1cbv0DOU_RTX_87O4MkX7AI"},
		{"facebook 1308742762612587 rhoK1cbv0DOU_RTX_87O4MkX7AI", "facebook 1308742762612587 rhoK1cbv0DOU_RTX_87O4MkX7AI"},
		{"facebook 1308742762612587|rhoK1cbv0DOU_RTX_87O4MkX7", "facebook 1308742762612587|rhoK1cbv0DOU_RTX_87O4MkX7"},
		{"x: " + base64.StdEncoding.EncodeToString([]byte("π="+aToken)), `x: "***"`},
		{`auth=("ada", "kQ8!vLm2Tz")`, `auth=("ada", "***")`},
		{`auth=("ada", "kQ8!")`, `auth=("ada", "kQ8!")`},
		{`auth=("ada", "kq8 vlm2tz")`, `auth=("ada", "kq8 vlm2tz")`},
		{`auth=("ada", "letters")`, `auth=("ada", "letters")`},
		{`auth=("ada", "./keys/server1.pem")`, `auth=("ada", "./keys/server1.pem")`},
		{`auth=("ada", "cfg.token1")`, `auth=("ada", "cfg.token1")`},
		{`auth=("ada", "your-password-1")`, `auth=("ada", "your-password-1")`},
		{`auth=("ada", "kQ8!vLm2Tz`, `auth=("ada", "kQ8!vLm2Tz`},
	} {
		if got, counts := r.String(c.text); got != c.want {
			t.Errorf("%q\nbecame %q (%v)\nwant   %q", c.text, got, counts, c.want)
		}
	}
}

// edgeValues are the values that lines of testdata/edges.txt know which begin with v.
var edgeValues = []redact.Value{
	{Rule: "env:X", Secret: "s3cr3t/V4lue+with=signs"},
	{Rule: "env:Y", Secret: "Käse \"brot\" <17>"},
	{Rule: "env:Z", Secret: "plainvalue42"},
}

// aToken is one of a family that has a row.
const aToken = "gh" + "p_w5xxluqjwgn4duxvcjqdzjmr3rhz1tcmloa5"

// edgesFile has the cases of TestEdgeLines.
const edgesFile = "testdata/edges.txt"

// edgeTexts calls f for the texts of edgesFile, each with its row.
func edgeTexts(t *testing.T, f func(row, text string)) {
	t.Helper()
	rows, err := os.ReadFile(edgesFile)
	if err != nil {
		t.Fatal(err)
	}
	bare := strings.NewReplacer("⟦", "", "⟧", "", "‧", "")
	for row := range strings.Lines(string(rows)) {
		row = strings.TrimRight(row, "\r\n")
		spelled, _, _ := strings.Cut(row[1:], " → ")
		text, err := strconv.Unquote(spelled)
		if err != nil {
			t.Fatalf("%s: %v", row, err)
		}
		f(row, bare.Replace(text))
	}
}

// The masking of a text depends neither on its offset in a block, nor on how the text
// around it is split.
func TestOffsets(t *testing.T) {
	var texts []string
	edgeTexts(t, func(_, text string) { texts = append(texts, strings.TrimRight(text, "\n")+"\n\n") })
	for _, secret := range []string{"π=" + aToken, "{\"é\": 1, \"token\": \"" + aToken + "\"}", "Käse: x\npassword: kQ7mZr3TnX0\nfür Ünal", "für ada: DB_PASS=kQ7mZr3TnX0 über alles"} {
		for _, text := range []string{secret, "é " + secret, "xü " + secret, "xyzö " + secret, secret + " für den Käse, und so weiter, ja, ja"} {
			texts = append(texts, "x: "+base64.StdEncoding.EncodeToString([]byte(text))+"\n", hex.EncodeToString([]byte(text))+"\n")
		}
	}
	for _, mode := range []redact.Mode{redact.All, redact.Known} {
		r := redact.New(redact.Options{Mode: mode, Values: edgeValues})
		for i, text := range texts {
			want, _ := r.String(text)
			for before := range 64 {
				if (i+before)%matrix.Every(6) > 0 {
					continue
				}
				line := strings.Repeat(".", before) + "\n"
				if got, _ := r.String(line + text); got != line+want {
					t.Errorf("mode %d: %q became\n%q, after %d bytes\n%q", mode, text, want, before+1, got[before+1:])
					break
				}
			}
		}
		all := []byte(strings.Join(texts, ""))
		want, _ := r.Bytes(all)
		rnd := rand.New(rand.NewPCG(1, 1))
		for range 8 {
			var out bytes.Buffer
			w := r.Writer(&out)
			for b := all; len(b) > 0; {
				n := min(len(b), 1+rnd.IntN(len(all)/8))
				if _, err := w.Write(b[:n]); err != nil {
					t.Fatal(err)
				}
				b = b[n:]
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(out.Bytes(), want) {
				t.Errorf("mode %d: cut, %d bytes became others than at once", mode, len(all))
			}
		}
	}
}

// edgesFile has texts at the edges of rules, one a line as Go spells it, with
// what is masked of each in brackets, or with what becomes of it after an arrow. A dot
// in the middle of a word is no part of it: without one, others might take it for a
// secret. UPDATE=1 writes the file anew.
func TestEdgeLines(t *testing.T) {
	plain, known := redact.New(redact.Options{}), redact.New(redact.Options{Values: edgeValues})
	var was, out strings.Builder
	edgeTexts(t, func(row, text string) {
		was.WriteString(row + "\n")
		r := plain
		if row[0] == 'v' {
			r = known
		}
		got, counts := r.String(text)
		if is := row[:1] + edge(text, got); is != row {
			t.Logf("was %s\nis  %s (%v)", row, is, counts)
			row = is
		}
		out.WriteString(row + "\n")
	})
	switch {
	case out.String() == was.String():
	case os.Getenv("UPDATE") == "":
		t.Errorf("%s is not what it was; UPDATE=1 writes it", edgesFile)
	default:
		if err := os.WriteFile(edgesFile, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// A text may end anywhere: no rule reads past its end, which the room behind a line in memory
// would hide, so that spaces before the text fill that.
func TestTextsEndAnywhere(t *testing.T) {
	const room = 32 // what memory of up to 512 bytes is a multiple of
	r := redact.New(redact.Options{})
	edgeTexts(t, func(row, text string) {
		if len(text) > 256 {
			return
		}
		for n := range len(text) {
			padded := strings.Repeat(" ", (room-n%room)%room) + text[:n]
			var out strings.Builder
			w := r.Writer(&out)
			if _, err := io.WriteString(w, padded); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil || out.Len() == 0 && n > 0 {
				t.Fatalf("%q: %q, %v", padded, out.String(), err)
			}
		}
	})
}

var longWord = regexp.MustCompile(`[\w-]{16,}`)

// edge spells a row for a text that became got.
func edge(text, got string) string {
	dotted := func(s string) string {
		return strconv.Quote(longWord.ReplaceAllStringFunc(s, func(word string) string { return word[:3] + "‧" + word[3:] }))
	}
	between := strings.Split(got, redact.Mask)
	rest, ok := strings.CutPrefix(text, between[0])
	out := between[0]
	for i, next := range between[1:] {
		n := strings.Index(rest[min(1, len(rest)):], next) + 1
		if i == len(between)-2 {
			n = len(rest) - len(next)
		}
		if ok = ok && n > 0 && strings.HasPrefix(rest[n:], next); !ok {
			break
		}
		out, rest = out+"⟦"+rest[:n]+"⟧"+next, rest[n+len(next):]
	}
	if !ok || rest != "" {
		return dotted(text) + " → " + dotted(got)
	}
	return dotted(out)
}

// A rule is asked about all of a line, once if the line is short, and beside others.
// A line in which something is masked is looked at twice.
func TestRulesOfALine(t *testing.T) {
	asked := 0
	rule := func(name string) redact.Rule {
		digits := regexp.MustCompile(name + `-(\d{4})`)
		return redact.Rule{Name: name, Keywords: []string{name + "-"}, Find: func(text []byte, found func(start, end int)) {
			asked++
			for _, at := range digits.FindAllSubmatchIndex(text, -1) {
				found(at[2], at[3])
			}
		}}
	}
	r := redact.New(redact.Options{Rules: []redact.Rule{rule("acme"), rule("beta")}})
	far := strings.Repeat(" x", 4000)
	for _, c := range []struct {
		text, want string
		asked      int
	}{
		{"acme-4711 beta-4712 acme-4713", "acme-*** beta-*** acme-***", 4},
		{"acme-4711" + far + " acme-4712", "acme-***" + far + " acme-***", 4},
	} {
		asked = 0
		if got, counts := r.String(c.text); got != c.want || asked != c.asked {
			t.Errorf("got %.80q (%v), asked %d times", got, counts, asked)
		}
	}
}
