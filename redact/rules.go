package redact

import (
	"strings"
	"sync"

	"github.com/envwrap/envwrap/redact/internal/names"
)

//go:generate go test -run=TestLiterals -generate

// A ruleSet is the built-in rules, ready for use.
type ruleSet struct{ filter *prefilter }

// builtin makes the rule set when it is first needed.
var builtin = sync.OnceValue(func() *ruleSet { return &ruleSet{indexed(literals[:], &literalWindows)} })

// find appends what is worth a look in b to hits.
func (r *ruleSet) find(hits []hit, b []byte, at *places) []hit {
	from := len(hits)
	return r.sift(r.filter.find(hits, b, at), from, b)
}

// sift keeps of hits[from:], which are in b, what is worth a look.
func (r *ruleSet) sift(hits []hit, from int, b []byte) []hit {
	kept := hits[:from]
	for _, h := range hits[from:] {
		if literals[h.lit].quick(b, h.pos) {
			kept = append(kept, h)
		}
	}
	// They are nearly in order: windows are not where their literals begin.
	for i := from + 1; i < len(kept); i++ {
		for j := i; j > from && kept[j].before(kept[j-1]); j-- {
			kept[j], kept[j-1] = kept[j-1], kept[j]
		}
	}
	return kept
}

// before orders hits by where they are, and by kind; a program with a verb comes
// before the program.
func (h hit) before(o hit) bool {
	if h.pos != o.pos {
		return h.pos < o.pos
	}
	k, l := literals[h.lit].of, literals[o.lit].of
	if k == ofProgram && l == ofProgram {
		return len(literals[h.lit].text) > len(literals[o.lit].text)
	}
	return k < l || k == l && h.lit < o.lit
}

// quick reports whether the literal at b[pos:] is worth a look.
func (r *record) quick(b []byte, pos int) bool {
	switch r.of {
	case ofToken:
		return prefixes[r.arg].quick(b, pos)
	case ofName:
		return names.Keywords[r.arg].Quick(b, pos+len(r.text))
	case ofInfix:
		return infixes[r.arg].quick(b, pos+len(r.text))
	case ofProgram:
		return programs[r.arg].quick(b, pos, pos+len(r.text))
	case ofMatcher:
		if m := &matchers[r.arg]; m.quick != nil {
			return m.quick(b, pos)
		}
	}
	return true
}

// look looks at the literal at pos.
func (r *record) look(v *view, pos int) {
	switch r.of {
	case ofToken:
		prefixes[r.arg].find(v, pos)
	case ofName:
		assignment(v, pos+strings.LastIndexByte(r.text, '.')+1)
	case ofInfix:
		x := &infixes[r.arg]
		x.find(v, pos+len(r.text)-len(x.literal))
	case ofVendor:
		vendors[r.arg].find(v, pos)
	case ofService:
		bareKey(v, pos, pos+len(r.text))
	case ofWebhook:
		webhooks[r.arg].find(v, pos)
	case ofProgram:
		programs[r.arg].commandLine(v, pos)
	case ofMatcher:
		matchers[r.arg].find(v, pos)
	}
}

// A matcher is a way of its own to find secrets, at one of its literals.
type matcher struct {
	literals []string
	fold     bool                         // in either case
	quick    func(b []byte, pos int) bool // whether one at b[pos:] is worth a look; nil is always
	find     func(v *view, pos int)
}

var matchers = [...]matcher{
	{literals: []string{"://"}, quick: quickURL, find: urlCredentials},
	{literals: []string{"%3a%2f%2f", "%253a%252f%252f"}, fold: true, find: escapedURL},
	{literals: []string{"authorization"}, fold: true, find: authorization},
	{literals: []string{"bearer "}, fold: true, find: bearer},
	{literals: []string{"basic "}, fold: true, quick: quickBasic, find: basic},
	{literals: []string{"cookie:"}, fold: true, find: cookies},
	{literals: []string{".ASPXAUTH=", "ASP.NET_SessionId="}, find: aspNetCookie},
	{literals: []string{"-----BEGIN ", "---- BEGIN "}, find: privateKey},
	{literals: []string{"Private-Lines:"}, find: puttyKey},
	{literals: []string{
		"MII", "MHcCAQEE", "MIGHAgEA", "MIGkAgEB", "MIGTAgEA", "MC4CAQAw", "MIHcAgEB", "MFECAQEw", "MIG2AgEA", "MIHuAgEA",
	}, find: derKey},
	{literals: []string{"LS0tLS1CRUdJTi"}, find: pem64},
	{literals: []string{"UFJJVkFURSBLRVkt", "BSSVZBVEUgS0VZL", "QUklWQVRFIEtFWS"}, find: pemWithin},
	{literals: []string{"Imt0eSI", "JrdHki", "ia3R5Ij"}, find: encodedWord},
	{literals: encodedWords[:], find: encodedWord},
	{literals: []string{"Z29vZ2xlLmNyeXB0by50aW5rL", "dvb2dsZS5jcnlwdG8udGluay", "nb29nbGUuY3J5cHRvLnRpbmsu"}, find: tinkKeyset},
	{literals: []string{"%65", "%61", "%74", "%20%3d", "%3d%20", "%3a%20", "%3d%22", "%20%3a", "%2565", "%2561", "%2574", "%1f%8b%08"}, fold: true, find: escapedText},
	{literals: []string{"facebook", "fb_", "fb."}, fold: true, find: facebookToken},
	{literals: []string{"login_with_api_key"}, find: trueNAS},
	{literals: []string{"AQAAABAAA"}, find: jenkinsSecret},
	{literals: []string{"<master>{"}, find: encryptedElement},
	{literals: []string{"//rpc.", "mainnet.", "testnet.", "-mainnet", "-testnet", "sepolia.", ".moralis.io/"}, find: rpcPath},
	{literals: []string{"eyJ"}, find: jwt},
	{literals: []string{"ZXlK"}, find: encodedWord},
	{literals: []string{`"kty"`}, find: jwk},
	{literals: []string{"@tcp(", "@unix("}, find: sourceName},
	{literals: []string{"jdbc:oracle:thin:"}, find: thin},
	{literals: []string{"machine "}, find: netrc},
	{literals: []string{":5432:", ":5433:", ":6432:", ":6543:", ":5439:", ":*:"}, find: pgpass},
	{literals: []string{"mnemonic", "phrase", "seed:", "seed=", `seed"`, "seed_w", "seed w", "bip39", "bip-39"}, fold: true, find: mnemonic},
	{literals: []string{"AWS4-HMAC-SHA256"}, find: awsSignature},
	{literals: []string{":::"}, find: hashDump},
	{literals: []string{"CURLOPT_USERPWD", "CURLOPT_PROXYUSERPWD"}, find: userPassword},
	{literals: jwkMembers[:], find: jwkMember},
	{literals: discordStarts[:], quick: quickDiscord, find: discordToken},
	{literals: []string{"convertto-securestring"}, fold: true, find: secureString},
	{literals: []string{"identified"}, fold: true, find: identifiedBy},
	{literals: []string{"set password for "}, fold: true, find: setPassword},
	{literals: []string{`"SecureString"`}, find: secureParameter},
	{literals: []string{"chpasswd", "-password-stdin", "sudo -S", "passwd --stdin"}, find: pipedPassword},
	{literals: []string{"<<<"}, find: hereString},
	{literals: []string{" -p "}, quick: quickUserOption, find: userOption},
	{literals: []string{"@10.", "@192.168."}, quick: quickLogin, find: loginOfHost},
	{literals: []string{"assword:", "assword*"}, find: expectPassword},
	{literals: []string{`"keyName"`}, find: tableOfKeys},
	{literals: []string{"insert into "}, fold: true, find: insertInto},
	{literals: []string{
		"basicauth(", "basic_auth(", "networkcredential(", "credentials(", "passwordauthentication(", "auth=(", "auth = (", "sequelize(", "auth.basic(", ".auth(", "login(",
		"getconnection(", "new pdo(", "mysqli(", "mysqli_connect(", "mysql_connect(", "mysql.connect(", "mysqldb.connect(", "createconnection(", "directoryentry(",
	}, fold: true, find: credentialsOf},
	{literals: []string{"apiVersion"}, quick: lineStart, find: apiVersion},
	{literals: []string{"kind"}, quick: lineStart, find: kindOfObject},
	{literals: []string{
		"$2a$", "$2b$", "$2y$", "$2x$", "$1$", "$apr1$", "$5$", "$6$", "$y$", "$7$", "$gy$", "$sha1$", "$argon2i$",
		"$argon2d$", "$argon2id$", "$scrypt$", "$pbkdf2$", "$pbkdf2-sha256$", "$pbkdf2-sha512$", "$krb5asrep$",
		"$krb5tgs$", "$krb5pa$",
	}, find: cryptHash},
	{literals: foreignPasswords, fold: true, find: foreignPassword},
	{literals: []string{emptyLM}, fold: true, find: hashPair},
}

// lineStart reports whether only what YAML and JSON put before a name is
// right before b[pos].
func lineStart(b []byte, pos int) bool {
	return pos == 0 || strings.IndexByte(" \t\n\"'-{,\\+", b[pos-1]) >= 0
}
