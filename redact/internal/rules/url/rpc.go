package url

import (
	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/names"
	"github.com/envwrap/envwrap/redact/internal/value"
)

// FindRPCKey marks the key that ends the address of a node of a blockchain, whose host has
// the word at pos in it: https://mainnet.example.com/v1/KEY. Only a version or the name of
// a protocol may be before the key; before the hash of a transaction is 0x or the word for
// it.
func FindRPCKey(v *match.View, pos int) {
	i := pos + ascii.Run(v.Text[pos:v.Hi], ascii.Plus)
	i += ascii.Run(v.Text[i:min(v.Hi, i+names.MaxAddress)], ascii.URLSafe|ascii.Dot|ascii.Colon)
	for range maxSegments {
		if i >= v.Hi || v.Text[i] != '/' {
			return
		}
		i++
		n := v.Run(i, ascii.URLSafe|ascii.Dot)
		if n >= minRPCKey && n <= 64 && ascii.Run(v.Text[i:i+n], ascii.HexDigit) == n && value.TraitsOf(v.Text[i:i+n]).Random(minRPCKey) {
			v.Add(i, i+n, match.RuleRPC)
			return
		}
		switch w := string(v.Text[i : i+min(n, 8)]); w {
		case "v1", "v2", "v3", "rpc", "ws", "http", "https", "json-rpc", "api", "eth":
		default:
			return
		}
		i += n
	}
}

const (
	maxSegments = 4  // of a path, up to the key
	minRPCKey   = 24 // bytes
)

// FindCode marks the code of an authorization in the address that a browser is sent back
// to, whose parameter is at pos (RFC 6749, section 4.1.2).
func FindCode(v *match.View, pos int) {
	i := pos + len("?code=")
	n := ascii.Run(v.Text[i:min(v.Hi, i+maxCode)], ascii.URLSafe|ascii.Dot|ascii.Plus|ascii.Percent|ascii.Tilde)
	near := v.Text[max(v.Lo, pos-maxCode):min(v.Hi, i+n+maxCode)]
	if !ascii.ContainsFold(near, "callback") && !ascii.ContainsFold(near, "oauth") && !ascii.ContainsFold(near, "redirect") {
		return
	}
	if t := value.TraitsOf(v.Text[i : i+n]); t.Random(minCode) && !t.Placeholder() && !value.Sample(t.Bytes) {
		v.Add(i, i+n, match.RuleURL)
	}
}

const (
	minCode = 16  // of the code of an authorization: shorter ones are of errors
	maxCode = 512 // bytes that are searched on either side
)
