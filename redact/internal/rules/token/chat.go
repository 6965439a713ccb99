package token

import "github.com/envwrap/envwrap/redact/internal/ascii"

// chatTokens are the tokens of mail, chat and social networks.
var chatTokens = []Family{
	{"slack-token", "https://docs.slack.dev/authentication/tokens/", []Token{
		{"xoxb-", ascii.URLSafe, 15, 0, 0, "660019011902-215658303775-tE1wXdbORZAFvQ1aEY45nxg1"},
		{"xoxp-", ascii.URLSafe, 15, 0, 0, "091930937311-553561537989-Dp6fI5iMQgql4wXfb6YTrtdM"},
		{"xoxa-", ascii.URLSafe, 15, 0, 0, "635054150630-211598294868-kABTwcUDU419Cl89kbzNakHf"},
		{"xoxr-", ascii.URLSafe, 15, 0, 0, "643417618892-206108270121-hIvPcUlhZp5eD1igODsRvsKR"},
		{"xoxs-", ascii.URLSafe, 15, 0, 0, "385742978776-331065307798-PtDVZlmAIkUKlABog1FcoLXP"},
		{"xoxo-", ascii.URLSafe, 15, 0, 0, "184026191694-206275241305-7XY3pmzUHTbRRKHBnF4sf5gg"},
		{"xoxc-", ascii.URLSafe, 15, 0, 0, "070626627693-794770344610-ev5lrjqeEEwGwJpzv6uawXgJ"},
		{"xoxd-", ascii.URLSafe | ascii.Plus | ascii.Equals | ascii.Percent, 15, 0, 0, "5aUR6Gs2952gNKKo6W7TRwPFMNchBU369al0qM2RTrqt9Q1lxJQpH3gksuMdiOukwDNRF1PV8ElzCf94"},
		{"xoxe-", ascii.URLSafe, 15, 0, 0, "1-6plfbDD4EiSyTx7iTDCrPtSqPgcnw0V8HSXeoCtfve98LP04kzipbLgjNp3e54j2bjuMffYdNvpoHn1l0G3DZcqA1va2pWOrzeHBRA9AYb4fedWltAkQagQ1lNj8RnhlZq2gMV7iczt9"},
		{"xoxe.", ascii.URLSafe | ascii.Dot, 15, 0, 0, "xoxp-1-ijPm9AL5SnZEjZ8dKFcPFCmBfB9dq0iwYLC4o1LHEc0Sz85do7D4k2UP6M7JNtffvrwovl9x3ge8uiAcIChASWLvHJpZk1TzmsYaXnPhEVku6WvavOU1UHnju1oHxJnAXntX2sIGXmPO"},
		{"xapp-", ascii.URLSafe | ascii.Plus, 15, 0, 0, "1-R46BLNJ4B4I-3793780144706-aabde4a980383b018453fc8f4656e5632ce766e0fbede9c196f1e3e331f140f8"},
		{"xwfp-", ascii.URLSafe, 15, 0, 0, "900608504829-WuT1XAJc0KdwUiTY12VlTFkX"},
	}},
	{"sendgrid-key", "https://www.twilio.com/docs/sendgrid/ui/account-and-settings/api-keys", []Token{
		{"SG.", ascii.URLSafe | ascii.Dot | ascii.Equals, 32, 0, '.', "ppxzZUmGLHrtXw7mXaMN5j.1aa66r_WF4inn6UKZjZBqUKg8vsb_gW-S0m2VwZmtfZ"},
	}},
	{"twilio-key", "https://www.twilio.com/docs/iam/api-keys", []Token{
		{"SK", ascii.HexDigit, 32, 32, 0, "9bcc4a61b1a0d7ebdf36dcbba764df01"},
	}},
	{"mailgun-key", "https://documentation.mailgun.com/docs/mailgun/api-reference/authentication", []Token{
		{"key-", ascii.HexDigit | ascii.Lower, 32, 32, 0, "cfd6d8bd91ae5b15d45186393ffd3084"},
		{"pubkey-", ascii.HexDigit, 32, 32, 0, "81627a3c34bda9ee8001563bd382bdb7"},
	}},
	{"brevo-key", "https://developers.brevo.com/docs/getting-started", []Token{
		{"xkeysib-", ascii.Alnum | ascii.Dash, 81, 81, 0, "e4784703aa1840262cecfa3e49e94e34f774b373b1ae28878329707316c4866d-zCl9xBMwB1pL0rOk"},
		{"xsmtpsib-", ascii.Alnum | ascii.Dash, 81, 81, 0, "19e818ea080f6744ba0560157345797ed350f404204b4453c6a2d8cfbbf129ec-sJJS8Ipxxh9BofG1"},
	}},
	{"resend-key", "https://resend.com/docs/api-reference/introduction", []Token{
		{"re_", ascii.Word, 32, 36, 0, "05czlJie_sLyCrlOvuwtsdicFuOwt2A53"},
	}},
	{"mailersend-token", "https://developers.mailersend.com/", []Token{
		{"mlsn.", ascii.HexDigit | ascii.Lower, 48, 70, 0, "ebd9313a63905249e49fe985144374e3a4dfb73979031aea25bc02475bc65bad"},
	}},
	{"onesignal-key", "https://documentation.onesignal.com/docs/en/keys-and-ids", []Token{
		{"os_v2_app_", ascii.Lower | ascii.Digit, 100, 0, 0, "7qoq3ql6h90yahvapn7k4lsduij8ht0bfzqivdn5ziv7ltlgz3kafiof6ytpa4jvf1bbdtyzykvdgoteh8086zuxl08ng1qy8uzh7gh"},
		{"os_v2_org_", ascii.Lower | ascii.Digit, 100, 0, 0, "t1klopqxkdndw9sbpmd7szz2qys6vh9l4dqnl2t5q2ps0vjtbjtb7pgxmfp4mvilze16slebaaklrag2sl0e3cg5aqfltx0iuj90ut9"},
	}},
	{"hubspot-token", "https://developers.hubspot.com/docs/apps/legacy-apps/private-apps/overview", []Token{
		{"pat-na1-", ascii.HexDigit | ascii.Dash, 36, 36, 0, "c47ce171-6c95-48a1-a3a4-ac33335ec3b1"},
		{"pat-na2-", ascii.HexDigit | ascii.Dash, 36, 36, 0, "ba97cd68-7504-4593-a6cb-dc4ec2313bc5"},
		{"pat-eu1-", ascii.HexDigit | ascii.Dash, 36, 36, 0, "129ecca2-b5af-4e68-ab14-0bd1efa87e41"},
	}},
	{"intercom-token", "https://developers.intercom.com/docs/build-an-integration/learn-more/authentication", []Token{
		{"dG9rO", ascii.Base64 | ascii.Equals, 54, 60, 0, "V0j9XRD9HOOISfiTlsmnafpNBSFAvtFZXmvXcUNuBLtM2QsCqMoueP="},
	}},
	{"facebook-token", "https://developers.facebook.com/docs/facebook-login/guides/access-tokens/", []Token{
		{"EAAC", ascii.Alnum, 80, 0, 0, "Mn3AVbTuqbll0mvNNDAy0Iwjct5sCKHGtZiEQ1f4cGsp9LjhOX2BRpFi2xyVkpiWZeAkEpaafpy8iN72GvUyLMulfZb6QYfiRBO3DBOyT6osMUf4nT5IYMoJp0W7vw4FmvbA09q89L2Qpy4ZysffdAZoMFKz2dXD"},
		{"EAAB", ascii.Alnum, 80, 0, 0, "f9VxuVGjxXs2DzUZ6a79d75nOYcHXnjoulZMPyTQTwhmYI6BPW2RkBKsTQ3ZqKRMOa2l42rKyuJDlcsfO78MLjxc4zZFN1ysy2XyIJxaRf0Jq1OaHvdADMWNzgrlP5JeNS3LCia3CofrvEmEwDQ0io614yl94a1u"},
		{"EAAM", ascii.Alnum, 80, 0, 0, "hLGHKbfj4v1In2LvJcvDbudSuY8vsxFxELKL9vX7vThGQTRsDb7zdnm1IBnjz7JRwHfanBy831LWqoC609xudt7VvlE9k83pfIvhBS0hB2ef9FFRKy6rp5ZBLkCVdAzjkV2fCV66XF4P5cipuopqLvkADfw4Ma3w"},
		{"EAAG", ascii.Alnum, 80, 0, 0, "YeTwnhWBoR8NgiedOpwm4wkKeiIT46JxA61NtJXKiXLlZae2rr7d27wdAFVwtEFLuEUL8nd0il4L5LDFzapwvDykCf9raaO3QIoYMmXHHL32g7VCScBRCO09gzofIlqL7Vg63Kx7mEqpGvm5Htl3pgJfS5kHapbc"},
		{"EAA", ascii.Alnum, 80, 0, 0, "Jn3AVbTuqbll0mvNNDAy0Iwjct5sCKHGtZiEQ1f4cGsp9LjhOX2BRpFi2xyVkpiWZeAkEpaafpy8iN72GvUyLMulfZb6QYfiRBO3DBOyT6osMUf4nT5IYMoJp0W7vw4FmvbA09q89L2Qpy4ZysffdAZoMFKz2dXD"},
		{"EAACEdEose0cBA", ascii.Alnum, 10, 0, 0, "1HV6BZ231u5yiEcbKA5USkUcZi72IqkfGNVV9DpETmOcT2K9yEhoFyUgbpPZxmYgueq0LBUTHzAr6qDtxVhJd7DmLzv1HUU3nY3r"},
	}},
	{"instagram-token", "https://developers.facebook.com/docs/instagram-platform/", []Token{
		{"IGQ", ascii.URLSafe, 60, 0, 0, "iYsyCbd_B-Nxe3H0JinysUDgvVuxWEF5eRh1H1gZzWrSjt4DBl_XIw-GBWzVTe8Qqq8u8o_mM-fWqRux6oIhgseWTv1WfEC-X8zomurAVfVU2zlewf2lYC6d4L3ma-tK0Vr8oraopEkj"},
	}},
	{"twitter-bearer", "https://docs.x.com/fundamentals/authentication/oauth-2-0/bearer-tokens", []Token{
		{"AAAAAAAAAAAAAAAAAAAAA", ascii.Alnum | ascii.Percent, 60, 0, 0, "tijxje5bO8aQ9iKDUWq0fYxqMv5T020UQXmA8OdWtST7xVBpNjsaOEtcUQ8oDvKBSRX7WlfGbKTuA7HX"},
	}},
	{"twitch-token", "https://dev.twitch.tv/docs/authentication/", []Token{
		{"oauth:", ascii.Lower | ascii.Digit, 30, 30, 0, "32kr6lha52i1io6ibd10se7umw5ojo"},
	}},
	{"dropbox-token", "https://developers.dropbox.com/oauth-guide", []Token{
		{"sl.", ascii.URLSafe, 100, 0, 0, "sWnnnCLwRk22C2M-_bI2ckAb2B2DrNFjvoCv6_a28rOgAcmmOQAivwP7Js6nr2sBIQuRbf78BMVOS8e-2kZodSXr304og6c9EdYdXk-bAVm5oBWxn36fqjARcAwN8JfkvJou7I6"},
		{"sl.u.", ascii.URLSafe, 100, 0, 0, "ucAUsdMlHUvTCQCyEZDz-TddJ8HyS5SUkCnD8zRA9a9SkpXz9w3QlY7Zkuvqdt7s8Stqcbnr3yBdGBLEPH1qhT61qtc4xatws8phP9nhFyJfm5di4PzJ59FHz5r1pY4OjE2jBMptUsGr7CmY_uCu3ZR1zTOlUcR6"},
	}},
	{"discord-token", "https://discord.com/developers/docs/reference", []Token{
		{"mfa.", ascii.URLSafe, 84, 84, 0, "xtxLxSqtrCxVjwztfZzvK1Acdo5LJH5PDpTdR8RdA1lfEe3H9FPQFkDjaSlWYBiUsBYPjWwhHdhGvH5q5wxY"},
	}},
	{"klaviyo-key", "https://developers.klaviyo.com/en/docs/authenticate_", []Token{
		{"pk_", ascii.HexDigit, 34, 34, 0, "c6ed6051a4d89dd2f23893eba0d860fe5b"},
	}},
	{"mandrill-key", "https://mailchimp.com/developer/transactional/guides/quick-start/", []Token{
		{"md-", ascii.URLSafe, 22, 22, 0, "XS4Mg3Kvh4ms5wqG8ikvPm"},
	}},
	{"matrix-token", "https://spec.matrix.org/latest/client-server-api/", []Token{
		{"syt_", ascii.Word, 30, 0, 0, "O2WqlO8iCghPXU5X_5J2QzxbEof87n8Pv3PnV_5MPKu1"},
	}},
	{"instagram-token", "https://developers.facebook.com/docs/instagram-platform/", []Token{
		{"IGAA", ascii.Alnum, 60, 0, 0, "3NULemiPDmQrO8L8uODGoNveOGs1l8PGlQMqiso3q2oTtJLKjsgBlIVRaDzSDzsZl7yTR9thJ06GR9fUInRqoPcmafs7c9SAjafKD1ZopO3KQSHtqFbbe6eSSPzvUVoGDqYO80SkEUfpLXhxiI1WNJ"},
		{"THAA", ascii.Alnum, 60, 0, 0, "goLKhHDH96ti0J3iu2DpwEBM9YMTKfpDavLN9M6nhEAJPtViHUrP6npSZptnYznCXuDB3DnraV9c9gnJiY4x97JCsZVd6M2q45tUZzjTuyb1olyLTjpNC36Hx2fM86Rw8Qh7RsdMB9kMCPse8usQ24"},
	}},
	{"pagerduty-key", "https://support.pagerduty.com/main/docs/api-access-keys", []Token{
		{"pdus+", ascii.Word | ascii.Dash, 40, 0, 0, "_0XBPWQQ_ef3b2071-7b47-cf47-e113-c3f2b83c748c"},
	}},
	{"courier-key", "https://www.courier.com/docs/reference/authentication/", []Token{
		{"pk_prod_", ascii.Upper | ascii.Digit, 28, 28, 0, "W53EFR4EDT2SYWB3WKH5DNSIPZZ5"},
	}},
	{"pinterest-token", "https://developers.pinterest.com/docs/getting-started/set-up-authentication-and-authorization/", []Token{
		{"pina_", ascii.Alnum, 40, 0, 0, "FK2Z9RI19R0WYOJFLJOOA5LQSAJ08XUI6D39ZZZZG4ZDMEN2KHVDGAJ8GXBENYJQWX4HH5344TFJGVQ4"},
	}},
}
