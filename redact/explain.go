package redact

import (
	"strings"

	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/rules/token"
)

// How sure a rule is that a span is a secret.
const (
	Certain  = "certain"  // it is known, or nothing else has its form
	Likely   = "likely"   // its name, or its place, says so
	Possible = "possible" // it looks like one
)

// evidence describes the rules that are in no table of tokens.
var evidence = [...]struct{ rule, what, sure string }{
	{match.RuleAssignment, "is the value of a name for a secret", Likely},
	{match.RuleOption, "is the argument of an option for a secret", Likely},
	{match.RuleCLI, "is an argument that this program takes as a password", Likely},
	{match.RuleAuthorization, "is the credential of an Authorization header, or follows Bearer", Likely},
	{match.RuleCookie, "is the value of a cookie, and looks random", Likely},
	{match.RuleURL, "is before the at sign of a URL", Likely},
	{match.RuleKey, "is a private key", Certain},
	{match.RuleJWK, "is a private member of a JSON Web Key", Certain},
	{match.RuleJWT, "is a JSON Web Token", Certain},
	{match.RuleMnemonic, "is a row of words after a name for the seed of a wallet", Likely},
	{match.RuleSignature, "is the signature of a request to AWS", Certain},
	{match.RuleHash, "is the hash of a password", Certain},
	{match.RuleVendor, "is after the name of a vendor, and as long as its keys", Likely},
	{match.RuleService, "has the parts of a token of a service, and looks random", Possible},
	{match.RulePair, "is near the id of a cloud's key, and as long as its secret", Likely},
	{match.RuleNetrc, "is the password of an entry of .netrc or .pgpass", Likely},
	{match.RuleSQL, "is the password of a user in SQL", Likely},
	{match.RuleWebhook, "is an address to which anybody who has it can post", Certain},
	{match.RuleDiscord, "has the form of a token of a Discord bot", Certain},
	{match.RuleKubernetes, "is data of a Kubernetes Secret", Certain},
	{"secret-file", "is a line of a file of secrets", Certain},
}

// Explain describes a rule, given by its name in [Counts]: a phrase about what it
// finds, such as "is a private key", and how sure its findings are (Certain, Likely or
// Possible).
func Explain(rule string) (what, sure string) {
	if name, ok := strings.CutPrefix(rule, "env:"); ok {
		return "is the value of the variable " + name, Certain
	}
	for _, e := range evidence {
		if e.rule == rule {
			return e.what, e.sure
		}
	}
	for i := range token.Families {
		if f := &token.Families[i]; f.Rule == rule {
			return "has the form that " + f.Doc + " describes", sureOf(f)
		}
	}
	for _, x := range token.Infixes {
		if x.Rule == rule {
			return "has the form of a token of its service, around " + x.Literal, Certain
		}
	}
	return "matches the rule", Likely
}

// sureOf returns how sure a family is: Certain if its tokens begin with letters and signs
// that no words begin with.
func sureOf(f *token.Family) string {
	for _, t := range f.Tokens {
		if len(t.Prefix) < minCertain {
			return Likely
		}
	}
	return Certain
}

// minCertain is the least length of a prefix that is proof by itself.
const minCertain = 4
