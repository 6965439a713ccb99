package token

import "github.com/envwrap/envwrap/redact/internal/ascii"

// aiTokens are the tokens of model providers and of services built on them.
var aiTokens = []Family{
	{"openai-key", "https://platform.openai.com/docs/api-reference/authentication", []Token{
		{"sk-proj-", ascii.URLSafe, 40, 0, 0, "D5nUOQiu7gSci1EXhzD03m3Nx4iPUPA90dlQGnspqVqauJKvzFX8hzU0QrfJ_pkd3-tCYqKTuGT3BlbkFJQDRH65n_CKU1_ex7LaNuz1TFIEW8-4EPf0dGxHn1BxlvMLNg4y5S88enF8V6CcATJ0kQFGGlSG"},
		{"sk-svcacct-", ascii.URLSafe, 40, 0, 0, "WWz-AOpiUUYs4Fsv5WmE3421CFPAEHM0wetuoBnpMPYDCpRfGo6sfkZTWFKNuHu_3AhWFsADReT3BlbkFJAIv0Gn7DfUcjVPESHZqhzDikF04ZbK77yvHtf-ZNDLqSL4TCIcz_CCfcC8jgyg86iwa3RgbMqw"},
		{"sk-admin-", ascii.URLSafe, 40, 0, 0, "F0iVOrsjPGpdVNsD3ZEDNnD2MCjALErLkDMNg-YMerYG3lbLev01DZXKRBv4wikw5UeNhZ9rBZT3BlbkFJF_oC9gDe8uOESXlnk1XVfcbSo3U_VgBgWYNsBGlfEp65vfb4LDpVI_ro8sMJAoKNZONdpTfS37"},
		{"ek_", ascii.HexDigit, 32, 32, 0, "f25ec84d8dbc74254770f58904dba41e"}, // of a session, for a minute
		{"sk-None-", ascii.URLSafe, 40, 0, 0, "jAESwuWtScmRBfqEgRCGBml7cY1AhI9An2pH0yTHNDnMhy_7"},
	}},
	{"anthropic-key", "https://docs.anthropic.com/en/api/overview", []Token{
		{"sk-ant-", ascii.URLSafe, 40, 0, 0, "1llpZlkN9i5OuvznMsiJFNfDyjGvohZcHcAaYdO8lxrGZpWnCxIZn-cF8diL9x9XulFv8vNqRP-sZhmSu5KtzuNKiD3nCAA"},
	}},
	{"openrouter-key", "https://openrouter.ai/docs/api-reference/authentication", []Token{
		{"sk-or-v1-", ascii.URLSafe, 40, 80, 0, "4f6650cfc03f1b1d8b8857e77aabad58f8214df6007dcf3b2b3ded8017300cdd"},
	}},
	{"langfuse-key", "https://langfuse.com/docs", []Token{
		{"sk-lf-", ascii.HexDigit | ascii.Dash, 36, 36, 0, "dd8dc260-9e86-4354-ab44-004870992719"},
	}},
	{"helicone-key", "https://docs.helicone.ai/", []Token{
		{"sk-helicone-", ascii.URLSafe, 20, 0, 0, "CFiQty4m2TVBXAfuSGrr9CyI"},
	}},
	{"model-api-key", "https://platform.openai.com/docs/api-reference/authentication", []Token{
		{"sk-", ascii.Alnum, 32, 60, 0, "QXgaYQiK8vWrzGQQA6bwdQ9Onw4a60Bd5Sp2x1eHsnsrHLC4"},
	}},
	{"huggingface-token", "https://huggingface.co/docs/hub/security-tokens", []Token{
		{"hf_", ascii.Alnum, 30, 40, 0, "gjSAnCjUkcVM0MQCcnAwVkSg247p37pubS"},
		{"api_org_", ascii.Alnum, 34, 34, 0, "8x6TlAbTq6ittuC1gS3LapOtodYX73TArp"},
	}},
	{"replicate-token", "https://replicate.com/docs/reference/http", []Token{
		{"r8_", ascii.Alnum, 37, 37, 0, "kgGn5DrdkY4nw1NcnsnLQAxuAtexUh6kBfmYL"},
	}},
	{"groq-key", "https://console.groq.com/docs/api-reference", []Token{
		{"gsk_", ascii.Alnum, 50, 56, 0, "sFzmkbly6UvuF1SYgyL5b3Th87tTkBQatF6EWVwTO0A4jmw3P3kZ"},
	}},
	{"xai-key", "https://docs.x.ai/docs/overview", []Token{
		{"xai-", ascii.Word, 70, 90, 0, "nfAe4lQ4jdAI3v9q5WlQzOzrsyju8X4BLZJGW2qgCGIiiamROG3dCzCLGtvBtBxGlrsS8fL3Iw0jYiOQ"},
	}},
	{"perplexity-key", "https://docs.perplexity.ai/guides/api-key-management", []Token{
		{"pplx-", ascii.Alnum, 40, 60, 0, "qwkbYEEOh2tG3GJjNHNzPUTAAP15bhReKRsUP1zwb0fAkD39"},
	}},
	{"together-key", "https://docs.together.ai/docs/quickstart", []Token{
		{"tgp_v1_", ascii.URLSafe, 40, 48, 0, "sGiNIri5wEksnggqKXezoXNs2gXNI5hbfF74uQk7y10"},
	}},
	{"fireworks-key", "https://docs.fireworks.ai/getting-started/quickstart", []Token{
		{"fw_", ascii.Alnum, 22, 24, 0, "pbYI2rzJVIixyDwh2VZM6ZpC"},
	}},
	{"nvidia-key", "https://docs.nvidia.com/nim/", []Token{
		{"nvapi-", ascii.URLSafe, 60, 70, 0, "rkMa3hhr7IovfPo1U77tPrLdneveH96WZ7xH_aiepYBTQkpuv1EqoqUSv6KBaZMP"},
	}},
	{"langsmith-key", "https://docs.smith.langchain.com/", []Token{
		{"lsv2_pt_", ascii.Word, 42, 0, 0, "cc4d7e21561fdc4726d4afbfc3d36e9b_db39fc5a91"},
		{"lsv2_sk_", ascii.Word, 42, 0, 0, "e9bd4cf24ba8af80216b51c1b8710eda_028dffa598"},
	}},
	{"voyage-key", "https://docs.voyageai.com/docs/api-key-and-installation", []Token{
		{"pa-", ascii.URLSafe, 43, 43, 0, "Bxwm2NqFIV6WTTQOgCPdcHUQh5tiLig9FN0IGbfFUSF"},
	}},
	{"jina-key", "https://jina.ai/", []Token{
		{"jina_", ascii.Alnum, 60, 66, 0, "eADgU8iCgoseMRiIdVRwcx4TmdNg1et15x27W30Oyxnql3GPmEBCkzXsiiyI"},
	}},
	{"cerebras-key", "https://inference-docs.cerebras.ai/", []Token{
		{"csk-", ascii.Lower | ascii.Digit, 48, 48, 0, "srrfytfm4i0grwtrythj9aniynhw82wr16t85ku0q3dc8c7w"},
	}},
	{"tavily-key", "https://docs.tavily.com/", []Token{
		{"tvly-", ascii.URLSafe, 32, 0, 0, "2jX8DL5w2w9vtCEBDgHQkbKSlz9XxmIH"},
	}},
	{"firecrawl-key", "https://docs.firecrawl.dev/", []Token{
		{"fc-", ascii.HexDigit, 32, 32, 0, "d05116a258b0aef01f69910e6fe46063"},
	}},
	{"wandb-key", "https://docs.wandb.ai/", []Token{
		{"wandb_v1_", ascii.URLSafe, 40, 0, 0, "SsuHYksL1odsDhhQdnRdagbk9GV6dMthmF3wemFzmfafJsqDCpswAu2MSLuJNeMm65fqNVlVX42DN"},
	}},
	{"cursor-key", "https://docs.cursor.com/", []Token{
		{"key_", ascii.HexDigit | ascii.Lower, 28, 128, 0, "0aa4501885f1dcb65307c6545245af55bac96eb7912b92cd4ce1108f9edbdee5"},
		{"crsr_", ascii.HexDigit | ascii.Lower, 40, 0, 0, "a976f2041d52480548782c6a530384153727f0d2571c4a81dc54ff5603d086f8"},
	}},
	{"runpod-key", "https://docs.runpod.io/get-started/api-keys", []Token{
		{"rpa_", ascii.Alnum, 40, 60, 0, "VAUB3E6J29XTC8T6TL2LLNXP79CLRGDI3BENIL49LZDSV6"},
	}},
	{"apify-token", "https://docs.apify.com/platform/integrations/api", []Token{
		{"apify_api_", ascii.Alnum, 36, 36, 0, "60Y0SITwki1hLnZsBuycn3sfSH7P2frGt69S"},
	}},
	{"browserbase-key", "https://docs.browserbase.com/", []Token{
		{"bb_live_", ascii.URLSafe, 27, 27, 0, "4jmZwYyrnHYsuT2KB8_CEjij6PU"},
	}},
	{"e2b-key", "https://e2b.dev/docs", []Token{
		{"e2b_", ascii.HexDigit, 40, 40, 0, "9b54820376b442ac1719589b035eab5c6c2aad1b"},
	}},
	{"mem0-key", "https://docs.mem0.ai/", []Token{
		{"m0-", ascii.Alnum, 40, 40, 0, "RZh4fEugpiyfXcuFnTqMLpD8OgrqqIYHgMGryHDe"},
	}},
	{"elevenlabs-key", "https://elevenlabs.io/docs/api-reference/authentication", []Token{
		{"sk_", ascii.HexDigit, 48, 48, 0, "b2b4ad075f5c28fdf4eb8c7f71e7d317a86cdaa27e9a6cde"},
	}},
	{"devin-key", "https://docs.devin.ai/api-reference/overview", []Token{
		{"apk_", ascii.URLSafe | ascii.Equals, 60, 0, 0, "Zr4lCFrWERWgtNtXWYHY7l7vakr86T7ZEf31OV7Uarw49WAH70JVc6wlhTrsi3Y3SnHGIqWjzvTj4QTHw6B8XBQr0p"},
	}},
	{"retell-key", "https://docs.retellai.com/", []Token{
		{"key_", ascii.HexDigit, 28, 28, 0, "092a44b1479916cd600230315a51"},
	}},
	{"deepinfra-key", "https://deepinfra.com/docs", []Token{
		{"dsk_", ascii.Alnum, 32, 0, 0, "WwXTAvUaKGaALA2dSAemUYtzqMQ6W4TO"},
	}},
	{"posthog-key", "https://posthog.com/docs/api", []Token{
		{"phx_", ascii.URLSafe, 40, 50, 0, "1hpMcPz1B4QX8F6ZzFXCu_z0n5WR-0z96AUzyeaJRvI"},
		{"phs_", ascii.URLSafe, 40, 50, 0, "Kq8Zx2LmT4vBn7cRsW0yHjP3gUeNaQkXtVo5iDwSbFz"},
		{"pha_", ascii.URLSafe, 40, 50, 0, "T4vBn7cRsW0yHjP3gUeNaQkXtVo5iDwSbFzMlCrEpJh"},
	}},
	{"anyscale-key", "https://docs.anyscale.com/", []Token{
		{"esecret_", ascii.Lower | ascii.Digit, 20, 0, 0, "zhvqo2ps54fmxw820sqqh6b5i2"},
		{"aph0_", ascii.URLSafe, 20, 0, 0, "y4fvzxgBzEVW8rM7dkpsiuZDiPPZgDvabzhKCA68bPS"},
	}},
	{"kaggle-token", "https://www.kaggle.com/docs/api", []Token{
		{"KGAT_", ascii.HexDigit, 32, 32, 0, "cf4c6cb2c3be070da19d22728143d6ca"},
	}},
	{"llamacloud-key", "https://docs.cloud.llamaindex.ai/", []Token{
		{"llx-", ascii.Alnum, 40, 60, 0, "QurwjSDrkzZx2M97S5qW30WTUP9CJB5V5tvyfpvCvMoMZgXg"},
	}},
	{"luma-key", "https://docs.lumalabs.ai/", []Token{
		{"luma-", ascii.HexDigit | ascii.Dash, 70, 80, 0, "038a3670-3799-625d-8859-99e5f2192695-11327630-b98b-c0b7-8049-9021fefb8c6d"},
	}},
	{"friendli-token", "https://friendli.ai/docs", []Token{
		{"flp_", ascii.Alnum, 40, 0, 0, "o3CkKhXpnnQXpro0CMlqZ3z4N93Mf6nc7o17WrKyT90qHr"},
	}},
	{"braintrust-key", "https://www.braintrust.dev/docs", []Token{
		{"bt-st-", ascii.Alnum, 40, 0, 0, "z1ZxIHK5EAqEyxhCKGhpS6AFd6cUx6sIE7ki5c2DSdDc6PQg"},
	}},
	{"coze-token", "https://www.coze.com/docs/developer_guides/authentication", []Token{
		{"pat_", ascii.Alnum, 64, 64, 0, "QlokwMtl5xQV4MLOystfFiyno5xVZVA8HzYzHly1JYJkSVVdqydE7wl1lWOSnwLd"},
		{"czs_", ascii.Alnum, 40, 0, 0, "f5miLxre1t5hvmRklJv0epqSuHi9k7xH29JTeRmgsRfpuPt"},
	}},
	{"cartesia-key", "https://docs.cartesia.ai/", []Token{
		{"sk_car_", ascii.Alnum | ascii.Under, 20, 0, 0, "pxRc78q4xTQ9gV5WD4JAMcWj"},
	}},
	{"lambda-key", "https://docs.lambda.ai/public-cloud/cloud-api/", []Token{
		{"secret_", ascii.Word | ascii.Dot, 70, 110, '.', "BjQND0xUnHJVlnubMLQg_ba78dcb4bded8af82979433a47f4c178.YW39JTFDLGEEmtB3ZOazMf3VfmVnNgux"},
	}},
	{"neptune-token", "https://docs.neptune.ai/", []Token{
		{"eyJhcGlfYWRkcmVzcyI6", ascii.Base64 | ascii.Equals, 60, 0, 0, "VoXpg7Vg+UQCkbordgBi3vVR8ApNxzUDJoTbe8AgMGqD56BchRvdvW/4roynB4MNVTAsG0BhggornHppyPV+AMgJlZw97BoPfQPzj9MU7KOY3IjDavorSXt0yZ3OclUbHTsvewZqFz1nRD1Gk+xP8e="},
	}},
	{"dify-key", "https://docs.dify.ai/", []Token{
		{"dataset-", ascii.Alnum, 24, 24, 0, "R6pSDQmCAtX4wcY9Pj36tQY1"},
	}},
}
