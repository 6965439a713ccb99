package redact

// appTokens are those of services that came later than the other tables.
var appTokens = []family{
	{"posthog-key", "https://posthog.com/docs/api", []token{
		{"phr_", alnum, 30, 50, 0, "suGLucTA3BieVP2gSKawQVgAWJIcooiF1HRfFLfbCrDeb8N"},
		{"pha_", alnum, 40, 50, 0, "Gx3TqzPjd8h2RkVw5nYb7sLcM0fQeA9uXoZi1KtHrDm4"},
		{"phs_", alnum, 40, 50, 0, "b7R2mXv9QkT4wLp0ZsJc6YdHf3NgUa8ViEo1KxPqDr5M"},
	}},
	{"vercel-token", "https://vercel.com/docs/rest-api", []token{
		{"vca_", alnum, 24, 64, 0, "viSSXrjdr1tGGJCJKODoBV7c"},
		{"vci_", alnum, 24, 64, 0, "gVff5oWknc4UlxoYrci2FRPn"},
		{"vcr_", alnum, 24, 64, 0, "oE9M5x4dKmPOufsTmjzPPU3y"},
	}},
	{"asaas-key", "https://docs.asaas.com/docs/authentication-2", []token{
		{"$aact_prod_", base64c | equals | colon | query | urlSafe, 60, 0, 0, "000MzkwODA2MWY2OGM3MWRlMDU2NWM3MzJlNzZmNGZhZGY6OjE5ZDk3YzU2LTQ1YjktNDE1Yi1i"},
		{"$aact_hmlg_", base64c | equals | colon | query | urlSafe, 60, 0, 0, "000MzkwODA2MWY2OGM3MWRlMDU2NWM3MzJlNzZmNGZhZGY6OjZkYTQ4YzU2LTQ1YjktNDE1Yi1i"},
	}},
	{"mergify-key", "https://docs.mergify.com/", []token{
		{"mergify_application_key_", urlSafe, 32, 64, 0, "x7Qk2mVb9TzLp4WsJc6YdHf3NgUa8RiEo1KxPqDr5Mt"},
	}},
	{"cosmo-key", "https://cosmo-docs.wundergraph.com/", []token{
		{"cosmo_", hexDigit, 32, 64, 0, "a6c6ff72a717e348426ed3df3d867c5b"},
	}},
	{"devin-key", "https://docs.devin.ai/api-reference/overview", []token{
		{"cog_", alnum, 30, 80, 0, "IqKp0EfxK7WrDONu2PZ3ptnJs6xK3X5O"},
	}},
	{"xai-key", "https://docs.x.ai/docs/overview", []token{
		{"xai-token-", alnum, 60, 100, 0, "JRG8GY1eBlkhf3x29qESBk6Ubadw16SPchTvVarv6Fdhi5ahBzzLfm3E17jzWSzhBXXtATjJ4LWHH9Eg"},
	}},
	{"crunchy-bridge-key", "https://docs.crunchybridge.com/api-concepts/getting-started", []token{
		{"cbkey_", alnum, 32, 64, 0, "MkaUx0T1fNa5GPdKRqKn7eAYNpyRGE0J2jKTyhZr"},
	}},
	{"flagsmith-key", "https://docs.flagsmith.com/", []token{
		{"ser.", alnum, 22, 22, 0, "eu2UbnN6QZtPbjHHWKm5HJ"},
	}},
	{"socket-key", "https://docs.socket.dev/reference/authentication", []token{
		{"sktsec_", urlSafe, 40, 60, 0, "Js0ZZpbuEuswIpBHUzYDcsKGjsJUIVxCc4L80Zrw_api"},
	}},
	{"chromatic-token", "https://www.chromatic.com/docs/", []token{
		{"chpt_", lower | digit, 14, 24, 0, "41e951e4bfc2c1e82305"},
	}},
	{"letta-key", "https://docs.letta.com/", []token{
		{"sk-let-", urlSafe | equals, 60, 0, 0, "maHzrcMXKD7OJ1lmTScwqgwJ2PAylWlg8mOQewIAFhufP4HpQruCYNrHmNGTB09WyEZ1TyERoQxPLa8Y"},
	}},
	{"continue-key", "https://docs.continue.dev/", []token{
		{"con-", hexDigit, 64, 64, 0, "2d49546e6077f9668d748992725282b7df390e548b223c3c8bac3f6f786be9e5"},
	}},
	{"onfido-token", "https://developers.onfido.com/guide/get-started-integrating/", []token{
		{"api_live.", urlSafe | dot, 40, 60, '.', "PKN0Oluta7W.JkWxov4agWxU041uDW1GYaRIhvJxwBJL"},
		{"api_sandbox.", urlSafe | dot, 40, 60, '.', "PKN0Oluta7W.JkWxov4agWxU041uDW1GYaRIhvJxwBJL"},
		{"api_live_us.", urlSafe | dot, 40, 60, '.', "kY9pF34Qy6n.B3Wwd25rq4f5zr3QA7YeEEBY3ABp3e2z"},
		{"api_live_ca.", urlSafe | dot, 40, 60, '.', "S8iq9y7AjzQ.Hb6BAEcn6zJ4A3DdvHyrNktBXtnjfObI"},
		{"api_sandbox_us.", urlSafe | dot, 40, 60, '.', "Nf5AjxvUlKs.iC47wqaMl9Xvq2ZG4MzAOUQklImCvBPt"},
		{"api_sandbox_ca.", urlSafe | dot, 40, 60, '.', "4R5YhuIG43K.IjFAHQsiJoUGm1YtmaD7v3dNi8LfppWT"},
	}},
	{"brex-token", "https://developer.brex.com/docs/authentication/", []token{
		{"bxt_", alnum, 24, 64, 0, "r9fZSGM5knffVioPYEGGRBzFXtqSt8iK"},
	}},
	{"tiktok-token", "https://developers.tiktok.com/doc/oauth-user-access-token-management", []token{
		{"act.", alnum, 48, 100, 0, "rvSslwnyDBLJptkLJsndii3RNLYyYQEMiqoUAEdjYl8GnXOptqdGT8WLgkmo"},
		{"clt.", alnum, 48, 100, 0, "q3SslwnyDBLJptkLJsndii3RNLYyYQEMiqoUAEdjYl8GnXOptqdGT8WLgkmo"},
	}},
	{"linkedin-token", "https://learn.microsoft.com/en-us/linkedin/shared/authentication/authentication", []token{
		{"WPL_AP1.", alnum | dot | equals, 20, 60, 0, "XuByg35a8ndFTB8t.WOBLS47="},
	}},
	{"firehydrant-key", "https://docs.firehydrant.com/reference", []token{
		{"fhb-", hexDigit, 32, 32, 0, "a3b034e44a12c55406f9586cf2ae8e09"},
	}},
	{"nats-seed", "https://docs.nats.io/using-nats/developer/connecting/nkey", []token{
		{"SUA", upper | digit, 55, 55, 0, "PVUBLG6RGO303MA6EJ3STRB6RK73I5F8XKQ2WT7XYBN9MRCPFJDVGUE"},
		{"SAA", upper | digit, 55, 55, 0, "QVUBLG6RGO303MA6EJ3STRB6RK73I5F8XKQ2WT7XYBN9MRCPFJDVGUE"},
		{"SOA", upper | digit, 55, 55, 0, "RVUBLG6RGO303MA6EJ3STRB6RK73I5F8XKQ2WT7XYBN9MRCPFJDVGUE"},
	}},
	{"braintree-token", "https://developer.paypal.com/braintree/docs/guides/authorization/overview", []token{
		{"access_token$sandbox$", lower | digit | query, 40, 60, '$', "eg8sz1h4jw778ojn$8b94780c4a2ff1d1b6814dff6d2b4bf7"},
		{"access_token$production$", lower | digit | query, 40, 60, '$', "eg8sz1h4jw778ojn$8b94780c4a2ff1d1b6814dff6d2b4bf7"},
	}},
	{"atlassian-token", "https://support.atlassian.com/atlassian-account/docs/manage-api-tokens-for-your-atlassian-account/", []token{
		{"ATSTT3", urlSafe | equals, 80, 0, 0, "xFfGN0hKT8pi7DgF7jbLMSWZhpiGqw12OeXLQQ55ZfQeJsBEcvkqAsnr2PDvTMRmbIvlvDJNMQDHzsIbLPo7mrU92CEOTk"},
	}},
	{"aiven-token", "https://aiven.io/docs/platform/howto/create_authentication_token", []token{
		{"aivenv1", base64c | equals, 80, 0, 0, "0j53GQU2TM4vXBL8DCSr865gkIgBo35X7Xip9xkEIPYYiNpOuyGcbBND4vZLfX1ABaiLlfHFoWh9qV4cCUOQEECWzpz0L"},
	}},
	{"supabase-token", "https://supabase.com/docs/reference/api/introduction", []token{
		{"sbp_oauth_", hexDigit, 40, 40, 0, "6e121e0608061cd4a3d6b4b51a0893a0f638be7e"},
	}},
	{"api-secret-key", "https://docs.github.com/en/code-security/reference/secret-security/supported-secret-scanning-patterns", []token{
		{"sk_", alnum, 28, 64, 0, "0I062nuOUDpmROmkYPVtc5ZZ0ipMktpfsw1kW6JuN6L"},
		{"ak_", alnum, 24, 64, 0, "6XY69pf5DxIC4zsQ1Q17Qpkibr17UbJv892xulGD"},
		{"odt_", alnum, 20, 64, 0, "MMpVwCNqiwxda1e9My5j6wTmVr89eeS9"},
		{"pgar_", alnum, 20, 64, 0, "36iOukfarVr0rTfDnVnKX0YALvwg96mO"},
	}},
	{"huggingface-token", "https://huggingface.co/docs/hub/security-tokens", []token{
		{"hf_oauth_", urlSafe | dot, 40, 0, 0, "TRcT8UTPZvELmcXKc0X30io9wh3MvTnGZaIPO1mAvDCis5BnGdflimK0LXt8"},
	}},
	{"fly-token", "https://fly.io/docs/security/tokens/", []token{
		{"FlyV1 fm", word | plus | equals | comma, 60, 0, 0, "2_lJPECAAAAAAACnVjxBDqhN3qWv8k5zL0hQ2wT7xYbN9mRcPfJdVgUeSaKiHoXlZqWtMnBvCrDyFpGjEuAs1I3O4"},
	}},
	{"creem-key", "https://docs.creem.io/", []token{
		{"creem_", alnum, 20, 40, 0, "v54NyLZaYYEIvvxKKpl4x0"},
	}},
	{"deno-token", "https://docs.deno.com/deploy/", []token{
		{"ddw_", alnum, 36, 36, 0, "Ms0slrAk7hLyhhuvT45H9UNcOG56NL62Cklm"},
	}},
	{"huawei-key-id", "https://support.huaweicloud.com/intl/en-us/usermanual-ca/ca_01_0003.html", []token{
		{"HPUA", upper | digit, 16, 16, 0, "9UCK9657N604AL4O"},
	}},
	{"vk-token", "https://dev.vk.com/en/api/access-token/getting-started", []token{
		{"vk1.a.", urlSafe, 100, 0, 0, "PTZTelW9gMRnxSOWEUJJSYeE0sFXZ9MMXBhwUqLrAUEUNe2dzjHgifYG2ZTgVrZ2MwwjSwxP7GHtDx4EnhIYg3ZjZJyouEq7WtMnBvCrDyFpGjEuAs1I3O4"},
	}},
	{"secret-token", "https://www.rfc-editor.org/rfc/rfc8959", []token{
		{"secret-token:", urlSafe | dot | tilde | percent, 16, 0, 0, "E92FB7EB-D882-47A4-A265-A0B6135DC842"},
	}},
	{"1password-recovery-key", "https://support.1password.com/recovery-codes/", []token{
		{"1PRK-", upper | digit | dash, 64, 64, '-', "1234-5678-9ABC-DEFG-HIJK-LMN7-PQRS-TUVW-XYZ1-2345-6789-ABCD-EFGH"},
	}},
	{"ntlm-response", "https://learn.microsoft.com/en-us/openspecs/windows_protocols/ms-nlmp/033d32cc-88f9-4483-9bf2-b273055038ce", []token{
		{"TlRMTVNTUAAD", base64c | equals, 60, 0, 0, "AAAAGAAYAGAAAADIAMgAeAAAAAwADABIAAAACAAIAFQAAAAEAAQAXAAAAMpQ7kq09zxlm2tnb5vrc8f3ak"},
	}},
	{"aspnet-cookie", "https://learn.microsoft.com/en-us/aspnet/core/security/data-protection/implementation/authenticated-encryption-details", []token{
		{"CfDJ8", urlSafe, 60, 0, 0, "L0hQ2wT7xYbN9mRcPfJdVgUeSaKiHoXlZqWtMnBvCrDyFpGjEuAs1I3O4k5zL0hQ2wT7xYbN9mRcPfJdVgUeSaKiHoXlZq"},
	}},
	{"rpc-endpoint", "https://docs.metamask.io/services/get-started/endpoints/", []token{
		{"infura.io/v3/", hexDigit, 32, 32, 0, "3f8a1c5e9b2d4f60718293a4b5c6d7e8"},
		{"infura.io/ws/v3/", hexDigit, 32, 32, 0, "3f8a1c5e9b2d4f60718293a4b5c6d7e8"},
	}},
	{"rpc-endpoint", "https://www.alchemy.com/docs/", []token{
		{"g.alchemy.com/v2/", urlSafe, 20, 40, 0, "k5zL0hQ2wT7xYbN9mRcPfJdVgUeSaKiH"},
		{"alchemyapi.io/v2/", urlSafe, 20, 40, 0, "k5zL0hQ2wT7xYbN9mRcPfJdVgUeSaKiH"},
	}},
	{"rpc-endpoint", "https://www.quicknode.com/docs/", []token{
		{"quiknode.pro/", hexDigit, 32, 64, 0, "3f8a1c5e9b2d4f60718293a4b5c6d7e83f8a1c5e"},
	}},
	{"rpc-endpoint", "https://www.ankr.com/docs/rpc-service/", []token{
		{"rpc.ankr.com/eth/", hexDigit, 32, 64, 0, "3f8a1c5e9b2d4f60718293a4b5c6d7e83f8a1c5e9b2d4f60718293a4b5c6d7e8"},
		{"rpc.ankr.com/multichain/", hexDigit, 32, 64, 0, "3f8a1c5e9b2d4f60718293a4b5c6d7e83f8a1c5e9b2d4f60718293a4b5c6d7e8"},
		{"rpc.ankr.com/bsc/", hexDigit, 32, 64, 0, "3f8a1c5e9b2d4f60718293a4b5c6d7e83f8a1c5e9b2d4f60718293a4b5c6d7e8"},
		{"rpc.ankr.com/polygon/", hexDigit, 32, 64, 0, "3f8a1c5e9b2d4f60718293a4b5c6d7e83f8a1c5e9b2d4f60718293a4b5c6d7e8"},
	}},
	{"rpc-endpoint", "https://docs.getblock.io/", []token{
		{"getblock.io/", hexDigit, 32, 32, 0, "3f8a1c5e9b2d4f60718293a4b5c6d7e8"},
	}},
	{"rpc-endpoint", "https://docs.nodereal.io/", []token{
		{"nodereal.io/v1/", hexDigit, 32, 64, 0, "3f8a1c5e9b2d4f60718293a4b5c6d7e8"},
	}},
	{"shortcut-token", seenInUse, []token{
		{"sct_ro_", urlSafe, 20, 0, 0, "x7Qk2mVb9TzLp4WsJc6YdHf3"},
		{"sct_rw_", urlSafe, 20, 0, 0, "Gx3TqzPjd8h2RkVw5nYb7sLc"},
	}},
	{"rpc-endpoint", seenInUse, []token{
		{"nownodes.io/", hexDigit | dash, 36, 36, 0, "7c1e9a52-3b4d-4f68-9a0b-5d2e8c7f1b36"},
	}},
	{"rpc-endpoint", "https://docs.chainstack.com/reference/chainstack-platform-api-update-node", []token{
		{"p2pify.com/", hexDigit, 32, 32, 0, "3f8a1c5e9b2d4f60718293a4b5c6d7e8"},
	}},
	{"rpc-endpoint", seenInUse, []token{
		{"blastapi.io/", hexDigit | dash, 36, 36, 0, "7c1e9a52-3b4d-4f68-9a0b-5d2e8c7f1b36"},
	}},
	{"pagerduty-integration", seenInUse, []token{
		{"pagerduty.com/integration/", hexDigit, 32, 32, 0, "3f8a1c5e9b2d4f60718293a4b5c6d7e8"},
	}},
	{"healthchecks-ping", "https://healthchecks.io/docs/http_api/", []token{
		{"hc-ping.com/", hexDigit | dash, 36, 36, 0, "7c1e9a52-3b4d-4f68-9a0b-5d2e8c7f1b36"},
	}},
}
