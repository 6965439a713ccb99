// Package names says how strongly the name of a value suggests that the value is secret.
package names

import (
	"bytes"
	"strings"

	"github.com/envwrap/envwrap/redact/internal/ascii"
)

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
		case n == 0 && !(qualifies(w) || digitsOnly(w)):
			if st = suffixStrength(w); st != None {
				return st
			}
			return labelledStrength(id[:start], w)
		case !(qualifies(w) || digitsOnly(w)):
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
	w := string(ascii.AppendLower(buf[:0], id[start:stop]))
	return publicToken(w) || w == "request" && ascii.ContainsFold(id[:start], "client") // of AWS, so that a call is not done twice
}

// passOfProgram reports whether the last word of id says that "pass" is a run of a program
// over its data: renderPass.
func passOfProgram(id []byte) bool {
	start, stop := LastWord(id)
	var buf [12]byte
	return runOverData(string(ascii.AppendLower(buf[:0], id[start:stop])))
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
