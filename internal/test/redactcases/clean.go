package redactcases

import (
	"encoding/base64"
	"encoding/hex"
	"math/rand/v2"
	"strings"
)

// clean are texts that look random and have nothing secret in them, by class: %h is
// replaced by hex digits, %H by capital ones, %b by base64, %d by
// digits, each as many as the number that follows says.
var clean = []struct{ class, text string }{
	{"annotation of a checksum", "      annotations:\n        checksum/config: %h64\n        checksum/secret: %h64\n"},
	{"subresource integrity", `<script src="https://cdn.example.com/app.js" integrity="sha384-%b64" crossorigin="anonymous"></script>` + "\n"},
	{"lock file of npm", "      \"resolved\": \"https://registry.example.org/left/-/left-1.3.0.tgz\",\n      \"integrity\": \"sha512-%b86==\",\n"},
	{"lock file of yarn", "  resolved \"https://registry.example.org/left/-/left-1.3.0.tgz#%h40\"\n  integrity sha512-%b86==\n"},
	{"lock file of Go", "example.com/auth/token v1.2.3 h1:%b43=\nexample.com/auth/token v1.2.3/go.mod h1:%b43=\n"},
	{"lock file of Cargo", "name = \"secrecy\"\nversion = \"0.8.0\"\nchecksum = \"%h64\"\n"},
	{"lock file of pip", "keyring==25.1.1 \\\n    --hash=sha256:%h64 \\\n    --hash=sha256:%h64\n"},
	{"asset", "  dist/assets/index-%h8.js   141.30 kB\n  dist/assets/vendor-%h20.css  12.01 kB\n  /static/key-%h32.png\n"},
	{"UUID", "request_id=%h8-%h4-4%h3-a%h3-%h12 user_id=%h8-%h4-4%h3-b%h3-%h12\n"},
	{"UUID of an object", "  uid: %h8-%h4-4%h3-a%h3-%h12\n  resourceVersion: \"%d8\"\n"},
	{"image in base64", `<img src="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAA%b400">` + "\n"},
	{"hex dump", "00000000: %h4 %h4 %h4 %h4 %h4 %h4 %h4 %h4  ................\n00000010: %h4 %h4 %h4 %h4 %h4 %h4 %h4 %h4  ................\n"},
	{"listing of gpg", "pub   rsa4096 2023-04-01 [SC]\n      %H40\nuid           [ultimate] Ada <ada@example.com>\nsub   rsa4096/%H16 2023-04-01 [E]\n"},
	{"certificate", "-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQswCQYDVQQGEwJJ\n%b64\n%b64\n%b64\n-----END CERTIFICATE-----\n"},
	{"public key", "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA%b20\n%b64\n-----END PUBLIC KEY-----\n"},
	{"key of a host", "Host key fingerprint is SHA256:%b43\n"},
	{"log of git", "commit %h40\nMerge: %h7 %h7\nDate:   Sun Mar 1 10:00:00 2026 +0000\n\n    Rotate the token of the build\n"},
	{"diff of git", "diff --git a/auth.go b/auth.go\nindex %h7..%h7 100644\n"},
	{"digest of an image", "Digest: sha256:%h64\nStatus: Downloaded newer image for example/app@sha256:%h64\n"},
	{"list of images", "REPOSITORY   TAG      IMAGE ID       CREATED\nexample/app  latest   %h12   2 days ago\n"},
	{"sums", "%h64  secret.key.pub\n%h32  passwords.txt\n%h128  token.tar.gz\n"},
	{"ETag", "< etag: \"%h32\"\n< x-request-id: %h32\n< cf-ray: %h16-FRA\n"},
	{"key of a cache", "Cache restored from key: linux-node-%h64\nCache not found for input keys: go-build-%h40\n"},
	{"address", "goroutine 17 [running]:\nmain.token(0xc000%h6, 0x%h6)\n\t/src/auth/key.go:42 +0x%h3\n"},
	{"trace", "traceparent: 00-%h32-%h16-01 trace_id=%h32 span_id=%h16\n"},
}

// Clean returns texts without secrets, of every class and in every frame for lines, the
// same ones for the same seed.
func Clean(seed uint64) []Made {
	rnd := rand.New(rand.NewPCG(seed, 54))
	var out []Made
	for _, c := range clean {
		for _, f := range Lines {
			text := f.Write("", fill(rnd, c.text))
			out = append(out, Made{Case: Case{Src: "made", Rule: c.class, Kind: "fp", Text: text}, Of: c.class, Frame: f.Name})
		}
	}
	return out
}

// fill is text with random characters in place of its verbs.
func fill(rnd *rand.Rand, text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '%' || i+2 >= len(text) {
			b.WriteByte(text[i])
			continue
		}
		verb, n := text[i+1], 0
		for i += 2; i < len(text) && text[i] >= '0' && text[i] <= '9'; i++ {
			n = n*10 + int(text[i]-'0')
		}
		i--
		b.WriteString(random(rnd, verb, n))
	}
	return b.String()
}

// random returns n characters of the kind that the verb says.
func random(rnd *rand.Rand, verb byte, n int) string {
	raw := make([]byte, n)
	for i := range raw {
		raw[i] = byte(rnd.Uint32())
	}
	switch verb {
	case 'h':
		return hex.EncodeToString(raw)[:n]
	case 'H':
		return strings.ToUpper(hex.EncodeToString(raw)[:n])
	case 'b':
		return base64.StdEncoding.EncodeToString(raw)[:n]
	}
	return from(rnd, digits, n)
}
