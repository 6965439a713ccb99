package redact

const ruleVendor = "vendor-key"

// A vendor is a service whose keys have a length of their own but no prefix.
// One is looked for right behind the name of the service.
type vendor struct {
	name   string
	class  class
	length int
	doc    string
}

var vendors = []vendor{
	{"algolia", hexDigit, 32, "https://www.algolia.com/doc/guides/security/api-keys/"},
	{"amplitude", hexDigit, 32, "https://amplitude.com/docs/apis/authentication"},
	{"assemblyai", hexDigit, 32, "https://www.assemblyai.com/docs/api-reference/overview"},
	{"bitly", hexDigit, 40, "https://dev.bitly.com/docs/getting-started/authentication/"},
	{"chartmogul", lower | digit, 32, "https://dev.chartmogul.com/docs/authentication"},
	{"cloudsmith", hexDigit, 40, "https://docs.cloudsmith.com/accounts-and-teams/api-key"},
	{"coveralls", alnum, 33, "https://docs.coveralls.io/api-introduction"},
	{"datadog", hexDigit, 32, "https://docs.datadoghq.com/account_management/api-app-keys/"},
	{"datadog", hexDigit, 40, "https://docs.datadoghq.com/account_management/api-app-keys/"},
	{"deepgram", hexDigit, 40, "https://developers.deepgram.com/docs/create-additional-api-keys"},
	{"etherscan", upper | digit, 34, "https://docs.etherscan.io/getting-an-api-key"},
	{"everhour", hexDigit | dash, 32, "https://everhour.docs.apiary.io/"},
	{"fastforex", alnum | dash, 28, "https://fastforex.readme.io/reference/introduction"},
	{"fastly", urlSafe, 32, "https://www.fastly.com/documentation/guides/account-info/user-access-and-control/using-api-tokens/"},
	{"greptile", base64c, 48, "https://www.greptile.com/docs/api-reference/introduction"},
	{"linode", hexDigit, 64, "https://techdocs.akamai.com/linode-api/reference/get-started"},
	{"mailjet", hexDigit, 32, "https://dev.mailjet.com/email/guides/getting-started/"},
	{"mixpanel", hexDigit, 32, "https://docs.mixpanel.com/docs/orgs-and-projects/managing-projects"},
	{"openweather", alnum, 32, "https://openweathermap.org/appid"},
	{"openweathermap", alnum, 32, "https://openweathermap.org/appid"},
	{"pyowm", alnum, 32, "https://openweathermap.org/appid"},
	{"parseur", hexDigit, 40, "https://developer.parseur.com/api-key"},
	{"pepipost", lower | digit, 32, "https://developers.pepipost.com/"},
	{"rollbar", hexDigit, 32, "https://docs.rollbar.com/docs/access-tokens"},
	{"wandb", hexDigit, 40, "https://docs.wandb.ai/support/find_api_key/"},
	{"yousign", alnum, 32, "https://developers.yousign.com/docs/authentication"},
}

// find marks the key behind the name that ends at pos: an operator, quotes, or
// a space or dash stand between.
func (d *vendor) find(v *view, pos int) {
	if pos > v.lo && is(v.text[pos-1], alnum) {
		return
	}
	b := v.text[:v.hi]
	i := pos + len(d.name)
	for i < len(b) && i-pos < len(d.name)+6 && (isQuote(b[i]) || is(b[i], blank|dash|under|equals|colon) || b[i] == '>' || b[i] == '|') {
		i++
	}
	if i == pos+len(d.name) {
		return
	}
	if n := v.runOf(i, urlSafe|base64c|equals); n != d.length || run(b[i:i+n], d.class) != n {
		return
	}
	if t := traitsOf(b[i : i+d.length]); t.digits > 0 && t.random(d.length) && !t.placeholder() {
		v.add(i, i+d.length, ruleVendor)
	}
}
