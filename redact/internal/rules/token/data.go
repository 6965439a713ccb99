package token

import "github.com/envwrap/envwrap/redact/internal/ascii"

// dataTokens are the tokens of databases, secret stores, infrastructure and wallets.
var dataTokens = []Family{
	{"neon-password", "https://neon.com/docs/connect/connect-from-any-app", []Token{
		{"npg_", ascii.Alnum, 12, 16, 0, "8HlrwYMfvea9"},
	}},
	{"cockroach-key", "https://www.cockroachlabs.com/docs/cockroachcloud/managing-access", []Token{
		{"CCDB1_", ascii.Word, 60, 70, 0, "lkxwkkMxzwwM5hpA6eEfuj_foRnxa6wHW35PBbnm3NliqNT1Nx4xyB7LQ4DBqHb"},
	}},
	{"xata-key", "https://xata.io/docs", []Token{
		{"xau_", ascii.Alnum, 30, 0, 0, "oMSp4DTHEzEDh2QFLVxZXSezhDvt2gl8t7mqaKzx"},
	}},
	{"tigris-secret", "https://www.tigrisdata.com/docs/iam/manage-access-key/", []Token{
		{"tsec_", ascii.URLSafe | ascii.Plus, 40, 0, 0, "9NOd8r0q8C_mSiWMFGdfEv7o9-NMhH-jfNhzgBfezXDBvvMLIwko8IOA5D"},
	}},
	{"fauna-secret", "https://docs.faunadb.org/fauna/current/learn/security/keys/", []Token{
		{"fnAE", ascii.URLSafe, 36, 36, 0, "yH2nDbwFLCPJAXVhdrE3VJXjTCOGLgk37eI7"},
		{"fnAF", ascii.URLSafe, 36, 36, 0, "O2pjVwp6sc_VEn2KnPoYLgTaHL-E9yTYL-9S"},
	}},
	{"elastic-key", "https://www.elastic.co/docs/deploy-manage/api-keys", []Token{
		{"essu_", ascii.Base64 | ascii.Equals, 40, 0, 0, "4xDQNMAAL5QaDtpc6RzGKXi5Asa6smYgOw9RTEzi1JGLEXa0sO40x9ehcZGvQf=="},
	}},
	{"chroma-key", "https://docs.trychroma.com/cloud/getting-started", []Token{
		{"ck-", ascii.Alnum, 43, 45, 0, "Srrb7H4VnCbf86qNkeWTznsLgZCv91c4MLXEVMAThkV1"},
	}},
	{"convex-key", "https://docs.convex.dev/cli/deploy-key-types", []Token{
		{"eyJ2MiI6Ij", ascii.Base64 | ascii.Equals, 30, 0, 0, "bweVOX3CFavUZdFf8DbklH7MDj+t5iovL/n0="},
	}},
	{"liveblocks-key", "https://liveblocks.io/docs/authentication", []Token{
		{"sk_prod_", ascii.URLSafe, 20, 0, 0, "_VCt7I3II5c7MlF_E_-gAMcM06RECaQqtkmhLBfXqdy1NGZZ2v"},
		{"sk_dev_", ascii.URLSafe, 20, 0, 0, "dNpez8QotcpFNC0wBe_TgZLmc7VMPENbYFZSbWoQpXqH8wrpsI"},
	}},
	{"vault-token", "https://developer.hashicorp.com/vault/docs/concepts/tokens", []Token{
		{"b.AAAAAQ", ascii.URLSafe, 80, 0, 0, "wq-E_-HDcdBhWuNTdVZj3pWNiVglDwHREwucHi7NSRIZGf2fpWqWO002Q0k1LhtDNJKLPSQK9_QYak1vEO3mIOnq-b1Fa2OvqjZ4rc-pziph8GYpV16_VraYkrLOo594Bc"},
	}},
	{"rancher-token", "https://ranchermanager.docs.rancher.com/reference-guides/user-settings/api-keys", []Token{
		{"token-", ascii.Lower | ascii.Digit | ascii.Colon, 60, 62, ':', "x1rz9:kabf8xeeg47u4kft0qtbg7tqah3dkiinhiojyqu1wtlqu5n7b7p72o"},
		{"kubeconfig-", ascii.Lower | ascii.Digit | ascii.Dash | ascii.Colon, 60, 90, ':', "u-6ok8rk1xoa:7x85123u9osn4bvifg0m9g9icyn7pbqfdanrbao66j7p50mnvig924"},
	}},
	{"kong-token", "https://developer.konghq.com/konnect-api/", []Token{
		{"kpat_", ascii.Alnum, 40, 0, 0, "ZMdSK21qEDZ68gDHCRZFH9I1Y5fqvAOGIRGiieB1xWrmZFZ5ZE"},
		{"spat_", ascii.Alnum, 40, 0, 0, "ZjNhTajDi3FaidPZUVOwQc0KTqBF8vSbeXCxH3bUi0BasCioAb"},
	}},
	{"depot-token", "https://depot.dev/docs/cli/authentication", []Token{
		{"depot_project_", ascii.HexDigit, 40, 0, 0, "d9178b68cd106ed38bc5076341711efcb20f657962f9641553a4322e59fe72f4"},
		{"depot_org_", ascii.HexDigit, 40, 0, 0, "9fc7741477d9105ccd4c468249e0d72143e25bec1af557f0cd2473c10cfed808"},
		{"depot_user_", ascii.HexDigit, 40, 0, 0, "2c97c8e7286437e433a7bb179dd62d38285a9466ce2e44e7f39416d14ee5cb1f"},
	}},
	{"deno-token", "https://docs.deno.com/deploy/", []Token{
		{"ddp_", ascii.Alnum, 36, 40, 0, "8unhSt0b9Jm6OGRB7MrYcOfVVFpI1QalQXv9"},
		{"ddo_", ascii.Alnum, 36, 40, 0, "53c83dfFMKg7HCb2iQ3KqP5FNpJ8Adi085Br"},
	}},
	{"packagist-token", "https://packagist.com/docs", []Token{
		{"packagist_", ascii.Word, 40, 80, 0, "ort_5e584432c9d895d714931f7ec6e9cb4d553bd39b8a7a0b6b174b02d30e1396e5"},
	}},
	{"bitbucket-token", "https://confluence.atlassian.com/bitbucketserver/personal-access-tokens-939515499.html", []Token{
		{"BBDC-", ascii.Base64, 40, 48, 0, "qQkjU/J87C1XyPSnxwBHPFS/is7AuQD7jm4zIlL50W1s"},
	}},
	{"unkey-key", "https://www.unkey.com/docs", []Token{
		{"unkey_", ascii.Alnum, 20, 0, 0, "jtSG4LpTdwrlcTzGxInkwSMF"},
	}},
	{"trigger-key", "https://trigger.dev/docs/apikeys", []Token{
		{"tr_dev_", ascii.Alnum, 20, 0, 0, "ziAhdRtBE7OCf9U0HqirKEeD"},
		{"tr_prod_", ascii.Alnum, 20, 0, 0, "Tl9pIRy4rVcnPTL2KeqHcbtF"},
		{"tr_stg_", ascii.Alnum, 20, 0, 0, "qMiUle0SgRr3upudmSphgihz"},
		{"tr_pat_", ascii.Alnum, 32, 0, 0, "2c4yop0vq779rdw3rs6czbmy955mwe557vl70y50"},
	}},
	{"inngest-key", "https://www.inngest.com/docs/platform/signing-keys", []Token{
		{"signkey-", ascii.HexDigit | ascii.Lower | ascii.Dash, 40, 90, 0, "prod-3b445dd788d3f534ce03ece37f5a3a460b0c2e13c68c974d986efde2a3b9851a"},
	}},
	{"daytona-key", "https://www.daytona.io/docs/en/api-keys/", []Token{
		{"dtn_", ascii.HexDigit, 64, 64, 0, "e7fc32a66c628986b8bde9aecb089ea5aefe2ee3caab83304dcdf7783e5a6bdd"},
	}},
	{"svix-key", "https://docs.svix.com/", []Token{
		{"testsk_", ascii.URLSafe | ascii.Dot, 30, 0, 0, "nDQQFuomxVNS8M3JEeWlNeeCpiCSfLNa.us"},
	}},
	{"dnsimple-token", "https://support.dnsimple.com/articles/api-access-token/", []Token{
		{"dnsimple_a_", ascii.Alnum, 24, 0, 0, "wLnFmsygH2Odz1XU6AbiqWxncA5tHJit"},
		{"dnsimple_u_", ascii.Alnum, 24, 0, 0, "V5q2hjBiEhpY2iBLthZHjgXsiXgWVBUc"},
	}},
	{"porkbun-key", "https://kb.porkbun.com/article/190-getting-started-with-the-porkbun-api", []Token{
		{"sk1_", ascii.HexDigit, 64, 64, 0, "bf3520a27db4e8181d304f000f6d46906e66f9d8bb55817e78a6ec015bac4e77"},
		{"pk1_", ascii.HexDigit, 64, 64, 0, "8c76c48c5c2029f7c3ddb565ad52f1ac6bdf943552fd52cd3f76a7619d86f657"},
	}},
	{"cloudflare-tunnel-token", "https://developers.cloudflare.com/cloudflare-one/networks/connectors/cloudflare-tunnel/", []Token{
		{"eyJhIjoi", ascii.Base64 | ascii.Equals, 100, 0, 0, "qifMDZFIEz4a+HRRoYVpNpIyEi7QQaZAjBPKRwF4PtBpHSJcxCID5PS8yZMfEFONeWhMUvlZ3R5MfrRn0++uouOl4s9h3tJgB0rgwE4pepV2XALAiuNX260QLaWalm0B/PjHmsqmKGvJX+TVFu4ongplOBJZGxGyianZ5h0efMmF3C8X"},
	}},
	{"google-authorization-code", "https://developers.google.com/identity/protocols/oauth2/web-server", []Token{
		{"4/0A", ascii.URLSafe, 40, 0, 0, "BZIUoo4UIOrXlFyfDNGxqaHDEdk5a0QggQB3exJ2GipJuyeBj4ikc47VeglxlM6LYB1c"},
	}},
	{"google-hmac-key", "https://docs.cloud.google.com/storage/docs/authentication/hmackeys", []Token{
		{"GOOG1E", ascii.Upper | ascii.Digit, 55, 55, 0, "9MJT8FIMV6V1S5EMGWPUZVU3U8EF3ULMI4GTYE7663P321R9CXW9F3U"},
		{"GOOG", ascii.Upper | ascii.Digit, 20, 20, 0, "UVI1UFSW5HK9DPZOXVKK"},
	}},
	{"aws-session-token", "https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_temp_use-resources.html", []Token{
		{"IQoJb3JpZ2luX2", ascii.Base64 | ascii.Equals, 100, 0, 0, "2zzltM/bRoDiP0LGz85BeCpRFFTLqly1XJCfi2v1EDKXNmsVBTdkpHSy21mrrFvcb0NPqDyAtk8x6s10GEWOvIg6K2UbW7JqOqglEoJHiLN0SEy7EsxBV77mWVgzMI5qX2A99gAz9exHWMZk+QANoz38hgGqgU+/u90/oPBt8ZaYhwrXZmd6pS3NPmiD6bREQYFmByoRXBA892qfUL9hvgFq+NO5TtFtr8duhYw0HvKHm7YJ5SeVERiPot5dYHOxAjhPHKBKI24Trq2l29lt4IfCvnfVmJrO8qs0IREtMcst"},
		{"FwoGZXIvYXdz", ascii.Base64 | ascii.Equals, 100, 0, 0, "/m8XSCeRQ2xLwPDu33+wSQwfTshPo5HRcHFSf1aueVbqiURz7KxdtDEQCdTSTTcQKINyPpa9w+XTbH32NcP0YnRhqgYDd5t4lDJXwqvgveI993QOjtMFsIHCqxn2AF5qw9g/BT0+cAB7UnQQArZlVJUlJd9LDwwg+ILNDd0OBn6LnfY0POeqy5zSD15yzbodU10gEAWjUZOhSWQeZN3/bRHesHk03PHujB+K41loq/HCHRD1vJF3B1qxu3FzJ4jxZPY1"},
		{"FQoGZXIvYXdz", ascii.Base64 | ascii.Equals, 100, 0, 0, "KPiT8WEPsABQJbg/lyszTdHJ55ljAgm4jm/v63Jv1oRLDNhkYbQdCE2WGxS3I/juhOvDBUlsWmjQJl7zUHkmDD1RBbap3aGTCgfBu484/NdXpDcQtyDu0r71nKL/9YIVzqdJFb31eNZVoR4BSdrD6LMbgUP3vgK6ZQD79NcLuSEjbRIbJ/ffsFVujZmqISsoE3znOTF+E2rkGPLYpTSDE6Idr96riOHdfUrAytPDQj0DxOILDtLvUFeLRzlOTGx0SGDb"},
	}},
	{"amazon-login-token", "https://developer.amazon.com/docs/login-with-amazon/documentation-overview.html", []Token{
		{"amzn1.oa2-cs.v1.", ascii.HexDigit, 40, 64, 0, "84256b9d684c2043288db103204959443a1b72be2f04573b363f4139a3a935df"},
		{"Atzr|", ascii.URLSafe | ascii.Plus | ascii.Equals, 40, 0, 0, "gqomPWk0bl19XsOFIZqzC1_s7L9Jv0GVP7-FP0NDitzM-QIfXgH70fhJpsLuVssUXrkUKMwW44_ftduuVxHyOgo-DqaerpPfAfnS-E7tZYEoH3CyO-xWh6BtbKEkyc2nfygD0v6smvfQ93HFb15ENCcZvOnNwdT_TkEvRO9Y_0HT68dwZgoFDr5Y9nA6Ktzxn10gkVNnRTww6nDSQPbR0iBUTiwzPzroTlUbnEYxqbIlatOY"},
		{"Atza|", ascii.URLSafe | ascii.Plus | ascii.Equals, 40, 0, 0, "1rbsedqzdgNqIhDQhEWDNOd-Iy0HnPRlS4MkFh_J7o5H7-lM0oOBRA6K1bUVz9Ju450K2yqNPWr5ZEiPmhc8JVeA1vkzS25nFusL7GmVacsNKgL7Nuzg2JJQRel-nzw-UhdACQTd_vlG-N-H3L9ATBGl9TYF1aemB_75BMYziQN9AqiB6kACIazSWfc0hi1QP8CtHisDKaeQw6U83cqDx1M6ktQUGWXrWPwI7qGqREkYDvNf"},
	}},
	{"digitalocean-spaces-key", "https://docs.digitalocean.com/products/spaces/how-to/manage-access/", []Token{
		{"DO00", ascii.Upper | ascii.Digit, 16, 16, 0, "97AWG18PV287MBNZ"},
		{"DO801", ascii.Upper | ascii.Digit, 15, 15, 0, "4S1VFQ0P0GWLVDE"},
	}},
	{"baidu-key", "https://cloud.baidu.com/doc/Reference/s/9jwvz2egb", []Token{
		{"ALTAK", ascii.Alnum, 21, 21, 0, "FuyygCVU1dzi7KduFvAtq"},
		{"bce-v3/ALTAK-", ascii.Alnum | ascii.Plus, 50, 0, 0, "4sbxeujDOo7SQJqBQRFZQ/a9cac6cccce2f672f8a926bd216e7ee76db69393"},
	}},
	{"volcengine-key", "https://www.volcengine.com/docs/6291/65568", []Token{
		{"AKLT", ascii.Alnum | ascii.Equals, 40, 50, 0, "7zeAfKk6xYHi4q34T9XgkykH0Qdlr3yoxAyQQfmGYliY"},
	}},
	{"yandex-static-key", "https://yandex.cloud/en/docs/iam/concepts/authorization/access-key", []Token{
		{"YCN", ascii.URLSafe, 37, 37, 0, "GVCwOtKV2XTAoBPKI8Fj8SG1GLn3QWWRnn4Ju"},
		{"YCO", ascii.URLSafe, 37, 37, 0, "PNyCAIVzPsocaOvJMk7kvNA5AoBfTIMdbKY8v"},
		{"YCP", ascii.URLSafe, 37, 37, 0, "dqvfmfBBV3iTUnjLgCaHO1WAUZ_D1fwYjN4b6"},
		{"YCM", ascii.URLSafe, 37, 37, 0, "yoX6cNirwTo2ARSV39siw6abF6CdMQExW2Wrg"},
	}},
	{"jdcloud-key", "https://docs.jdcloud.com/en/account-management/accesskey-management", []Token{
		{"JDC_", ascii.Upper | ascii.Digit, 25, 40, 0, "YKZ9F8IGVWU7KG4OSKTP4YFFF7U4"},
	}},
	{"extended-private-key", "https://github.com/bitcoin/bips/blob/master/bip-0032.mediawiki", []Token{
		{"xprv", ascii.Alnum, 107, 107, 0, "zY2uZygwLcSM4DQnMoUonBAmy7vTWMHzf3XccMV2optM4s343HPhPwcVv1M2SzqX91PdCfXngAk8L8kMPdzw4E1FF8mjd7WHXB2eSnzd2GQ"},
		{"tprv", ascii.Alnum, 107, 107, 0, "QjWLcJSDWLyqmzCgNqRyFEeoonoFVbuZc65wAvip5VBQWK8czV3LLamq4LTctkup456Hk1bhxE3QEM47AHtz8acGFozu67btiezUeSfqbyt"},
		{"yprv", ascii.Alnum, 107, 107, 0, "88dGoomVbZoUFAWnVz4oaVBt3NkpSaDSVaUtfjrtj3curdq6bE99DqCRyNjvxm2fHH4rTfXgno71ScwFgdsD6SXW5uHbsRpiWdfnp4hFkzU"},
		{"zprv", ascii.Alnum, 107, 107, 0, "UPzCaXaxez3JmyYvwLr3vQARUyxMDQpG9qf2v3PLV9jtrGG6ZS4Y8aWqXfLUsagRUJ3Uz5FkR5ikptpXAptu5DZgfPkwmpbt9zzoAU8pEa5"},
	}},
	{"minisign-key", "https://jedisct1.github.io/minisign/", []Token{
		{"RWRTY0Iy", ascii.Base64 | ascii.Equals, 150, 0, 0, "LSpV1fygCluK1oSZOsQ2QsmMll38E8c2x9/Yq4x5gvpm2SUqGvm/AdjVhJUwQ0DZqE1owROqnZUSUqil9beUXIlIxpwHgXeDKP9VwSBhWEQdLDIoOoprp2nZKpL1LSrxp3jLS1T19TyH5Ny7m6XD+rEIqw/5vDiktwsnTrMKXUmvwpeSr+F0m9iET1LGBqoTe5aup6XYEZF7"},
	}},
	{"paypal-token", "https://developer.paypal.com/api/rest/authentication/", []Token{
		{"A21AA", ascii.URLSafe, 60, 0, 0, "1BFCwmnz9FXexcEQdvHJToQHVtQ3Li08_VC0EhXOqWnh9fg2C98aKuX_hY68xfr-U2Iq8531TSsi6M1LGILL4vO6E-Ue"},
	}},
	{"defined-networking-key", "https://docs.defined.net/guides/automating-host-creation/", []Token{
		{"dnkey-", ascii.URLSafe, 24, 90, 0, "ujzde8gxd6ncf10epf91dhodzd-oc9is0j8ht9lgmxg9edn581u33xtplpft75v2seh60kvj50ce9uv"},
	}},
}
