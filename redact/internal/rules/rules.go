// Package rules is the table of the built-in rules: which matcher is called for which
// literal. The matchers are in the packages below it, a package for each kind of secret.
package rules

import (
	"cmp"
	"strings"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/encoded"
	"github.com/envwrap/envwrap/redact/internal/literal"
	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/names"
	"github.com/envwrap/envwrap/redact/internal/rules/assignment"
	"github.com/envwrap/envwrap/redact/internal/rules/command"
	"github.com/envwrap/envwrap/redact/internal/rules/header"
	"github.com/envwrap/envwrap/redact/internal/rules/jwt"
	"github.com/envwrap/envwrap/redact/internal/rules/kubernetes"
	"github.com/envwrap/envwrap/redact/internal/rules/mnemonic"
	"github.com/envwrap/envwrap/redact/internal/rules/netrc"
	"github.com/envwrap/envwrap/redact/internal/rules/passwordhash"
	"github.com/envwrap/envwrap/redact/internal/rules/privatekey"
	"github.com/envwrap/envwrap/redact/internal/rules/service"
	"github.com/envwrap/envwrap/redact/internal/rules/sql"
	"github.com/envwrap/envwrap/redact/internal/rules/table"
	"github.com/envwrap/envwrap/redact/internal/rules/token"
	"github.com/envwrap/envwrap/redact/internal/rules/url"
)

// A kind is the kind of rule that a literal is of.
type kind uint16

const (
	ofToken   kind = iota // the prefix of tokens
	ofName                // a keyword of names
	ofInfix               // the fixed part of an infix
	ofVendor              // the name of a vendor
	ofWebhook             // the host and path of a webhook
	ofProgram             // the name of a program, and a space
	ofMatcher             // a matcher's own
)

// argBits is how many lower bits of a literal's ID are the index of its rule among those
// of its kind; the upper ones are the kind.
const argBits = 12

// rule returns the kind of the rule that l is of, and its index among those.
func rule(l *literal.Literal) (kind, int) {
	return kind(l.ID >> argBits), int(l.ID & (1<<argBits - 1))
}

// Find appends the literals of rules in b to hits, in order, without those that Quick
// functions show to have no secret. at is scratch space for the search.
func Find(hits []literal.Hit, b []byte, at *literal.Scratch) []literal.Hit {
	first, s := len(hits), literal.Builtin()
	var r Repetition
	for i := range s.Candidates(b, at) {
		if !r.Copies(i) {
			hits = s.Verify(hits, b, i)
			r.Note(hits, b, i)
		}
	}
	return Sift(hits, first, b, &r)
}

// Sift returns hits, of which those from first on are in b, in order, with the copies of r,
// and without those that Quick functions show to have no secret.
func Sift(hits []literal.Hit, first int, b []byte, r *Repetition) []literal.Hit {
	return r.copied(sift(hits, first, b), first)
}

// sift returns hits, of which those from from on are in b, without those that Quick
// functions show to have no secret, and in order.
func sift(hits []literal.Hit, from int, b []byte) []literal.Hit {
	s, kept := literal.Builtin(), hits[:from]
	var seen token.SeenRuns
	for _, h := range hits[from:] {
		if quick(s.Literal(h.Index), b, h.Pos, &seen) {
			kept = append(kept, h)
		}
	}
	// They are nearly in order: windows are not where their literals begin.
	for i := from + 1; i < len(kept); i++ {
		for j := i; j > from && before(s, kept[j], kept[j-1]); j-- {
			kept[j], kept[j-1] = kept[j-1], kept[j]
		}
	}
	return kept
}

// before orders hits by position, and by kind.
func before(s *literal.Searcher, h, o literal.Hit) bool {
	if h.Pos != o.Pos {
		return h.Pos < o.Pos
	}
	a, _ := rule(s.Literal(h.Index))
	b, _ := rule(s.Literal(o.Index))
	return cmp.Or(cmp.Compare(a, b), cmp.Compare(h.Index, o.Index)) < 0
}

// quick reports whether the literal at b[pos:] may have a secret.
func quick(l *literal.Literal, b []byte, pos int, seen *token.SeenRuns) bool {
	switch k, arg := rule(l); k {
	case ofToken:
		return token.Groups[arg].Quick(b, pos, seen)
	case ofName:
		end := pos + len(l.Text)
		return names.Keywords[arg].Quick(b, end) && assignment.Quick(b, pos, end)
	case ofInfix:
		return token.Infixes[arg].Quick(b, pos+len(l.Text))
	case ofProgram:
		return command.Programs[arg].Quick(b, pos, pos+len(l.Text))
	case ofMatcher:
		if m := &matchers[arg]; m.quick != nil {
			return m.quick(b, pos)
		}
	}
	return true
}

// Match calls the matcher of the rule whose literal was hit.
func Match(v *match.View, h literal.Hit) {
	l, pos := literal.Builtin().Literal(h.Index), h.Pos
	switch k, arg := rule(l); k {
	case ofToken:
		token.Groups[arg].Find(v, pos)
	case ofName:
		assignment.Find(v, pos+strings.LastIndexByte(l.Text, '.')+1)
	case ofInfix:
		x := &token.Infixes[arg]
		x.Find(v, pos+len(l.Text)-len(x.Literal))
	case ofVendor:
		service.Vendors[arg].Find(v, pos)
	case ofWebhook:
		url.Webhooks[arg].Find(v, pos)
	case ofProgram:
		command.Programs[arg].Find(v, pos)
	case ofMatcher:
		matchers[arg].find(v, pos)
	}
}

// BeginsAtEnd reports whether the beginning of a token may end text, and the token's rule.
func BeginsAtEnd(text []byte) (name string, ok bool) {
	s := literal.Builtin()
	for _, h := range s.Find(nil, text, nil) {
		l := s.Literal(h.Index)
		k, arg := rule(l)
		if k != ofToken || len(l.Text) <= minBegun || h.Pos > 0 && ascii.Is(text[h.Pos-1], ascii.Word) {
			continue
		}
		g := &token.Groups[arg]
		if name, ok = g.CutShort(text[h.Pos+len(g.Prefix):]); ok {
			return name, true
		}
	}
	return "", false
}

// minBegun is the length up to which a prefix shows no token.
const minBegun = 3

// A matcher is a rule of its own, whose secrets begin with one of its literals or have it
// in them.
type matcher struct {
	literals []string
	fold     bool                         // in either case
	quick    func(b []byte, pos int) bool // whether the literal at b[pos:] may have a secret; nil is true
	find     func(v *match.View, pos int)
}

var matchers = [...]matcher{
	{literals: []string{"://"}, quick: url.Quick, find: url.FindCredentials},
	{literals: []string{"authorization"}, fold: true, find: header.FindAuthorization},
	{literals: []string{"bearer "}, fold: true, find: header.FindBearer},
	{literals: []string{"basic "}, fold: true, quick: header.QuickBasic, find: header.FindBasic},
	{literals: []string{"cookie:"}, fold: true, find: header.FindCookies},
	{literals: []string{"-----BEGIN ", "---- BEGIN "}, find: privatekey.Find},
	{literals: []string{"Private-Lines:"}, find: privatekey.FindPutty},
	{literals: []string{
		"MII", "MHcCAQEE", "MIGHAgEA", "MIGkAgEB", "MIGTAgEA", "MC4CAQAw", "MIHcAgEB", "MFECAQEw", "MIG2AgEA", "MIHuAgEA",
	}, find: privatekey.FindDER},
	{literals: []string{"LS0tLS1CRUdJTi"}, find: privatekey.FindEncoded},
	{literals: []string{"UFJJVkFURSBLRVkt", "BSSVZBVEUgS0VZL", "QUklWQVRFIEtFWS"}, find: privatekey.FindWithin},
	{literals: []string{"Imt0eSI", "JrdHki", "ia3R5Ij"}, find: encoded.NoteWord},
	{literals: encoded.Words[:], find: encoded.NoteWord},
	{literals: []string{"Z29vZ2xlLmNyeXB0by50aW5rL", "dvb2dsZS5jcnlwdG8udGluay", "nb29nbGUuY3J5cHRvLnRpbmsu"}, find: jwt.FindTinkKeyset},
	{literals: []string{"eJw", "eJx", "eJy", "eJz", "789c", "789C"}, quick: encoded.QuickZlib, find: encoded.NoteWord},
	{literals: []string{"%65", "%61", "%74", "%20%3d", "%3d%20", "%3a%20", "%3d%22", "%20%3a", "%2565", "%2561", "%2574", "%1f%8b%08"}, fold: true, find: encoded.NoteEscaped},
	{literals: []string{"%3a%2f%2f", "%253a%252f%252f"}, fold: true, quick: encoded.QuickUserinfo, find: encoded.NoteEscaped},
	{literals: []string{"facebook", "fb_", "fb."}, fold: true, find: token.FindFacebook},
	{literals: []string{"login_with_api_key"}, find: token.FindTrueNAS},
	{literals: []string{"AQAAABAAA"}, find: token.FindJenkins},
	{literals: []string{"<master>{"}, find: token.FindEncryptedElement},
	{literals: []string{"eyJ"}, find: jwt.Find},
	{literals: []string{"ZXlK"}, find: encoded.NoteWord},
	{literals: []string{"@tcp(", "@unix("}, find: url.FindSourceName},
	{literals: []string{"jdbc:oracle:thin:"}, find: url.FindOracle},
	{literals: []string{"machine "}, find: netrc.Find},
	{literals: []string{":5432:", ":5433:", ":6432:", ":6543:", ":5439:", ":*:"}, find: netrc.FindPgpass},
	{literals: []string{"]:25 ", "]:465", "]:587", "]:2525"}, find: netrc.FindRelay},
	{literals: []string{"server\tsecret", "for authentication using CHAP", "for authentication using PAP"}, find: netrc.NoteSecrets},
	{literals: []string{"\"md5", "SCRAM-SHA-256$", " on #", " -pbkdf2-"}, find: passwordhash.FindVerifier},
	{literals: []string{"mnemonic", "phrase", "seed:", "seed=", `seed"`, "seed_w", "seed w", "bip39", "bip-39"}, fold: true, find: mnemonic.FindNamed},
	{literals: []string{"AWS4-HMAC-SHA256"}, find: header.FindAWSSignature},
	{literals: []string{":::"}, find: passwordhash.FindDump},
	{literals: jwt.JWKMembers[:], find: jwt.FindJWKMember},
	{literals: token.DiscordStarts[:], quick: token.QuickDiscord, find: token.FindDiscord},
	{literals: []string{"convertto-securestring"}, fold: true, find: command.FindSecureString},
	{literals: []string{"identified"}, fold: true, find: sql.FindIdentifiedBy},
	{literals: []string{"set password for "}, fold: true, find: sql.FindSetPassword},
	{literals: []string{`"SecureString"`}, find: assignment.FindSecureParameter},
	{literals: []string{"chpasswd", "-password-stdin", "-stdin-password", "sudo -S", "passwd --stdin", "cryptsetup "}, find: command.FindPiped},
	{literals: []string{" -pass pass:", " -passin pass:", " -passout pass:"}, find: command.FindPassArgument},
	{literals: []string{"<<<"}, find: command.FindHereString},
	{literals: []string{" -p "}, quick: command.QuickUserOption, find: command.FindUserOption},
	{literals: []string{"@10.", "@192.168.", " for host", " for db", " for prod", " for stag", " for smtp", " for ftp", " for 10.", " for 192.168."}, quick: url.QuickLogin, find: url.FindLogin},
	{literals: []string{"assword:", "assword*"}, find: command.FindExpect},
	{literals: []string{`"keyName"`, ".vault.azure.net/secrets/"}, find: assignment.FindAzureKey},
	{literals: []string{"login: ", "logins: ", "credentials: "}, fold: true, find: assignment.FindLogin},
	{literals: []string{"New value: ", "Key Content  "}, find: assignment.FindNewValue},
	{literals: []string{"username", "ipaddr"}, fold: true, quick: assignment.QuickAccount, find: assignment.NoteAccount},
	{literals: []string{"USER "}, find: assignment.NoteUser},
	{literals: []string{`"-p`, `'-p`}, quick: command.QuickListedOption, find: command.FindListedOption},
	{literals: assignment.PlaceTexts[:], quick: assignment.QuickPlace, find: assignment.FindPlace},
	{literals: []string{"base64 -d", "base64 --decode", "base64 -D"}, find: assignment.FindDecoded},
	{literals: []string{"get secret"}, find: assignment.FindStored},
	{literals: []string{"SPEC CHECKSUMS:"}, find: assignment.NoteChecksums},
	{literals: assignment.Printers[:], find: assignment.ExpectPrinted},
	{literals: assignment.Queried[:], find: assignment.ExpectQueried},
	{literals: []string{"$ pass ", "$ gopass "}, find: assignment.FindEntry},
	{literals: assignment.Generators[:], find: assignment.ExpectPrinted},
	{literals: []string{" PLAIN ", "\tresp="}, find: assignment.FindPlain},
	{literals: []string{"AUTH "}, find: assignment.FindRedisAuth},
	{literals: []string{") 0x", "accounts: [", "accounts = ["}, find: assignment.FindAccountKeys},
	{literals: []string{"'crypt' => ["}, find: assignment.NoteCrypt},
	{literals: []string{"privateExponent:", "prime1:", "prime2:", "exponent1:", "exponent2:", "coefficient:", "priv:"}, find: privatekey.FindNumber},
	{literals: []string{"random_password"}, find: assignment.FindRandomPassword},
	{literals: []string{"?code=", "&code="}, find: url.FindCode},
	{literals: []string{"authorization_code"}, find: url.FindGrant},
	{literals: url.Paths[:], find: url.FindInPath},
	{literals: []string{"recovery codes", "scratch codes", "backup codes", "'random' passwords"}, fold: true, find: assignment.NoteCodes},
	{literals: []string{"COPY "}, find: table.NoteCopy},
	{literals: []string{"insert into "}, fold: true, find: sql.FindInsert},
	{literals: []string{
		"basicauth(", "basic_auth(", "networkcredential(", "credentials(", "passwordauthentication(", "auth=(", "auth = (", "sequelize(", "auth.basic(", ".auth(", "changeuserpassword(", "login(",
		"getconnection(", "new pdo(", "pdo->__construct(", "mysqli(", "mysqli_connect(", "mysql_connect(", "mysql.connect(", "mysqldb.connect(", "createconnection(", "directoryentry(",
	}, fold: true, find: assignment.FindCredentials},
	{literals: []string{"apiVersion"}, quick: lineStart, find: kubernetes.NoteAPIVersion},
	{literals: []string{"kind"}, quick: lineStart, find: kubernetes.FindKind},
	{literals: []string{
		"$2a$", "$2b$", "$2y$", "$2x$", "$1$", "$apr1$", "$5$", "$6$", "$y$", "$7$", "$gy$", "$sha1$", "$argon2i$",
		"$argon2d$", "$argon2id$", "$scrypt$", "$pbkdf2$", "$pbkdf2-sha256$", "$pbkdf2-sha512$", "$krb5asrep$",
		"$krb5tgs$", "$krb5pa$",
	}, find: passwordhash.FindCrypt},
	{literals: []string{"{SSHA", "{SHA", "{PLAIN}", "{CLEAR", "{SMD5}", "{MD5}", "{PBKDF2"}, quick: passwordhash.QuickScheme, find: passwordhash.FindScheme},
	{literals: assignment.TranslatedPasswords[:], fold: true, find: assignment.FindTranslated},
	{literals: []string{passwordhash.EmptyLM, passwordhash.NoLM}, fold: true, find: passwordhash.FindPair},
}

// lineStart reports whether only signs that YAML and JSON put before a name are right
// before b[pos].
func lineStart(b []byte, pos int) bool {
	return pos == 0 || strings.IndexByte(" \t\n\"'-{,\\+", b[pos-1]) >= 0
}
