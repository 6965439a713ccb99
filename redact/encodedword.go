package redact

import (
	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/decode"
)

// shortestRun is the least length of an encoded run that is looked into for what
// it shows.
const shortestRun = 24

// encodedWord looks into the encoded run around pos, where a word for a secret, or the
// first of what is compressed, shows in base64.
func encodedWord(v *view, pos int) {
	if pos < v.wordTo {
		return
	}
	r := span{start: pos - ascii.RunBack(v.Text[v.Lo:pos], decode.RunByte), end: pos + v.Run(pos, decode.RunByte)}
	v.wordTo = r.end
	for r.start < pos && (v.Text[r.start] == '+' || v.Text[r.start] == '-') {
		r.start++ // of a diff
	}
	if r.end-r.start >= shortestRun {
		v.runsSeen = append(v.runsSeen, r)
	}
}

// encodedWords are words for secrets as they show in base64, at each of the three
// alignments, and the first of what is compressed: password, PASSWORD, Password,
// passwd, secret, SECRET, token, TOKEN, apikey, api_key, API_KEY.
var encodedWords = [...]string{
	"H4sI", "1f8b08", "1F8B08", "cGFzc3dvcm", "Bhc3N3b3Jk", "wYXNzd29yZ", "UEFTU1dPUk", "BBU1NXT1JE", "QQVNTV09SR", "UGFzc3dvcm", "Bhc3N3b3Jk", "QYXNzd29yZ", "cGFzc3dk", "Bhc3N3Z", "wYXNzd2", "c2VjcmV0", "NlY3Jld", "zZWNyZX", "U0VDUkVU", "NFQ1JFV", "TRUNSRV", "dG9rZW", "Rva2Vu", "0b2tlb", "VE9LRU", "RPS0VO", "UT0tFT", "YXBpa2V5", "FwaWtle", "hcGlrZX", "YXBpX2tle", "FwaV9rZX", "hcGlfa2V5", "QVBJX0tFW", "FQSV9LRV", "BUElfS0VZ", "Oi8v",
}
