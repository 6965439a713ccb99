package token

import "github.com/envwrap/envwrap/redact/internal/ascii"

// cloudTokens are the tokens of clouds, hosting and networks.
var cloudTokens = []Family{
	{"azure-integration-runtime-key", "https://learn.microsoft.com/en-us/powershell/module/az.datafactory/get-azdatafactoryv2integrationruntimekey", []Token{
		{"IR@", ascii.URLSafe | ascii.Base64 | ascii.Equals | ascii.Query, 70, 0, '@', "13043b02-6c48-bbf3-3fef-f9243a8f506b@data-factory@we@9IyW1MxjFT5ISgxnWamNeyyNwlEeDPOMScPfQpLPecx="},
	}},
	{"aws-access-key-id", "https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html", []Token{
		{"AKIA", ascii.Digit | ascii.Upper, 16, 16, 0, "6LESZQ31FPBU2DQF"},
		{"ASIA", ascii.Digit | ascii.Upper, 16, 16, 0, "G19WWQI97BC18PSC"},
		{"ABIA", ascii.Digit | ascii.Upper, 16, 16, 0, "1XSQGQ792YYDTXQY"},
		{"ACCA", ascii.Digit | ascii.Upper, 16, 16, 0, "IGB4G7D0KSFH220M"},
		{"A3T", ascii.Digit | ascii.Upper, 17, 17, 0, "GE23QMY1CHNT9ORIZ"},
	}},
	{"aws-bedrock-key", "https://docs.aws.amazon.com/bedrock/latest/userguide/api-keys.html", []Token{
		{"ABSK", ascii.Base64 | ascii.Equals, 100, 0, 0, "1WgW1qwLGr0Qj7o2C4GSYRozrC00J0WHIbWfzzLy5lL3O2nSEnx7zudGekQCrsRmMsuje0vc9ME3mPBQDdE6aLUTnD6E31Gnak2EJXFxhOgESja9LRUNqlpEtdQp6="},
		{"bedrock-api-key-", ascii.Base64 | ascii.Equals, 30, 0, 0, "Zq0QCJ4h6k4KnOOBP5e8tUAtpzBG1cxjDPJacXipa68HfrjudCaAuIgfYRkkHdB3OqyozeVzdHTM8vJIeLd8YNtlB9YFnkRwrLaYiUFCzA0Ci0NFKwrQbWi4"},
	}},
	{"aws-mws-token", "https://developer-docs.amazon.com/sp-api/docs/", []Token{
		{"amzn.mws.", ascii.Alnum | ascii.Dash, 36, 36, 0, "d9b03534-cf70-43f6-a446-056d4c65322d"},
	}},
	{"aws-appsync-key", "https://docs.aws.amazon.com/appsync/latest/devguide/security-authz.html", []Token{
		{"da2-", ascii.Lower | ascii.Digit, 26, 26, 0, "yri1g1pslx1oablroltosut83v"},
	}},
	{"google-api-key", "https://cloud.google.com/docs/authentication/api-keys", []Token{
		{"AIza", ascii.URLSafe, 35, 35, 0, "NrwojLsiHesqPd3eXAuJ9to24FaaqKqvBsC"},
	}},
	{"google-oauth-token", "https://developers.google.com/identity/protocols/oauth2", []Token{
		{"ya29.", ascii.URLSafe | ascii.Dot, 30, 0, 0, "5Ozyw_hPtpSLAkr8eRIKsDjCogW-pre-KY-lGsvZMoVD9TM_jjQcrmgr0e9NTQ913aCr9AFFMNw2DIRStlUrn5WXGgaay-k-_bF_v_PlVDYrS0ZY48zrVdxT"},
	}},
	{"google-oauth-secret", "https://developers.google.com/identity/protocols/oauth2", []Token{
		{"GOCSPX-", ascii.URLSafe, 28, 28, 0, "sn6TOvr5tgI3NwiP02cMUfEiVG0M"},
	}},
	{"google-refresh-token", "https://developers.google.com/identity/protocols/oauth2", []Token{
		{"1//0", ascii.URLSafe, 40, 0, 0, "mbFI2Q_byKkbIIlLq6sf9bG8VHPrNT242yqvLELMMm2XsiDbdxC7tNeAd78BhCjE8Q8K8LkZxz523BrO8q4jxH5fB4iTrhOM-5"},
	}},
	{"google-gemini-key", "https://ai.google.dev/gemini-api/docs/api-key", []Token{
		{"AQ.Ab8R", ascii.URLSafe, 40, 0, 0, "N6H_yucDCMEIjTOWQ8YIdsywPLPVSUdaSPnDiNLuSZBKEO"},
	}},
	{"alibaba-key-id", "https://www.alibabacloud.com/help/en/ram/user-guide/create-an-accesskey-pair", []Token{
		{"LTAI", ascii.Alnum, 12, 26, 0, "HQfJxasYmHaWeG6NMKY1"},
	}},
	{"tencent-key-id", "https://www.tencentcloud.com/document/product/598/34228", []Token{
		{"AKID", ascii.Alnum, 32, 36, 0, "5q1xRtw2T5XCbmlwL7Lbt3v4j8JrdOJs"},
	}},
	{"aws-registry-password", "https://docs.aws.amazon.com/cli/latest/reference/ecr/get-login-password.html", []Token{
		{"eyJwYXlsb2FkIjoi", ascii.Base64 | ascii.Equals, 80, 0, 0, "UTdaazN2Qjl4VDJtTDV3UjhjTjRwWTZzSDFqSzBkR2VBdTNGIiwiZGF0YWtleSI6IkFRRUJBSGgiLCJ2ZXJzaW9uIjoi"},
	}},
	{"cloudflare-tunnel-token", "https://developers.cloudflare.com/cloudflare-one/networks/connectors/cloudflare-tunnel/", []Token{
		{"eyJhIjoi", ascii.Base64 | ascii.Equals, 120, 0, 0, "M2Y5YTFjN2JlMDVkODI0ZjZhOTFjM2Q3ZThiMjRmMDYiLCJ0IjoiNTI3MzQ3ZDMtOTY1My0wN2RjLWFkYzAtNTk4YjhmMmIwZjRkIiwicyI6IlE3WmszdkI5eFQybUw1d1I4Y040cFk2cyJ9"},
	}},
	{"yandex-key", "https://yandex.cloud/en/docs/iam/concepts/authorization/api-key", []Token{
		{"AQVN", ascii.URLSafe, 35, 38, 0, "ITmWG3Ept7gsJX9koHnXBvSPt3QNTBk1YzfT"},
	}},
	{"yandex-token", "https://yandex.cloud/en/docs/iam/concepts/authorization/api-key", []Token{
		{"t1.", ascii.URLSafe | ascii.Dot | ascii.Equals, 80, 0, 0, "K_dtAAV6OyPE093I-v6teSV3dZTnT5d85dxTdXbL.cp0D7w5P_ru2B33v3KzhdMZRb0aUxthGr-3SK42XroiLBldUmrhOMZcrve1xDQHDPmeXdIV8oPd8ExGJZgbQUL"},
		{"y0_", ascii.URLSafe, 50, 0, 0, "S3HsYM2nZiNLGnTwgFU6l1vqER1AWv_S7ixzHmpsYKdzuF8ghzsstFBgbw"},
	}},
	{"digitalocean-token", "https://docs.digitalocean.com/reference/api/create-personal-access-token/", []Token{
		{"dop_v1_", ascii.HexDigit, 64, 64, 0, "04a72a72b51b9732d6f730a3fb0a648af90ff9df041cfa67b38f654c517ac163"},
		{"doo_v1_", ascii.HexDigit, 64, 64, 0, "f5d3d018c649be27fcb58e135209cdf76d9b3d772d302646fd94585335135217"},
		{"dor_v1_", ascii.HexDigit, 64, 64, 0, "ca8c97b8727ec2795f71031601e487803c87ca2fd92f379d77dc7400ac9b615b"},
	}},
	{"heroku-key", "https://devcenter.heroku.com/articles/authentication", []Token{
		{"HRKU-", ascii.URLSafe, 36, 0, 0, "00FpsDxjCzdzXZjo8zFKLWlyaZgz6qlFpLE5-ncy2WCem1jK35cwBlprcISg"},
	}},
	{"openshift-token", "https://docs.redhat.com/en/documentation/openshift_container_platform/", []Token{
		{"sha256~", ascii.URLSafe, 43, 43, 0, "kq09ZxLm2TnB5vRc8f3Akq09ZxLm2TnB5vRc8f3Akq0"},
	}},
	{"adobe-client-secret", "https://developer.adobe.com/developer-console/docs/guides/authentication/", []Token{
		{"p8e-", ascii.URLSafe, 32, 32, 0, "kq09ZxLm2TnB5vRc8f3Akq09ZxLm2TnB"},
	}},
	{"flyio-token", "https://fly.io/docs/security/tokens/", []Token{
		{"fo1_", ascii.URLSafe, 43, 43, 0, "ALC6DwWIJISHxoF98IjRIqneRjNq5ZmDufmf4PEzYW1"},
		{"fm1r_", ascii.Base64 | ascii.Equals | ascii.Dash, 60, 0, 0, "hyWcDh3YrXZe1INCCSO0N8c5Rxz4Jnf01P1zF9ag9TvlAzYO96I7uqc3NLSr0hrXJPEUOySzaiQTYKdWrv01n3P8WFO0QEPZKuLSYOU238z9ZyaTE0UaSjP7"},
		{"fm1a_", ascii.Base64 | ascii.Equals | ascii.Dash, 60, 0, 0, "GvY2ZpXZqUran20P554T1T0OTJxpDAa9zBfeQRCsNDCdB7VZchAv1Sl9nlu7przoAE0dX6jRjzXWTq4ZakwLIf2M1uBJRBCvngphucYa8ukf8Zk4ll4odNxF"},
		{"fm2_", ascii.Base64 | ascii.Equals | ascii.Dash, 60, 0, 0, "RdYu2F0VtM2tpsYYBfe1UcShM8wamxp8osJFCmPjyAdgvM3vJl1Chb9zBAECpujLvlS6EIWeQMpeASGW2BtWevxRDJOKepb36YFf3v3cbgKJBRhxtiynA0Ub"},
	}},
	{"render-key", "https://render.com/docs/api", []Token{
		{"rnd_", ascii.Alnum, 28, 32, 0, "aJo59mh3EFB1pp8bwdfFoiJ0H5vS"},
	}},
	{"netlify-token", "https://docs.netlify.com/api/get-started/", []Token{
		{"nfp_", ascii.Alnum, 36, 40, 0, "S1kNUGQrME3QIssoujk2uh7EChVySXIq1AGn"},
		{"nfc_", ascii.Alnum, 36, 40, 0, "73eaDlWnUE9vUp7NdLfIWR667RheeDXf4rfe"},
		{"nfo_", ascii.Alnum, 36, 40, 0, "W6dTePEQFlhF9IfojtQXWuSRGMormjiSrGK2"},
		{"nfu_", ascii.Alnum, 36, 40, 0, "bgRkAu0BUeWWInVce0EACk4IhdbT9yBQMsSU"},
	}},
	{"vercel-token", "https://vercel.com/docs/rest-api", []Token{
		{"vcp_", ascii.URLSafe, 50, 60, 0, "XCg9QM3DtC9p5ujhk-1WUtna3cNxyQvOyvjJyXTSzBm5eVsz6r8gZfG1"},
		{"vci_", ascii.URLSafe, 50, 60, 0, "r_5svHWLYgb7UYCTUBin89V4kVQ_1bfi0SfqK6KpA-uSm42IWp9Ci3lQ"},
		{"vca_", ascii.URLSafe, 50, 60, 0, "DIkMxb8X1b3WEdzMMD6SOnyke81R8SR2H6jaPCeyroex1vwN1eQ7DkTI"},
		{"vcr_", ascii.URLSafe, 50, 60, 0, "d7vjpILSo4QUIUZ78emAdUWVFSlQ9WcBIF6Y506oQqlQl2BV_FBCuaIE"},
		{"vck_", ascii.URLSafe, 50, 60, 0, "HdoitSO4RdSyHkMcolkR_dTwnPtGDjN-fj4jc6HRj3pJYfw8uKhL2u7d"},
		{"vercel_blob_rw_", ascii.Word, 30, 0, 0, "4NcCWKPW3z8I1grv_5g0FSRi67ifa8GGWqSowwRrDIVCwbd"},
	}},
	{"cloudflare-token", "https://developers.cloudflare.com/fundamentals/api/get-started/", []Token{
		{"v1.0-", ascii.HexDigit | ascii.Dash, 100, 0, 0, "70a01c278e0858a5b4aa3645-ffea92882b084e98aa98963e830a9cc75690cb635ff32970c60acc34715cdd4f6efaeb771ce1a32059cd24b37e83488eb35fc4379a7f2c09a5712d7fb4205fc992b736e9a6cbe1e4bd"},
		{"cfut_", ascii.Alnum, 40, 60, 0, "9aTIZjlSVbV9qyuMYXWVc6dUdaEFZ6ZHLmr0TbgvqVLYjuLh"},
		{"cfat_", ascii.Alnum, 40, 60, 0, "kCO6Fp6ADrPNgk7EAtzK4bxnZvzov8WvDQdnFoEDLZIra2CO"},
		{"cfk_", ascii.Alnum, 40, 60, 0, "qB03ab5aihkjjnwj2Q0rgXV6tai4uPFR2hnliCt1yAQl3Mmz"},
	}},
	{"scaleway-key-id", "https://www.scaleway.com/en/docs/iam/concepts/", []Token{
		{"SCW", ascii.Upper | ascii.Digit, 17, 17, 0, "7VKWCSPG1DKN0MVMT"},
	}},
	{"upcloud-token", "https://developers.upcloud.com/1.3/", []Token{
		{"ucat_", ascii.Alnum, 26, 26, 0, "B1FIXX2TC2X7MR8ABUCNUKPH5V"},
	}},
	{"exoscale-key", "https://community.exoscale.com/community/api/", []Token{
		{"EXO", ascii.HexDigit, 24, 24, 0, "b1e2a47c8e8c222258b519d7"},
	}},
	{"scalingo-token", "https://developers.scalingo.com/", []Token{
		{"tk-us-", ascii.URLSafe, 48, 48, 0, "UTYkRyp7GGUuROn2xSgUdtD07E8BGn4Q5LCITSGloo5M_H-f"},
	}},
	{"tailscale-key", "https://tailscale.com/kb/1085/auth-keys", []Token{
		{"tskey-auth-", ascii.URLSafe, 12, 0, 0, "psgC9Q1T9UCD-Rj9gxCtWXJqR8fRsuOkaAaV0cXmQy5zU"},
		{"tskey-api-", ascii.URLSafe, 12, 0, 0, "lYPsqzj4RHGy-rMjh6EAJjWc8PhLE30vzkTFiB9P0FUli"},
		{"tskey-client-", ascii.URLSafe, 12, 0, 0, "1B4KUzQX3Uo0-2a8Nvp69gZDCR2o9ggz9avRW68FCWcLb"},
		{"tskey-webhook-", ascii.URLSafe, 12, 0, 0, "PuOdTi1o1fGT-Zclc3rwA42bZdcTM8WxSOHFr2Ujmx55O"},
		{"tskey-scim-", ascii.URLSafe, 12, 0, 0, "RJ1nKLzDE8JM-J8HwdQEloHb0cnuoV79yaYxGeXav1pPM"},
		{"tskey-secret-", ascii.URLSafe, 12, 0, 0, "Iqgm2IDJbzp9-MOxxz3oHQh52QtgAHIVur9qRxtQ2ARUd"},
		{"tskey-", ascii.URLSafe, 20, 0, 0, "gwaYEz9OTU701BLPWvVg"},
	}},
	{"netbird-token", "https://docs.netbird.io/how-to/access-netbird-public-api", []Token{
		{"nbp_", ascii.Alnum, 36, 36, 0, "rUMVWyNM2AWbh4Po8ScRLNVhw2CiFGl6PBDt"},
	}},
	{"akamai-token", "https://techdocs.akamai.com/developer/docs/set-up-authentication-credentials", []Token{
		{"akab-", ascii.URLSafe, 32, 0, 0, "exCYPxDXTTysyRW9-xpGZO4vd8xqDDz8j"},
	}},
	{"redirect-pizza-token", "https://redirect.pizza/docs", []Token{
		{"rpa_", ascii.Lower | ascii.Digit, 30, 30, 0, "ywyr8pckjxnpoj6hkfp2n9nrizj4oy"},
	}},
	{"supabase-token", "https://supabase.com/docs/guides/api/api-keys", []Token{
		{"sbp_", ascii.HexDigit | ascii.Lower, 40, 40, 0, "ffa4c70ebbb506e13092a3383b00a5d8d7663f09"},
		{"sbp_v0_", ascii.HexDigit, 40, 40, 0, "3b00a5d8d7663f09ffa4c70ebbb506e13092a338"},
		{"sb_secret_", ascii.URLSafe, 22, 0, 0, "IM6a_AZh4OsXseAAbn2Awzp8rHfPd37"},
	}},
	{"planetscale-token", "https://planetscale.com/docs/concepts/service-tokens", []Token{
		{"pscale_tkn_", ascii.URLSafe | ascii.Dot | ascii.Equals, 30, 0, 0, "YtTeTrUsVAOJg4GvCXvQT2_ShlJjqjVMiYaDIhQVeCH"},
		{"pscale_pw_", ascii.URLSafe | ascii.Dot | ascii.Equals, 30, 0, 0, "gvsX0OaN0aCjNq61X0sq3kNvZcxdi6UqhcbT3HTQGfN"},
		{"pscale_oauth_", ascii.URLSafe | ascii.Dot | ascii.Equals, 30, 0, 0, "gMNMtuNDXHE1P6hIkaOhvQ-r8CW26ck4-aJ82EgsAQf"},
	}},
	{"neon-key", "https://neon.com/docs/manage/api-keys", []Token{
		{"napi_", ascii.Lower | ascii.Digit, 60, 68, 0, "nq9h2xx3mmjvm1siy2fi052s6sb6lg7az8m8u4q2dm5kxct5jcnrtti2m88d2ydw"},
	}},
	{"mongodb-atlas-secret", "https://www.mongodb.com/docs/atlas/api/service-accounts-overview/", []Token{
		{"mdb_sa_sk_", ascii.URLSafe, 36, 0, 0, "4OAg7D-5hE0RfuHs52G5PlCPwrtQYBA6uEUh3Vih"},
	}},
	{"databricks-token", "https://docs.databricks.com/aws/en/dev-tools/auth/pat", []Token{
		{"dapi", ascii.HexDigit | ascii.Dash, 32, 36, 0, "986a91558ccf7f4f098cac845893b965"},
		{"dose", ascii.HexDigit, 32, 34, 0, "1cadd9b37279908befb356f8590a93bd"},
		{"dkea", ascii.HexDigit, 32, 34, 0, "db20167a654c459072533a30da9416a2"},
	}},
	{"dbt-token", "https://docs.getdbt.com/docs/dbt-cloud-apis/authentication", []Token{
		{"dbtu_", ascii.URLSafe | ascii.Equals, 32, 0, 0, "qjvXC0AYc6YIfMc9RqhQ246fUA7j7j4GaoMbJ2k1QvdbEeIK"},
		{"dbtc_", ascii.URLSafe | ascii.Equals, 32, 0, 0, "Tn8jZRypI2dzlorwOUgwjkM0H9PqZy6DpViabP8_XnNeTIN4"},
	}},
	{"aiven-password", "https://aiven.io/docs/", []Token{
		{"AVNS_", ascii.URLSafe, 16, 0, 0, "CzpKaz-SE4M4UtDQ_aF"},
	}},
	{"clickhouse-key", "https://clickhouse.com/docs/cloud/manage/openapi", []Token{
		{"4b1d", ascii.Alnum, 38, 38, 0, "O4k62cQGWs7lNKS5NjB7R67ulwkhEptWRlrCrE"},
	}},
	{"datastax-token", "https://docs.datastax.com/en/astra-db-serverless/administration/manage-application-tokens.html", []Token{
		{"AstraCS:", ascii.Alnum | ascii.Colon, 60, 0, 0, "6rHvAqdOQaqEJf85sDG6ea6X:91e3adece9295cd2e405f5ff7134a0d30920442be887fecacf3de11a90fa37a8"},
	}},
	{"materialize-password", "https://materialize.com/docs/", []Token{
		{"mzp_", ascii.HexDigit, 64, 64, 0, "9e2b08095d7b28a41d4fe6555380c853b456356334a286c83f193feab0170c6f"},
	}},
	{"pinecone-key", "https://docs.pinecone.io/guides/projects/manage-api-keys", []Token{
		{"pcsk_", ascii.Word, 40, 0, 0, "835Lhk_dDsa0nCIltkj8ZRRFSrjPazKMY7DgwnyvHLLngRdShZamOYICErC34Uf8N66jeJ"},
	}},
	{"segment-token", "https://segment.com/docs/api/public-api/", []Token{
		{"sgp_", ascii.Alnum, 64, 64, 0, "FAsBTBsMMCZmWnyVXwo4qDKUm3fviEEacEaj7au72S56td9QXweY8z6QG31nTZJx"},
	}},
	{"confluent-secret", "https://docs.confluent.io/cloud/current/security/authenticate/workload-identities/service-accounts/api-keys/overview.html", []Token{
		{"cflt", ascii.Base64, 60, 60, 0, "EAAWGG2jMH3dE8yuHfKJulRgjFzQXcShyRRYOwQC8IWqCdXgDb6uxBglJi4J"},
	}},
}
