package token

import "github.com/envwrap/envwrap/redact/internal/ascii"

// opsTokens are the tokens of monitoring, work and other services.
var opsTokens = []Family{
	{"grafana-token", "https://grafana.com/docs/grafana-cloud/security-and-account-management/authentication-and-permissions/access-policies/", []Token{
		{"glc_", ascii.Base64 | ascii.Equals, 32, 0, 0, "eyJ47eMqzOSaICSK8wIQ5BaUWjkVMHrsnEWyzUw7aeNMbzTBS3n2P2BNA88R5FfLVQmaMW9Q2qzuBKCyh5q"},
	}},
	{"grafana-token", "https://grafana.com/docs/grafana/latest/administration/service-accounts/", []Token{
		{"glsa_", ascii.Word, 41, 41, 0, "60JTRCse6T44CtG30Bta5IUCZayJKfJh_39434718"},
		{"eyJrIjoi", ascii.Base64 | ascii.Equals, 40, 0, 0, "wCj9Mza5WTUztdMIoGZEGoCd5QyVt0JDpdvYmjZtYQ1DzoyFpmxkeaWvvuHhR0w1thdLCD"},
	}},
	{"newrelic-key", "https://docs.newrelic.com/docs/apis/intro-apis/new-relic-api-keys/", []Token{
		{"NRAK-", ascii.Upper | ascii.Lower | ascii.Digit, 27, 27, 0, "93YEGFFYKTAV3X3RDYEP097AQVA"},
		{"NRII-", ascii.URLSafe, 24, 40, 0, "xnU-wEeay1XQtFnkUNI1XtYxx0M85zSs"},
		{"NRIQ-", ascii.URLSafe, 24, 40, 0, "PpRIESM8UMk-SgrxkOq88MQyTll9SKrP"},
		{"NRJS-", ascii.HexDigit, 19, 19, 0, "a90a429820827dc88df"},
		{"NRBR-", ascii.HexDigit, 19, 19, 0, "99f50c6ed074c53c5a2"},
		{"NRRA-", ascii.HexDigit, 42, 42, 0, "a057c01aab8bb79a795146d25ec4ffd76ccad6d81d"},
		{"NRAA-", ascii.HexDigit, 27, 27, 0, "0d055b16f03119045c8c4d0b02b"},
		{"NRSP-", ascii.Alnum, 19, 40, 0, "00db4a63cea4d34bdca1478e8a63311"},
	}},
	{"kolide-key", "https://www.kolide.com/blog/new-api-actions-assign-device-issue-live-query", []Token{
		{"k2sk_v1_", ascii.Alnum, 24, 24, 0, "VTNYTHPzpppp6uEp3c4dsa7l"},
	}},
	{"pixie-key", "https://docs.px.dev/reference/admin/api-keys/", []Token{
		{"px-api-", ascii.HexDigit | ascii.Dash, 36, 36, 0, "9f61ecea-7515-4880-a789-cf63bbe70dc1"},
		{"px-dep-", ascii.HexDigit | ascii.Dash, 36, 36, 0, "0dd7ffae-8e30-43e8-a550-04a94e473b01"},
	}},
	{"dynatrace-token", "https://docs.dynatrace.com/docs/manage/identity-access-management/access-tokens-and-oauth-clients/access-tokens", []Token{
		{"dt0c01.", ascii.Upper | ascii.Digit | ascii.Dot, 80, 0, 0, "XQ0VTZS7COJPJPHJFKLS97NK.CIP9NJUMYLQPLZRCBKDIYGQRXCZDV36LK7WWB8R2RK4UQZ2MOYI6LS54QOV73K0N"},
		{"dt0s01.", ascii.Upper | ascii.Digit | ascii.Dot, 60, 0, 0, "51723OMK.98PC82LTBDL1FPWZR3NR0TZTG0O4796C885J3H575DAGSKLVRJ01OJ7G32NOOVE7"},
		{"dt0s16.", ascii.Upper | ascii.Digit | ascii.Dot, 60, 0, 0, "D277H8FZ.EP3QTQ1QDVHIB8YHAU12MY3DOPCPR9VJ1U6V8LAWAE333HAAS4UBEX1A8CSGJJAV"},
	}},
	{"honeycomb-key", "https://docs.honeycomb.io/configure/environments/manage-api-keys/", []Token{
		{"hcaik_", ascii.Lower | ascii.Digit, 58, 0, 0, "0pn5p5jeubm3snjmeuv8e1bpbixtgm6brlwyrhhm19la2w774u15rurr37"},
		{"hcbik_", ascii.Lower | ascii.Digit, 58, 0, 0, "d4l6txgzniw8zl5djw4ntuuagonjlqou85ezwyt70e8o1qjfwcn4ns1a3v"},
		{"hcamk_", ascii.Lower | ascii.Digit, 58, 0, 0, "unizs4b5rwv26ju5qp97qf8nv0xbfv62v8oxkcx16au3csthpkf6ga4gne"},
	}},
	{"sentry-token", "https://docs.sentry.io/account/auth-tokens/", []Token{
		{"sntrys_", ascii.Base64 | ascii.Equals | ascii.URLSafe, 60, 0, 0, "eyJKDaIkxu0vjD9yS4aoTtObsgItU7GbcQH3ImCCOwFYUPsdFaL8CTHE1MYgxQbXbO9gBUqKL3c3SLw3j6PKvtkazpcuiHkK5n0ApMvtaHiKvgigG54bbO1Laxa"},
		{"sntryu_", ascii.HexDigit, 64, 64, 0, "c68bd1cf1421ee931072c688c160df0ed0c4caf099647531636ce8149adfc93b"},
	}},
	{"launchdarkly-key", "https://launchdarkly.com/docs/home/account/api", []Token{
		{"api-", ascii.HexDigit | ascii.Dash, 36, 36, 0, "b1c58295-afe3-469a-a5cb-6b6b1e875b77"},
		{"sdk-", ascii.HexDigit | ascii.Dash, 36, 36, 0, "32ed95d6-b467-444b-a8e9-ed37a490b5cf"},
		{"mob-", ascii.HexDigit | ascii.Dash, 36, 36, 0, "f4bf4638-3296-41f1-af02-38e3105bda6e"},
	}},
	{"configcat-key", "https://configcat.com/docs/", []Token{
		{"configcat-sdk-1/", ascii.URLSafe | ascii.Plus, 40, 0, 0, "e8ywUSRTRBi0NYTeEjvzfK/VjLxEJdax5iR4h4STU93iX"},
	}},
	{"devcycle-key", "https://docs.devcycle.com/", []Token{
		{"dvc_server_", ascii.URLSafe, 16, 0, 0, "gLXO7O61xY2MQ78JVjKDpv2ZRnWjAkXbDrChgyI7"},
		{"dvc_client_", ascii.URLSafe, 16, 0, 0, "fjBQyhRJ5QNGM3G8Rs5BM0OAyD2I0MiuD6lfPNFI"},
		{"dvc_mobile_", ascii.URLSafe, 16, 0, 0, "dCCgoBARlIeZCYCW84CSlfG7zyyuzKyDA50kV61A"},
	}},
	{"statsig-key", "https://docs.statsig.com/", []Token{
		{"secret-", ascii.Alnum, 40, 44, 0, "M0pso8GHekZKMya0Tay1aCk9vN07APqWDpOi3W6mkrd"},
	}},
	{"linear-key", "https://linear.app/developers", []Token{
		{"lin_api_", ascii.Alnum, 32, 48, 0, "oKBFKD4vkLrrWogeTPZ43vOEdIMD9F1dQTzcZGz5"},
		{"lin_oauth_", ascii.HexDigit, 64, 64, 0, "1c8eed6b98374009afe93be98292abac7aa564b3d08e8dc397e6df920b2bea02"},
	}},
	{"notion-token", "https://developers.notion.com/docs/authorization", []Token{
		{"secret_", ascii.Alnum, 43, 43, 0, "1hTUXbrEJEBQX9FYRHRqIAgWoWgzNVm8QFZiUPKESTk"},
		{"ntn_", ascii.Alnum, 40, 52, 0, "846075509921xsFrHaNY4djK1xZvDsdLT5faQraShgIFUq"},
	}},
	{"airtable-token", "https://airtable.com/developers/web/guides/personal-access-tokens", []Token{
		{"pat", ascii.Alnum | ascii.Dot, 79, 79, '.', "YgISprGiqGgKRY.8b9f94482d538fe1174cfb54654860a1bbb26d7aa7be67073cb8ae3ac72ad3c5"},
	}},
	{"clickup-token", "https://developer.clickup.com/docs/authentication", []Token{
		{"pk_", ascii.Digit | ascii.Under | ascii.Upper, 38, 48, 0, "158458275_LY0ZPV77MQ2XDTQQTSYY31NWHZFRX0WG"},
	}},
	{"figma-token", "https://www.figma.com/developers/api#access-tokens", []Token{
		{"figd_", ascii.URLSafe, 36, 0, 0, "vnd-mtsKjUc0paJ-h6_KSLD5mYZveurmXk-2YFSZ"},
		{"figu_", ascii.URLSafe, 36, 0, 0, "hzrfYof5CCyrSEScYCIKeJaNhIH5YVq8OQ1WNXgB"},
		{"figo_", ascii.URLSafe, 36, 0, 0, "RvLaOt6j_S-sadKFQCNyFtljih2R4lHUGZE96ckY"},
	}},
	{"typeform-token", "https://www.typeform.com/developers/get-started/personal-access-token/", []Token{
		{"tfp_", ascii.URLSafe | ascii.Dot | ascii.Equals, 40, 64, 0, "y6aOC2RDkVwY7Nx1Q070BD7asdd0ACz7JgF1kGW8b0b_cCuce0VL0x7foN4"},
	}},
	{"contentful-token", "https://www.contentful.com/developers/docs/references/authentication/", []Token{
		{"CFPAT-", ascii.URLSafe, 40, 0, 0, "iVy6-foS2wTuN9P3a3VgG37dBX9SJN6fYzcgTdPEiaG"},
	}},
	{"mapbox-token", "https://docs.mapbox.com/help/getting-started/access-tokens/", []Token{
		{"sk.eyJ", ascii.URLSafe | ascii.Dot, 60, 0, 0, "ZlJ4lCmI_7SGf6s4S-XML5J-as4V1E94gFZK1Kt4iZEz0hBPFy5pQDK-xCfX2G.E1GhIvUbfgCKBVTvLlQCfI"},
		{"pk.eyJ", ascii.URLSafe | ascii.Dot, 60, 0, 0, "CDRhrjdfEx1vtozZzyoigoBp3Qep9A7u8cx2_99v3MFhyTGePQ2ZIyVqOJYIJy.HPanQP4GsByaClH78gj7Yf"},
	}},
	{"tinybird-token", "https://www.tinybird.co/docs/", []Token{
		{"p.eyJ", ascii.URLSafe | ascii.Dot, 60, 0, 0, "HCXGedLY4tf2SOBX-PqLLoBUskS1Tib4E46SWwCjyowBrHxPOwkBPGPbjFi29za-5oXiyRPjHyXb0RWBSNjoPlVYcsirlrcnABdU.X-G1eQ7JsaJUX4P-sOLlE8YxtMb7jA9gDoAcgfAZ3QO"},
	}},
	{"riot-key", "https://developer.riotgames.com/docs/portal", []Token{
		{"RGAPI-", ascii.HexDigit | ascii.Dash, 36, 36, 0, "485e3fec-1016-4cff-a64a-de2a7154e919"},
	}},
	{"lichess-token", "https://lichess.org/api", []Token{
		{"lip_", ascii.Alnum, 20, 40, 0, "pEnacNuiLEBzieC8XiHHSHmDdy0L3I4o"},
	}},
	{"wakatime-key", "https://wakatime.com/developers", []Token{
		{"waka_", ascii.HexDigit | ascii.Dash, 36, 36, 0, "8ec661bf-b454-4822-a451-5d197c717277"},
	}},
	{"adafruit-key", "https://io.adafruit.com/api/docs/", []Token{
		{"aio_", ascii.Alnum, 28, 28, 0, "CdOusKFXOCvQzpLFvUFJwIHf06mk"},
	}},
	{"salesforce-consumer-key", "https://help.salesforce.com/s/articleView?id=xcloud.remoteaccess_about.htm", []Token{
		{"3MVG", ascii.Alnum | ascii.Under | ascii.Dot, 22, 100, 0, "9d8fKq2LmZ7xT4vBn1cR6sW0yHjP3gUeNaQ.kXtVo5iDwSbFzMlCrEpJhGu_8OyIq4WnT1vBc7ZxM2sKd"},
	}},
	{"fullstory-key", "https://developer.fullstory.com/server/authentication/", []Token{
		{"na1.", ascii.Base64 | ascii.Equals, 80, 0, 0, "Kq8Zx2LmT4vBn7cRsW0yHjP3gUeNaQkXtVo5iDwSbFzMlCrEpJhGu+OyIq4WnT1vBc7ZxM2sKd9RfYvLp0XhQjUe"},
		{"eu1.", ascii.Base64 | ascii.Equals, 80, 0, 0, "T4vBn7cRsW0yHjP3gUeNaQkXtVo5iDwSbFzMlCrEpJhGu/OyIq4WnT1vBc7ZxM2sKd9RfYvLp0XhQjUeKq8Zx2Lm"},
	}},
	{"ebay-key", "https://developer.ebay.com/api-docs/static/creating-edp-keyset.html", []Token{
		{"PRD-", ascii.HexDigit | ascii.Dash, 30, 40, 0, "7c1f90ab34de-52c8-4b1e-9a07-d3f6"},
		{"SBX-", ascii.HexDigit | ascii.Dash, 30, 40, 0, "e4b70d12c95a-0f83-4ad6-b2c9-6e17"},
	}},
	{"telnyx-key", "https://developers.telnyx.com/", []Token{
		{"KEY", ascii.URLSafe, 55, 55, 0, "01SB9esRL7nkV73T2nBSCmp4AY8TzX2IiUmcduVvDpJNoG3wjhcU9yy"},
	}},
	{"zuplo-key", "https://zuplo.com/docs/articles/api-key-management", []Token{
		{"zpka_", ascii.Word, 40, 0, 0, "6fb2e331449d62b5953153bf9f562083_3aa286e7"},
	}},
	{"settlemint-token", "https://console.settlemint.com/documentation/", []Token{
		{"sm_aat_", ascii.Alnum, 16, 0, 0, "FAy26swBg1wgnlfF"},
		{"sm_pat_", ascii.Alnum, 16, 0, 0, "h4LNklJbuFqMN7ck"},
		{"sm_sat_", ascii.Alnum, 16, 0, 0, "37U6O478H73coIN7"},
	}},
	{"databento-key", "https://databento.com/docs", []Token{
		{"db-", ascii.Alnum, 29, 29, 0, "y0gP3oRBJ2AmmgqiF3lItZyuRwIVK"},
	}},
	{"1password-token", "https://developer.1password.com/docs/service-accounts/", []Token{
		{"ops_eyJ", ascii.Base64 | ascii.Equals | ascii.Under | ascii.Dash, 100, 0, 0, "bLZ7osIJlugvfE8UTcFRsWTfq4vZHjhjhjX7jBuc0WwOtUGh2EDkfSCDuI3K0QXSBvWpIJ2r5sZSfvtEs67VfLUQBB27UWOfaKrwLFlTlmErrchshlWZPO4e6CO7QQfffkQ6rdYrNhV22otlk15w6HoXgjxNZr4SEPSVzfOm1kpIx9oM3uX19pkvuWqnED3jzCX2TmjD3LlYq7cVUE6K4yYN0hk5apiyaxV441NxFZJbLeT0UhvN57t4H5vwAilfzI1CGbv0dS8Crlk8ghyRLkwl74Q3CGMgBocJOwdZLjyQezgjripCIlvK7aAXsLGE1756I8WNv9Y3cvxYXh9N7lf0cIty0xGv9FEMI70W7wlOIWxIXqSt6EqwICRDjXIIbwSgjc519D2xHMKq"},
	}},
	{"1password-secret-key", "https://support.1password.com/secret-key-security/", []Token{
		{"A3-", ascii.Upper | ascii.Digit | ascii.Dash, 31, 37, 0, "8O0RL7-2LY2531YQE0-EK9NY-KUD29-X0BYS"},
	}},
	{"age-secret-key", "https://age-encryption.org/v1", []Token{
		{"AGE-SECRET-KEY-1", ascii.Upper | ascii.Digit, 58, 58, 0, "GL9ECBNOROWK9IBC39Z2UPTUWNCITG78N0I1D8TDEHBX5I2GOPU4AHGOK5"},
	}},
	{"age-plugin-key", "https://age-encryption.org/v1", []Token{
		{"AGE-PLUGIN-", ascii.Upper | ascii.Digit | ascii.Dash, 40, 0, 0, "YUBIKEY-1NQ6784XSXB30KC7JEVF8YZGZ0NJD3CQHOFZXAF3O"},
	}},
	{"frameio-token", "https://developer.frame.io/", []Token{
		{"fio-u-", ascii.URLSafe, 60, 66, 0, "2XGAGqZ-y2r1m03TfQZEOSK8CxkMcCYFLfZpmvkAwTvxP6TzfA_o2FqvN3w4cBCx"},
	}},
	{"intra42-secret", "https://api.intra.42.fr/apidoc", []Token{
		{"u-s4t2af-", ascii.HexDigit, 64, 64, 0, "0d2e4c7b9a815f36e7c04d19b82fa3655c1e90d7a4b38f621e5d07c9ab43f812"},
		{"u-s4t2ud-", ascii.HexDigit, 64, 64, 0, "7b41f0c98e2d635a1f84d70be93c526a08d5e7f14b2c96a37d01e85f49cb6a23"},
		{"s-s4t2af-", ascii.HexDigit, 64, 64, 0, "e9d8eaf9c09b809ea0d089ae96e798afb0eaa10f7c3d770d17b91c428520c3ec"},
		{"s-s4t2ud-", ascii.HexDigit, 64, 64, 0, "012a1cab862fc91656706f15dad5a5b318ee0c8575d9042b51af020f597237c9"},
	}},
	{"canadian-notify-key", "https://documentation.notification.canada.ca/", []Token{
		{"gcntfy-", ascii.URLSafe, 60, 0, 0, "15kXjESkdJdnkkVzmjnl-963ef545-7950-493e-ad8e-a6d45bae6e19-f84dc50a-19c4-42be-a594-661f8aacca61"},
	}},
	{"paseto", "https://paseto.io/", []Token{
		{"v4.local.", ascii.URLSafe | ascii.Dot, 40, 0, 0, "VA0c4xa-9Xzn88eqcShhG-QhzeKPL5rZXr4wYYJD-jRptK__cZQJLJk0hY4M1CbY0Vp5rBcIMlBl0MsLhoTm_Se1cxB8j4HzxVnkRde0MfQXYE_VITaYWjJS"},
		{"v3.local.", ascii.URLSafe | ascii.Dot, 40, 0, 0, "A6zhKByvr14HdfBYx7YY3O9gov09RGXf3RTs4Ay0MD8XeAbUkeZgc6srD8CHAiFeP345yTKWPu3DLXYOMEpgUI-JlBrwcSC9HpmwukRQqJfIxt94bMY8Zk4D"},
		{"v2.local.", ascii.URLSafe | ascii.Dot, 40, 0, 0, "LrH3Mou3qKPBK0y7slW5dOBUZnqeIapMu3rJj1ylWXSOt-5WBXrUk_zIe4eG2uMQRbQKD8rnW4pHbuS_ls44SniBuncwJpkP188__k81PLwLo1VAglOzpBQ2"},
		{"v1.local.", ascii.URLSafe | ascii.Dot, 40, 0, 0, "cgLCegtgRq0fJKllyb8t5CFDKUbbHdC6GEbSjgF47JkDKO5BEylsOa4Ag6LJBl5MqLSMhuhQfkPm6c1o0QyJF4ECWGXqfgHAQB0_jjK_H5b9q1edC_L8mFia"},
		{"v4.public.", ascii.URLSafe | ascii.Dot, 40, 0, 0, "EkpVVkzn4RGrwXJNn9AJgkodx6PVQUf-ZzkEIBAI5ODKSO3iWZX9hUvwLkocV-ZV9ztOEJbX4Q9jQCDyAT93pE7od7STY7kcpZSbYBuSkTa8e2X6iEQETrJO"},
		{"v3.public.", ascii.URLSafe | ascii.Dot, 40, 0, 0, "Uch9oHtbqNbkPp35V7_11uthKN0eiLeT00mJPYriI-zt3NQPebIaByQjF1cZBpTKaowO3HOyLRcQobEGjKjzvcpqSrCaKoy5-C2GjOOUAD3x2oqQsvPY3afr"},
		{"v2.public.", ascii.URLSafe | ascii.Dot, 40, 0, 0, "kOKD2ZK-UKzXL8tp5gMrwFfgE6I_FSOkPeH76mNdGiDOGLhWyWr4ckxqj-zIw34YRxeAt-GlE679wwB4Moxho_C5Kqe-uUGtGXwJLLeEwAxQz_mMVW184QNO"},
		{"k4.secret.", ascii.URLSafe, 40, 0, 0, "9VCV4mdwU4YguzhylVJrnz1JlQUkQrzRYEurT_DjhgSYG6Rm_uyYlLSZnPVy6Bl0plJtrhlcLyEi3c1fiMqoqT"},
		{"k4.local.", ascii.URLSafe, 40, 0, 0, "nCHnrmPFUh3tNsRvXJgfv_G5ELXDsQfQeaxtITMVs5C"},
	}},
	{"ionic-token", "https://ionic.io/docs/", []Token{
		{"ion_", ascii.Alnum, 42, 42, 0, "nJ5gIkHpppA7IsnQHM6FHpyJ3I1r7zr88wRpFmsQds"},
	}},
	{"beamer-key", "https://developers.getbeamer.com/", []Token{
		{"b_", ascii.URLSafe | ascii.Equals, 44, 44, 0, "Bvp163uNbWf3ew8yTDQa_6X21HXSNdP8yMO-HbnmaI6o"},
	}},
	{"pubnub-key", "https://www.pubnub.com/docs/", []Token{
		{"sub-c-", ascii.HexDigit | ascii.Dash, 36, 36, 0, "aaabcb3a-9b31-40d9-a7a3-e6310ccffdee"},
		{"pub-c-", ascii.HexDigit | ascii.Dash, 36, 36, 0, "15e01a5e-c0da-4266-a338-a0e625e9595f"},
		{"sec-c-", ascii.Alnum | ascii.Equals, 36, 0, 0, "lxZhmegXpVkuS9PU0RJh2QdvkYEZGfri0cMUpfzWpOYrtbgs"},
	}},
	{"branch-secret", "https://help.branch.io/", []Token{
		{"secret_live_", ascii.Alnum, 32, 0, 0, "Fx1zGelX35gj6njpdZCUHVM8G0NhKU68"},
	}},
	{"zoho-token", "https://www.zoho.com/accounts/protocol/oauth.html", []Token{
		{"1000.", ascii.HexDigit | ascii.Dot, 65, 65, '.', "324d1c6fdc5f4a578511565d287d2333.9cf3b917664132e432ec495d24c11986"},
	}},
	{"salesblink-key", "https://salesblink.io/", []Token{
		{"key-", ascii.Alnum, 64, 64, 0, "rg6mfNkAUvrWQfSKHOExnwvMhxdmlfWWLiW2JYkNEXk7eJ27PNKm4whrQb2tVTjO"},
	}},
	{"scrapfly-key", "https://scrapfly.io/docs", []Token{
		{"scp-live-", ascii.HexDigit, 32, 32, 0, "90ee8a8131a39ee71e048eb7d9392b7b"},
	}},
	{"supernotes-key", "https://api.supernotes.app/docs", []Token{
		{"supernotes_sk_", ascii.Alnum, 32, 0, 0, "vC5DItUimJa0aD2kWDcRU95A3D27uwjkcDkLv5uq"},
	}},
	{"ubidots-token", "https://docs.ubidots.com/", []Token{
		{"BBFF-", ascii.Alnum, 30, 34, 0, "bkchZ83jzj7rogkM0OXQHpuItxU0ON"},
	}},
	{"voiceflow-key", "https://docs.voiceflow.com/", []Token{
		{"VF.", ascii.Alnum | ascii.Dot, 40, 0, '.', "WS.83f6acf78d5d78bb78e42e08.7kcJG7be4Qa1MVD5"},
	}},
	{"workos-key", "https://workos.com/docs/reference", []Token{
		{"sk_live_", ascii.Base64 | ascii.Equals, 60, 0, 0, "BfhuC5tyVVoH8KIgD8vkyKwHE7PppNpKyDKRP62fIemxERIky3IDXzIFfPHNbTQzpu2JqQU4eiA"},
	}},
	{"canva-secret", "https://www.canva.dev/docs/", []Token{
		{"cnvca", ascii.URLSafe, 40, 0, 0, "nsoGLI4GWz7lovTKQRiu1NCJTtwyCLzXKoR06lMh1e6UAMW4d2vH2WSZ"},
	}},
	{"stytch-secret", "https://stytch.com/docs", []Token{
		{"secret-live-", ascii.URLSafe | ascii.Equals, 36, 0, 0, "1XBimkTa4NluN-UptvMlq2vZ87ZdT1mnAAuN"},
		{"secret-test-", ascii.URLSafe | ascii.Equals, 36, 0, 0, "zsfPS2A4F83eY1vztsHxEFZC3nL_ixK7P-wA"},
	}},
	{"unleash-token", "https://docs.getunleash.io/", []Token{
		{"*:", ascii.Alnum | ascii.Dot, 60, 0, 0, "production.f16b589b5f3cea2998af9e0ffb04b8d93f7fca27e88dab26c5010a60"},
	}},
	{"censys-token", "https://docs.censys.com/", []Token{
		{"censys_", ascii.Word, 30, 0, 0, "AhsWilh30xPY2Peu1meNnuFSLpw0xZsiyv"},
	}},
	{"pagerduty-key", "https://developer.pagerduty.com/docs/", []Token{
		{"pdus+", ascii.URLSafe | ascii.Dot | ascii.Plus, 20, 0, 0, "_0XBPWQQ_rEu_UrAU-edp3yHO6gkC3ZSU6hwcrkUHF_bI"},
	}},
	{"axiom-token", "https://axiom.co/docs/reference/tokens", []Token{
		{"xaat-", ascii.HexDigit | ascii.Dash, 36, 36, 0, "a42a3ac0-f138-0c8e-aa86-d205b4315a1b"},
		{"xapt-", ascii.HexDigit | ascii.Dash, 36, 36, 0, "c1016e0e-27e4-8d2f-d68d-3d5e42e92967"},
	}},
	{"coralogix-key", "https://coralogix.com/docs/user-guides/account-management/api-keys/api-keys/", []Token{
		{"cxtp_", ascii.Alnum, 24, 0, 0, "CkeevCuwbMjRCPMozTW42LGjpPCkZz"},
		{"cxup_", ascii.Alnum, 24, 0, 0, "DovNppnZmLOEJ2oYW5F8ZObNCWAM0e"},
	}},
	{"honeybadger-token", "https://docs.honeybadger.io/", []Token{
		{"hbp_", ascii.Alnum, 30, 40, 0, "iXnY7huiyuHfApLD1eLiZ6kQIjbLmpJPbMUw"},
	}},
	{"checkly-key", "https://www.checklyhq.com/docs/accounts-and-users/creating-api-key/", []Token{
		{"cu_", ascii.HexDigit, 32, 32, 0, "fc9d7b4c1fb33478e7d25999db0bdb9f"},
	}},
	{"metabase-key", "https://www.metabase.com/docs/latest/people-and-groups/api-keys", []Token{
		{"mb_", ascii.Base64 | ascii.Equals, 40, 48, 0, "AAGkuIXI/9sYxo80NiFNz00vafCmuxvX04TIWChWIZB="},
	}},
	{"retool-token", "https://docs.retool.com/", []Token{
		{"retool_01", ascii.Alnum, 24, 0, 0, "8ux2083vvsm5ppxqmwb4hm5a"},
	}},
	{"growthbook-key", "https://docs.growthbook.io/api/", []Token{
		{"secret_user_", ascii.Alnum | ascii.Equals | ascii.Plus, 30, 0, 0, "lNuCTbzLpRw9HEif2QZEroUsfTZoF6LkFwWqo5lx"},
		{"secret_admin_", ascii.Alnum | ascii.Equals | ascii.Plus, 30, 0, 0, "In1vaFpqsvjfGT7RPY5U5EgnRR3cLTsvQNtp2kZt"},
		{"secret_readonly_", ascii.Alnum | ascii.Equals | ascii.Plus, 30, 0, 0, "MTf5pgMWvrae2Y17UO2svRx8g0eIiLzf2WDA1UEk"},
	}},
	{"cal-key", "https://cal.com/docs/api-reference/v2/introduction", []Token{
		{"cal_live_", ascii.HexDigit, 32, 32, 0, "110bcd392442d61f1ca42e963e745166"},
		{"cal_test_", ascii.HexDigit, 32, 32, 0, "04c3dd015f6657c031d6ac5b8348c7f6"},
	}},
	{"veracode-key", "https://docs.veracode.com/r/c_api_credentials3", []Token{
		{"vera01ei-", ascii.HexDigit | ascii.Dash, 30, 140, 0, "a529fcd5-ba4f-81b3-8da8-16b5057f80e4"},
		{"vera01es-", ascii.HexDigit | ascii.Dash, 60, 140, 0, "84cc605ed6ad5db5b484293683ee7e6972f97b3d4cf2e4de4cf677a27fb4729a1cd51f98568f05f9929441bfba2f2adcb2f5705cd85c3de6701aca27f4f75cbb"},
	}},
	{"samsara-token", "https://developers.samsara.com/docs/authentication", []Token{
		{"samsara_api_", ascii.Alnum, 24, 0, 0, "IqLfMwNn9EBxOuHGynd1KjDbSCPNZO"},
	}},
	{"stackhawk-key", "https://docs.stackhawk.com/", []Token{
		{"hawk.", ascii.URLSafe | ascii.Dot, 38, 44, '.', "r9zWVTWJih5PpuIFEAUO.liJfTnWTjJYDxTaDRyBv"},
	}},
	{"planet-key", "https://docs.planet.com/develop/authentication/", []Token{
		{"PLAK", ascii.HexDigit, 32, 32, 0, "758986cd94ef5d9636af221c53f7a2dd"},
	}},
	{"gitbook-token", "https://gitbook.com/docs/developers/gitbook-api/authentication", []Token{
		{"gb_api_", ascii.Alnum, 32, 0, 0, "T9Y6YrQza5PQ2mbB5MmXdUVxdndS08eq4zsEE05w"},
	}},
	{"workos-key", "https://workos.com/docs/reference/api-keys", []Token{
		{"sk_a2V5Xz", ascii.Base64 | ascii.Equals, 40, 0, 0, "4yzE3fPpp/EtMajVvcH/45ui+ZnNfyX9b6Z2VMp+mcdK7LIgHGL4V7zx9x6GcZ0D6c4hPh"},
	}},
	{"salesforce-token", "https://help.salesforce.com/s/articleView?id=xcloud.remoteaccess_oauth_tokens_scopes.htm", []Token{
		{"00D", ascii.Alnum | ascii.Tilde | ascii.Dot | ascii.Under, 70, 200, '!', "Kp8xw2LqZ7mT!AQcAQK3vBn1cR6sW0yHjP3gUeNaQkXtVo5iDwSbFzMT4vBn7cRsW0yHjP3gUeNaQkXtVo5iDwSbFz.mLcE"},
		{"5Aep", ascii.URLSafe | ascii.Dot, 60, 0, 0, "JCIzwZX4S1lRQtWSd7XH2Jp03DzYjYWVG85UZMhhmB0JSvS3pDVJQtRkli4jDAWTJRH1Ku0layK5cTWlEqA"},
	}},
}
