package redact

const ruleRPC = "rpc-endpoint"

// rpcPath marks the key that ends the address of a node of a blockchain, whose host
// has the word at pos in it: https://mainnet.example.com/v1/KEY. What comes before the
// key is a version or the name of a protocol; the hash of a transaction has 0x or the
// word for it there.
func rpcPath(v *view, pos int) {
	i := pos + run(v.text[pos:v.hi], plus)
	i += run(v.text[i:min(v.hi, i+maxAddress)], urlSafe|dot|colon)
	for range maxSegments {
		if i >= v.hi || v.text[i] != '/' {
			return
		}
		i++
		n := v.runOf(i, urlSafe|dot)
		if n >= minRPCKey && n <= 64 && run(v.text[i:i+n], hexDigit) == n && traitsOf(v.text[i:i+n]).random(minRPCKey) {
			v.add(i, i+n, ruleRPC)
			return
		}
		switch w := string(v.text[i : i+min(n, 8)]); w {
		case "v1", "v2", "v3", "rpc", "ws", "http", "https", "json-rpc", "api", "eth":
		default:
			return
		}
		i += n
	}
}

const (
	maxSegments = 4  // of a path, up to the key
	minRPCKey   = 32 // bytes
)
