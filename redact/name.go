package redact

// A strength says how telling a name is of its value being secret.
type strength uint8

const (
	silent   strength = iota // says nothing
	vague                    // key, auth, id beside a secret word: needs a random value
	telling                  // token, secret, api_key: needs a value that is no word
	password                 // whatever is there, but for placeholders
)

// nameWords are the words that a secret-sounding name ends in. A word with
// several meanings is vague. "key" is decided by the word before it.
var nameWords = map[string]strength{
	"password": password, "passwords": password, "passwd": password, "pass": password, "pwd": password,
	"passphrase": password, "passcode": password, "pswd": password, "passw": password, "pw": password,
	"userpwd": password, "userpass": password, "dbpass": password, "psw": password, "pword": password,
	"authpassword": password, "rootpassword": password, "dbpassword": password,

	"secret": telling, "secrets": telling, "token": telling, "apikey": telling, "apisecret": telling,
	"secretkey": telling, "accesskey": telling, "authkey": telling, "privatekey": telling, "credential": telling,
	"credentials": telling, "cred": telling, "creds": telling, "bearer": telling, "authtoken": telling,
	"accesstoken": telling, "apitoken": telling, "refreshtoken": telling, "clientsecret": telling, "jwt": telling,
	"pat": telling, "secrete": telling, "authorization": telling, "otp": telling, "totp": telling, "mnemonic": telling,
	"licensekey": telling, "masterkey": telling, "encryptionkey": telling, "signingkey": telling, "sharedkey": telling,
	"sessionid": telling, "phpsessid": telling, "jsessionid": telling, "sessid": telling, "csrf": telling,
	"xsrf": telling, "csrftoken": telling, "sas": telling, "dsn": telling, "accountkey": telling, "tkn": telling,
	"signature": telling, "sig": telling, "idtoken": telling, "sharedaccesskey": telling, "keyfile": silent,

	"auth": vague, "access": vague, "private": vague, "session": vague, "cookie": vague, "salt": vague,
	"nonce": vague, "seed": vague, "license": vague, "webhook": vague, "sid": vague, "pin": vague, "hash": vague,
	"tok": vague, "tokens": vague, "keys": vague, "key": vague, "basic": vague, "code": silent, "passkey": telling,
}

// keyOwners are the words that make a following "key" a secret one, or none.
var keyOwners = map[string]strength{
	"api": telling, "secret": telling, "access": telling, "private": telling, "auth": telling, "encryption": telling,
	"signing": telling, "master": telling, "license": telling, "licence": telling, "account": telling,
	"storage": telling, "service": telling, "deploy": telling, "subscription": telling, "shared": telling,
	"consumer": telling, "app": telling, "application": telling, "integration": telling, "server": telling,
	"admin": telling, "cipher": telling, "crypto": telling, "aes": telling, "hmac": telling, "ssh": telling,
	"activation": telling, "product": telling, "authentication": telling, "decryption": telling, "client": telling,
	"ingest": telling, "write": telling, "jwt": telling, "token": telling, "webhook": telling, "publishable": telling,
	"personal": telling, "developer": telling, "dev": telling, "live": telling, "functions": telling, "hub": telling,

	"public": silent, "primary": silent, "foreign": silent, "partition": silent, "sort": silent, "cache": silent,
	"routing": silent, "hot": silent, "object": silent, "s3": silent, "map": silent, "row": silent, "index": silent,
	"unique": silent, "composite": silent, "natural": silent, "lookup": silent, "message": silent, "registry": silent,
	"context": silent, "property": silent, "dict": silent, "group": silent, "order": silent, "metric": silent,
	"label": silent, "annotation": silent, "arrow": silent, "shift": silent, "control": silent, "ctrl": silent,
	"delete": silent, "range": silent, "hash": silent, "config": silent, "translation": silent, "i18n": silent,
	"locale": silent, "idempotency": silent, "dedup": silent, "duplicate": silent, "any": silent, "enter": silent,
	"bucket": silent, "issue": silent, "project": silent, "cell": silent, "state": silent, "storybook": silent,
	"host": silent, "known": silent, "pub": silent, "sha": silent, "fingerprint": silent, "restore": silent,
	"react": silent, "column": silent, "field": silent, "header": silent, "query": silent, "path": silent,
	"file": silent, "menu": silent, "shortcut": silent, "item": silent, "tag": silent, "component": silent,
}

// tails are words that may follow the telling word of a name without taking
// its meaning away.
var tails = map[string]bool{
	"value": true, "val": true, "str": true, "string": true, "text": true, "plain": true, "plaintext": true, "raw": true,
	"prod": true, "production": true, "dev": true, "test": true, "testing": true, "stage": true, "staging": true,
	"live": true, "sandbox": true, "new": true, "old": true, "current": true, "default": true, "b64": true,
	"base64": true, "encoded": true, "secure": true, "super": true, "env": true, "main": true, "primary": true,
	"secondary": true, "backup": true, "here": true, "v1": true, "v2": true, "confirm": true, "confirmation": true,
	"enc": true, "encrypted": true, "hash": true, "local": true, "my": true,
}

// strengthOf says how telling the identifier id is.
func strengthOf(id []byte) strength {
	var buf [64]byte
	end := len(id)
	for range 6 {
		start, stop := lastWord(id[:end])
		if start == stop {
			return silent
		}
		w := lowered(buf[:0], id[start:stop])
		st, ok := nameWords[string(w)]
		if ok && string(w) == "key" || string(w) == "keys" {
			return strengthOfKey(id[:start])
		}
		if ok {
			return st
		}
		if !tails[string(w)] && !digits(w) {
			if st, ok = suffixed(w); ok {
				return st
			}
			return silent
		}
		end = start
	}
	return silent
}

// strengthOfKey says how telling "key" is behind the words of id.
func strengthOfKey(id []byte) strength {
	start, stop := lastWord(id)
	if start == stop {
		return vague
	}
	var buf [64]byte
	w := lowered(buf[:0], id[start:stop])
	if st, ok := keyOwners[string(w)]; ok {
		return st
	}
	return vague
}

// suffixed finds a telling word at the end of one that is written together,
// such as "dropboxtoken".
func suffixed(w []byte) (strength, bool) {
	for _, s := range [...]string{"password", "passwd", "passphrase"} {
		if len(w) > len(s) && string(w[len(w)-len(s):]) == s {
			return password, true
		}
	}
	for _, s := range [...]string{"secret", "token", "apikey", "secretkey", "accesskey", "privatekey", "authkey"} {
		if len(w) > len(s) && string(w[len(w)-len(s):]) == s {
			return telling, true
		}
	}
	return silent, false
}

func digits(w []byte) bool { return run(w, digit) == len(w) }

// lastWord finds the last word of an identifier: split at signs, between a
// small and a capital letter, and before the last capital of several.
func lastWord(id []byte) (start, end int) {
	end = len(id)
	for end > 0 && !is(id[end-1], alnum) {
		end--
	}
	start = end
	for start > 0 && is(id[start-1], alnum) {
		c, p := id[start-1], byte(0)
		if start > 1 {
			p = id[start-2]
		}
		start--
		if is(c, upper) && (is(p, lower|digit) || is(p, upper) && start+1 < end && is(id[start+1], lower)) {
			break
		}
	}
	return start, end
}

// lowered appends w in lower case to dst, up to 64 bytes.
func lowered(dst, w []byte) []byte {
	for _, c := range w[:min(len(w), 64)] {
		dst = append(dst, fold(c))
	}
	return dst
}
