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
