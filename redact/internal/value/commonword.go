package value

import (
	"bytes"
	"strings"

	"github.com/envwrap/envwrap/redact/internal/ascii"
)

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
		"foo", "bar", "baz", "foobar", "foo bar", "changeme", "change me", "redacted", "masked", "filtered", "removed",
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

// maxStandIn is the greatest length of what StandIn knows.
const maxStandIn = 40

// StandIn reports whether b is two words or more, run together or with signs between them,
// that only say what has to stand there: my_password, somepassword, YOUR-API-KEY.
func StandIn(b []byte) bool {
	var buf [maxStandIn]byte
	return len(b) <= maxStandIn && standsIn(ascii.AppendLower(buf[:0], b), 0, false)
}

// WeakPassword reports whether b is a StandIn that people also set as a password: small
// letters with no sign between them, and no instruction to give one's own. testpassword,
// mysecretpassword.
func WeakPassword(b []byte) bool {
	return ascii.Run(b, ascii.Lower) == len(b) && bytes.HasSuffix(b, []byte("password")) && !bytes.Contains(b, []byte("your")) && StandIn(b)
}

// standsIn reports whether w, in small letters and after so many such words, of which one
// was for a secret if that is true, is the rest of a StandIn.
func standsIn(w []byte, words int, secret bool) bool {
	if words > 0 {
		w = bytes.TrimLeft(w, "-_. ")
	}
	switch {
	case len(w) == 0:
		return secret && words > 1
	case w[0] >= byte(len(forSecrets)):
		return false
	}
	for _, rest := range forSecrets[w[0]] {
		if bytes.HasPrefix(w[1:], []byte(rest)) && standsIn(w[1+len(rest):], words+1, true) {
			return true
		}
	}
	for _, rest := range besideThem[w[0]] {
		if bytes.HasPrefix(w[1:], []byte(rest)) && standsIn(w[1+len(rest):], words+1, secret) {
			return true
		}
	}
	return false
}

// forSecrets are words for a secret, and besideThem those for whose it is and of which kind.
// A word that people make passwords of is not among them: admin, super, red.
var (
	forSecrets = ['z' + 1][]string{
		'a': {"pikey", "pitoken"}, 'c': {"redential", "redentials"}, 'k': {"ey", "eys"},
		'p': {"ass", "asswd", "assword", "asswords", "assphrase", "wd", "w", "asscode"}, 's': {"ecret", "ecrets", "tring"}, 't': {"oken", "okens"},
	}
	besideThem = ['z' + 1][]string{
		'a': {"", "n", "ny", "ccess", "ccount", "ctual", "nother", "pi", "pp", "uth"}, 'b': {"ad", "ase", "earer", "ody", "ot", "roker"}, 'c': {"a", "lient", "orrect", "urrent"},
		'd': {"ata", "atabase", "b", "efault", "ummy"}, 'e': {"mail", "ncrypted", "ncryption", "xample", "xpired", "xisting"}, 'f': {"ake", "irst", "or", "orm"}, 'g': {"ateway", "ood", "enerated"},
		'h': {"ere", "ashed"}, 'i': {"d", "n", "nvalid", "ncorrect"}, 'l': {"ogin", "ong"}, 'm': {"y", "ock"}, 'n': {"ew", "ext"}, 'o': {"ld", "n", "ther", "ur", "auth"},
		'p': {"lain", "lace", "laceholder", "rivate", "roxy", "ublic"}, 'r': {"andom", "eal", "efresh", "emote", "equest"}, 's': {"ame", "ample", "ecure", "econd", "erver", "ervice", "ession", "igning", "ome", "ql", "tore", "trong", "mtp"},
		't': {"est", "esting", "emp", "emporary", "he", "rust"}, 'u': {"nknown", "pdated", "rl", "se", "ser"}, 'v': {"alid", "alue", "ery"}, 'w': {"eak", "ebhook", "rong"}, 'y': {"our"},
	}
)
