// Package passwordhash finds the hashes of passwords, in the formats of crypt(5) and of
// Windows.
package passwordhash

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/match"
)

// FindDump marks the hashes of Windows passwords in a dump, user:id:LM:NT:::, whose three
// colons are at pos.
func FindDump(v *match.View, pos int) {
	nt := pos - ascii.RunBack(v.Text[v.Lo:pos], ascii.HexDigit)
	if pos-nt != 32 || nt == v.Lo || v.Text[nt-1] != ':' {
		return
	}
	start := nt
	if lm := nt - 1 - ascii.RunBack(v.Text[v.Lo:nt-1], ascii.HexDigit); nt-1-lm == 32 {
		start = lm
	}
	v.Add(start, pos, match.RuleHash)
}

// EmptyLM is the empty LM hash, of an empty password, that Windows stores when LM is
// disabled, and a colon.
const EmptyLM = "aad3b435b51404eeaad3b435b51404ee:"

// NoLM stands in its place in Samba's smbpasswd(5).
const NoLM = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx:"

// FindPair marks the hash of a Windows password with the EmptyLM before it at pos, as
// tools take and print the two.
func FindPair(v *match.View, pos int) {
	nt := pos + len(EmptyLM)
	if ascii.Run(v.Text[nt:v.Hi], ascii.HexDigit) == 32 && (pos == v.Lo || !ascii.Is(v.Text[pos-1], ascii.HexDigit)) {
		if ascii.Fold(v.Text[pos]) == 'x' {
			pos = nt
		}
		v.Add(pos, nt+32, match.RuleHash)
	}
}

// FindCrypt marks the hash of a password in the modular format of crypt(5), $id$salt$hash,
// whose first dollar is at pos.
func FindCrypt(v *match.View, pos int) {
	b := v.Text[pos:v.Hi]
	if pos > v.Lo && ascii.Is(v.Text[pos-1], ascii.Alnum) && !v.Boundary(pos) {
		return
	}
	id := 1 + ascii.Run(b[1:], ascii.Alnum|ascii.Dash) // the second dollar is in the literal
	n := id + 1 + v.Run(pos+id+1, ascii.Token|ascii.Colon|ascii.Comma)
	least := hashLength(string(b[1:id]))
	if i := bytes.IndexByte(b[min(least, n):n], ','); i >= 0 && b[1] != 'a' && b[1] != 's' && b[1] != 'y' {
		n = min(least, n) + i // only parameters of argon2, scrypt and yescrypt have commas
	}
	if n < least || bytes.Contains(b[:n], []byte("$$$")) || bytes.IndexByte(b[id+1:n], '$') < 0 {
		return
	}
	v.Add(pos, pos+n, match.RuleHash)
}

// QuickScheme reports whether a password may follow the scheme at b[pos:].
func QuickScheme(b []byte, pos int) bool {
	n := bytes.IndexByte(b[pos:min(len(b), pos+maxScheme)], '}')
	return n > 0 && pos+n+1 < len(b) && !ascii.Is(b[pos+n+1], ascii.Blank)
}

// maxScheme is the most bytes of the name of a scheme.
const maxScheme = 16

// FindScheme marks a password or its hash after the name of its scheme at pos, as servers of
// directories and mail store it: {SSHA512}hash.
func FindScheme(v *match.View, pos int) {
	if pos > v.Lo && v.Text[pos-1] == '$' {
		return // a variable of a shell: ${CLEAR}
	}
	i := pos + bytes.IndexByte(v.Text[pos:v.Hi], '}') + 1
	n := ascii.Run(v.Text[i:v.Hi], ascii.Token|ascii.Query)
	if v.Text[pos+1] != 'P' && v.Text[pos+1] != 'C' {
		n = ascii.Run(v.Text[i:v.Hi], ascii.Base64|ascii.Equals|ascii.Dot)
		if n < len("{MD5}")+19 {
			return
		}
	}
	v.Add(i, i+n, match.RuleHash)
}

// FindVerifier marks what a server stores of a password in its list of users: of PgBouncer,
// "ada" "md5...", of PostgreSQL, SCRAM-SHA-256$4096:..., of Redis, user
// ada on #..., of CouchDB, ada = -pbkdf2-...
func FindVerifier(v *match.View, pos int) {
	switch hex := pos + len(" on #"); v.Text[pos] {
	case '"':
		hex-- // after "md5
		if ascii.Run(v.Text[hex:v.Hi], ascii.HexDigit) == 32 && bytes.HasSuffix(v.Text[v.Lo:pos], []byte(`" `)) {
			v.Add(pos+1, hex+32, match.RuleHash)
		}
	case ' ':
		if v.Text[pos+1] == '-' {
			if n := v.Run(pos+1, ascii.Word|ascii.Dash|ascii.Comma); n > len("-pbkdf2-")+64 {
				v.Add(pos+1, pos+1+n, match.RuleHash)
			}
			return
		}
		if ascii.Run(v.Text[hex:v.Hi], ascii.HexDigit) == 64 {
			v.Add(hex, hex+64, match.RuleHash)
		}
	default:
		if pos > v.Lo && ascii.Is(v.Text[pos-1], ascii.Token|ascii.Colon) {
			return
		}
		if n := v.Run(pos, ascii.Token|ascii.Colon); n >= len("SCRAM-SHA-256$4096:$:")+22+2*43 {
			v.Add(pos, pos+n, match.RuleHash)
		}
	}
}

// hashLength returns the least length of a hash with this id, of crypt(5) or of libraries
// that write theirs in the same way.
func hashLength(id string) int {
	switch id {
	case "1":
		return 26
	case "apr1":
		return 30
	case "2a", "2b", "2y", "2x":
		return 59
	case "6":
		return 80
	}
	return 40
}
