package encoded

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/decode"
	"github.com/envwrap/envwrap/redact/internal/match"
)

const (
	minEscapes = 3       // escapes of a text that is decoded, at the least
	maxEscaped = 4 << 10 // bytes of one that are decoded

	// EscapedPart are the characters that are escaped in no URL, and the sign of an
	// escape.
	EscapedPart = ascii.Word | ascii.Dash | ascii.Dot | ascii.Tilde | ascii.Percent

	// escapedGzip begins a text compressed with gzip. A plus in it is a space.
	escapedGzip = "%1f%8b"
)

// NoteEscaped notes the text around pos that is written with the escapes of a URL, to be
// decoded.
func NoteEscaped(v *match.View, pos int) {
	if pos < v.EscapedTo {
		return
	}
	start := pos - ascii.RunBack(v.Text[max(v.Lo, pos-maxEscaped):pos], EscapedPart)
	of := ascii.Class(EscapedPart)
	if ascii.HasFold(v.Text[start:v.Hi], escapedGzip) {
		of |= ascii.Plus
	}
	v.EscapedTo = pos + ascii.Run(v.Text[pos:min(v.Hi, pos+maxEscaped)], of)
	if bytes.Count(v.Text[start:v.EscapedTo], []byte{'%'}) >= minEscapes {
		v.EncodedRuns = append(v.EncodedRuns, match.Span{Start: start, End: v.EscapedTo})
	}
}

// QuickUserinfo reports whether an escaped at sign, as after a user and a password, may
// follow the escaped "://" of a URL at pos.
func QuickUserinfo(b []byte, pos int) bool {
	b = b[pos:min(len(b), pos+maxUserinfo)]
	b = b[:ascii.Run(b, EscapedPart)]
	return bytes.Contains(b, []byte("%40")) || bytes.Contains(b, []byte("%2540"))
}

// maxUserinfo is how many bytes of an escaped URL are searched for the end of its userinfo.
const maxUserinfo = 1024

// shortestRun is the least length of a run that is decoded because of a word in it.
const shortestRun = 24

// NoteWord notes the run around pos, which has a word for a secret in base64 or begins a
// compressed text, to be decoded.
func NoteWord(v *match.View, pos int) {
	if pos < v.EncodedTo {
		return
	}
	r := match.Span{Start: pos - ascii.RunBack(v.Text[v.Lo:pos], decode.RunByte), End: pos + v.Run(pos, decode.RunByte)}
	v.EncodedTo = r.End
	for r.Start < pos && (v.Text[r.Start] == '+' || v.Text[r.Start] == '-') {
		r.Start++ // of a diff
	}
	if r.End-r.Start >= shortestRun {
		v.EncodedRuns = append(v.EncodedRuns, r)
	}
}

// Words are words for secrets in base64, at each of the three alignments, and the first
// characters of compressed texts: password, PASSWORD, Password, passwd, secret, SECRET,
// token, TOKEN, apikey, api_key, API_KEY.
var Words = [...]string{
	"H4sI", "1f8b08", "1F8B08", "cGFzc3dvcm", "Bhc3N3b3Jk", "wYXNzd29yZ", "UEFTU1dPUk", "BBU1NXT1JE", "QQVNTV09SR", "UGFzc3dvcm", "QYXNzd29yZ", "cGFzc3dk", "Bhc3N3Z", "wYXNzd2", "c2VjcmV0", "NlY3Jld", "zZWNyZX", "U0VDUkVU", "NFQ1JFV", "TRUNSRV", "dG9rZW", "Rva2Vu", "0b2tlb", "VE9LRU", "RPS0VO", "UT0tFT", "YXBpa2V5", "FwaWtle", "hcGlrZX", "YXBpX2tle", "FwaV9rZX", "hcGlfa2V5", "QVBJX0tFW", "FQSV9LRV", "BUElfS0VZ", "Oi8v",
}

// QuickZlib reports whether a text that is compressed with zlib may begin at pos.
func QuickZlib(b []byte, pos int) bool {
	return (pos == 0 || !ascii.Is(b[pos-1], decode.RunByte)) && pos+shortestRun <= len(b) && ascii.Run(b[pos:pos+shortestRun], decode.RunByte) == shortestRun
}
