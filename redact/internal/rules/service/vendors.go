// Package service finds keys that have no form of their own beside the name of the service
// that gave them out.
package service

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/names"
	"github.com/envwrap/envwrap/redact/internal/syntax"
	"github.com/envwrap/envwrap/redact/internal/value"
)

// A Vendor is a service whose keys have a length of their own but no prefix. A key is
// searched for right after the name of the service.
type Vendor struct {
	Name   string
	Class  ascii.Class
	Length int
	Doc    string
}

var Vendors = []Vendor{
	{"algolia", ascii.HexDigit, 32, "https://www.algolia.com/doc/guides/security/api-keys/"},
	{"amplitude", ascii.HexDigit, 32, "https://amplitude.com/docs/apis/authentication"},
	{"assemblyai", ascii.HexDigit, 32, "https://www.assemblyai.com/docs/api-reference/overview"},
	{"bitly", ascii.HexDigit, 40, "https://dev.bitly.com/docs/getting-started/authentication/"},
	{"chartmogul", ascii.Lower | ascii.Digit, 32, "https://dev.chartmogul.com/docs/authentication"},
	{"cloudsmith", ascii.HexDigit, 40, "https://docs.cloudsmith.com/accounts-and-teams/api-key"},
	{"coveralls", ascii.Alnum, 33, "https://docs.coveralls.io/api-introduction"},
	{"datadog", ascii.HexDigit, 32, "https://docs.datadoghq.com/account_management/api-app-keys/"},
	{"datadog", ascii.HexDigit, 40, "https://docs.datadoghq.com/account_management/api-app-keys/"},
	{"deepgram", ascii.HexDigit, 40, "https://developers.deepgram.com/docs/create-additional-api-keys"},
	{"etherscan", ascii.Upper | ascii.Digit, 34, "https://docs.etherscan.io/getting-an-api-key"},
	{"everhour", ascii.HexDigit | ascii.Dash, 32, "https://everhour.docs.apiary.io/"},
	{"fastforex", ascii.Alnum | ascii.Dash, 28, "https://fastforex.readme.io/reference/introduction"},
	{"fastly", ascii.URLSafe, 32, "https://www.fastly.com/documentation/guides/account-info/user-access-and-control/using-api-tokens/"},
	{"greptile", ascii.Base64, 48, "https://www.greptile.com/docs/api-reference/introduction"},
	{"linode", ascii.HexDigit, 64, "https://techdocs.akamai.com/linode-api/reference/get-started"},
	{"mailjet", ascii.HexDigit, 32, "https://dev.mailjet.com/email/guides/getting-started/"},
	{"mixpanel", ascii.HexDigit, 32, "https://docs.mixpanel.com/docs/orgs-and-projects/managing-projects"},
	{"openweather", ascii.Alnum, 32, "https://openweathermap.org/appid"},
	{"openweathermap", ascii.Alnum, 32, "https://openweathermap.org/appid"},
	{"pyowm", ascii.Alnum, 32, "https://openweathermap.org/appid"},
	{"parseur", ascii.HexDigit, 40, "https://developer.parseur.com/api-key"},
	{"pepipost", ascii.Lower | ascii.Digit, 32, "https://developers.pepipost.com/"},
	{"rollbar", ascii.HexDigit, 32, "https://docs.rollbar.com/docs/access-tokens"},
	{"wandb", ascii.HexDigit, 40, "https://docs.wandb.ai/support/find_api_key/"},
	{"yousign", ascii.Alnum, 32, "https://developers.yousign.com/docs/authentication"},
	{"abuseipdb", ascii.HexDigit, 80, "https://docs.abuseipdb.com/"},
	{"alienvault", ascii.HexDigit, 64, "https://otx.alienvault.com/api"},
	{"appveyor", ascii.Lower | ascii.Digit, 20, "https://www.appveyor.com/docs/api/"},
	{"asana", ascii.HexDigit, 32, "https://developers.asana.com/docs/personal-access-token"},
	{"binance", ascii.Alnum, 64, "https://developers.binance.com/docs/"},
	{"bugsnag", ascii.HexDigit, 32, "https://docs.bugsnag.com/api/"},
	{"buildkite", ascii.HexDigit, 40, "https://buildkite.com/docs/apis/managing-api-tokens"},
	{"circleci", ascii.HexDigit, 40, "https://circleci.com/docs/guides/toolkit/managing-api-tokens/"},
	{"clockify", ascii.Alnum, 48, "https://docs.clockify.me/"},
	{"cloudflare", ascii.URLSafe, 40, "https://developers.cloudflare.com/fundamentals/api/get-started/create-token/"},
	{"cloudflare", ascii.HexDigit, 37, "https://developers.cloudflare.com/fundamentals/api/get-started/keys/"},
	{"codacy", ascii.Alnum, 20, "https://docs.codacy.com/codacy-api/api-tokens/"},
	{"codeclimate", ascii.HexDigit, 64, "https://docs.codeclimate.com/"},
	{"codecov", ascii.HexDigit | ascii.Dash, 36, "https://docs.codecov.com/docs/codecov-tokens"},
	{"cohere", ascii.Alnum, 40, "https://docs.cohere.com/reference/about"},
	{"coinapi", ascii.HexDigit | ascii.Dash, 36, "https://docs.coinapi.io/"},
	{"coinmarketcap", ascii.HexDigit | ascii.Dash, 36, "https://coinmarketcap.com/api/documentation/"},
	{"cryptocompare", ascii.HexDigit, 64, "https://developers.coindesk.com/"},
	{"currencylayer", ascii.HexDigit, 32, "https://currencylayer.com/documentation"},
	{"digitalocean", ascii.HexDigit, 64, "https://docs.digitalocean.com/reference/api/"},
	{"elevenlabs", ascii.HexDigit, 32, "https://elevenlabs.io/docs/api-reference/authentication"},
	{"finnhub", ascii.Alnum, 20, "https://finnhub.io/docs/api"},
	{"freshbooks", ascii.HexDigit, 64, "https://www.freshbooks.com/api/start"},
	{"giphy", ascii.Alnum, 32, "https://developers.giphy.com/docs/api/"},
	{"heroku", ascii.HexDigit | ascii.Dash, 36, "https://devcenter.heroku.com/articles/authentication"},
	{"hetzner", ascii.Alnum, 64, "https://docs.hetzner.cloud/"},
	{"hubspot", ascii.HexDigit | ascii.Dash, 36, "https://developers.hubspot.com/docs"},
	{"infura", ascii.HexDigit, 32, "https://docs.metamask.io/services/"},
	{"ipstack", ascii.HexDigit, 32, "https://ipstack.com/documentation"},
	{"jotform", ascii.HexDigit, 32, "https://api.jotform.com/docs/"},
	{"launchdarkly", ascii.HexDigit | ascii.Dash, 36, "https://launchdarkly.com/docs/home/account/api"},
	{"loggly", ascii.HexDigit | ascii.Dash, 36, "https://documentation.solarwinds.com/en/success_center/loggly/"},
	{"lokalise", ascii.HexDigit, 40, "https://developers.lokalise.com/reference/api-authentication"},
	{"mailgun", ascii.HexDigit | ascii.Dash, 50, "https://documentation.mailgun.com/docs/mailgun/user-manual/api-key-mgmt/rbac-mgmt"},
	{"mailgun", ascii.HexDigit, 32, "https://documentation.mailgun.com/docs/mailgun/user-manual/api-key-mgmt/rbac-mgmt"},
	{"mapquest", ascii.Alnum, 32, "https://developer.mapquest.com/documentation/"},
	{"messagebird", ascii.Alnum, 25, "https://developers.messagebird.com/api/#authentication"},
	{"mistral", ascii.Alnum, 32, "https://docs.mistral.ai/getting-started/quickstart/"},
	{"netlify", ascii.URLSafe, 43, "https://docs.netlify.com/api/get-started/"},
	{"netlify", ascii.URLSafe, 45, "https://docs.netlify.com/api/get-started/"},
	{"newsapi", ascii.HexDigit, 32, "https://newsapi.org/docs/authentication"},
	{"onesignal", ascii.HexDigit | ascii.Dash, 36, "https://documentation.onesignal.com/docs/keys-and-ids"},
	{"opencage", ascii.HexDigit, 32, "https://opencagedata.com/api"},
	{"opsgenie", ascii.HexDigit | ascii.Dash, 36, "https://support.atlassian.com/opsgenie/docs/api-key-management/"},
	{"pipedrive", ascii.HexDigit, 40, "https://pipedrive.readme.io/docs/core-api-concepts-authentication"},
	{"polygon", ascii.URLSafe, 32, "https://polygon.io/docs"},
	{"postmark", ascii.HexDigit | ascii.Dash, 36, "https://postmarkapp.com/developer/api/overview"},
	{"pushover", ascii.Lower | ascii.Digit, 30, "https://pushover.net/api"},
	{"raygun", ascii.Base64, 22, "https://raygun.com/documentation/"},
	{"scaleway", ascii.HexDigit | ascii.Dash, 36, "https://www.scaleway.com/en/docs/iam/concepts/"},
	{"secret_id", ascii.HexDigit | ascii.Dash, 36, "https://developer.hashicorp.com/vault/docs/auth/approle"},
	{"secretid", ascii.HexDigit | ascii.Dash, 36, "https://developer.hashicorp.com/consul/docs/secure/acl/token"},
	{"sendgrid", ascii.HexDigit, 32, "https://www.twilio.com/docs/sendgrid/ui/account-and-settings/api-keys"},
	{"sentry", ascii.HexDigit, 64, "https://docs.sentry.io/account/auth-tokens/"},
	{"shodan", ascii.Alnum, 32, "https://developer.shodan.io/api"},
	{"snyk", ascii.HexDigit | ascii.Dash, 36, "https://docs.snyk.io/snyk-api/authentication-for-api"},
	{"sonarqube", ascii.HexDigit, 40, "https://docs.sonarsource.com/sonarqube-server/user-guide/managing-tokens"},
	{"sonarcloud", ascii.HexDigit, 40, "https://docs.sonarsource.com/sonarqube-cloud/managing-your-account/managing-tokens"},
	{"sparkpost", ascii.HexDigit, 40, "https://developers.sparkpost.com/api/"},
	{"spoonacular", ascii.HexDigit, 32, "https://spoonacular.com/food-api/docs"},
	{"spotify", ascii.HexDigit, 32, "https://developer.spotify.com/documentation/web-api"},
	{"strava", ascii.HexDigit, 40, "https://developers.strava.com/docs/authentication/"},
	{"todoist", ascii.HexDigit, 40, "https://developer.todoist.com/"},
	{"trello", ascii.HexDigit, 32, "https://developer.atlassian.com/cloud/trello/guides/rest-api/authorization/"},
	{"trello", ascii.HexDigit, 64, "https://developer.atlassian.com/cloud/trello/guides/rest-api/authorization/"},
	{"twilio", ascii.HexDigit, 32, "https://www.twilio.com/docs/iam/api"},
	{"unsplash", ascii.URLSafe, 43, "https://unsplash.com/documentation"},
	{"virustotal", ascii.HexDigit, 64, "https://docs.virustotal.com/reference/authentication"},
	{"vultr", ascii.Upper | ascii.Digit, 36, "https://docs.vultr.com/platform/other/api"},
	{"weatherstack", ascii.HexDigit, 32, "https://weatherstack.com/documentation"},
	{"zendesk", ascii.Alnum, 40, "https://developer.zendesk.com/api-reference/introduction/security-and-auth/"},
	{"adzuna", ascii.HexDigit, 32, "https://developer.adzuna.com/overview"},
	{"airbrake", ascii.HexDigit, 32, "https://docs.airbrake.io/docs/devops-tools/api/"},
	{"airbrake", ascii.HexDigit, 40, "https://docs.airbrake.io/docs/devops-tools/api/"},
	{"anypoint", ascii.HexDigit | ascii.Dash, 36, "https://docs.mulesoft.com/access-management/"},
	{"apiflash", ascii.HexDigit, 32, "https://apiflash.com/documentation"},
	{"aviationstack", ascii.HexDigit, 32, "https://aviationstack.com/documentation"},
	{"browserstack", ascii.Alnum, 20, "https://www.browserstack.com/docs/"},
	{"bscscan", ascii.Upper | ascii.Digit, 34, "https://docs.bscscan.com/getting-started/viewing-api-usage-statistics"},
	{"clarifai", ascii.HexDigit, 32, "https://docs.clarifai.com/"},
	{"cloudmersive", ascii.HexDigit | ascii.Dash, 36, "https://cloudmersive.com/docs"},
	{"contentful", ascii.URLSafe, 43, "https://www.contentful.com/developers/docs/references/authentication/"},
	{"countrylayer", ascii.HexDigit, 32, "https://countrylayer.com/documentation"},
	{"currencyfreaks", ascii.HexDigit, 32, "https://currencyfreaks.com/documentation"},
	{"detectlanguage", ascii.HexDigit, 32, "https://detectlanguage.com/documentation"},
	{"diffbot", ascii.HexDigit, 32, "https://docs.diffbot.com/reference/authentication"},
	{"edamam", ascii.HexDigit, 32, "https://developer.edamam.com/"},
	{"exchangeratesapi", ascii.HexDigit, 32, "https://exchangeratesapi.io/documentation/"},
	{"financialmodelingprep", ascii.Alnum, 32, "https://site.financialmodelingprep.com/developer/docs"},
	{"fixerio", ascii.HexDigit, 32, "https://fixer.io/documentation"},
	{"flickr", ascii.HexDigit, 32, "https://www.flickr.com/services/api/"},
	{"geoapify", ascii.HexDigit, 32, "https://apidocs.geoapify.com/"},
	{"gtmetrix", ascii.HexDigit, 32, "https://gtmetrix.com/api/docs/2.0/"},
	{"ipapi", ascii.HexDigit, 32, "https://ipapi.com/documentation"},
	{"ipgeolocation", ascii.HexDigit, 32, "https://ipgeolocation.io/documentation.html"},
	{"languagelayer", ascii.HexDigit, 32, "https://languagelayer.com/documentation"},
	{"lastfm", ascii.HexDigit, 32, "https://www.last.fm/api/authentication"},
	{"logzio", ascii.Alnum, 32, "https://docs.logz.io/docs/user-guide/admin/authentication-tokens/"},
	{"mailboxlayer", ascii.HexDigit, 32, "https://mailboxlayer.com/documentation"},
	{"marketstack", ascii.HexDigit, 32, "https://marketstack.com/documentation"},
	{"mattermost", ascii.Lower | ascii.Digit, 26, "https://developers.mattermost.com/integrate/reference/personal-access-token/"},
	{"mediastack", ascii.HexDigit, 32, "https://mediastack.com/documentation"},
	{"newrelic", ascii.Lower | ascii.Digit, 40, "https://docs.newrelic.com/docs/apis/intro-apis/new-relic-api-keys/"},
	{"numverify", ascii.HexDigit, 32, "https://numverify.com/documentation"},
	{"nytimes", ascii.Alnum, 32, "https://developer.nytimes.com/get-started"},
	{"pagerduty", ascii.URLSafe | ascii.Plus, 20, "https://support.pagerduty.com/main/docs/api-access-keys"},
	{"pdflayer", ascii.HexDigit, 32, "https://pdflayer.com/documentation"},
	{"plaid", ascii.HexDigit, 30, "https://plaid.com/docs/api/#api-access"},
	{"positionstack", ascii.HexDigit, 32, "https://positionstack.com/documentation"},
	{"pusher", ascii.HexDigit, 20, "https://pusher.com/docs/channels/server_api/overview/"},
	{"rapidapi", ascii.Alnum, 50, "https://docs.rapidapi.com/docs/keys"},
	{"saucelabs", ascii.HexDigit | ascii.Dash, 36, "https://docs.saucelabs.com/dev/api/"},
	{"scraperapi", ascii.HexDigit, 32, "https://docs.scraperapi.com/"},
	{"scrapestack", ascii.HexDigit, 32, "https://scrapestack.com/documentation"},
	{"screenshotlayer", ascii.HexDigit, 32, "https://screenshotlayer.com/documentation"},
	{"securitytrails", ascii.Alnum, 32, "https://docs.securitytrails.com/docs/authentication"},
	{"serpstack", ascii.HexDigit, 32, "https://serpstack.com/documentation"},
	{"ticketmaster", ascii.Alnum, 32, "https://developer.ticketmaster.com/products-and-docs/apis/getting-started/"},
	{"tomtom", ascii.Alnum, 32, "https://developer.tomtom.com/"},
	{"travisci", ascii.Alnum, 22, "https://developer.travis-ci.com/authentication"},
	{"userstack", ascii.HexDigit, 32, "https://userstack.com/documentation"},
	{"vatlayer", ascii.HexDigit, 32, "https://vatlayer.com/documentation"},
	{"vpnapi", ascii.HexDigit, 32, "https://vpnapi.io/api-documentation"},
	{"wakatime", ascii.HexDigit | ascii.Dash, 36, "https://wakatime.com/developers#authentication"},
	{"weatherbit", ascii.HexDigit, 32, "https://www.weatherbit.io/api"},
	{"webflow", ascii.HexDigit, 64, "https://developers.webflow.com/data/reference/authentication"},
	{"zenrows", ascii.HexDigit, 40, "https://docs.zenrows.com/"},
	{"zerobounce", ascii.HexDigit, 32, "https://www.zerobounce.net/docs/"},
	{"zoominfo", ascii.Alnum, 32, "https://api-docs.zoominfo.com/"},
	{"shortcut", ascii.HexDigit | ascii.Dash, 36, "https://developer.shortcut.com/api/rest/v3#Authentication"},
}

// joiningWord reports whether w may be between the name of a vendor and a key.
func joiningWord(w []byte) bool {
	var buf [12]byte
	switch string(ascii.AppendLower(buf[:0], w)) {
	case "api", "key", "keys", "token", "tokens", "secret", "access", "auth", "private", "app", "apikey", "apitoken", "value", "is",
		"the", "for", "sdk", "license", "rest", "user", "personal", "account", "ai", "io", "com", "client", "application", "write", "ingest", "appid", "login":
		return true
	}
	return false
}

const (
	maxBetween = 4  // joining words between a name and a key
	maxSigns   = 24 // signs and spaces, as in a column, before one
)

// Find marks the key after the name at pos: quotes, signs and words for a key may be
// between.
func (d *Vendor) Find(v *match.View, pos int) {
	if pos > v.Lo && ascii.Is(v.Text[pos-1], ascii.Alnum) {
		return
	}
	b := v.Text[:v.Hi]
	if d.keyBefore(v, pos) {
		return
	}
	i := pos + len(d.Name)
	if i < len(b) && b[i] == '.' { // the name of a host, with a path
		i += ascii.Run(b[i:min(len(b), i+names.MaxAddress)], ascii.URLSafe|ascii.Dot|ascii.Plus)
	}
	for range maxBetween + 1 {
		signs := i
		for i < len(b) && i-signs < maxSigns && (syntax.IsQuote(b[i]) || b[i] == '\\' || ascii.Is(b[i], ascii.Blank|ascii.Dash|ascii.Under|ascii.Equals|ascii.Colon|ascii.Comma) || b[i] == '?' || b[i] == '>' || b[i] == '|' || b[i] == '(' || b[i] == '[') {
			i++
		}
		if i > signs && (d.key(v, i) || assignedUUID(v, b[signs:i], i)) {
			return
		}
		n := ascii.Run(b[i:min(len(b), i+12)], ascii.Alpha)
		if n == 0 || !joiningWord(b[i:i+n]) {
			return
		}
		i += n
	}
}

// assignedUUID marks the UUID at i if the signs before it assign it to the name of a
// vendor, and reports whether they do.
func assignedUUID(v *match.View, signs []byte, i int) bool {
	if n := v.Run(i, ascii.URLSafe|ascii.Base64|ascii.Equals); n != UUIDLength || !bytes.ContainsAny(signs, `='"`) {
		return false
	}
	if t := value.TraitsOf(v.Text[i : i+UUIDLength]); !t.UUID() || t.Distinct < leastDistinct {
		return false
	}
	v.Add(i, i+UUIDLength, match.RuleVendor)
	return true
}

// keyBefore marks the key before the name at pos, with a space between, and reports
// whether there is one.
func (d *Vendor) keyBefore(v *match.View, pos int) bool {
	end := pos - 1
	if end-d.Length < v.Lo || v.Text[end] != ' ' || ascii.RunBack(v.Text[end-d.Length:end], d.Class) < d.Length {
		return false
	}
	start := end - d.Length
	return (start == v.Lo || !ascii.Is(v.Text[start-1], ascii.URLSafe|ascii.Base64|ascii.Equals)) && d.key(v, start)
}

const (
	UUIDLength    = 36 // of a UUID
	leastDistinct = 6  // different characters of a UUID: one of zeros is a placeholder
)

// key marks the key at i, and reports whether there is one.
func (d *Vendor) key(v *match.View, i int) bool {
	if n := v.Run(i, ascii.URLSafe|ascii.Base64|ascii.Equals); n != d.Length || ascii.Run(v.Text[i:i+n], d.Class) != n {
		return false
	}
	t := value.TraitsOf(v.Text[i : i+d.Length])
	if t.Placeholder() || t.Digits == 0 || !t.UUID() && (!t.Random(d.Length) || d.Length == UUIDLength && d.Class == ascii.HexDigit|ascii.Dash) {
		return false
	}
	v.Add(i, i+d.Length, match.RuleVendor)
	return true
}
