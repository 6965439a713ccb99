package redact

import (
	"strings"
	"sync"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/known"
	"github.com/envwrap/envwrap/redact/internal/names"
	"github.com/envwrap/envwrap/redact/internal/value"
)

// EnvValues returns the values of the secret-named variables in environ, a list of NAME=value
// as os.Environ returns it. The name must end in PASSWORD, SECRET, TOKEN, KEY, CREDENTIALS,
// AUTH, DSN, PRIVATE, CONNECTION_STRING or the like, or name a connection string
// (ConnectionStrings__Default). The value must have at least 7 bytes and must not be a path,
// number, boolean, common word, placeholder, or part of HOME or PATH; a number of six digits
// or more counts if the name means a password, a secret or a PIN. The password of a URL is
// returned from any other variable. Rules are named "env:NAME".
func EnvValues(environ []string) []Value {
	own := sync.OnceValue(func() map[string]bool { return ownPlaces(environ) })
	var out []Value
	for _, kv := range environ {
		name, value, ok := strings.Cut(kv, "=")
		if !ok {
			continue
		}
		if !secretEnvName(name) {
			value = known.URLPassword(value) // of a proxy, or a service
		}
		if secretEnvValue(value, own) || secretNumber(name, value) {
			out = append(out, Value{Rule: "env:" + name, Secret: value})
		}
	}
	return out
}

// envEndings end the names of variables with a secret, whatever is before.
var envEndings = [...]string{
	"PASSWORD", "PASSWD", "PASSPHRASE", "SECRET", "TOKEN", "APIKEY", "ACCESSKEY", "SECRETKEY", "PRIVATEKEY", "AUTHKEY",
	"CREDENTIAL", "CONNECTIONSTRING", "PRIVATE", "AUTH_CONFIG", "AUTHCONFIG", "SERVICE_ACCOUNT",
}

// envWords are the last words of such names.
var envWords = [...]string{
	"PASS", "PWD", "KEY", "CRED", "AUTH", "DSN", "CONNECTION_STRING", "PAT", "JWT", "BEARER", "COOKIE", "WEBHOOK",
	"WEBHOOK_URL", "DATABASE_URL", "DB_URL", "REDIS_URL", "MONGO_URL", "MONGODB_URI", "DATABASE_URI", "AMQP_URL", "SAS",
	"SAS_URL", "LICENSE", "PASSCODE", "OTP", "MNEMONIC", "SALT", "SIGNATURE", "SESSION", "CONN_STR", "PW", "SEED", "PIN", "TOTP", "BASIC_AUTH", "HMAC", "PEPPER", "CSRF",
}

// envTails may follow such a name: they say how the value is written, or where it is used.
var envTails = [...]string{
	"_JSON", "_BASE64", "_B64", "_PEM", "_VALUE", "_RAW", "_PROD", "_PRODUCTION", "_DEV", "_TEST", "_STAGING", "_LIVE", "_DEFAULT",
	"_OLD", "_NEW", "_PRIMARY", "_SECONDARY", "_CONTENT", "_CONTENTS", "_DATA", "_ENC", "_ENCODED",
}

// secretEnvName reports whether the name of a variable says that its value is secret.
func secretEnvName(name string) bool {
	name = strings.ToUpper(name)
	switch name {
	case "PWD", "OLDPWD", "SSH_AUTH", "CACHE_KEY":
		return false
	}
	if strings.Contains(name, "CONNECTIONSTRINGS__") || strings.Contains(name, "CONNECTIONSTRINGS:") {
		return true
	}
	for _, t := range envTails {
		name = strings.TrimSuffix(name, t)
	}
	name = strings.TrimRight(name, "0123456789_")
	if strings.HasSuffix(name, "PUBLIC_KEY") || strings.HasSuffix(name, "PUBKEY") {
		return false
	}
	if singular, ok := strings.CutSuffix(name, "S"); ok && secretEnvEnd(singular) {
		return true
	}
	return secretEnvEnd(name) || !strings.Contains(name, "_") && names.StrengthOfWord(strings.ToLower(name)) == names.Password
}

// secretEnvEnd reports whether a name ends in a word for a secret.
func secretEnvEnd(name string) bool {
	if name == "" {
		return false
	}
	last := name[len(name)-1] // few words end in it: this is asked of every variable in each run
	for _, e := range envEndings {
		if e[len(e)-1] == last && strings.HasSuffix(name, e) {
			return true
		}
	}
	for _, w := range envWords {
		if w[len(w)-1] != last {
			continue
		}
		if before, ok := strings.CutSuffix(name, w); ok && (before == "" || before[len(before)-1] == '_') {
			return true
		}
	}
	return false
}

const (
	minEnvValue  = 7
	minEnvNumber = 6 // digits of a password that is a number
)

// secretNumber reports whether the value is a number, of a variable whose name says that
// it is a password or a secret.
func secretNumber(name, value string) bool {
	if len(value) < minEnvNumber || ascii.Run([]byte(value), ascii.Digit) < len(value) || strings.Trim(value, value[:1]) == "" {
		return false
	}
	if strings.Contains(strings.ToUpper(name), "SECRET") && secretEnvName(name) {
		return true
	}
	name = strings.TrimRight(strings.ToUpper(name), "0123456789_")
	return names.StrengthOfWord(strings.ToLower(name[strings.LastIndexByte(name, '_')+1:])) == names.Password ||
		strings.HasSuffix(name, "PASSWORD") || strings.HasSuffix(name, "_PIN") || name == "PIN"
}

// secretEnvValue reports whether the value of a variable, whose name says that it is
// secret, is a secret. own returns the values of ownPlaces, which few environments need.
func secretEnvValue(v string, own func() map[string]bool) bool {
	if len(v) < minEnvValue || own()[v] {
		return false
	}
	b := []byte(v)
	t := value.TraitsOf(b)
	if t.Digits+t.Signs == t.Len && t.Lowers+t.Uppers == 0 && onlyNumber(v) {
		return false
	}
	if _, ok := known.JSONDocument(v); ok {
		return true // each member is examined by itself
	}
	if !value.FilePath(v) && strings.IndexByte("<&([", v[0]) >= 0 && strings.IndexByte(">;)]", v[len(v)-1]) < 0 {
		b = b[1:] // no reference, though it begins as one does in a program
		t = value.TraitsOf(b)
	}
	return !value.FilePath(v) && !envPlaceholder(b, t)
}

// envPlaceholder reports whether the value of a variable is in the place of a secret. One
// that looks like an example is not: it is in use.
func envPlaceholder(v []byte, t *value.Traits) bool {
	if t.Distinct <= 3 || value.PublicKey(v) || value.Reference(v) {
		return true
	}
	var buf [64]byte
	w := string(ascii.AppendLower(buf[:0], v))
	return value.CommonWord(w) || value.Instructs([]byte(w)) || strings.Contains(w, "xxxx")
}

// onlyNumber reports whether v has only the characters of numbers.
func onlyNumber(v string) bool {
	return strings.Trim(v, "0123456789.-+,:") == ""
}

// ownPlaces returns values that are all over a machine's output.
func ownPlaces(environ []string) map[string]bool {
	own := map[string]bool{}
	for _, kv := range environ {
		name, value, _ := strings.Cut(kv, "=")
		switch strings.ToUpper(name) {
		case "HOME", "USERPROFILE", "USER", "LOGNAME", "USERNAME", "HOSTNAME", "SHELL", "PWD":
			own[value] = true
		case "PATH":
			for p := range strings.FieldsFuncSeq(value, func(r rune) bool { return r == ':' || r == ';' }) {
				own[p] = true
			}
		}
	}
	return own
}
