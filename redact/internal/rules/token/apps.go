package token

import "github.com/envwrap/envwrap/redact/internal/ascii"

// appTokens are the tokens of services that came later than the other tables.
var appTokens = []Family{
	{"posthog-key", "https://posthog.com/docs/api", []Token{
		{"phr_", ascii.Alnum, 30, 50, 0, "suGLucTA3BieVP2gSKawQVgAWJIcooiF1HRfFLfbCrDeb8N"},
		{"pha_", ascii.Alnum, 40, 50, 0, "Gx3TqzPjd8h2RkVw5nYb7sLcM0fQeA9uXoZi1KtHrDm4"},
		{"phs_", ascii.Alnum, 40, 50, 0, "b7R2mXv9QkT4wLp0ZsJc6YdHf3NgUa8ViEo1KxPqDr5M"},
	}},
	{"vercel-token", "https://vercel.com/docs/rest-api", []Token{
		{"vca_", ascii.Alnum, 24, 64, 0, "viSSXrjdr1tGGJCJKODoBV7c"},
		{"vci_", ascii.Alnum, 24, 64, 0, "gVff5oWknc4UlxoYrci2FRPn"},
		{"vcr_", ascii.Alnum, 24, 64, 0, "oE9M5x4dKmPOufsTmjzPPU3y"},
	}},
	{"asaas-key", "https://docs.asaas.com/docs/authentication-2", []Token{
		{"$aact_prod_", ascii.Base64 | ascii.Equals | ascii.Colon | ascii.Query | ascii.URLSafe, 60, 0, 0, "000MzkwODA2MWY2OGM3MWRlMDU2NWM3MzJlNzZmNGZhZGY6OjE5ZDk3YzU2LTQ1YjktNDE1Yi1i"},
		{"$aact_hmlg_", ascii.Base64 | ascii.Equals | ascii.Colon | ascii.Query | ascii.URLSafe, 60, 0, 0, "000MzkwODA2MWY2OGM3MWRlMDU2NWM3MzJlNzZmNGZhZGY6OjZkYTQ4YzU2LTQ1YjktNDE1Yi1i"},
	}},
	{"mergify-key", "https://docs.mergify.com/", []Token{
		{"mergify_application_key_", ascii.URLSafe, 32, 64, 0, "x7Qk2mVb9TzLp4WsJc6YdHf3NgUa8RiEo1KxPqDr5Mt"},
	}},
	{"cosmo-key", "https://cosmo-docs.wundergraph.com/", []Token{
		{"cosmo_", ascii.HexDigit, 32, 64, 0, "a6c6ff72a717e348426ed3df3d867c5b"},
	}},
	{"devin-key", "https://docs.devin.ai/api-reference/overview", []Token{
		{"cog_", ascii.Alnum, 30, 80, 0, "IqKp0EfxK7WrDONu2PZ3ptnJs6xK3X5O"},
	}},
	{"xai-key", "https://docs.x.ai/docs/overview", []Token{
		{"xai-token-", ascii.Alnum, 60, 100, 0, "JRG8GY1eBlkhf3x29qESBk6Ubadw16SPchTvVarv6Fdhi5ahBzzLfm3E17jzWSzhBXXtATjJ4LWHH9Eg"},
	}},
	{"crunchy-bridge-key", "https://docs.crunchybridge.com/api-concepts/getting-started", []Token{
		{"cbkey_", ascii.Alnum, 32, 64, 0, "MkaUx0T1fNa5GPdKRqKn7eAYNpyRGE0J2jKTyhZr"},
	}},
	{"flagsmith-key", "https://docs.flagsmith.com/", []Token{
		{"ser.", ascii.Alnum, 22, 22, 0, "eu2UbnN6QZtPbjHHWKm5HJ"},
	}},
	{"socket-key", "https://docs.socket.dev/reference/authentication", []Token{
		{"sktsec_", ascii.URLSafe, 40, 60, 0, "Js0ZZpbuEuswIpBHUzYDcsKGjsJUIVxCc4L80Zrw_api"},
	}},
	{"chromatic-token", "https://www.chromatic.com/docs/", []Token{
		{"chpt_", ascii.Lower | ascii.Digit, 14, 24, 0, "41e951e4bfc2c1e82305"},
	}},
	{"letta-key", "https://docs.letta.com/", []Token{
		{"sk-let-", ascii.URLSafe | ascii.Equals, 60, 0, 0, "maHzrcMXKD7OJ1lmTScwqgwJ2PAylWlg8mOQewIAFhufP4HpQruCYNrHmNGTB09WyEZ1TyERoQxPLa8Y"},
	}},
	{"continue-key", "https://docs.continue.dev/", []Token{
		{"con-", ascii.HexDigit, 64, 64, 0, "2d49546e6077f9668d748992725282b7df390e548b223c3c8bac3f6f786be9e5"},
	}},
	{"onfido-token", "https://developers.onfido.com/guide/get-started-integrating/", []Token{
		{"api_live.", ascii.URLSafe | ascii.Dot, 40, 60, '.', "PKN0Oluta7W.JkWxov4agWxU041uDW1GYaRIhvJxwBJL"},
		{"api_sandbox.", ascii.URLSafe | ascii.Dot, 40, 60, '.', "PKN0Oluta7W.JkWxov4agWxU041uDW1GYaRIhvJxwBJL"},
		{"api_live_us.", ascii.URLSafe | ascii.Dot, 40, 60, '.', "kY9pF34Qy6n.B3Wwd25rq4f5zr3QA7YeEEBY3ABp3e2z"},
		{"api_live_ca.", ascii.URLSafe | ascii.Dot, 40, 60, '.', "S8iq9y7AjzQ.Hb6BAEcn6zJ4A3DdvHyrNktBXtnjfObI"},
		{"api_sandbox_us.", ascii.URLSafe | ascii.Dot, 40, 60, '.', "Nf5AjxvUlKs.iC47wqaMl9Xvq2ZG4MzAOUQklImCvBPt"},
		{"api_sandbox_ca.", ascii.URLSafe | ascii.Dot, 40, 60, '.', "4R5YhuIG43K.IjFAHQsiJoUGm1YtmaD7v3dNi8LfppWT"},
	}},
	{"brex-token", "https://developer.brex.com/docs/authentication/", []Token{
		{"bxt_", ascii.Alnum, 24, 64, 0, "r9fZSGM5knffVioPYEGGRBzFXtqSt8iK"},
	}},
	{"tiktok-token", "https://developers.tiktok.com/doc/oauth-user-access-token-management", []Token{
		{"act.", ascii.Alnum, 48, 100, 0, "rvSslwnyDBLJptkLJsndii3RNLYyYQEMiqoUAEdjYl8GnXOptqdGT8WLgkmo"},
		{"clt.", ascii.Alnum, 48, 100, 0, "q3SslwnyDBLJptkLJsndii3RNLYyYQEMiqoUAEdjYl8GnXOptqdGT8WLgkmo"},
	}},
	{"linkedin-token", "https://learn.microsoft.com/en-us/linkedin/shared/authentication/authentication", []Token{
		{"WPL_AP1.", ascii.Alnum | ascii.Dot | ascii.Equals, 20, 60, 0, "XuByg35a8ndFTB8t.WOBLS47="},
	}},
	{"firehydrant-key", "https://docs.firehydrant.com/reference", []Token{
		{"fhb-", ascii.HexDigit, 32, 32, 0, "a3b034e44a12c55406f9586cf2ae8e09"},
	}},
	{"nats-seed", "https://docs.nats.io/using-nats/developer/connecting/nkey", []Token{
		{"SUA", ascii.Upper | ascii.Digit, 55, 55, 0, "PVUBLG6RGO303MA6EJ3STRB6RK73I5F8XKQ2WT7XYBN9MRCPFJDVGUE"},
		{"SAA", ascii.Upper | ascii.Digit, 55, 55, 0, "QVUBLG6RGO303MA6EJ3STRB6RK73I5F8XKQ2WT7XYBN9MRCPFJDVGUE"},
		{"SOA", ascii.Upper | ascii.Digit, 55, 55, 0, "RVUBLG6RGO303MA6EJ3STRB6RK73I5F8XKQ2WT7XYBN9MRCPFJDVGUE"},
	}},
	{"braintree-token", "https://developer.paypal.com/braintree/docs/guides/authorization/overview", []Token{
		{"access_token$sandbox$", ascii.Lower | ascii.Digit | ascii.Query, 40, 60, '$', "eg8sz1h4jw778ojn$8b94780c4a2ff1d1b6814dff6d2b4bf7"},
		{"access_token$production$", ascii.Lower | ascii.Digit | ascii.Query, 40, 60, '$', "eg8sz1h4jw778ojn$8b94780c4a2ff1d1b6814dff6d2b4bf7"},
	}},
	{"atlassian-token", "https://support.atlassian.com/atlassian-account/docs/manage-api-tokens-for-your-atlassian-account/", []Token{
		{"ATSTT3", ascii.URLSafe | ascii.Equals, 80, 0, 0, "xFfGN0hKT8pi7DgF7jbLMSWZhpiGqw12OeXLQQ55ZfQeJsBEcvkqAsnr2PDvTMRmbIvlvDJNMQDHzsIbLPo7mrU92CEOTk"},
	}},
	{"aiven-token", "https://aiven.io/docs/platform/howto/create_authentication_token", []Token{
		{"aivenv1", ascii.Base64 | ascii.Equals, 80, 0, 0, "0j53GQU2TM4vXBL8DCSr865gkIgBo35X7Xip9xkEIPYYiNpOuyGcbBND4vZLfX1ABaiLlfHFoWh9qV4cCUOQEECWzpz0L"},
	}},
	{"supabase-token", "https://supabase.com/docs/reference/api/introduction", []Token{
		{"sbp_oauth_", ascii.HexDigit, 40, 40, 0, "6e121e0608061cd4a3d6b4b51a0893a0f638be7e"},
	}},
	{"api-secret-key", "https://docs.github.com/en/code-security/reference/secret-security/supported-secret-scanning-patterns", []Token{
		{"sk_", ascii.Alnum, 28, 64, 0, "0I062nuOUDpmROmkYPVtc5ZZ0ipMktpfsw1kW6JuN6L"},
		{"ak_", ascii.Alnum, 24, 64, 0, "6XY69pf5DxIC4zsQ1Q17Qpkibr17UbJv892xulGD"},
		{"odt_", ascii.Alnum, 20, 64, 0, "MMpVwCNqiwxda1e9My5j6wTmVr89eeS9"},
		{"pgar_", ascii.Alnum, 20, 64, 0, "36iOukfarVr0rTfDnVnKX0YALvwg96mO"},
	}},
	{"huggingface-token", "https://huggingface.co/docs/hub/security-tokens", []Token{
		{"hf_oauth_", ascii.URLSafe | ascii.Dot, 40, 0, 0, "TRcT8UTPZvELmcXKc0X30io9wh3MvTnGZaIPO1mAvDCis5BnGdflimK0LXt8"},
	}},
	{"fly-token", "https://fly.io/docs/security/tokens/", []Token{
		{"FlyV1 fm", ascii.Word | ascii.Plus | ascii.Equals | ascii.Comma, 60, 0, 0, "2_lJPECAAAAAAACnVjxBDqhN3qWv8k5zL0hQ2wT7xYbN9mRcPfJdVgUeSaKiHoXlZqWtMnBvCrDyFpGjEuAs1I3O4"},
	}},
	{"creem-key", "https://docs.creem.io/", []Token{
		{"creem_", ascii.Alnum, 20, 40, 0, "v54NyLZaYYEIvvxKKpl4x0"},
	}},
	{"deno-token", "https://docs.deno.com/deploy/", []Token{
		{"ddw_", ascii.Alnum, 36, 36, 0, "Ms0slrAk7hLyhhuvT45H9UNcOG56NL62Cklm"},
	}},
	{"huawei-key-id", "https://support.huaweicloud.com/intl/en-us/usermanual-ca/ca_01_0003.html", []Token{
		{"HPUA", ascii.Upper | ascii.Digit, 16, 16, 0, "9UCK9657N604AL4O"},
	}},
	{"vk-token", "https://dev.vk.com/en/api/access-token/getting-started", []Token{
		{"vk1.a.", ascii.URLSafe, 100, 0, 0, "PTZTelW9gMRnxSOWEUJJSYeE0sFXZ9MMXBhwUqLrAUEUNe2dzjHgifYG2ZTgVrZ2MwwjSwxP7GHtDx4EnhIYg3ZjZJyouEq7WtMnBvCrDyFpGjEuAs1I3O4"},
	}},
	{"secret-token", "https://www.rfc-editor.org/rfc/rfc8959", []Token{
		{"secret-token:", ascii.URLSafe | ascii.Dot | ascii.Tilde | ascii.Percent, 16, 0, 0, "E92FB7EB-D882-47A4-A265-A0B6135DC842"},
	}},
	{"1password-recovery-key", "https://support.1password.com/recovery-codes/", []Token{
		{"1PRK-", ascii.Upper | ascii.Digit | ascii.Dash, 64, 64, '-', "1234-5678-9ABC-DEFG-HIJK-LMN7-PQRS-TUVW-XYZ1-2345-6789-ABCD-EFGH"},
	}},
	{"ntlm-response", "https://learn.microsoft.com/en-us/openspecs/windows_protocols/ms-nlmp/033d32cc-88f9-4483-9bf2-b273055038ce", []Token{
		{"TlRMTVNTUAAD", ascii.Base64 | ascii.Equals, 60, 0, 0, "AAAAGAAYAGAAAADIAMgAeAAAAAwADABIAAAACAAIAFQAAAAEAAQAXAAAAMpQ7kq09zxlm2tnb5vrc8f3ak"},
	}},
	{"aspnet-cookie", "https://learn.microsoft.com/en-us/aspnet/core/security/data-protection/implementation/authenticated-encryption-details", []Token{
		{"CfDJ8", ascii.URLSafe, 60, 0, 0, "L0hQ2wT7xYbN9mRcPfJdVgUeSaKiHoXlZqWtMnBvCrDyFpGjEuAs1I3O4k5zL0hQ2wT7xYbN9mRcPfJdVgUeSaKiHoXlZq"},
	}},
	{"rpc-endpoint", "https://docs.metamask.io/services/get-started/endpoints/", []Token{
		{"infura.io/v3/", ascii.HexDigit, 32, 32, 0, "3f8a1c5e9b2d4f60718293a4b5c6d7e8"},
		{"infura.io/ws/v3/", ascii.HexDigit, 32, 32, 0, "3f8a1c5e9b2d4f60718293a4b5c6d7e8"},
	}},
	{"rpc-endpoint", "https://www.alchemy.com/docs/", []Token{
		{"g.alchemy.com/v2/", ascii.URLSafe, 20, 40, 0, "k5zL0hQ2wT7xYbN9mRcPfJdVgUeSaKiH"},
		{"alchemyapi.io/v2/", ascii.URLSafe, 20, 40, 0, "k5zL0hQ2wT7xYbN9mRcPfJdVgUeSaKiH"},
	}},
	{"rpc-endpoint", "https://www.quicknode.com/docs/", []Token{
		{"quiknode.pro/", ascii.HexDigit, 32, 64, 0, "3f8a1c5e9b2d4f60718293a4b5c6d7e83f8a1c5e"},
	}},
	{"rpc-endpoint", "https://www.ankr.com/docs/rpc-service/", []Token{
		{"rpc.ankr.com/eth/", ascii.HexDigit, 32, 64, 0, "3f8a1c5e9b2d4f60718293a4b5c6d7e83f8a1c5e9b2d4f60718293a4b5c6d7e8"},
		{"rpc.ankr.com/multichain/", ascii.HexDigit, 32, 64, 0, "3f8a1c5e9b2d4f60718293a4b5c6d7e83f8a1c5e9b2d4f60718293a4b5c6d7e8"},
		{"rpc.ankr.com/bsc/", ascii.HexDigit, 32, 64, 0, "3f8a1c5e9b2d4f60718293a4b5c6d7e83f8a1c5e9b2d4f60718293a4b5c6d7e8"},
		{"rpc.ankr.com/polygon/", ascii.HexDigit, 32, 64, 0, "3f8a1c5e9b2d4f60718293a4b5c6d7e83f8a1c5e9b2d4f60718293a4b5c6d7e8"},
	}},
	{"rpc-endpoint", "https://docs.getblock.io/", []Token{
		{"getblock.io/", ascii.HexDigit, 32, 32, 0, "3f8a1c5e9b2d4f60718293a4b5c6d7e8"},
	}},
	{"rpc-endpoint", "https://docs.nodereal.io/", []Token{
		{"nodereal.io/v1/", ascii.HexDigit, 32, 64, 0, "3f8a1c5e9b2d4f60718293a4b5c6d7e8"},
	}},
	{"shortcut-token", SeenInUse, []Token{
		{"sct_ro_", ascii.URLSafe, 20, 0, 0, "x7Qk2mVb9TzLp4WsJc6YdHf3"},
		{"sct_rw_", ascii.URLSafe, 20, 0, 0, "Gx3TqzPjd8h2RkVw5nYb7sLc"},
	}},
	{"rpc-endpoint", SeenInUse, []Token{
		{"nownodes.io/", ascii.HexDigit | ascii.Dash, 36, 36, 0, "7c1e9a52-3b4d-4f68-9a0b-5d2e8c7f1b36"},
	}},
	{"rpc-endpoint", "https://docs.chainstack.com/reference/chainstack-platform-api-update-node", []Token{
		{"p2pify.com/", ascii.HexDigit, 32, 32, 0, "3f8a1c5e9b2d4f60718293a4b5c6d7e8"},
	}},
	{"rpc-endpoint", SeenInUse, []Token{
		{"blastapi.io/", ascii.HexDigit | ascii.Dash, 36, 36, 0, "7c1e9a52-3b4d-4f68-9a0b-5d2e8c7f1b36"},
	}},
	{"pagerduty-integration", SeenInUse, []Token{
		{"pagerduty.com/integration/", ascii.HexDigit, 32, 32, 0, "3f8a1c5e9b2d4f60718293a4b5c6d7e8"},
	}},
	{"healthchecks-ping", "https://healthchecks.io/docs/http_api/", []Token{
		{"hc-ping.com/", ascii.HexDigit | ascii.Dash, 36, 36, 0, "7c1e9a52-3b4d-4f68-9a0b-5d2e8c7f1b36"},
	}},
}
