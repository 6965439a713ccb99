// Package names says how strongly the name of a value suggests that the value is secret.
package names

import (
	"bytes"
	"strings"

	"github.com/envwrap/envwrap/redact/internal/ascii"
)

// A Strength says how strongly a name suggests that its value is secret.
type Strength uint8

const (
	None     Strength = iota // says nothing
	Weak                     // key, auth: the value must be random, long, and no digest
	Medium                   // vendor_key: the value must be random and long
	Strong                   // token, secret, api_key: the value must be no word
	Password                 // whatever is there, but for placeholders
)

// StrengthOfWord returns the strength of a name that ends in the word w. That of "key"
// depends on the word before it.
func StrengthOfWord(w string) Strength {
	switch w {
	case "password", "passwords", "passwd", "pass", "pwd", "passphrase", "passcode", "pswd", "passw", "pw", "psw",
		"pword", "userpwd", "userpass", "dbpass", "dbpwd", "userpassword", "passwort", "passord", "kennwort", "senha", "contrasena",
		"wachtwoord", "haslo", "sshpass", "smtppass", "pgpass", "rootpw", "adminpw", "rootpass", "adminpass", "mysqlpass",
		"requirepass", "masterauth", "storepass", "keypass", "psk", "presharedkey", "bindpw", "bindpass":
		return Password
	case "secret", "secrets", "token", "apikey", "apikeys", "apisecret", "secretkey", "accesskey", "authkey",
		"privatekey", "privkey", "credential", "credentials", "cred", "creds", "bearer", "authtoken", "accesstoken",
		"apitoken", "refreshtoken", "clientsecret", "appsecret", "jwt", "pat", "secrete", "authorization", "otp",
		"totp", "otpauth", "mnemonic", "licensekey", "masterkey", "encryptionkey", "signingkey", "sharedkey",
		"sessionid", "sessionkey", "passwordsalt", "phpsessid", "jsessionid", "sessid", "csrf", "xsrf", "csrftoken", "xsrftoken", "sas",
		"dsn", "accountkey", "tkn", "idtoken", "sharedaccesskey", "passkey", "usertoken",
		"sastoken", "hmac", "bearertoken", "deploykey", "servicekey", "storagekey", "webhooksecret", "apptoken",
		"bottoken", "pushtoken", "subscriptionkey", "functionkey", "authtok", "hubkey", "licencekey", "serverkey",
		"clientkey", "skey", "consumersecret", "consumerkey", "tokensecret":
		return Strong
	case "key", "keys", "auth", "access", "private", "session", "cookie", "cookies", "salt", "nonce", "license",
		"licence", "webhook", "sid", "tok", "tokens", "basic", "pin":
		return Weak
	}
	return None
}

// keyStrength returns how strongly the name w+"key" (api_key, public_key) suggests a
// secret.
func keyStrength(w string) Strength {
	switch w {
	case "api", "secret", "access", "private", "auth", "encryption", "signing", "master", "license", "licence",
		"account", "storage", "service", "deploy", "subscription", "shared", "consumer", "app", "application",
		"integration", "server", "admin", "cipher", "crypto", "aes", "hmac", "ssh", "activation", "product",
		"authentication", "decryption", "client", "ingest", "write", "jwt", "token", "webhook", "publishable",
		"personal", "developer", "dev", "live", "functions", "function", "hub", "apis", "rsa", "pgp", "gpg", "wif",
		"session", "security", "db", "database", "prod", "partner", "merchant", "register", "registration",
		"provision", "device", "vault", "unseal", "recovery", "wallet", "mining", "stripe", "role", "sign", "user":
		return Strong
	case "public", "primary", "foreign", "partition", "sort", "cache", "routing", "hot", "object", "s3", "map", "row",
		"index", "unique", "composite", "natural", "lookup", "message", "registry", "context", "property", "dict",
		"group", "order", "metric", "label", "annotation", "arrow", "shift", "control", "ctrl", "delete", "range",
		"hash", "config", "translation", "i18n", "locale", "idempotency", "dedup", "duplicate",
		"bucket", "issue", "project", "cell", "state", "storybook", "host", "known", "pub", "sha", "fingerprint",
		"restore", "react", "socket", "websocket", "column", "field", "header", "query", "path", "file", "menu", "shortcut", "item", "tag",
		"component", "missing", "invalid", "unknown", "record", "surrogate", "clustering", "alternate", "candidate",
		"value", "set", "json", "yaml", "dictionary", "min", "max", "next", "prev", "first", "last", "start", "end", "left", "right",
		"string", "int", "log", "attribute", "attr", "option", "setting", "feature", "flag", "recv", "list", "export", "import", "keyserver", "event", "mutex", "lock",
		"derive", "verify", "verification", "form", "install", "per", "sstate", "build", "store", "artifact", "image", "artefact", "checksum", "content", "document", "blob", "trace", "site", "recipient", "id":
		return None
	}
	return Medium
}

// qualifier reports whether w may follow the word for a secret in a name without changing
// its meaning.
func qualifier(w string) bool {
	switch w {
	case "value", "val", "str", "string", "text", "plain", "plaintext", "raw", "prod", "production", "dev", "test",
		"testing", "stage", "staging", "live", "sandbox", "new", "old", "current", "default", "b64", "base64", "encoded",
		"secure", "super", "env", "main", "primary", "secondary", "backup", "here", "v1", "v2", "v3", "confirm",
		"confirmation", "enc", "encrypted", "hash", "hashed", "local", "data", "again", "1", "2":
		return true
	}
	return digitsOnly(w)
}

// StrengthOf returns how strongly the identifier id suggests a secret. before is the text
// before it: "api key" has two words.
func StrengthOf(id, before []byte) Strength {
	var buf [32]byte
	if bytes.HasSuffix(before, []byte("checksum/")) || bytes.HasPrefix(id, []byte("agent-inject-")) || bytes.HasPrefix(id, []byte("existingSecret")) {
		return None // an annotation of Kubernetes or of Vault, or the name of a Secret
	}
	if isULID(id) {
		return None // the last letters may be PW
	}
	if ascii.Contains(id, 'F') {
		if i := bytes.Index(id, []byte("From")); i > 0 && ascii.Is(id[i-1], ascii.Lower) {
			return None // SubjectFromToken is no token
		}
	}
	hashed := ascii.HasFold(id, "hashof")
	for end, n := len(id), 0; n < 6; n++ {
		start, stop := LastWord(id[:end])
		if start == stop {
			return None
		}
		w := unnumbered(string(ascii.AppendLower(buf[:0], id[start:stop])))
		st := StrengthOfWord(w)
		switch {
		case w == "token" && (ascii.ContainsFold(id[:start], "publickey") || start == 0 && bytes.HasSuffix(before, []byte("nexpected "))):
			return None // of an assembly of .NET, or of a text that a parser reads
		case w == "cookie" && ascii.ContainsFold(id[:start], "erlang"):
			return Strong
		case w == "string" && ascii.ContainsFold(id[:start], "authentication_"):
			return Password // of MySQL's users
		case w == "pass" && passOfProgram(id[:start]):
			return None
		case (w == "token" || w == "tokens") && publicWord(id[:start]), w == "sid" && accountWord(id[:start]):
			return None
		case w == "sig" || w == "signature":
			return signatureStrength(id, before)
		case hashed && (w == "token" || w == "key" || w == "salt"):
			return None
		case (w == "key" || w == "keys") && (ascii.ContainsFold(id[:start], "public") || ascii.ContainsFold(id[:start], "hash_of")):
			return None
		case w == "key" || w == "keys":
			return strengthOfKey(id[:start], before)
		case st == Weak && n == 0 && start > 0:
			return min(st+1, Medium)
		case st != None:
			return st
		case w == "login" && ascii.ContainsFold(id[:start], "sonar"), w == "crumb" && start > 0, w == "secure" && n == 0 && start == 0,
			w == "id" && ascii.ContainsFold(id[:start], "test_reporter"):
			return Medium
		case n == 0 && !qualifier(w):
			if st = suffixStrength(w); st != None {
				return st
			}
			return labelledStrength(id[:start], w)
		case !qualifier(w):
			return suffixStrength(w)
		}
		hashed = hashed || w == "hash" || w == "hashed"
		end = start
	}
	return None
}

// isULID reports whether id is a ULID in upper case: 26 characters of Crockford's Base32
// (ULID specification, "Encoding"), of which the first is at most 7.
func isULID(id []byte) bool {
	if len(id) != 26 || id[0] > '7' {
		return false
	}
	for _, c := range id {
		if !ascii.Is(c, ascii.Upper|ascii.Digit) || c == 'I' || c == 'L' || c == 'O' || c == 'U' {
			return false
		}
	}
	return true
}

// unnumbered returns the word w without the digits at its end, if it has more than four
// letters: "password2".
func unnumbered(w string) string {
	n := len(w)
	for n > 0 && ascii.Is(w[n-1], ascii.Digit) {
		n--
	}
	if n > 4 {
		return w[:n]
	}
	return w
}

// publicWord reports whether the last word of id says that the token opens nothing: public,
// or the place in a list that goes on, or the number of a request.
func publicWord(id []byte) bool {
	start, stop := LastWord(id)
	var buf [12]byte
	switch string(ascii.AppendLower(buf[:0], id[start:stop])) {
	case "public", "publishable", "next", "output", "page", "paging", "pagination", "continuation", "continue", "starting", "idempotency", "change",
		"lock", "creation", "forward", "backward", "dkim", "update", "sequence", "resume":
		return true
	case "request":
		return ascii.ContainsFold(id[:start], "client") // of AWS, so that a call is not done twice
	}
	return false
}

// passOfProgram reports whether the last word of id says that "pass" is a run of a program
// over its data: renderPass.
func passOfProgram(id []byte) bool {
	start, stop := LastWord(id)
	var buf [12]byte
	switch string(ascii.AppendLower(buf[:0], id[start:stop])) {
	case "render", "shader", "compute", "depth", "shadow", "scene", "optimizer", "compiler", "first", "second", "multi", "all", "any", "proxy", "fastcgi", "uwsgi", "grpc":
		return true
	}
	return false
}

// accountWord reports whether the last word of id is "account", whose number is no secret.
func accountWord(id []byte) bool {
	start, stop := LastWord(id)
	var buf [12]byte
	return string(ascii.AppendLower(buf[:0], id[start:stop])) == "account"
}

// labelledStrength returns the strength of a name that ends in a word of its own, last,
// after the words of id: "apikey_github".
func labelledStrength(id []byte, last string) Strength {
	if describesSecret(last) {
		return None
	}
	start, stop := LastWord(id)
	var buf [32]byte
	w := string(ascii.AppendLower(buf[:0], id[start:stop]))
	if w == "key" && strengthOfKey(id[:start], nil) >= Strong || StrengthOfWord(w) >= Strong && w != "jwt" {
		return Medium
	}
	return None
}

// describesSecret reports whether a name that ends in w describes a secret and does not
// have it: token_url, password_length.
func describesSecret(w string) bool {
	switch w {
	case "id", "ids", "name", "names", "url", "uri", "file", "path", "type", "kind", "length", "len", "size", "count",
		"expiry", "expires", "expiration", "ttl", "policy", "field", "input", "label", "hint", "reset", "form", "page",
		"message", "error", "err", "prompt", "regex", "pattern", "format", "provider", "store", "manager", "service",
		"class", "enabled", "required", "valid", "version", "ref", "arn", "index", "offset", "position", "source",
		"endpoint", "host", "issuer", "audience", "scope", "namespace", "address", "algorithm", "alg", "digest", "checksum", "sum",
		"fingerprint", "at", "time", "date", "limit", "usage", "status", "state", "method", "handler", "func", "fn",
		"factory", "builder", "prefix", "suffix", "specials", "symbols", "alphabet", "chars", "characters", "parser", "reader", "writer", "cache", "list", "map", "set", "pair", "ring", "chain":
		return true
	}
	return false
}

// signatureStrength returns the strength of a name for a signature: one in a URL opens the
// resource, others are public.
func signatureStrength(id, before []byte) Strength {
	n := len(before)
	if n > 0 && (before[n-1] == '?' || before[n-1] == '&') || bytes.HasSuffix(before, []byte(`u0026`)) || bytes.HasSuffix(before, []byte("%26")) ||
		bytes.HasSuffix(before, []byte("&amp;")) || ascii.ContainsFold(id, "x-amz") || ascii.ContainsFold(id, "x-goog") {
		return Strong
	}
	return None
}

// strengthOfKey returns how strongly "key" suggests a secret after the words of id, or, if
// id has none, after before.
func strengthOfKey(id, before []byte) Strength {
	start, stop := LastWord(id)
	if start == stop {
		n := len(before)
		if queriesAPI(before) {
			return Medium
		}
		if n < 2 || before[n-1] != ' ' || !ascii.Is(before[n-2], ascii.Alpha) {
			return Weak
		}
		id = before[:n-1]
		if start, stop = LastWord(id); start == stop {
			return Weak
		}
		var buf [32]byte
		w := string(ascii.AppendLower(buf[:0], id[start:stop]))
		switch st := keyStrength(w); {
		case st != Medium:
			return st
		case ordinaryKey(w):
			return None
		case Service(w):
			return Strong
		case w == "using", w == "used":
			return Medium // what a program says that it takes
		}
		return Weak
	}
	var buf [32]byte
	w := string(ascii.AppendLower(buf[:0], id[start:stop]))
	st := keyStrength(w)
	switch {
	case st == Medium && Service(w):
		return Strong
	case w == "primary" && stop == len(id):
		return Weak // primaryKey of Azure
	}
	return st
}

// MaxAddress is the most bytes of an address between the name of a service and a key.
const MaxAddress = 64

// queriesAPI reports whether b ends right before a parameter of a query to an API:
// https://api.example.com/v1/x?
func queriesAPI(b []byte) bool {
	n := len(b)
	if n == 0 || b[n-1] != '?' && b[n-1] != '&' {
		return false
	}
	i := bytes.LastIndex(b[max(0, n-MaxAddress):], []byte("://"))
	if i < 0 {
		return false
	}
	host := b[max(0, n-MaxAddress)+i+len("://"):]
	return bytes.HasPrefix(host, []byte("api.")) || bytes.HasPrefix(host, []byte("api-")) || bytes.Contains(host, []byte("/api/"))
}

// ordinaryKey reports whether the word w before "key" makes it a key like any other: the,
// search, same.
func ordinaryKey(w string) bool {
	switch w {
	case "the", "a", "an", "any", "no", "this", "that", "of", "each", "every", "enter", "new", "search", "same", "for",
		"by", "with", "and", "or", "to", "in", "is", "as", "as_", "other", "its", "which":
		return true
	}
	return false
}

// suffixStrength returns the strength of a word that ends in a word for a secret, such as
// "dropboxtoken".
func suffixStrength(w string) Strength {
	if len(w) > 5 && w[len(w)-3:] == "key" && !otherKey(w) && !strings.HasSuffix(w, "pubkey") {
		return Medium
	}
	for _, s := range [...]string{"password", "passwd", "passphrase"} {
		if len(w) > len(s) && w != "htpasswd" && w[len(w)-len(s):] == s {
			return Password
		}
	}
	for _, s := range [...]string{"secret", "token", "apikey", "secretkey", "accesskey", "privatekey", "authkey"} {
		if len(w) > len(s)+1 && w[len(w)-len(s):] == s {
			return Strong
		}
	}
	return None
}

// otherKey reports whether w ends in "key" but means no key to a service: monkey, sortkey.
func otherKey(w string) bool {
	switch w {
	case "monkey", "hotkey", "turkey", "donkey", "hockey", "jockey", "whiskey", "pubkey", "primarykey", "foreignkey",
		"publickey", "sortkey", "hashkey", "cachekey", "mapkey", "smokey", "lackey", "mickey", "passkey", "softkey",
		"rowkey", "partitionkey", "routingkey", "objectkey", "s3key", "shortkey", "subkey", "multikey", "ikey", "formkey", "verkey", "blskey", "sitekey":
		return true
	}
	return false
}

func digitsOnly(w string) bool {
	for i := range len(w) {
		if !ascii.Is(w[i], ascii.Digit) {
			return false
		}
	}
	return true
}

// LastWord returns the bounds of the last word of an identifier: split at signs, between a
// small and a capital letter, and before the last capital of several.
func LastWord(id []byte) (start, end int) {
	end = len(id)
	for end > 0 && !ascii.Is(id[end-1], ascii.Alnum) {
		end--
	}
	start = end
	for start > 0 && ascii.Is(id[start-1], ascii.Alnum) {
		start--
		if start == 0 || !ascii.Is(id[start], ascii.Upper) {
			continue
		}
		if p := id[start-1]; ascii.Is(p, ascii.Lower|ascii.Digit) || ascii.Is(p, ascii.Upper) && start+1 < end && ascii.Is(id[start+1], ascii.Lower) {
			break
		}
	}
	return start, end
}

// Capitals reports whether a name has no small letter, as that of a variable of the
// environment: its value is a text, and names no other variable.
func Capitals(name []byte) bool {
	return len(name) > 0 && ascii.Run(name, ascii.Upper|ascii.Digit|ascii.Under) == len(name)
}
