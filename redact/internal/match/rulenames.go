package match

// The names of the built-in rules, as counts have them. The rules for tokens are named in
// the tables of tokens, those for known values by whoever gives the values.
const (
	RuleAssignment    = "assignment"
	RuleAuthorization = "authorization"
	RuleCLI           = "command-line"
	RuleCookie        = "cookie"
	RuleDiscord       = "discord-token"
	RuleFacebook      = "facebook-token"
	RuleHash          = "password-hash"
	RuleJenkins       = "jenkins-secret"
	RuleJWK           = "json-web-key"
	RuleJWT           = "jwt"
	RuleKey           = "private-key"
	RuleKubernetes    = "kubernetes-secret"
	RuleMnemonic      = "mnemonic"
	RuleNetrc         = "netrc"
	RuleOption        = "option"
	RulePair          = "cloud-secret-key"
	RuleService       = "service-token"
	RuleSignature     = "request-signature"
	RuleSQL           = "sql-password"
	RuleURL           = "url-credentials"
	RuleVendor        = "vendor-key"
	RuleWebhook       = "webhook-url"
)
