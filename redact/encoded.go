package redact

import (
	"bytes"
	"encoding/base64"
)

const (
	// minEncoded is how much of a prefix must show in base64.
	minEncoded = 4
	// maxTries is how many times one text in base64 is decoded.
	maxTries = 16
	// maxEncoded is how much of a text in base64 is decoded to look for a token.
	maxEncoded = 1 << 10
)

// usualTokens are the prefixes that are looked for in base64, too: those that
// people have most. Each costs three literals more.
var usualTokens = [...]string{
	"AKIA", "ASIA", "AIza", "GOCSPX-", "ya29.", "EAACEdEose0cBA", "LTAI", "AKID", "dop_v1_", "doo_v1_", "dor_v1_",
	"dapi", "cfut_", "sbp_", "sb_secret_", "pscale_tkn_", "pscale_pw_", "napi_", "AVNS_", "vercel_blob_rw_", "nfp_",
	"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "gldt-", "glrt-", "glptt-", "ATATT3", "ATCTT3",
	"ATBB", "CCIPAT_", "npm_", "pypi-AgE", "rubygems_", "dckr_pat_", "dckr_oat_", "PMAK-", "pul-", "dp.pt.", "dp.st.",
	"hvs.", "hvb.", "sgp_", "snyk_", "glsa_", "glc_", "sntrys_", "sntryu_", "lin_api_", "ntn_", "secret_", "figd_",
	"tskey-auth-", "tskey-api-", "xoxa-", "xoxb-", "xoxe-", "xoxp-", "xoxs-", "xapp-", "SG.", "pat-na1-", "key-",
	"sk-ant-", "sk-proj-", "sk-or-v1-", "hf_", "gsk_", "xai-", "pplx-", "nvapi-", "lsv2_pt_", "sk_live_", "sk_test_",
	"rk_live_", "whsec_", "sq0atp-", "sq0csp-", "shpat_", "shpss_", "shpca_", "shppa_", "ops_eyJ", "AGE-SECRET-KEY-1",
}

// An encoded is the prefix of tokens as it shows in base64, where shift bytes
// modulo three come before it.
type encoded struct {
	group uint16 // in prefixes
	shift uint8
}

// encodedAt is where the characters that depend on the prefix alone begin in
// the base64 of shift bytes and a prefix.
func encodedAt(shift int) int { return (shift*8 + 5) / 6 }

// find marks text in base64 that has a token in it, whose prefix shows at pos.
func (e encoded) find(v *view, pos int) {
	end := pos + v.runOf(pos, base64c|urlSafe)
	if v.encodedTo != end {
		v.encodedTo, v.encoded = end, 0
	}
	if v.encoded++; v.encoded > maxTries {
		return // found already, or never
	}
	from := pos - encodedAt(int(e.shift))
	if from < v.lo || pos-runBack(v.text[from:pos], base64c|urlSafe) > from {
		return
	}
	var buf [maxEncoded]byte
	text := buf[:copy(buf[:], v.text[from:min(end, from+maxEncoded)])]
	for i, c := range text {
		switch c {
		case '-':
			text[i] = '+'
		case '_':
			text[i] = '/'
		}
	}
	n, _ := base64.RawStdEncoding.Decode(text, text)
	if n <= int(e.shift) {
		return
	}
	w := view{text: text[e.shift:n], hi: n - int(e.shift)}
	for _, r := range prefixes[e.group] {
		if f, t := r.get(); bytes.HasPrefix(w.text, []byte(t.prefix)) && t.match(&w, 0) > 0 {
			start := from - runBack(v.text[max(v.lo, from-maxBefore):from], base64c|urlSafe)
			v.add(start, end+run(v.text[end:v.hi], equals), f.rule)
			v.encoded = maxTries
			return
		}
	}
}
