package redact_test

import (
	"strings"
	"testing"

	"github.com/envwrap/envwrap/redact"
)

// leftAlone are texts that have nothing secret in them, by class.
var leftAlone = map[string][]string{
	"git hash": {
		"commit 1ac8525e75af98737896a86986d3cafd32c21f18 (HEAD -> main, tag: v1.2.3)",
		"   7e52cc07..bc621475  token-refresh -> token-refresh",
		"index 5f4dcc3..b5aa765 100644",
		"a76262083b731de4e2b40f4074037b5b8ed0b8b2 Rotate the API key",
		"HEAD is now at 6388964 Fix password reset",
	},
	"code with names for secrets": {
		"if token == tok2 {",
		"if secret == clientSecret2 {",
		"token = (next)",
		"password = f(a[i1], B)",
		"secret: {name: x1}",
		"ENV TOKEN_FILE /run/secrets/x1",
		"A[token] --> B[Session2]",
		"密码长度为8-20位",
		"<tr><td>password</td><td>sha256</td></tr>",
		"clave foranea: usuario_id1",
		"密码强度: Level2",
		"密钥: RSA2048",
		"密钥长度: 2048bits",
		"la contraseña es obligatoria",
		"mot de passe: entre 8 et 20 signes",
	},
	"UUID": {
		"request_id=f47ac10b-58cc-4372-a567-0e02b2c3d479 user_id=9b2f4c1e-8a7d-4e6f-9c0b-1a2b3c4d5e6f",
		`{"id":"f47ac10b-58cc-4372-a567-0e02b2c3d479","key":"f47ac10b-58cc-4372-a567-0e02b2c3d479"}`,
		"idempotency-key: 3f2504e0-4f89-11d3-9a0c-0305e82c3301",
	},
	"digest": {
		"sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
		"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  secret.key",
		`"integrity": "sha512-da9zljtwbpaETZzrkO+e8nVOxDrK9ll7ruoih9q+4Ndi6QhKimd8jgR6ILsWtEAGrLGDyTXVsDoZ0UqDLxu2lU==",`,
		"ETag: \"33a64df551425fcc55e4d42a148795d9f25f89d4\"",
		"Digest: sha-256=X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=",
		"    checksum/secret: 47b802114053b995255e506b17bb9c714c31193287bd0b2221564862668b9ee6",
		`<link href="/assets/key-1151aa0f844718190260b5349c8f0805.css" rel="stylesheet">`,
		"cache key: node-modules-7d793037a0760186574b0282f2f435e7c9ad2e5d4b6a5f0c2e1d3b4a59687766",
	},
	"lock file": {
		"github.com/golang-jwt/jwt/v5 v5.2.1 h1:OuVbFODueb089Lh128TAcimifWaLhJwVflnrgM17wHk=",
		"checksum = \"8d2a0b7c5e9f4a1b3c6d8e7f0a9b2c4d5e6f7a8b9c0d1e2f3a4b5c6d7e8f9a0b\"",
		"  resolution: {integrity: sha512-4UzjdNTMCLZ8N6wATWPengg4iFtawWtvEE433SI+gRJTPJu3n1aP/LJTFqWpIy+wydvPsH1armh9H6g2qgo7mB==}",
		"passlib==1.7.4 --hash=sha256:aa6bca462b8d8bda89c70b382f0c298a20b5560af6cbfa2dce410c0a2fb669f1",
	},
	"program in base64": {
		`"` + strings.Repeat("AGFzbQEAAAABMAhgAABg", 6) + "/EAA" + strings.Repeat("AoBUAACMUAACJEgAAixQ", 5) + `",`,
	},
	"ARN": {
		`"AmazonEC2FullAccess": "arn:aws:iam::aws:policy/AmazonEC2FullAccess",`,
		`  "encryptionKey": "arn:aws:kms:us-west-2:123456789012:alias/aws/s3"`,
		"SECRET_ARN=arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db-AbC12d",
	},
	"argument of a call": {`password = to_text(password, encoding='utf-8')`, `send(to_bytes(x.become_pass, errors='surrogate_or_strict'))`},
	"caption in another language": {
		`"contraseña": "Contraseña nueva 2"`, "mot de passe: obligatoire", "密码：至少8位", "пароль = getPassword(user1)", "wachtwoord: ${WACHTWOORD1}",
		"Palabra clave: SEO2024", "La clave es ISO9001", "密钥为RSA-2048位", "암호: AES256", "κωδικός: GR1234", "密码：6-20位字符",
	},
	"comment of HTML": {"<!-- password --> abc12345"},
	"headers of HTML": {"<tr><th>Password</th><th>Email2</th></tr>"},
	"block": {
		"variable \"password\" {\n  description = \"The password.\"\n  default = \"\"\n}\nvariable \"x\" {\n  default = \"walnut71!\"\n}\n",
		"password: {\n  label: \"walnut71\",\n  default: \"Passwort\"\n}\n",
		"  token:\n    type: string\n    default: null\n  region:\n    default: eu-west-1b\n",
		`"password": {"type": "string", "default": "required"}, "x": {"default": "Walnut71#"}`,
	},
	"name of a secret":   {"client-secret: my-app-oauth-client", `token: "lodash@4.17.21"`, "--set token.secret=app-oauth-client-prod"},
	"format":             {`format_password = "prefix_{}9".format(x)`, `password = f"prefix_{x}9"`, `password = "prefix_%s9" % x`},
	"example of AWS":     {"AWS_ACCESS_KEY_ID=AKIAIOSF" + "ODNN7EXAMPLE", "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"},
	"lines in a string":  {`printf("id,user,password\n1,ada,x\n")`, `fmt.Println("Usage:\n  --token TOKEN\n  --password PASSWORD\n")`, `msg := "the key is\nnot here\nand token is a word"`},
	"path in a variable": {"packagefile go/token=$WORK/b239/_pkg_.a", "api_token: $SECRETS_DIR/prod/7f3a", "TOKEN=$HOME/.config/t0ken-1"},
	"version": {
		"keyring-25.1.1 token-bucket-0.5.0 pyjwt-2.6.0", "key 1.2.3-beta.4", "v0.0.0-20250907120000-796908ad041f",
		"password = 1.2.3.4", `"Auth::Pass" => "1.302103"`,
	},
	"path": {
		"key = /etc/ssl/private/server.key", "SECRET_FILE=/run/secrets/db_password", `token: "./tokens/a1b2c3d4.txt"`,
		"private_key: C:\\keys\\server1.pem", "password=/usr/share/dict/words2", "--key ~/.ssh/id_ed25519",
	},
	"URL without credentials": {
		"https://api.example.com/v1/users/96276/api_keys?page=2&sort=name", "http://localhost:8080/auth/callback",
		"see https://example.com:8443/@token/page", "git@github.com:example/secrets.git", "ssh://git@example.com/token.git",
		"https://user@example.com/x", "token_url: https://login.example.com/oauth2/v2.0/token",
	},
	"code": {
		"password := os.Getenv(\"DB_PASSWORD\")", "token, err := jwt.Parse(raw, keyFunc)", "func (k *Key) Secret() string { return k.secret }",
		"key = lookup[name]", "const secret = await getSecret('db');", "auth := smtp.PlainAuth(\"\", user, password, host)",
		"apiKey: process.env.API_KEY,", "secret = config.get('secret', None)", "this.token = token;", "for key, value := range m {",
		"SecretKey []byte `json:\"secret_key\"`", "if password != confirmation {", "private key: ed25519.PrivateKey", "tokens[i].kind = keyword2",
		"e.password=e.password||\"\",e.token=null,e.apiKey=void 0;", "type Token struct{ Kind int32 }", "return errors.New(\"invalid token\")",
		"assert password == expected_password1", "let access_token = read_token(path)?;", "def login(self, user = '', password = ''):",
	},
	"test output": {
		"--- PASS: TestToken2Refresh (0.00s)", "=== RUN   TestPasswordHash256", "    --- PASS: TestKey/Ed25519 (0.01s)",
		"PASS src/auth/password.test.ts (19 tests) 764ms", "ok  \tgithub.com/example/auth\t0.123s", "FAILED tests/test_secrets.py::test_rotate_key",
		"PASS: TestX509V3Pass2 (1.2s)",
	},
	"counts": {
		"token count: 512", "tokens: 123456", "max_tokens=4096", "prompt_tokens: 1532, completion_tokens: 422", "keys: 17 passwords: 3",
		"key_length = 2048", "token_ttl=86400", "password_min_length: 12", "rotated 3 secrets in 120ms",
	},
	"key, not value": {
		`"name":"password"`, `{"param":"client_secret","error":"missing"}`, `["authorization","cookie","x-api-key"]`, `htpasswd "myUser" -`,
		"fields: [id, password, api_key]", "KeyError: 'api_key'", "unknown field \"token\"", `<input type="password" name="password">`,
		`<label for="api_token">API token</label>`,
		"  KEY FKqx5uh3sjh4rn4rwsq9h5nv6qg (user_id),",
	},
	"reference": {
		"TOKEN=${TOKEN}", "password: ${DB_PASSWORD:-}", "PASSWORD=$(cat /run/secrets/pw)", "token: ${{ secrets.GITHUB_TOKEN }}",
		"password: {{ .Values.password }}", "os.environ[\"API_TOKEN\"]", "password: !vault |", "key: <%= ENV['KEY'] %>", "-p $PASSWORD",
		"secretKeyRef: {name: db, key: password}", "curl -u \"$USER:$PASS\" https://example.com", "password=%DB_PASSWORD%",
		"arn:aws:secretsmanager:eu-west-1:316849641542:secret:prod/walnut-ZwjZtO", "op://Private/item/password",
		"https://vault.example.net/secrets/db-password", "postgres://$USER:$PASS@db/app", "postgres://{user}:{password}@db/app",
	},
	"placeholder": {
		"API_KEY=<YOUR_KEY>", "token: xxxxxxxxxxxxxxxx", "password: ****", "secret: changeme", "API_KEY=your-api-key-here", "TOKEN=...",
		"gh" + "p_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "sk-proj-" + "YOUR_API_KEY_HERE", "Authorization: Bearer <token>", "password: ''",
		"https://<user>:<password>@example.com", "Authorization: Basic ...", ".. _`RFC6749#Authorization`: https://example.org/rfc6749#section-3.1", "mysql --password=$$MYSQL_PASSWORD", "password=***", "glpat-" + "XXXXXXXXXXXXXXXXXXXX",
	},
	"public key": {
		"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKq09zXLm2Tnb5vRc8f3AwM9xQeT7uYb3kq09zXLm2Tn me@example.com",
		"-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE1Olb3zMAFFxXKHiIkQO5cJ3Yhl5i\n-----END PUBLIC KEY-----",
		"-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQswCQYDVQQGEwJJ\n-----END CERTIFICATE-----",
		"public_key: MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAv2R22mPNgjMDUpkGNa5K",
		"key fingerprint is SHA256:6wwxT98XOmapsIKYj4tMlH3fY7cRSXS6ZVrStgfZF7k", "age1epzmwwzw8n09slh0c7z1z52x43nnga7lkksx3qrh07tqz5v7lcys45428t",
		"gpg --recv-keys 5BE8A3F6C8A5C01D106C0AD820B1A390B168D356",
	},
	"words": {
		"primary_key: id", "foreign key (user_id)", "author=someone2", "authority: example.com", "hotkey: ctrl+shift+k", "monkey: b4n4n4",
		"keyboard layout de-latin1", "passport number field", "compass=n0rth", "tokenizer: bert-base-uncased", "secretary of state 2024",
		"the password is incorrect", "your session has expired", "press any key to continue", "access denied for user 42",
		"authentication_method: certificate", "key: value", "turkey: 12", "secret: false", "pass 1 of 2", "private network 10.0.0.0/8",
		"token: IDENT \"name\"", "written authorization from Silicon Graphics", "Please enter your password:", "salt and pepper", "passwd:         compat", "GET ../../etc/passwd HTTP/1.1", "const PREV_TOKEN = /^[)\\]}>]$/u;",
	},
	"hex": {
		"panic: runtime error [signal SIGSEGV addr=0xc000123456 pc=0x45a3b2]", "goroutine 17 [running]: key=0xc0000b4000",
		"00000000: e9b2 0783 9dce 3a64 c420 b72a 1f1e 741e  .jHjHCVyPm6gdXJz", "SIGNATURE = 0x04034b50", "token 0x7f3a9c1d2e4b",
	},
	"translation": {
		`"password": "Passwort"`, `"password": "Contraseña",`, `"password": "Пароль"`, `"showPassword": "Anzeigen"`,
		`"newPassword": "Nouveau"`, `"confirmPassword": "Confirmar",`, `"resetPassword": "Kennwort zurücksetzen"`, `password: "密码"`,
	},
	"other scripts": {
		"token 用量看板：按账号、模型和窗口汇总", "获取最新天气信息。password 的本地小工具", "有状态 Token 认证与权限鉴权框架。", "Пароль token обновлён успешно",
		"API Key 鉴权，同步返回，内置重试与错误映射",
	},
	"prose": {
		"A machine learning-based password strength evaluation library", "Utilities and types for Authorization Token Exchange Protocol",
		"the state machine checks login and password fields first", "use machine account password",
	},
	"pattern": {
		`syn match gitcommitTrailerToken "^[[:alnum:]-]\\+\\s*:" contained`, `const TOKEN = '[a-zA-Z0-9_-]{20,}$1%'`, `eval set -- "${ZFTP_PWD:s!$1!$2!}"`,
	},
	"list": {
		"syn keyword objcConstVar NSURLThumbnailKey NSThumbnail1024x1024SizeKey", "syn keyword\tpfService\tpasswd\nsyn keyword\tpfService\tkrb524\nsyn keyword\tpfService\tx400-snd", "  \"pw|pwd\",\n  \"py|pyt|pyth|pytho|python\",",
	},
	"kind of environment": {"TOKEN=production", "DB_PASSWORD=development", "SECRET=staging", "AUTH_PASSWORD: testing"},
	"shown to all": {
		"public_token=pk_test_123", "publishableKey: pk", "MONKEY=x8k2ms8sk3md9lp3", `publicKeyToken="1A5B54EDA918C422"`,
		"Cache restored from key: linux-node-7d793037a0760186574b0282f2f435e7c9ad2e5d",
	},
	"list of packages": {
		"ii  passwd   1:4.13+dfsg1-1+deb12u1   amd64", "passwd\t1:4.13+dfsg1-1+deb12u1", "passlib 1.7.4", "libpam-cap 1:2.66-4+deb12u1",
		"Filename: pool/main/libc/libcgi-github-webhook-perl/libcgi-github-webhook-perl_0.06-1.1_all.deb",
	},
	"definition": {
		"class _X25519PrivateKey(X25519PrivateKey):", "    (Ed25519PrivateKey, Ed25519PublicKey, Ed448PrivateKey),", "    DSAPrivateKey,\n    ed25519.Ed25519PrivateKey,",
		"self, private_key: ed25519.Ed25519PrivateKey, f_priv: _FragList", "Secrets []Secret `json:\",omitempty\"`",
		"    'ssh2_auth_password',\n    'ssh2_auth_pubkey_file',", `AttributeOID.CHALLENGE_PASSWORD: "challengePassword",`,
		`protobuf_key:"bytes,1,opt,name=key,proto3" protobuf_val:"bytes,2,opt,name=value,proto3"`, `VariablePassword Variable = "COSIGN_PASSWORD"`,
		`const head = "-----BEGIN OPENSSH PRIVATE KEY-----"` + "\n" + `const tail = "-----END OPENSSH PRIVATE KEY-----"`,
		"\tcase strfmt.Password:\n\t\treturn stringType, stringFormatPassword\n\tcase strfmt.UUID3, *strfmt.UUID3:\n\t\treturn stringType, stringFormatUUID3",
		`$token->isa('Pod::Simple::PullParserEndToken')`, `"authorizationApiVersion": "2018-09-01-preview",`, `PASS="\x1b[32mPASS"`,
		`if (token.equals("invalid")) {`, "hex=HEX_PAT, ipv4=IPV4_PAT)", "for s := token; s != nil; s = token->next {",
	},
	"image": {
		"cosign sign --key cosign.key us.gcr.io/example/pipeline@sha256:124e1fdee94fe5c5f902bc94da2d6e2fea243934c74e76c2368acdc8d3ac7155",
		`cosign sign --key "gcpkms://projects/$PROJECT_ID/locations/eu/keyRings/r1/cryptoKeys/k2"`, "docker run -p 5001:5001 --name web nginx",
	},
	"base64 of zeros": {"oLhFAAAAAAAAAAAAAAAAAAgAAAAAAAAACAAAAAAAAABHlo7CCAgINiBqRgAAAAAA+GdGAAAAAAB8"},
	"list of names": {
		`"required_tokens": ["read:packages", "write:packages"]`, `"api_keys": ["prod-eu", "staging-us"]`, "secrets:\n  - db-password\n  - tls-certificate",
		"AllTokens: []Token{ArrowToken, CommaToken2}", `"access_keys": []`,
	},
	"type": {
		"let token: &str = read()?;", "Dim password As String = GetPassword()", "public string Token { get; set; } = Default.Token;",
		"type ArrowToken = ArrowToken$1;", "PrivateKey: testP256PrivateKey,", `Password2 PasswordName = "password2"`,
		`SecretAccessKey: "SecretAccessKey-0",`, "return Token::Kind(3);",
	},
	"prose of a password": {
		"the password for ada is incorrect", "passphrase for decrypting the signing key to `Sign.sign()`", "passwd\t1:4.13+dfsg1-1+deb12u1",
		"Failed password for invalid user admin from 203.0.113.7 port 40022 ssh2", "the password of the database: see vault",
	},
	"command without a secret": {
		"Added support for generating htpasswd hash (thanks @rustycl0ck)", "kubectl create secret generic x --from-literal=key=$VALUE",
		`echo "$PASSWORD" | docker login --password-stdin`, "vault login -method=oidc", "net user administrator /active", "sqlplus / as sysdba",
		"az login -u ada -p $PASSWORD", `requests.get(url, auth=("user", password))`, `client.login("ada", env.PASSWORD)`,
		"INSERT INTO users (id, password) VALUES (1, NULL), (2, '');", "INSERT INTO t (key, name) VALUES ('color', 'blue-7');",
	},
	"weak words": {
		"Server=db;Uid=app;Password=${PW};Database=app;", "Server=db;Uid=app;Password=xxxx;Database=app;", "Server=db;Password=changeme,Database=app;",
		"pass 'the salt'", "pass 'x7! kq'", "the token changed: kq09", "token refreshed", "session was closed", "key=v1", "api_key: abcdefg", "f(password=None,timeout5)", "password=userPassword,retries=3", "password=$DB_PW01", `password: "$userPassword2"`, "token: ghp_AcuS3T...", `{"api_key": "8f3aKq09Zx..."}`,
		"log: passphrase = run all tests then push", "CREATE USER app IDENTIFIED BY 'ab';", "CREATE USER app IDENTIFIED BY '${PW}';",
		"CREATE USER app IDENTIFIED BY 'password';", "CREATE USER app IDENTIFIED BY `x7Kq92mZ4nB8vC1x`;", "CREATE USER app IDENTIFIED BY secretary;",
	},
	"name of a service": {
		"klaviyo 5d41402abc4b2a76b9719d911017c5925d41402a", "zapier 3f2b8c1e-9d04-4a57-b6e1-c0a9f8d7e6b5", "mapbox-gl-js: 2026030110000012345678", "telnyx.kq09ZxLm2TnB5vRc8f3A",
		"deploy of mailchimp-6f7d9c8b5d-x2x4z", "coinbase: the-name-of-a-thing-2026-03-01", "pubnub kq09ZxLm2T",
	},
	"words run together": {
		"password = UserCredential", "password: FormControl", "password=newPassword", "password: z.ZodString", "app --password-file fjord-ripple-ember",
		"setPassword(EmberCopper)", `{token, "letters"}`, "password = hash.SHA256(x)", "password: user!.name",
	},
	"account after the name of a service": {"coinbase 0x52908400098527886E0F7030069857D2E4169EE7"},
	"name of a type":                      {`"AWS::Redshift::EndpointAuthorization": "5d41402abc4b2a76b9719d911017c592",`, `'SvnAuth': 'svn.auth:SvnAuth',`, "when: update_password == 'on_create'", "update_password: always"},
	"sentence": {
		"the password is required.", "invalid password: must-not-be-blank", "password for ada: changed", "Password: PasswordInput",
		"login(\"anonymous\", \"-anonymous@\")", "password: Some(\"password\")", "JWT_SECRET=my-app-token", "session_secret = rand32", "token(x) = 5",
	},
	"user and port": {
		"docker run -u node -p 8080:80 app", "docker run -u 1000 -p 127.0.0.1:80:80 app", "psql -U ada -p 5432", "ssh -u ada -p 2222", "tool -u ada -p /run/x1", "mkdir -p walnut71",
		"docker-compose --user x -p project1 up", "github_changelog_generator --token GITHUB-TOKEN -u rabbitmq -p amqp091-go", "mapbox build20240101release12345",
		"mapbox = MapboxGLJSv2Style3Layer4Name", `{"password": "at-least-one-letter"}`, "password: sha256_password_plugin", "the new password is long-enough-already",
		"nmap -U x -p 80,443,8000-8100 host", "(ulimit -u %d) || ulimit -p %[1]d; x",
		"sip:walnut71@10.0.0.5", "ssh ada@10.0.0.5", "a:8080,b@10.0.0.5", `login("ada", "$Config{email1}")`,
	},
	"name of a variable with an algorithm": {"\tprivKey:                    privEd25519Key,", "signing_key: ecP256PrivateKey,"},
	"text of documents":                    {"remain in place; pass `strict=False` to --pass `strict=False`.", "- `k8SStatefulsetNameKey` -> `K8SStatefulSetNameKey`", `credentials = fmt.Sprintf("%s/%s/%s/aws4_request", a, b, c)`, `TokenTypeIDToken = "urn:ietf:params:oauth:token-type:id_token"`},
	"command": {
		"bundle config mirror.https://rubygems.org http://mirror.example.com:8080", "wc -l <<< walnut71", "psexec.py ada@10.0.0.5",
		"expect \"assword:\"\nsend \"ls -l\\r\"\n", `send "walnut71\r"`, "snmp-server community public RO", "consul kv put app/port 8080123",
	},
	"arguments": {"f(user=name, password=other, port=1)", "    user=name, password=other)"},
	"value that is encrypted": {
		`"db_password": "ENC[AES256_GCM,data:h6swIzahxb70Wg/VrXv3,iv:b6biCtjo74FqffDnZ4tDED==,tag:C7VwMLXaa==,type:str]",`,
		`"API_KEY": "EJ[1:8Aes4InBVml8f86/J9T6QgH5bXWD8HcH2yAvXZshhVI=:osmdtdypOP50H77eF9zbBKe+DauWeR8F:IFcOss7YyQ]",`,
	},
	"text with escapes": {
		`"reset_webhook_secret": "C\u00e0i l\u1ea1i kh\u00f3a webhook",`, `"reset_webhook_secret": "\u91cd\u8a2d webhook \u5bc6\u9470",`,
		`"identityKey": "\(Self.IDENTITY_KEY.serialize().base64EncodedString())",`,
	},
	"name to be filled in": {`password = "#rabbitmq_pass#";`, "echo !LOGIN_PASSWORD! | docker login --username AWS --password-stdin", "DB_PASSWORD=@DB_PASSWORD@", `"password": "_your_key_here_"`},
	"private key without a key": {
		`"key": "-----BEGIN PRIVATE KEY-----\nxyz==\n-----END PRIVATE KEY-----"`, `k = '-----BEGIN RSA PRIVATE KEY-----\nMIIE...\n-----END RSA PRIVATE KEY-----'`,
		`x = '-----BEGIN PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nxyz==\n-----END PRIVATE KEY-----'`, `<textarea placeholder="-----BEGIN PRIVATE KEY-----&#10;...&#10;-----END PRIVATE KEY-----">`,
	},
	"word beside a name in a list": {
		`rename('oauth2_access_tokens', 'FK_368A4209A76ED395', 'user')`, `"injectNpmUser","injectNpmKey","injectNpm2FaToken","zipData"`, `'password' => ['required', 'confirmed', 'secure_password', 'min:16'],`,
		`draw_pass_1 = SubResource("QuadMesh_80136")`, `"en_PW": "en_001",`,
	},
	"choice": {`<option value="PASS">Passed</option>`},
	"base64 image": {
		"src: url(data:font/woff2;base64,d09GMgABAAAAAA1z9rqRx8VQJQKd5WNJgPtPF57EXF5kNwz/HSDFc3oJsYmpuISKHr/OnWjJl8mrhK3)",
		`"image/png": "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="`,
	},
}

func TestLeftAlone(t *testing.T) {
	r := redact.New(redact.Options{})
	for class, texts := range leftAlone {
		for _, text := range texts {
			for _, around := range []struct{ before, after string }{
				{"", ""}, {"", "\n"}, {"  ", "\r\n"}, {"+", "\n"}, {"2026-03-01T10:00:00.000Z stdout F ", "\n"}, {"\x1b[33m", "\x1b[0m\n"}, {"# ", ""},
			} {
				in := around.before + text + around.after
				if got, counts := r.String(in); got != in {
					t.Errorf("%s: %q: got %q, %v", class, in, got, counts)
				}
			}
		}
	}
}

// The secrets that docs/redaction.md lists as missed are missed, so that the page stays
// true.
func TestWhatPasses(t *testing.T) {
	r := redact.New(redact.Options{})
	for _, text := range []string{
		strings.ReplaceAll(seeds[0], " ", "\n"), strings.ReplaceAll(seeds[0], " ", ", "), "hunter2", "f47ac10b-58cc-4372-a567-0e02b2c3d479", "0f5e8d1c9b7a4f3e2d6c8b0a1e9f7d53", "api_key=abc123", "SECRET=topsecret",
		"if new: password = something", "client_id=kq09ZxLm2TnB5vRc8f3A", "user=ada host=db.example.com", "token: gh" + "p_w5xxlu\nqjwgn4duxvcjqdzjmr3rhz1t\n",
	} {
		if got, counts := r.String(text); got != text {
			t.Errorf("%q: got %q, %v: say so in docs/redaction.md", text, got, counts)
		}
	}
}
