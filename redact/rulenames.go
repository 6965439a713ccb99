package redact

// The names of the built-in rules, as counts have them. The rules for tokens are named in
// the tables of tokens, those for known values by whoever gives the values.
const (
	ruleAssignment    = "assignment"
	ruleAuthorization = "authorization"
	ruleCLI           = "command-line"
	ruleCookie        = "cookie"
	ruleDiscord       = "discord-token"
	ruleFacebook      = "facebook-token"
	ruleHash          = "password-hash"
	ruleJenkins       = "jenkins-secret"
	ruleJWK           = "json-web-key"
	ruleJWT           = "jwt"
	ruleKey           = "private-key"
	ruleKube          = "kubernetes-secret"
	ruleMnemonic      = "mnemonic"
	ruleNetrc         = "netrc"
	ruleOption        = "option"
	rulePair          = "cloud-secret-key"
	ruleRPC           = "rpc-endpoint"
	ruleService       = "service-token"
	ruleSignature     = "request-signature"
	ruleSQL           = "sql-password"
	ruleURL           = "url-credentials"
	ruleVendor        = "vendor-key"
	ruleWebhook       = "webhook-url"
)
