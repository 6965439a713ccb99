package token

import (
	"strings"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/syntax"
	"github.com/envwrap/envwrap/redact/internal/value"
)

// An infix is a kind of secret with a fixed part that is not at its start.
type infix struct {
	Rule       string
	Literal    string
	before     ascii.Class // of the characters before it
	bMin, bMax int
	after      ascii.Class // of those after it
	aMin, aMax int
	Doc        string
	Sample     string
}

var Infixes = []infix{
	{"terraform-token", ".atlasv1.", ascii.Alnum, 10, 20, ascii.URLSafe | ascii.Equals, 60, 80, "https://developer.hashicorp.com/terraform/cloud-docs/users-teams-organizations/api-tokens", "a14.atlasv1.u67"},
	{"openai-key", "T3BlbkFJ", ascii.URLSafe, 20, 160, ascii.URLSafe, 20, 160, "https://platform.openai.com/docs/api-reference/authentication", "sk-a20T3BlbkFJa20"},
	{"mailchimp-key", "-us", ascii.Alnum, 32, 32, ascii.Digit, 1, 2, "https://mailchimp.com/developer/marketing/guides/quick-start/", "h32-usd2"},
	{"dropbox-token", "AAAAAAAAAA", ascii.Alnum, 11, 11, ascii.URLSafe, 43, 43, "https://www.dropbox.com/developers/documentation/http/documentation", "a11AAAAAAAAAAu43"},
	{"maxmind-key", "_mmk", ascii.Word, 36, 36, ascii.Alnum, 0, 0, "https://dev.maxmind.com/license-key-format/", "a6_a29_mmk"},
	{"telegram-bot-token", ":AA", ascii.Digit, 8, 10, ascii.URLSafe, 32, 36, "https://core.telegram.org/bots/api#authorizing-your-bot", "d10:AAu33"},
	{"azure-client-secret", "Q~", ascii.URLSafe | ascii.Dot | ascii.Tilde, 4, 4, ascii.URLSafe | ascii.Dot | ascii.Tilde, 31, 34, "https://learn.microsoft.com/en-us/purview/sit-defn-azure-ad-client-secret", "a3d1Q~u34"},
	{"azure-key", "+ASt", ascii.Base64, 70, 80, ascii.Base64 | ascii.Equals, 6, 12, "https://learn.microsoft.com/en-us/purview/sit-defn-azure-storage-account-key", "B76+AStB6=="},
	{"azure-key", "+AEh", ascii.Base64, 33, 33, ascii.Base64 | ascii.Equals, 6, 8, "", "B33+AEhB6="},
	{"azure-key", "+ASb", ascii.Base64, 33, 33, ascii.Base64 | ascii.Equals, 6, 8, "", "B33+ASbB6="},
	{"azure-key", "ACDb", ascii.Base64, 70, 80, ascii.Base64 | ascii.Equals, 6, 12, "", "B76ACDbB6=="},
	{"azure-key", "AIoT", ascii.Base64, 30, 40, ascii.Base64 | ascii.Equals, 6, 12, "", "B33AIoTB6="},
	{"azure-key", "AzFu", ascii.URLSafe, 40, 48, ascii.URLSafe | ascii.Equals, 6, 12, "", "a44AzFua8=="},
	{"azure-key", "AzSe", ascii.Alnum, 40, 48, ascii.Alnum, 4, 12, "", "a42AzSea6"},
	{"azure-key", "+ACR", ascii.Base64, 40, 48, ascii.Base64 | ascii.Equals, 4, 12, "", "B42+ACRB6"},
	{"azure-key", "+ABa", ascii.Base64, 70, 80, ascii.Base64 | ascii.Equals, 6, 10, "", "B76+ABaB6=="},
	{"azure-key", "AzCa", ascii.Alnum, 30, 36, ascii.Base64 | ascii.Equals, 5, 8, "", "a33AzCaa5="},
	{"azure-key", "APIM", ascii.URLSafe, 70, 80, ascii.URLSafe | ascii.Equals, 5, 10, "", "u76APIMu6=="},
	{"azure-key", "JQQJ99", ascii.Base64, 50, 56, ascii.Base64, 20, 30, "", "a52JQQJ99a26"},
	{"azure-devops-token", "AZDO", ascii.Alnum, 70, 80, ascii.Alnum, 4, 6, "https://learn.microsoft.com/en-us/azure/devops/organizations/accounts/use-personal-access-tokens-to-authenticate", "a76AZDOa4"},
	{"newrelic-license", "NRAL", ascii.Lower | ascii.Digit, 36, 36, ascii.Alnum, 0, 0, "https://docs.newrelic.com/docs/apis/intro-apis/new-relic-api-keys/", "h36NRAL"},
	{"ebay-key", "-PRD-", ascii.URLSafe, 3, 60, ascii.HexDigit | ascii.Dash, 17, 20, "https://developer.ebay.com/api-docs/static/creating-edp-keyset.html", "a8-PRD-h8-h8"},
	{"ebay-key", "-SBX-", ascii.URLSafe, 3, 60, ascii.HexDigit | ascii.Dash, 17, 20, "", "a8-SBX-h8-h8"},
	{"fcm-token", ":APA91b", ascii.URLSafe, 10, 24, ascii.URLSafe, 100, 200, "https://firebase.google.com/docs/cloud-messaging/manage-tokens", "u22:APA91bu134"},
	{"k3s-token", "::server:", ascii.Alnum, 67, 67, ascii.Alnum, 16, 64, "https://docs.k3s.io/cli/token", "K10h64::server:h32"},
	{"k3s-token", "::node:", ascii.Alnum, 67, 67, ascii.Alnum, 16, 64, "", "K10h64::node:h32"},
	{"rapidapi-key", "jsn", ascii.Lower | ascii.Digit, 32, 38, ascii.HexDigit | ascii.Lower, 12, 12, "https://docs.rapidapi.com/docs/keys-and-key-rotation", "h10mshh15p1h5jsnh12"},
	{"unleash-token", ":production.", ascii.Word | ascii.Dash | ascii.Dot | ascii.Query, 1, 40, ascii.HexDigit, 56, 64, "https://docs.getunleash.io/reference/api-tokens-and-client-keys", "default:production.h56"},
	{"unleash-token", ":development.", ascii.Word | ascii.Dash | ascii.Dot | ascii.Query, 1, 40, ascii.HexDigit, 56, 64, "", "default:development.h56"},
	{"deepl-key", ":fx", ascii.HexDigit | ascii.Dash, 36, 36, ascii.Alnum, 0, 0, "https://developers.deepl.com/docs/getting-started/auth", "h8-h4-h4-h4-h12:fx"},
	{match.RuleService, "_live_", servicePart, 1, 30, ascii.Alnum, 20, 0, "https://docs.github.com/en/code-security/reference/secret-security/supported-secret-scanning-patterns", "flb_live_a12d4a16"},
	{match.RuleService, "_prod_", servicePart, 1, 30, ascii.Alnum, 20, 0, "", "acme_prod_a12d4a16"},
	{match.RuleService, "_production_", servicePart, 1, 30, ascii.Alnum, 20, 0, "", "acme_production_a12d4a16"},
	{match.RuleService, "_sandbox_", servicePart, 1, 30, ascii.Alnum, 20, 0, "", "acme_sandbox_a12d4a16"},
	{match.RuleService, "_pat_", servicePart, 1, 30, ascii.Alnum, 20, 0, "", "acme_pat_a12d4a16"},
	{match.RuleService, "_oat_", servicePart, 1, 30, ascii.Alnum, 20, 0, "", "acme_oat_a12d4a16"},
	{match.RuleService, "_sk_", servicePart, 1, 30, ascii.Alnum, 20, 0, "", "acme_sk_a12d4a16"},
	{match.RuleService, "_api_", servicePart, 1, 30, ascii.Alnum, 20, 0, "", "acme_api_a12d4a16"},
	{match.RuleService, "_test_", servicePart, 1, 30, ascii.Alnum, 20, 0, "", "acme_test_a12d4a16"},
	{"salesforce-token", "!AQ", ascii.Alnum, 15, 18, ascii.URLSafe | ascii.Dot, 80, 120, "https://developer.salesforce.com/docs/", "00Da15!AQu94"},
}

// servicePart are the characters before the words that services put into their tokens.
const servicePart = ascii.Lower | ascii.Digit | ascii.Under | ascii.Dash

// maxInfix is how far after the fixed part a secret without a limit goes.
const maxInfix = 256

// Quick reports whether a secret may have the literal that ends at end: not if the literal
// is part of a longer run of one character, as in base64 of zeros.
func (x *infix) Quick(b []byte, end int) bool {
	c := x.Literal[0]
	return end >= len(b) || b[end] != c || strings.Count(x.Literal, x.Literal[:1]) < len(x.Literal)
}

// Find marks the secret around the literal at pos.
func (x *infix) Find(v *match.View, pos int) {
	b := ascii.RunBack(v.Text[max(v.Lo, pos-x.bMax-len("u0022")-1):pos], x.before)
	i := pos + len(x.Literal)
	if b > x.bMin && b < pos && ascii.Backslashes(v.Text[v.Lo:], pos-b-v.Lo)%2 == 1 {
		// The letter of an escape, such as \n, or one by its number.
		if i := pos - b; b > len("u0022") && v.Text[i] == 'u' && ascii.Run(v.Text[i+1:i+len("u0022")], ascii.HexDigit) == 4 {
			b -= len("u0022")
		} else {
			b--
		}
	}
	if before := v.Text[v.Lo:max(v.Lo, pos-x.bMax)]; b > x.bMax && (syntax.EscapedByte(before) || syntax.EscapedCode(before)) {
		b = x.bMax
	}
	if b < x.bMin || b > x.bMax {
		return
	}
	a := ascii.Run(v.Text[i:min(v.Hi, i+max(x.aMax, maxInfix)+1)], x.after)
	for a > x.aMin && ascii.Is(v.Text[i+a-1], ascii.Dot|ascii.Dash) {
		a-- // the end of a sentence
	}
	if a < x.aMin || a > x.aMax && x.aMax > 0 {
		return
	}
	s := v.Text[pos-b : i+a]
	if t := value.TraitsOf(s); t.Distinct < 8 || t.Digits == 0 && value.Wordy(s) || t.Repeat*3 > t.Len || value.Sample(s) {
		return
	}
	if x.Rule == match.RuleService {
		t := value.TraitsOf(v.Text[i : i+a])
		if t.Digits < 3 && !t.Restless() || !t.Random(20) || t.Uppers == 0 && t.Hexes < t.Len || i+a < v.Hi && ascii.Is(v.Text[i+a], ascii.Word) {
			return
		}
	}
	v.Add(pos-b, i+a, x.Rule)
}
