package token

import "github.com/envwrap/envwrap/redact/internal/ascii"

// payTokens are the tokens of payments, shops and shipping.
var payTokens = []Family{
	{"stripe-key", "https://docs.stripe.com/keys", []Token{
		{"sk_live_", ascii.Alnum | ascii.Equals, 16, 0, 0, "cvMOORuwFf7jHXQooudDWqhT"},
		{"sk_test_", ascii.Alnum | ascii.Equals, 16, 0, 0, "7jR2SrRl6DsvXBo2jpLBhFkR"},
		{"sk_test_", ascii.URLSafe, 40, 0, 0, "KFLf6xuI5aHUQPFeNBTx-aQWk8JzFalHlsZfYcMMDktXP"},
		{"rk_live_", ascii.Alnum, 16, 0, 0, "Bo8cdnRvcLmnr41CmOSdrg1L"},
		{"rk_test_", ascii.Alnum, 16, 0, 0, "cD6HbQEjJ0TR9GL9zmrXIHid"},
		{"pk_live_", ascii.Alnum, 16, 0, 0, "tYwnMXbYR0rMaA0SQ3IVrUy1"},
		{"pk_test_", ascii.Alnum, 16, 0, 0, "Cif0dwSd3VEd2wBftfLZWEDF"},
	}},
	{"stripe-webhook-secret", "https://docs.stripe.com/webhooks/signature", []Token{
		{"whsec_", ascii.Base64 | ascii.Equals, 24, 0, 0, "gw9YJaCzOtzVTxLGRoV8EZ6wrAzlQCDu"},
	}},
	{"checkout-key", "https://www.checkout.com/docs/developer-resources/api/manage-api-keys", []Token{
		{"sk_", ascii.HexDigit | ascii.Dash, 36, 36, 0, "e0db7c8c-2b76-4c05-a5cf-de13f2a61f36"},
		{"sk_sbox_", ascii.Lower | ascii.Digit, 20, 0, 0, "pu566q2fkyy5rpn97kwgoasctlc"},
	}},
	{"square-token", "https://developer.squareup.com/docs/build-basics/access-tokens", []Token{
		{"sq0atp-", ascii.URLSafe, 22, 0, 0, "YVEACI96lZD_zF1XyuC42E"},
		{"sq0csp-", ascii.URLSafe, 40, 0, 0, "Kw9JUe2G22Wv5tQfErBYMW_uhbWW0YhQz9iO1TUb7bf"},
		{"sq0atb-", ascii.URLSafe, 22, 0, 0, "Pl_NyKL0HHTOwmfN9Urr6x"},
		{"EAAA", ascii.URLSafe, 56, 64, 0, "AgheqYR7BMU1JjBZUz8SOpYW9ilAY3rId1-yThbjE0nCmBLLpmriTdVxOsOA"},
	}},
	{"braintree-token", "https://developer.paypal.com/braintree/docs/guides/authorization/overview", []Token{
		{"access_token$production$", ascii.Alnum | ascii.Query, 40, 0, '$', "r5hgih2tjn7ktrxg$4d1c8a09e7f35b26d8c0a91e74f5b362"},
	}},
	{"plaid-token", "https://plaid.com/docs/api/tokens/", []Token{
		{"access-sandbox-", ascii.HexDigit | ascii.Dash, 36, 36, 0, "59146cd9-8ac1-4baa-aa9e-c470c0b7707c"},
		{"access-development-", ascii.HexDigit | ascii.Dash, 36, 36, 0, "ce8df941-47c9-4071-a543-f3c37ab6f855"},
		{"access-production-", ascii.HexDigit | ascii.Dash, 36, 36, 0, "4c227a42-8ddf-4a41-aa1f-d766e3341fb0"},
		{"link-sandbox-", ascii.HexDigit | ascii.Dash, 36, 36, 0, "08909f87-9a41-406a-a022-8aa73c2fc2a8"},
		{"link-production-", ascii.HexDigit | ascii.Dash, 36, 36, 0, "4d206ee5-cbc1-4f14-acc3-b0ca475abc55"},
	}},
	{"razorpay-key", "https://razorpay.com/docs/api/authentication/", []Token{
		{"rzp_live_", ascii.Alnum, 14, 20, 0, "V7c2gduqFHTVpx"},
		{"rzp_test_", ascii.Alnum, 14, 20, 0, "eppairMraoarQH"},
	}},
	{"flutterwave-key", "https://developer.flutterwave.com/docs/authentication", []Token{
		{"FLWSECK_TEST-", ascii.Alnum | ascii.Dash, 12, 0, 0, "6641f8fa7f3f6790abfa9182b4d465de-3"},
		{"FLWSECK-", ascii.Alnum | ascii.Dash, 12, 0, 0, "aae13f577b8bc777310d15400dc389ba-E"},
		{"FLWPUBK_TEST-", ascii.Alnum | ascii.Dash, 32, 0, 0, "464b89d366763e5fd8c97d3a523871a6-M"},
		{"FLWPUBK-", ascii.Alnum | ascii.Dash, 32, 0, 0, "a360876fb4e82f0a29d5800dd1b5d489-U"},
	}},
	{"shopify-token", "https://shopify.dev/docs/apps/build/authentication-authorization", []Token{
		{"shpat_", ascii.Alnum, 32, 0, 0, "713c1b04f0b3e3db49273c8f8a269596"},
		{"shpca_", ascii.Alnum, 32, 0, 0, "e0e62ae33e54f38088b58f4b4c0e9b05"},
		{"shppa_", ascii.Alnum, 32, 0, 0, "7e43146b9fd96ecfbf7c21828ae9e8c8"},
		{"shpss_", ascii.Alnum, 32, 0, 0, "2ac9da1cf29371f01c5573966b7e491d"},
		{"shpua_", ascii.Alnum, 32, 0, 0, "9457ab6dc7be1fe0e34aab32f8b7cfb6"},
		{"shptka_", ascii.HexDigit, 32, 32, 0, "ab6dc7be1fe0e34aab32f8b7cfb69457"},
	}},
	{"easypost-key", "https://docs.easypost.com/docs/authentication", []Token{
		{"EZAK", ascii.Alnum, 54, 54, 0, "2c3cWSdFOGxkyQWw1FPFF8QNYMDZshzKR25sxdkcq1tV7tuUJunhiV"},
		{"EZTK", ascii.Alnum, 54, 54, 0, "lNEEYaKglqMGtWyemwTLJl9QTprB3TSWt07gOPj9HExVarOIdfek6I"},
	}},
	{"shippo-key", "https://docs.goshippo.com/", []Token{
		{"shippo_live_", ascii.HexDigit, 40, 40, 0, "83b8c34aa3ec2273815ef90be63bfb3a3ca50395"},
		{"shippo_test_", ascii.HexDigit, 40, 40, 0, "28216f30d2a3c600e5af530c04a90f733626c952"},
	}},
	{"lob-key", "https://docs.lob.com/", []Token{
		{"live_pub_", ascii.HexDigit, 31, 31, 0, "9f2eb3eb7b4944d58f5c33c7e7a899e"},
		{"test_pub_", ascii.HexDigit, 31, 31, 0, "5b7ef07e1edceacc02173001465dda7"},
	}},
	{"payment-key", "https://docs.mollie.com/reference/authentication", []Token{
		{"live_", ascii.URLSafe | ascii.Equals, 30, 64, 0, "q2323b1glkrvtl9rcl0h82naerckq4ior38yjk8p"},
	}},
	{"duffel-token", "https://duffel.com/docs/api/overview/authentication", []Token{
		{"duffel_test_", ascii.URLSafe | ascii.Equals, 43, 43, 0, "GIkxkNZ_9Tu6SpJbhtzyuUb0ScJHCVFBcifrXnSrUX7"},
		{"duffel_live_", ascii.URLSafe | ascii.Equals, 43, 43, 0, "kXgv74sIEim02hU5AWQFYnPt_eKFcntwrYV01uf3gzq"},
	}},
	{"paddle-key", "https://developer.paddle.com/api-reference/about/authentication", []Token{
		{"pdl_live_apikey_", ascii.Word, 40, 0, 0, "4336ftgzc3cd8iehah8pq7e3nv_jIF86F7AG3riFnohCVf9IM"},
		{"pdl_sdbx_apikey_", ascii.Word, 40, 0, 0, "s3ssu81htqf3qsavt8h4cilah9_Rarq2xRYnek5CElh7eF2w5"},
	}},
	{"polar-token", "https://docs.polar.sh/integrate/authentication", []Token{
		{"polar_oat_", ascii.URLSafe, 32, 0, 0, "8Ltl6G5KbP6fzChrUfBLaOYOHvecSsOk90O9-F8-VyF"},
		{"polar_at_", ascii.URLSafe, 32, 0, 0, "PaqubB81E7WcZzJad1fY8G20xWbj0qtgS5gX2ypDGtE"},
		{"polar_pat_", ascii.URLSafe, 32, 0, 0, "C-TAL9oUJTOOcb-gGXlftpRbnmUCmbxRIVZ4BT7Re9V"},
	}},
	{"xendit-key", "https://docs.xendit.co/", []Token{
		{"xnd_production_", ascii.URLSafe, 40, 0, 0, "WnpHc-cR1X16daGatcHKf11SckQ68bWMVenXHr5jf_bx_fwz"},
		{"xnd_development_", ascii.URLSafe, 40, 0, 0, "dZOewP0l7MVZcip7gk0WgNGx0RVcBqmwKCOVFTZVeQnArsXg"},
	}},
	{"ramp-secret", "https://docs.ramp.com/", []Token{
		{"ramp_sec_", ascii.Alnum, 40, 0, 0, "bRX6Qc0QDluLwOKE5iIanrqedNxpz2G1qCNVm6rqjZZHUGvN"},
	}},
	{"brex-token", "https://developer.brex.com/docs/authentication/", []Token{
		{"bxt_", ascii.Alnum, 40, 44, 0, "zlkYd4JIoMsE1PFcOurdHkfK8SD2VMUUmSUqHt0X"},
	}},
	{"rainforest-key", "https://docs.rainforestpay.com/", []Token{
		{"apikey_", ascii.HexDigit, 64, 64, 0, "bd020a176c72ba39b9ae535f3c75d6d852b25692db3e8dd49826bc14efbc509d"},
	}},
	{"mercury-token", "https://docs.mercury.com/reference/getting-started", []Token{
		{"secret-token:mercury_", ascii.Word, 40, 0, 0, "ecX7KAAzNCRu7I3M8i9B72Izo6E4Mdbrf7bc5YP5mJaRUQLXwoEKMftqfRC6"},
	}},
	{"freemius-key", "https://freemius.com/help/documentation/", []Token{
		{"sk_", ascii.Token, 29, 29, 0, "b7LOetwyJgnVAby2j97OOsfjNKapT"},
	}},
	{"clerk-key", "https://clerk.com/docs/deployments/clerk-environment-variables", []Token{
		{"sk_live_", ascii.Alnum, 40, 0, 0, "wFcGvv1B1k2JsEeQB2rbg60KbK1gZI58YYvyzuOmhe4e6KBjry"},
	}},
	{"branch-key", "https://help.branch.io/", []Token{
		{"key_live_", ascii.Alnum, 32, 0, 0, "au08RCnYQLtOGtSckb1JZ2a7g8d3p5Cq"},
		{"key_test_", ascii.Alnum, 32, 0, 0, "UoqzKjAPrUto68mBah4xR6H36Mo86r37"},
	}},
	{"flexport-key", "https://developers.flexport.com/", []Token{
		{"shltm_", ascii.URLSafe, 40, 40, 0, "8rs6cw1V-TRS7GwOoffdWeo3GOrREjsJ8kLZ8KKi"},
	}},
	{"column-key", "https://column.com/docs/", []Token{
		{"live_", ascii.Alnum, 27, 27, 0, "ArN1ZhAMVDpB4HJjOgkY7VvURpl"},
	}},
	{"persona-key", "https://docs.withpersona.com/", []Token{
		{"persona_production_", ascii.URLSafe, 24, 0, 0, "ckyn8naeug5df1j82dqwewoa5lc708u6"},
		{"persona_sandbox_", ascii.URLSafe, 24, 0, 0, "8qcnww53ji7vtt7wx4r7a28baky1bgsh"},
	}},
	{"midtrans-key", "https://docs.midtrans.com/docs/midtrans-account", []Token{
		{"Mid-server-", ascii.URLSafe, 20, 0, 0, "kgwLuqu5htjD8usN-RePm37L"},
		{"SB-Mid-server-", ascii.URLSafe, 20, 0, 0, "LFheWMxE-ugO9UXnuI0BPSfy"},
	}},
	{"mercadopago-token", "https://www.mercadopago.com/developers/en/docs/your-integrations/credentials", []Token{
		{"APP_USR-", ascii.HexDigit | ascii.Dash | ascii.Under, 60, 90, 0, "5116884327235234-005773-a953805fdcd89fbb2bd6baa1180ae458-856382302"},
	}},
	{"klarna-key", "https://docs.klarna.com/api/authentication/", []Token{
		{"klarna_live_api_", ascii.Token, 32, 0, 0, "SUBsYnUoCWtzLsAPYD4Q9ckiRPe3eDlZl7C3Bv5dCesEIbrpxm68rHj7poqV"},
		{"klarna_test_api_", ascii.Token, 32, 0, 0, "MbiyjTRAXRM5hx0j1GspZuX6HJnEv+PF1yAsRKhocGNC+CkixgWck/NtY6pd"},
	}},
	{"omise-key", "https://docs.omise.co/api-authentication", []Token{
		{"skey_", ascii.Lower | ascii.Digit | ascii.Under, 19, 24, 0, "test_dg36iy0e5g56aqsj8wp"},
	}},
	{"mollie-token", "https://docs.mollie.com/reference/authentication", []Token{
		{"access_", ascii.Alnum, 30, 44, 0, "w93x1n7zYqq1boEKcq1s5BG2vsqOoLlSorc5"},
	}},
	{"adyen-key", "https://docs.adyen.com/development-resources/api-credentials/", []Token{
		{"AQE", ascii.Base64 | ascii.Dash | ascii.Equals | ascii.Percent | ascii.Query | ascii.Tilde | ascii.Dot, 90, 0, '-', "NrjB+TfpCAdQpGGrMpjSpvsLWZEV0a+KZQpD9bkLJGoZLMI7lc3va==-icjvyZmNWlthHL6mfSIZCavee8TZrxi9ej+EBVkUZEkC=-WUiNJl8b8tAHdsj2"},
	}},
	{"stytch-secret", "https://stytch.com/docs/api/authentication", []Token{
		{"secret-live-", ascii.URLSafe | ascii.Equals, 30, 0, 0, "45qHiM4htD6JfkMXP_Pl05eKeR9Ii108JhdG="},
		{"secret-test-", ascii.URLSafe | ascii.Equals, 30, 0, 0, "nc9q3Q09l_FvwXH4YaMCIte91RgpZMDBcdmQ="},
	}},
	{"alchemy-token", "https://www.alchemy.com/docs", []Token{
		{"alcht_", ascii.Alnum, 30, 0, 0, "hTWj0X0o3nxvPDffywZNBGDC4lRIEp"},
	}},
	{"woocommerce-key", "https://woocommerce.github.io/woocommerce-rest-api-docs/#authentication", []Token{
		{"ck_", ascii.HexDigit, 40, 40, 0, "d9c235538e88ab135c24f28f4d6311551235eee3"},
		{"cs_", ascii.HexDigit, 40, 40, 0, "3d008f34990d9a895d0823e48c6b04fcc423c954"},
	}},
}
