package redact_test

import (
	"strings"
	"testing"

	"github.com/envwrap/envwrap/redact"
)

// shapes are texts in which what stands between « and » is a secret; where a
// token of a service is in one, a | cuts it in two for those who scan sources.
var shapes = []struct{ name, text string }{
	{"URL", "clone https://me:«pa55-w0rd»@git.example.com/x.git"},
	{"URL with an at sign", "mysql://root:«p@ss!w0rd»@db:3306/app"},
	{"URL with a token", "git push https://«a8f3Kq09ZxLm2TnB5vRc»@git.example.com/x"},
	{"URL in JSON", `{"url":"postgres://app:«hunter2»@db/app?sslmode=off"}`},
	{"Basic", "Authorization: Basic «dXNlcjpodW50ZXIy»"},
	{"Bearer", "< proxy-authorization: Bearer «mF9x2kQ81LsPz7»"},
	{"Bearer without a header", `curl -H "Authorization Bearer «mF9x2kQ81LsPz7»"`},
	{"token scheme", "authorization: token «0123456789abcdef0123»"},
	{"header in Go", `req.Header.Set("Authorization", "Bearer «mF9x2kQ81LsPz7»")`},
	{"cookie", "Cookie: theme=dark; sessionid=«kq09zxlm2tnb5vrc8f3a»; lang=en"},
	{"set-cookie", "Set-Cookie: sid=«s%3AkQ81LsPz7mF9x2kq09»; Path=/; HttpOnly"},
	{"named header", "X-Api-Key: «kq09zxlm2tnb5vrc8f3a»"},
	{"curl", "curl -u «admin:letmein42» https://example.com"},
	{"curl, quoted", `curl --user '«admin:let me in»' https://example.com`},
	{"curl on several lines", "curl -s \\\n  --user «admin:letmein42» \\\n  https://example.com"},
	{"sshpass", "sshpass -p «letmein» ssh host"},
	{"mysql", "mysql -u root -p«letmein42» app"},
	{"docker login", "docker login -u me -p «letmein42» registry.example.com"},
	{"passphrase option", "gpg --batch --passphrase «N1DdkUD3E73» -d x.gpg"},
	{"netrc", "machine api.example.com login me password «hunter2»"},
	{"netrc on several lines", "machine api.example.com\n  login me\n  password «hunter2»\n"},
	{"npmrc", "//registry.example.com/:_authToken=«346a14f2-a672-4668-a892-956a462ab56e»"},
	{"pypirc", "[pypi]\nusername = me\npassword = «hunter2hunter2»"},
	{"pgpass", "db.example.com:5432:app:me:«hunter2»"},
	{"docker config", `{"auths":{"registry.example.com":{"auth":"«dXNlcjpodW50ZXIy»"}}}`},
	{"ODBC", "Driver={SQL};Server=db;Uid=sa;Pwd=«letmein»;Database=app;"},
	{"storage account", "AccountName=me;AccountKey=«kq09zxlm2tnb5vrc8f3akq09zxlm2tnb5vrc8f3akq09zxlm2tnb5vrc8f3aAb==»;EndpointSuffix=x"},
	{"SAS", "https://me.blob.example.net/c?sv=2020-08-04&sp=r&sig=«pZ3a9kQ1Ls%2B7mF9x2kq09zxlm2tnb5vrc8%3D»"},
	{"presigned", "https://b.example.com/o?X-Amz-Expires=300&X-Amz-Signature=«5d41402abc4b2a76b9719d911017c5925d41402abc4b2a76b9719d911017c592»"},
	{"SQL", "CREATE USER app IDENTIFIED BY '«letmein»';"},
	{"SQL, with", "ALTER ROLE app WITH PASSWORD '«l3tmein»';"},
	{"bcrypt", "htpasswd: me:«$2y$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy»"},
	{"shadow", "root:«$6$rounds$k5ka2p8bFuSmoVT1tzOyyuaREkkKBcCNqoDKzYiJL9RaE8yMnPgh2XzzF0NDrUhgrcLwg78xs1w5pJiypEdFX/»:19000:0"},
	{"argon2", "«$argon2id$v=19$m=65536,t=3,p=4$c29tZXNhbHQ$RdescudvJCsgt3ub+b2dWRWJTmaaJObG»"},
	{"one-line key", `{"key":"«-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\nBKcwggSjAgEAAoIBAQDAC4AWkdwKYSd8\n-----END PRIVATE KEY-----\n»"}`},
	{"key without its first line", "«MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQDAC4AWkdwKYSd8»"},
	{"key in base64", "data: «LS0tLS1CRUdJTiBQUklWQVRFIEtFWS0tLS0tCk1JSUV2UUlCQURBTkJna3Foa2lHOXcwQkFRRUZBQVND»"},
	{"JWT", "got «eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U» ok"},
	{"JSON Web Key", `{"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","d":"«jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI»"}`},
	{"Secret in YAML", "apiVersion: v1\nkind: Secret\nmetadata:\n  name: x\ndata:\n  user: «YWRtaW5pc3RyYXRvcg==»\n"},
	{"Secret in JSON", `{"apiVersion":"v1","kind":"Secret","data":{"user":"«YWRtaW5pc3RyYXRvcg==»"}}`},
	{"AWS pair", "AKIA|GIREOGIAWSKEY321:«8Nx6ZKiCJAFq2f1uwPPHb5UNLsAbCdEfGhIjKlMn»"},
	{"webhook", "post to «https://hooks.slack.com|/services/T1029384756/B102984756/sjkdKJHq98wqeKJHqwe9» now"},
	{"CSV", "id,user name,password,role\n1,ada,«hunter2x»,admin\n2,\"bob, jr\",«s3same-0pen»,user\n"},
	{"CSV of keys", "Name,Access key,Secret access key\nci,AB,«8Nx6ZKiCJAFq2f1uwPPHb5UNLsAbCdEfGhIjKlMn»\n"},
	{"SecureString", `ConvertTo-SecureString "«4yd21JKH~GE8dkd»" -AsPlainText -Force`},
	{"sentence", "the password is «hunter2x!» for now"},
	{"fallback", `PASSWORD = os.environ.get("PASSWORD") or "«at5G6zi!m»"`},
	{"comparison", `if password == "«123P4ssW0rd@@»" {`},
	{"comparison, turned", `if ("«123P4ssW0rd@@»" === password) {`},
	{"Ruby", ":password => '«4ian1234»',"},
	{"PHP", "define('DB_PASSWORD', '«4ian1234»');"},
	{"Go, typed", `var apiToken string = "«kq09zxlm2tnb5vrc8f3a»"`},
	{"Make", "API_TOKEN ?= «kq09zxlm2tnb5vrc8f3a»"},
	{"XML", "<Password>«hunter2x»</Password>"},
	{"XML attribute", `<add key="ClearTextPassword" value="«hunter2x»"/>`},
	{"XML next line", "<apiToken>\n  «kq09zxlm2tnb5vrc8f3a»\n</apiToken>"},
	{"YAML next line", "password:\n  «hunter2x9»\n"},
	{"YAML block", "private_token: |\n  «kq09zxlm2tnb5vrc8f3a»\n"},
	{"number in JSON", `{"password": 83749261}`},
	{"two words", "Secret Key: «AIhq5Xyb1Gga9Q27»"},
	{"key in base64, in lines", "$ base64 key.pem\n«LS0tLS1CRUdJTiBQUklWQVRFIEtFWS0tLS0tCk1JSUV2UUlCQURBTkJna3Foa2lHOXcwQkFRRUZB\nQVNDQktjd2dnU2pBZ0VBQW9JQkFRREFDNEFXa2R3S1lTZDgKS3MxNElSZUxjWWdBRGhvWGs1Nlp6\nWElBTUlJRXZRSUJBREFOQmdrcWhraUc5dzBCQVFFRkFBU0NCS2N3Z2dTagotLS0tLUVORCBQUklW\nQVRFIEtFWS0tLS0tCg==»\n$ "},
	{"key in base64 of a file", "blob: «YTogYgpjOiB8CiAtLS0tLUJFR0lOIFBSSVZBVEUgS0VZLS0tLS0KTUlJRXZRSUJBREFOQmdrcWhraUc5dzBCQVFFRkFBU0NCS2N3Z2dTakFnRUFBb0lCQVFEQUM0QVdrZHdLWVNkOApLczE0SVJlTGNZZ0FEaG9YazU2WnpYSUFNSUlFdlFJQkFEQU5CZ2txaGtpRzl3MEJBUUVGQUFTQ0JLY3dnZ1NqCi0tLS0tRU5EIFBSSVZBVEUgS0VZLS0tLS0K»"},
	{"JSON Web Key in base64", "key=«IHsia3R5IjoiRUMiLCJjcnYiOiJQLTI1NiIsIngiOiJmODNPSjNEMnhGMUJnOHZ1Yjl0TGUxZ0hNelY3NmU4VHVzOXVQSHZSVkVVIiwiZCI6Impwc1FubkdRbUwtWUJJZmZIMTEzNmNzcFlHNi0waVk3WDFmQ0U5LUU5TEkifQ==»"},
	{"line after a heading", "Vendor secret token\n  «8f3a9c7e21b04d56f3a9c7e21b04d56a»\n"},
	{"UUID of a vendor in JSON", `{"log":"heroku = \"«3f2b8c1e-9d04-4a57-b6e1-c0a9f8d7e6b5»\""}`},
	{"user and password in JSON", `{"log":"curl_setopt($ch, CURLOPT_USERPWD, \"ada:«bvabe49zwvs»\");"}`},
	{"ODBC with a space", `open("Provider=X;User ID=ada; " & "Password =«correct_horse»;Initial Catalog=app;")`},
	{"key that is cut short", "«-----BEGIN PRIVATE KEY-----»\n«MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQD»...\n«-----END PRIVATE KEY-----»\n"},
	{"key as strings", "key := \"-----BEGIN RSA PRIVATE KEY-----\" +\n\t\"«MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQDAC4AWkdwKYSd8»\" +\n\t\"«Ks14IReLcYgADhoXk56ZzXIAMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj»\"\n"},
	{"key as strings, one without its quotes", "\"-----BEGIN RSA PRIVATE KEY-----\" +\n\"«MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQDAC4AWkdwKYSd8»\" +\n«Ks14IReLcYgADhoXk56ZzXIAMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj»\n"},
	{"data source name", "MONGO_URL=«mongodb+srv://app:hunter2@db0.example.net/app?tlsCertificateKeyFilePassword=x&w=majority»"},
	{"data source name in JSON", `{"url":"«mongodb://app:hunter2@a.example.net:27017,b.example.net:27017/?ssl=true»","n":1}`},
	{"data source name of a client", "SENTRY_DSN=«https://0123456789abcdef0123456789abcdef@o4242.ingest.example.io/12345»"},
	{"id and secret with a bar", "https://graph.facebook.com/debug_token?access_token=«1308742762612587|rhoK1cbv0DOU_RTX_87O4MkX7AI»&x=1"},
	{"key of a WebSocket API", `{"method":"auth.login_with_api_key", "params":["8-«Lp22ov7halMBLUpG97Wg4y7fibQi3CW19VJiZcCu746zgCs0mdDdTCoOcpgEucgu»"]}`},
	{"key after a vendor", "wandb «123e4567abcd4567abcd4567abcd4567abcd4567»"},
	{"key after a vendor, assigned", `greptile = "«sliGK9esw0B6/D5vcd0Mmf/erXeJNE/9t+FzJoReuByRo2Dz»"`},
	{"key of one word with its name", "dump «dd-apikey-dd52c29224affe29d163c6bf99e5c34f» done"},
	{"key in a path", "GET /reset/token/«OTI2NjA3NjU1NTI2Oh2DOnASdOHoIhEGyqIuYrdkYaQZ»?x=1"},
	{"key with an example in it", "AWS_SECRET_ACCESS_KEY=«wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY»"},
	{"comparison by a method", `if (password.equals("«hunter2x»")) {`},
	{"once more on the line", "id=«AIhq5Xyb1Gga9Q31x» token=«AIhq5Xyb1Gga9Q31x»"},
	{"JSON in a string that is not escaped", `"{"deviceName": "x", "deviceSecret": "«xbzsovaw9ix4qfhi14an»"}"`},
	{"curl, each quoted", `curl --user "«ada.l»":"«{ZqL5kVrX1n8tA2}»" https://example.com`},
	{"INI with spaces", "[client]\nuser = ada\npassword = «opensesame»\n"},
	{"ampersand in a password", "password=«Tr0ub4dor&3»"},
	{"ampersands in a password", "DB_PASSWORD=«ab&cd9&e!f» next"},
	{"password in a form", "a=1&password=«Tr0ub4dor3»&b=2"},
	{"password at the start of a form", "password=«Tr0ub4dor3»&b=2"},
	{"password before a command", "PGPASSWORD=«Tr0ub4dor3»&& psql"},
	{"variable of a command", "PGPASSWORD=«swordfish» psql -U ada"},
	{"weak token in JSON", `{"token":"«abc123def»"}`},
	{"weak token as an option", "deploy --token=«abcdefg1» now"},
	{"weak token in a header", "X-Auth-Token: «abc123def»"},
	{"weak session", "Cookie: session=«abc123def»; theme=dark"},
	{"curl with the usual words", "curl -u «user:pass» https://example.com"},
	{"crumb", "Jenkins-Crumb: «440561953171ba44ace9740562d172bb»"},
	{"login that is a token", "sonar.login=«5524bf449ca45fcace54698371466398321f3a82»"},
	{"id that is a token", "CC_TEST_REPORTER_ID: «945dfb58a832d233a3caeb84e3e6d3be212e8c7abcb48117fce63b9adcb43647»"},
	{"JWT with slashes escaped", "«eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkw\\/In0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U»"},
	{"encrypted JWT", "«eyJhbGciOiJkaXIiLCJlbmMiOiJBMTI4Q0JDLUhTMjU2In0..7aKqZ3vQxW1mT8cRsLp0Yg.Vb2nD5fH9jK4lM6oQ8sU0wY2aC4eG6iK8mO0qS2u.XbN3vR7tL1pJ5hF9dB2zQw» ok"},
	{"second of two", "password2=«Tr0ub4dor3x»"},
	{"mail server", "smtp_pass => «Tr0ub4dor3x»"},
	{"redis", "requirepass «kQ8!vLm2Tz»"},
	{"router", "username ada password 0 «kQ8!vLm2Tz4»"},
	{"told", "A temporary password is generated for root@localhost: «kQ8!vLm2Tz»"},
	{"told of somebody", "the password for ada is «kQ8!vLm2Tz»"},
	{"call with two arguments", `session.auth=("ada", "«kQ8!vLm2Tz»")`},
	{"call with a byte string", `HTTPBasicAuth("ada", b"«kQ8!vLm2Tz»")`},
	{"call with three arguments", `DriverManager.getConnection(url, "ada", "«kQ8!vLm2Tz»");`},
	{"comparison by a method, turned", `"«kQ8!vLm2Tz»".equals(password)`},
	{"expectation", `expect(password).toBe("«kQ8!vLm2Tz»")`},
	{"field of a form", `page.fill("#password", "«kQ8!vLm2Tz»")`},
	{"default of Spring", `@Value("${api.token:«kq09zxlm2tnb5vrc8f3a»}")`},
	{"chpasswd", "echo 'ada:«kQ8!vLm2Tz»' | chpasswd"},
	{"password of a pipe", `echo "«kQ8!vLm2Tz»" | docker login -u ada --password-stdin`},
	{"a word of secrets with a digit in it", "password=«hunter2secret»"},
	{"a word of secrets in a variable of the environment", "export DB_PASSWORD=«secretpass1»"},
	{"psexec in capitals", `PSEXEC64 \\\\host -u ada -p «kQ8!vLm2Tz» cmd`},
	{"password as an argument", "rabbitmqctl add_user ada «kQ8!vLm2Tz»"},
	{"argument with a user", "sqlplus scott/«kQ8tvLm2Tz»@db"},
	{"user of Samba", "smbclient //host/share -U «ada%kQ8!vLm2Tz»"},
	{"literal of kubectl", "kubectl create secret generic x --from-literal=foo=«kQ8!vLm2Tz»"},
	{"gh", "gh secret set FOO --body «kQ8tvLm2Tzw»"},
	{"fly", "flyctl secrets set FOO=«kQ8tvLm2Tzw»"},
	{"Oracle", "jdbc:oracle:thin:scott/«kQ8tvLm2Tz»@//db:1521/x"},
	{"INSERT", "INSERT INTO users (id, `password`, role) VALUES (1, '«kQ8tvLm2Tz»', 'a'), (2, '«s3same-0pen»', 'b');"},
	{"odd signs without a digit", "client_secret: «vDwHw#MldzJ!gO»"},
	{"token as the user of a URL, without a password", "origin https://«a8f3Kq09ZxLm2TnB5vRc»:@git.example.com/x"},
	{"token as the user of a URL", "origin https://«a8f3Kq09ZxLm2TnB5vRc»:x-oauth-basic@git.example.com/x"},
	{"words of a passphrase to the end of a line", "passphrase: «plum otter lantern fjord»\n"},
	{"words of a passphrase in JSON", `{"passphrase": "«plum otter lantern fjord»"}`},
	{"password of words in a file of settings", "[client]\nuser=ada\npassword=«open_the_password»\n"},
	{"every byte escaped", "q=«%70%61%73%73%77%6f%72%64%3d%6b%51%38%74%76%4c%6d%32%54%7a»"},
	{"escaped setting", "q=«db_password%20%3D%20%22vnpKnA1hEDCM4PmBxd%22%0Auser%20%3D%20ada»&x=1"},
	{"ticket of ASP.NET without a header", ".ASPXAUTH=«1BABE7D56468EF7A5788059729A617227E61D4BB22C4D7A6C92F01F1C2D54265»; path=/"},
	{"session of ASP.NET without a header", "ASP.NET_SessionId=«9de54jsu66vmn2tiprtlh4tp»; path=/"},
	{"keyset of Tink", "«CPHv2PIDElQKSAowdHlwZS5nb29nbGVhcGlzLmNvbS9nb29nbGUuY3J5cHRvLnRpbmsuQWVzR2NtS2V5EhIaEEL4HoapXqtkjiMgDxdcNUMYARABGPHv2PIDIAE=»"},
	{"secret of Jenkins", "<password>{«AQAAABAAAAAQ7kq09zxlm2tnb5vrc8f3akq09zxlm2tnb5vrc8f3a=»}</password>"},
	{"secret of Jenkins with other words in its braces", "<secret>{«mailbox AQAAABAAA 7kq09zxlm2tnb5vrc8f3a»}</secret>"},
	{"key that a program says it takes", "[DEBUG] Using Key=«5d41402abc4b2a76b9719d911017c592»"},
	{"UUID that a program says it takes", "[DEBUG] Using Key=«3f2b8c1e-9d04-4a57-b6e1-c0a9f8d7e6b5»"},
	{"key in a query to an API", "GET https://api.example.com/v1/list?key=«5d41402abc4b2a76b9719d911017c592»&page=2"},
	{"UUID as the key of a service", "using the opsgenie key=«3f2b8c1e-9d04-4a57-b6e1-c0a9f8d7e6b5»"},
	{"key after a dash", "api key - «5d41402abc4b2a76b9719d911017c592»"},
	{"password after the word that is a verb, too", "bind 'cn=x' pass '«A:J$NL9~6:u:L$_:VO5tf))h#v0i}O»'"},
	{"password with a space", `db_password: "«passwordU+2028 rf@V[4,L/?2}»"`},
	{"key of a node", "https://mainnet.example.network/v1/«3f8a1c5e9b2d4f60718293a4b5c6d7e8»"},
	{"key of a node, at the root", "wss://rpc.example.io/«3f8a1c5e9b2d4f60718293a4b5c6d7e8»"},
	{"key before its vendor", "«abf38c1de902745fa61b8c7d2e4f9035» algolia"},
	{"UUID of a vendor", "heroku = '«3f2b8c1e-9d04-4a57-b6e1-c0a9f8d7e6b5»'"},
	{"PuTTY", "Private-Lines: 2\n«AAAAgQDAC4AWkdwKYSd8Ks14IReLcYgADhoXk56ZzXI=\nAAAAQQD0nq5xJ9T»\nPrivate-MAC: 1"},
}

func TestShapes(t *testing.T) {
	r := redact.New(redact.Options{})
	for _, s := range shapes {
		text := strings.ReplaceAll(s.text, "|\n", "\x00")
		text = strings.ReplaceAll(strings.ReplaceAll(text, "IA|G", "IAG"), "com|/", "com/")
		text = strings.ReplaceAll(text, "\x00", "|\n")
		in := strings.NewReplacer("«", "", "»", "").Replace(text)
		got, counts := r.String(in)
		for rest := text; ; {
			_, after, ok := strings.Cut(rest, "«")
			if !ok {
				break
			}
			secret, after, _ := strings.Cut(after, "»")
			rest = after
			if strings.Contains(got, secret) || strings.Contains(got, secret[len(secret)/2:]) || strings.Contains(got, secret[:len(secret)/2+1]) {
				t.Errorf("%s: %q is left in %q (%v)", s.name, secret, got, counts)
			}
		}
		if len(counts) == 0 || !strings.Contains(got, redact.Mask) {
			t.Errorf("%s: nothing is masked in %q", s.name, got)
		}
	}
}
