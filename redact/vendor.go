package redact

import "bytes"

const ruleVendor = "vendor-key"

// A vendor is a service whose keys have a length of their own but no prefix.
// One is looked for right after the name of the service.
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
	{"abuseipdb", hexDigit, 80, "https://docs.abuseipdb.com/"},
	{"alienvault", hexDigit, 64, "https://otx.alienvault.com/api"},
	{"appveyor", lower | digit, 20, "https://www.appveyor.com/docs/api/"},
	{"asana", hexDigit, 32, "https://developers.asana.com/docs/personal-access-token"},
	{"binance", alnum, 64, "https://developers.binance.com/docs/"},
	{"bugsnag", hexDigit, 32, "https://docs.bugsnag.com/api/"},
	{"buildkite", hexDigit, 40, "https://buildkite.com/docs/apis/managing-api-tokens"},
	{"circleci", hexDigit, 40, "https://circleci.com/docs/guides/toolkit/managing-api-tokens/"},
	{"clockify", alnum, 48, "https://docs.clockify.me/"},
	{"cloudflare", urlSafe, 40, "https://developers.cloudflare.com/fundamentals/api/get-started/create-token/"},
	{"cloudflare", hexDigit, 37, "https://developers.cloudflare.com/fundamentals/api/get-started/keys/"},
	{"codacy", alnum, 20, "https://docs.codacy.com/codacy-api/api-tokens/"},
	{"codeclimate", hexDigit, 64, "https://docs.codeclimate.com/"},
	{"codecov", hexDigit | dash, 36, "https://docs.codecov.com/docs/codecov-tokens"},
	{"cohere", alnum, 40, "https://docs.cohere.com/reference/about"},
	{"coinapi", hexDigit | dash, 36, "https://docs.coinapi.io/"},
	{"coinmarketcap", hexDigit | dash, 36, "https://coinmarketcap.com/api/documentation/"},
	{"cryptocompare", hexDigit, 64, "https://developers.coindesk.com/"},
	{"currencylayer", hexDigit, 32, "https://currencylayer.com/documentation"},
	{"digitalocean", hexDigit, 64, "https://docs.digitalocean.com/reference/api/"},
	{"elevenlabs", hexDigit, 32, "https://elevenlabs.io/docs/api-reference/authentication"},
	{"finnhub", alnum, 20, "https://finnhub.io/docs/api"},
	{"freshbooks", hexDigit, 64, "https://www.freshbooks.com/api/start"},
	{"giphy", alnum, 32, "https://developers.giphy.com/docs/api/"},
	{"heroku", hexDigit | dash, 36, "https://devcenter.heroku.com/articles/authentication"},
	{"hetzner", alnum, 64, "https://docs.hetzner.cloud/"},
	{"hubspot", hexDigit | dash, 36, "https://developers.hubspot.com/docs"},
	{"infura", hexDigit, 32, "https://docs.metamask.io/services/"},
	{"ipstack", hexDigit, 32, "https://ipstack.com/documentation"},
	{"jotform", hexDigit, 32, "https://api.jotform.com/docs/"},
	{"launchdarkly", hexDigit | dash, 36, "https://launchdarkly.com/docs/home/account/api"},
	{"loggly", hexDigit | dash, 36, "https://documentation.solarwinds.com/en/success_center/loggly/"},
	{"lokalise", hexDigit, 40, "https://developers.lokalise.com/reference/api-authentication"},
	{"mailgun", hexDigit | dash, 50, "https://documentation.mailgun.com/docs/mailgun/user-manual/api-key-mgmt/rbac-mgmt"},
	{"mailgun", hexDigit, 32, "https://documentation.mailgun.com/docs/mailgun/user-manual/api-key-mgmt/rbac-mgmt"},
	{"mapquest", alnum, 32, "https://developer.mapquest.com/documentation/"},
	{"messagebird", alnum, 25, "https://developers.messagebird.com/api/#authentication"},
	{"mistral", alnum, 32, "https://docs.mistral.ai/getting-started/quickstart/"},
	{"netlify", urlSafe, 43, "https://docs.netlify.com/api/get-started/"},
	{"netlify", urlSafe, 45, "https://docs.netlify.com/api/get-started/"},
	{"newsapi", hexDigit, 32, "https://newsapi.org/docs/authentication"},
	{"onesignal", hexDigit | dash, 36, "https://documentation.onesignal.com/docs/keys-and-ids"},
	{"opencage", hexDigit, 32, "https://opencagedata.com/api"},
	{"opsgenie", hexDigit | dash, 36, "https://support.atlassian.com/opsgenie/docs/api-key-management/"},
	{"pipedrive", hexDigit, 40, "https://pipedrive.readme.io/docs/core-api-concepts-authentication"},
	{"polygon", urlSafe, 32, "https://polygon.io/docs"},
	{"postmark", hexDigit | dash, 36, "https://postmarkapp.com/developer/api/overview"},
	{"pushover", lower | digit, 30, "https://pushover.net/api"},
	{"raygun", base64c, 22, "https://raygun.com/documentation/"},
	{"scaleway", hexDigit | dash, 36, "https://www.scaleway.com/en/docs/iam/concepts/"},
	{"secret_id", hexDigit | dash, 36, "https://developer.hashicorp.com/vault/docs/auth/approle"},
	{"secretid", hexDigit | dash, 36, "https://developer.hashicorp.com/consul/docs/secure/acl/token"},
	{"sendgrid", hexDigit, 32, "https://www.twilio.com/docs/sendgrid/ui/account-and-settings/api-keys"},
	{"sentry", hexDigit, 64, "https://docs.sentry.io/account/auth-tokens/"},
	{"shodan", alnum, 32, "https://developer.shodan.io/api"},
	{"snyk", hexDigit | dash, 36, "https://docs.snyk.io/snyk-api/authentication-for-api"},
	{"sonarqube", hexDigit, 40, "https://docs.sonarsource.com/sonarqube-server/user-guide/managing-tokens"},
	{"sonarcloud", hexDigit, 40, "https://docs.sonarsource.com/sonarqube-cloud/managing-your-account/managing-tokens"},
	{"sparkpost", hexDigit, 40, "https://developers.sparkpost.com/api/"},
	{"spoonacular", hexDigit, 32, "https://spoonacular.com/food-api/docs"},
	{"spotify", hexDigit, 32, "https://developer.spotify.com/documentation/web-api"},
	{"strava", hexDigit, 40, "https://developers.strava.com/docs/authentication/"},
	{"todoist", hexDigit, 40, "https://developer.todoist.com/"},
	{"trello", hexDigit, 32, "https://developer.atlassian.com/cloud/trello/guides/rest-api/authorization/"},
	{"trello", hexDigit, 64, "https://developer.atlassian.com/cloud/trello/guides/rest-api/authorization/"},
	{"twilio", hexDigit, 32, "https://www.twilio.com/docs/iam/api"},
	{"unsplash", urlSafe, 43, "https://unsplash.com/documentation"},
	{"virustotal", hexDigit, 64, "https://docs.virustotal.com/reference/authentication"},
	{"vultr", upper | digit, 36, "https://docs.vultr.com/platform/other/api"},
	{"weatherstack", hexDigit, 32, "https://weatherstack.com/documentation"},
	{"zendesk", alnum, 40, "https://developer.zendesk.com/api-reference/introduction/security-and-auth/"},
	{"adzuna", hexDigit, 32, "https://developer.adzuna.com/overview"},
	{"airbrake", hexDigit, 32, "https://docs.airbrake.io/docs/devops-tools/api/"},
	{"airbrake", hexDigit, 40, "https://docs.airbrake.io/docs/devops-tools/api/"},
	{"anypoint", hexDigit | dash, 36, "https://docs.mulesoft.com/access-management/"},
	{"apiflash", hexDigit, 32, "https://apiflash.com/documentation"},
	{"aviationstack", hexDigit, 32, "https://aviationstack.com/documentation"},
	{"browserstack", alnum, 20, "https://www.browserstack.com/docs/"},
	{"bscscan", upper | digit, 34, "https://docs.bscscan.com/getting-started/viewing-api-usage-statistics"},
	{"clarifai", hexDigit, 32, "https://docs.clarifai.com/"},
	{"cloudmersive", hexDigit | dash, 36, "https://cloudmersive.com/docs"},
	{"contentful", urlSafe, 43, "https://www.contentful.com/developers/docs/references/authentication/"},
	{"countrylayer", hexDigit, 32, "https://countrylayer.com/documentation"},
	{"currencyfreaks", hexDigit, 32, "https://currencyfreaks.com/documentation"},
	{"detectlanguage", hexDigit, 32, "https://detectlanguage.com/documentation"},
	{"diffbot", hexDigit, 32, "https://docs.diffbot.com/reference/authentication"},
	{"edamam", hexDigit, 32, "https://developer.edamam.com/"},
	{"exchangeratesapi", hexDigit, 32, "https://exchangeratesapi.io/documentation/"},
	{"financialmodelingprep", alnum, 32, "https://site.financialmodelingprep.com/developer/docs"},
	{"fixerio", hexDigit, 32, "https://fixer.io/documentation"},
	{"flickr", hexDigit, 32, "https://www.flickr.com/services/api/"},
	{"geoapify", hexDigit, 32, "https://apidocs.geoapify.com/"},
	{"gtmetrix", hexDigit, 32, "https://gtmetrix.com/api/docs/2.0/"},
	{"ipapi", hexDigit, 32, "https://ipapi.com/documentation"},
	{"ipgeolocation", hexDigit, 32, "https://ipgeolocation.io/documentation.html"},
	{"languagelayer", hexDigit, 32, "https://languagelayer.com/documentation"},
	{"lastfm", hexDigit, 32, "https://www.last.fm/api/authentication"},
	{"logzio", alnum, 32, "https://docs.logz.io/docs/user-guide/admin/authentication-tokens/"},
	{"mailboxlayer", hexDigit, 32, "https://mailboxlayer.com/documentation"},
	{"marketstack", hexDigit, 32, "https://marketstack.com/documentation"},
	{"mattermost", lower | digit, 26, "https://developers.mattermost.com/integrate/reference/personal-access-token/"},
	{"mediastack", hexDigit, 32, "https://mediastack.com/documentation"},
	{"newrelic", lower | digit, 40, "https://docs.newrelic.com/docs/apis/intro-apis/new-relic-api-keys/"},
	{"numverify", hexDigit, 32, "https://numverify.com/documentation"},
	{"nytimes", alnum, 32, "https://developer.nytimes.com/get-started"},
	{"pagerduty", urlSafe | plus, 20, "https://support.pagerduty.com/main/docs/api-access-keys"},
	{"pdflayer", hexDigit, 32, "https://pdflayer.com/documentation"},
	{"plaid", hexDigit, 30, "https://plaid.com/docs/api/#api-access"},
	{"positionstack", hexDigit, 32, "https://positionstack.com/documentation"},
	{"pusher", hexDigit, 20, "https://pusher.com/docs/channels/server_api/overview/"},
	{"rapidapi", alnum, 50, "https://docs.rapidapi.com/docs/keys"},
	{"saucelabs", hexDigit | dash, 36, "https://docs.saucelabs.com/dev/api/"},
	{"scraperapi", hexDigit, 32, "https://docs.scraperapi.com/"},
	{"scrapestack", hexDigit, 32, "https://scrapestack.com/documentation"},
	{"screenshotlayer", hexDigit, 32, "https://screenshotlayer.com/documentation"},
	{"securitytrails", alnum, 32, "https://docs.securitytrails.com/docs/authentication"},
	{"serpstack", hexDigit, 32, "https://serpstack.com/documentation"},
	{"ticketmaster", alnum, 32, "https://developer.ticketmaster.com/products-and-docs/apis/getting-started/"},
	{"tomtom", alnum, 32, "https://developer.tomtom.com/"},
	{"travisci", alnum, 22, "https://developer.travis-ci.com/authentication"},
	{"userstack", hexDigit, 32, "https://userstack.com/documentation"},
	{"vatlayer", hexDigit, 32, "https://vatlayer.com/documentation"},
	{"vpnapi", hexDigit, 32, "https://vpnapi.io/api-documentation"},
	{"wakatime", hexDigit | dash, 36, "https://wakatime.com/developers#authentication"},
	{"weatherbit", hexDigit, 32, "https://www.weatherbit.io/api"},
	{"webflow", hexDigit, 64, "https://developers.webflow.com/data/reference/authentication"},
	{"zenrows", hexDigit, 40, "https://docs.zenrows.com/"},
	{"zerobounce", hexDigit, 32, "https://www.zerobounce.net/docs/"},
	{"zoominfo", alnum, 32, "https://api-docs.zoominfo.com/"},
	{"shortcut", hexDigit | dash, 36, "https://developer.shortcut.com/api/rest/v3#Authentication"},
}

// between are the words that may be between the name of a vendor and a key.
func between(w []byte) bool {
	var buf [12]byte
	switch string(lowered(buf[:0], w)) {
	case "api", "key", "keys", "token", "tokens", "secret", "access", "auth", "private", "app", "apikey", "apitoken", "value", "is",
		"the", "for", "sdk", "license", "rest", "user", "personal", "account", "ai", "io", "com", "client", "application", "write", "ingest", "appid", "login":
		return true
	}
	return false
}

const (
	maxBetween = 4  // how many such words there may be
	maxSigns   = 24 // how many signs and spaces, as in a column, before one
)

// find marks the key after the name that is at pos: quotes, signs and words for a
// key may be between.
func (d *vendor) find(v *view, pos int) {
	if pos > v.lo && is(v.text[pos-1], alnum) {
		return
	}
	b := v.text[:v.hi]
	if d.keyBefore(v, pos) {
		return
	}
	i := pos + len(d.name)
	if i < len(b) && b[i] == '.' { // the name of a host, with a path
		i += run(b[i:min(len(b), i+maxAddress)], urlSafe|dot|plus)
	}
	for range maxBetween + 1 {
		signs := i
		for i < len(b) && i-signs < maxSigns && (isQuote(b[i]) || b[i] == '\\' || is(b[i], blank|dash|under|equals|colon|comma) || b[i] == '?' || b[i] == '>' || b[i] == '|' || b[i] == '(' || b[i] == '[') {
			i++
		}
		if i > signs && (d.key(v, i) || v.assignedUUID(b[signs:i], i)) {
			return
		}
		n := run(b[i:min(len(b), i+12)], alpha)
		if n == 0 || !between(b[i:i+n]) {
			return
		}
		i += n
	}
}

// assignedUUID marks the UUID at i, which the signs before it assign to the name of a
// vendor.
func (v *view) assignedUUID(signs []byte, i int) bool {
	if n := v.runOf(i, urlSafe|base64c|equals); n != uuidLength || !bytes.ContainsAny(signs, `='"`) {
		return false
	}
	if t := traitsOf(v.text[i : i+uuidLength]); !t.uuid() || t.distinct < leastDistinct {
		return false
	}
	v.add(i, i+uuidLength, ruleVendor)
	return true
}

// keyBefore marks the key before the name at pos, if one is there and a space is
// between.
func (d *vendor) keyBefore(v *view, pos int) bool {
	end := pos - 1
	if end-d.length < v.lo || v.text[end] != ' ' || runBack(v.text[end-d.length:end], d.class) < d.length {
		return false
	}
	start := end - d.length
	return (start == v.lo || !is(v.text[start-1], urlSafe|base64c|equals)) && d.key(v, start)
}

const (
	uuidLength    = 36 // of a UUID
	leastDistinct = 6  // of its characters: one of zeros is none
)

// key marks the key at i, if one is there.
func (d *vendor) key(v *view, i int) bool {
	if n := v.runOf(i, urlSafe|base64c|equals); n != d.length || run(v.text[i:i+n], d.class) != n {
		return false
	}
	t := traitsOf(v.text[i : i+d.length])
	if t.placeholder() || t.digits == 0 || !t.uuid() && (!t.random(d.length) || d.length == uuidLength && d.class == hexDigit|dash) {
		return false
	}
	v.add(i, i+d.length, ruleVendor)
	return true
}
