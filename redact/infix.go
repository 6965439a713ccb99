package redact

import "strings"

// An infix is a kind of secret with a fixed part that is not at its start.
type infix struct {
	rule       string
	literal    string
	before     class // of what precedes it
	bMin, bMax int
	after      class // of what follows
	aMin, aMax int
	doc        string
	sample     string
}

var infixes = []infix{
	{"terraform-token", ".atlasv1.", alnum, 10, 20, urlSafe | equals, 60, 80, "https://developer.hashicorp.com/terraform/cloud-docs/users-teams-organizations/api-tokens", "a14.atlasv1.u67"},
	{"openai-key", "T3BlbkFJ", urlSafe, 20, 160, urlSafe, 20, 160, "https://platform.openai.com/docs/api-reference/authentication", "sk-a20T3BlbkFJa20"},
	{"mailchimp-key", "-us", alnum, 32, 32, digit, 1, 2, "https://mailchimp.com/developer/marketing/guides/quick-start/", "h32-usd2"},
	{"dropbox-token", "AAAAAAAAAA", alnum, 11, 11, urlSafe, 43, 43, "https://www.dropbox.com/developers/documentation/http/documentation", "a11AAAAAAAAAAu43"},
	{"maxmind-key", "_mmk", word, 36, 36, alnum, 0, 0, "https://dev.maxmind.com/license-key-format/", "a6_a29_mmk"},
	{"telegram-bot-token", ":AA", digit, 8, 10, urlSafe, 32, 36, "https://core.telegram.org/bots/api#authorizing-your-bot", "d10:AAu33"},
	{"azure-client-secret", "Q~", urlSafe | dot | tilde, 4, 4, urlSafe | dot | tilde, 31, 34, "https://learn.microsoft.com/en-us/purview/sit-defn-azure-ad-client-secret", "a3d1Q~u34"},
	{"azure-key", "+ASt", base64c, 70, 80, base64c | equals, 6, 12, "https://learn.microsoft.com/en-us/purview/sit-defn-azure-storage-account-key", "B76+AStB6=="},
	{"azure-key", "+AEh", base64c, 33, 33, base64c | equals, 6, 8, "", "B33+AEhB6="},
	{"azure-key", "+ASb", base64c, 33, 33, base64c | equals, 6, 8, "", "B33+ASbB6="},
	{"azure-key", "ACDb", base64c, 70, 80, base64c | equals, 6, 12, "", "B76ACDbB6=="},
	{"azure-key", "AIoT", base64c, 30, 40, base64c | equals, 6, 12, "", "B33AIoTB6="},
	{"azure-key", "AzFu", urlSafe, 40, 48, urlSafe | equals, 6, 12, "", "a44AzFua8=="},
	{"azure-key", "AzSe", alnum, 40, 48, alnum, 4, 12, "", "a42AzSea6"},
	{"azure-key", "+ACR", base64c, 40, 48, base64c | equals, 4, 12, "", "B42+ACRB6"},
	{"azure-key", "+ABa", base64c, 70, 80, base64c | equals, 6, 10, "", "B76+ABaB6=="},
	{"azure-key", "AzCa", alnum, 30, 36, base64c | equals, 5, 8, "", "a33AzCaa5="},
	{"azure-key", "APIM", urlSafe, 70, 80, urlSafe | equals, 5, 10, "", "u76APIMu6=="},
	{"azure-key", "JQQJ99", base64c, 50, 56, base64c, 20, 30, "", "a52JQQJ99a26"},
	{"azure-devops-token", "AZDO", alnum, 70, 80, alnum, 4, 6, "https://learn.microsoft.com/en-us/azure/devops/organizations/accounts/use-personal-access-tokens-to-authenticate", "a76AZDOa4"},
	{"newrelic-license", "NRAL", lower | digit, 36, 36, alnum, 0, 0, "https://docs.newrelic.com/docs/apis/intro-apis/new-relic-api-keys/", "h36NRAL"},
	{"ebay-key", "-PRD-", urlSafe, 3, 60, hexDigit | dash, 17, 20, "https://developer.ebay.com/api-docs/static/creating-edp-keyset.html", "a8-PRD-h8-h8"},
	{"ebay-key", "-SBX-", urlSafe, 3, 60, hexDigit | dash, 17, 20, "", "a8-SBX-h8-h8"},
	{"fcm-token", ":APA91b", urlSafe, 10, 24, urlSafe, 100, 200, "https://firebase.google.com/docs/cloud-messaging/manage-tokens", "u22:APA91bu134"},
	{"k3s-token", "::server:", alnum, 67, 67, alnum, 16, 64, "https://docs.k3s.io/cli/token", "K10h64::server:h32"},
	{"k3s-token", "::node:", alnum, 67, 67, alnum, 16, 64, "", "K10h64::node:h32"},
	{"rapidapi-key", "jsn", lower | digit, 32, 38, hexDigit | lower, 12, 12, "https://docs.rapidapi.com/docs/keys-and-key-rotation", "h10mshh15p1h5jsnh12"},
	{"unleash-token", ":production.", word | dash | dot | query, 1, 40, hexDigit, 56, 64, "https://docs.getunleash.io/reference/api-tokens-and-client-keys", "default:production.h56"},
	{"unleash-token", ":development.", word | dash | dot | query, 1, 40, hexDigit, 56, 64, "", "default:development.h56"},
	{"deepl-key", ":fx", hexDigit | dash, 36, 36, alnum, 0, 0, "https://developers.deepl.com/docs/getting-started/auth", "h8-h4-h4-h4-h12:fx"},
	{ruleService, "_live_", servicePart, 1, 30, alnum, 20, 0, "https://docs.github.com/en/code-security/reference/secret-security/supported-secret-scanning-patterns", "flb_live_a12d4a16"},
	{ruleService, "_prod_", servicePart, 1, 30, alnum, 20, 0, "", "acme_prod_a12d4a16"},
	{ruleService, "_production_", servicePart, 1, 30, alnum, 20, 0, "", "acme_production_a12d4a16"},
	{ruleService, "_sandbox_", servicePart, 1, 30, alnum, 20, 0, "", "acme_sandbox_a12d4a16"},
	{ruleService, "_pat_", servicePart, 1, 30, alnum, 20, 0, "", "acme_pat_a12d4a16"},
	{ruleService, "_oat_", servicePart, 1, 30, alnum, 20, 0, "", "acme_oat_a12d4a16"},
	{ruleService, "_sk_", servicePart, 1, 30, alnum, 20, 0, "", "acme_sk_a12d4a16"},
	{ruleService, "_api_", servicePart, 1, 30, alnum, 20, 0, "", "acme_api_a12d4a16"},
	{ruleService, "_test_", servicePart, 1, 30, alnum, 20, 0, "", "acme_test_a12d4a16"},
	{"salesforce-token", "!AQ", alnum, 15, 18, urlSafe | dot, 80, 120, "https://developer.salesforce.com/docs/", "00Da15!AQu94"},
}

// ruleService is of tokens that have the words in them that services put into
// theirs, and are of none of the tables: acme_live_...
const ruleService = "service-token"

// servicePart are the characters before such a word.
const servicePart = lower | digit | under | dash

// maxInfix is how far after the fixed part a secret without a limit goes.
const maxInfix = 256

// quick reports whether the literal that ends at end is worth a look: it is not where it
// is part of a longer run of one character, as in base64 of zeros.
func (x *infix) quick(b []byte, end int) bool {
	c := x.literal[0]
	return end >= len(b) || b[end] != c || strings.Count(x.literal, x.literal[:1]) < len(x.literal)
}

// find marks the secret around the literal at pos.
func (x *infix) find(v *view, pos int) {
	b := runBack(v.text[max(v.lo, pos-x.bMax-len("u0022")-1):pos], x.before)
	i := pos + len(x.literal)
	if b > x.bMin && b < pos && backslashes(v.text[v.lo:], pos-b-v.lo)%2 == 1 {
		// The letter of an escape, such as \n, or one by its number.
		if i := pos - b; b > len("u0022") && v.text[i] == 'u' && run(v.text[i+1:i+len("u0022")], hexDigit) == 4 {
			b -= len("u0022")
		} else {
			b--
		}
	}
	if b > x.bMax && escapedByte(v.text[v.lo:pos-x.bMax]) {
		b = x.bMax
	}
	if b < x.bMin || b > x.bMax {
		return
	}
	a := run(v.text[i:min(v.hi, i+max(x.aMax, maxInfix)+1)], x.after)
	for a > x.aMin && is(v.text[i+a-1], dot|dash) {
		a-- // the end of a sentence
	}
	if a < x.aMin || a > x.aMax && x.aMax > 0 {
		return
	}
	s := v.text[pos-b : i+a]
	if t := traitsOf(s); t.distinct < 8 || t.digits == 0 && wordy(s) || t.repeat*3 > t.n || sampleText(s) {
		return
	}
	if x.rule == ruleService {
		t := traitsOf(v.text[i : i+a])
		if t.digits < 3 && !t.restless() || !t.random(20) || t.uppers == 0 && t.hexs < t.n || i+a < v.hi && is(v.text[i+a], word) {
			return
		}
	}
	v.add(pos-b, i+a, x.rule)
}
