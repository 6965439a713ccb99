package value

import "strings"

// CommonWord reports whether w is a word that is no secret in settings and in source.
func CommonWord(w string) bool {
	if len(w) > maxPhrase {
		return false
	}
	if strings.IndexByte(w, '_') >= 0 || strings.IndexByte(w, '-') >= 0 {
		var buf [maxPhrase]byte
		for i := range copy(buf[:], w) {
			if buf[i] == '_' || buf[i] == '-' {
				buf[i] = ' '
			}
		}
		return commonPhrase(string(buf[:len(w)]))
	}
	return commonPhrase(w)
}

// maxPhrase is the greatest length of what CommonWord knows.
const maxPhrase = 20

// commonPhrase reports whether w is such a word, or words with a space between them.
func commonPhrase(w string) bool {
	switch w {
	case "true", "false", "null", "none", "nil", "yes", "no", "on", "off", "string", "str", "int", "bool", "bytes",
		"byte", "object", "required", "optional", "always", "never", "on create", "enabled", "disabled", "undefined", "void", "password", "passwd",
		"secret", "token", "key", "pass", "pwd", "text", "hidden", "example", "empty", "default", "unset", "missing",
		"invalid", "basic", "bearer", "value", "name", "type", "self", "this", "new", "nan", "any", "number", "boolean",
		"function", "return", "const", "let", "var", "private", "public", "protected", "static", "readonly",
		"incorrect", "wrong", "expired", "unknown", "prompt", "file", "env", "stdin", "input", "auto", "manual",
		"username", "user", "email", "login", "host", "port", "database", "apikey", "api key", "keys",
		"tokens", "secrets", "passwords", "credentials", "passphrase", "auth", "authorization", "cookie", "session",
		"foo", "bar", "baz", "foobar", "changeme", "change me", "redacted", "masked", "filtered", "removed",
		"dummy", "fake", "mock", "sample", "not set", "notset", "placeholder", "todo", "tbd", "fixme", "xxx",
		"current password", "new password", "one time code", "plaintext", "plain", "encrypted", "noauth", "anonymous",
		"is", "and", "or", "for", "the", "must", "not", "was", "has", "with", "from", "to", "that", "list", "map",
		"url", "uri", "path", "id", "uuid", "json", "base64", "hex", "cert", "certificate", "oauth", "oauth2", "jwt",
		"passwort", "kennwort", "senha", "contraseña", "contrasenya", "wachtwoord", "hasło", "heslo", "lösenord", "løsenord",
		"adgangskode", "adgangsord", "passord", "salasana", "jelszó", "parola", "lozinka", "geslo", "parolă",
		"sha1", "sha256", "sha512", "utf8", "utf 8", "utf16le", "utf 16le", "ucs2", "latin1", "ascii", "iso 8859 1", "scram",
		"hashed", "users", "routes", "pasiwadi", "sandi", "katalaluan", "iphasiwedi", "sudo passwort", "tenimiafina", "mot clé", "parole", "parool", "contrasinal", "pasahitza", "wagwoord", "palavra passe", "palavra chave", "mot de passe", "motdepasse", "senhal",
		"slaptažodis", "lykilorð", "aðgangsorð", "pasfhocal", "cyfrinair", "zaporka", "fjalëkalimi", "pasvorto", "kata sandi", "kata laluan",
		"nenosiri", "mật khẩu", "clave", "şifre", "Şifre", "sifre", "пароль", "Пароль", "парола", "Парола", "κωδικός", "Κωδικός", "密码", "密碼", "パスワード", "비밀번호", "סיסמה",
		"development", "production", "staging", "testing", "localhost",
		"ldap", "saml", "oidc", "kerberos", "digest", "ntlm", "mfa", "sso", "write", "read", "admin", "root", "option", "x oauth basic":
		return true
	}
	return false
}
