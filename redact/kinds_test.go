package redact

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"net/url"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/internal/test/matrix"
	"github.com/envwrap/envwrap/internal/test/redactcases"
	"github.com/envwrap/envwrap/redact/internal/rules/token"
)

// A shape makes a text with a secret that has no prefix of its own, and returns
// the secret.
type shape struct {
	name string
	make func(rnd *rand.Rand) (text, secret string)
}

func whole(sample string) func(*rand.Rand) (string, string) {
	return func(rnd *rand.Rand) (string, string) {
		s := sampleText(rnd, sample)
		return s, s
	}
}

// within is a secret that is a part of a text.
func within(before, sample, after string) func(*rand.Rand) (string, string) {
	return func(rnd *rand.Rand) (string, string) {
		s := sampleText(rnd, sample)
		return before + s + after, s
	}
}

var shapeKinds = []shape{
	{"JWT", func(rnd *rand.Rand) (string, string) {
		part := func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }
		s := part(`{"alg":"HS256","typ":"JWT"}`) + "." + part(fmt.Sprintf(`{"sub":"%d","iat":%d}`, rnd.Uint64(), rnd.Uint32())) + "." + sampleText(rnd, "u43")
		return s, s
	}},
	{"URL", within("postgres://app:", "a16", "@db.example.com:5432/app")},
	{"URL with a token", within("https://", "a32", "@git.example.com/x.git")},
	{"data source name", within("app:", "a16", "@tcp(db.example.com:3306)/app")},
	{"Slack webhook", within("https://hooks.slack.com/services/T0A1B2C3D/B0A1B2C3D/", "a24", "")},
	{"bcrypt", within("$2b$12$", "a53", "")},
	{"key", func(rnd *rand.Rand) (string, string) {
		s := "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC" + sampleText(rnd, "a600")
		return `-----BEGIN PRIVATE KEY-----\n` + s + `\n-----END PRIVATE KEY-----\n`, s
	}},
	{"Bearer", within("Bearer ", "a40", "")},
	{"SAS", within("https://x.blob.example.net/c?sv=2020-08-04&se=2030-01-01&sp=r&sig=", "a43", "%3D")},
}

// TestShapesInSettings puts secrets with shapes of other kinds in every place,
// after a name that says nothing.
func TestShapesInSettings(t *testing.T) {
	t.Parallel()
	rnd := random()
	r := New(Options{})
	kindsOf := shapeKinds
	for _, x := range token.Infixes {
		kindsOf = append(kindsOf, shape{x.Rule + " " + x.Literal, whole(x.Sample)})
	}
	missed, of, kinds := map[string]int{}, map[string]int{}, map[string]int{}
	good, all := 0, 0
	for _, k := range kindsOf {
		for _, p := range redactcases.Settings {
			if strings.HasPrefix(p.Name, "base64") {
				continue // encoded once more
			}
			for range matrix.Times(1, 3) {
				text, s := k.make(rnd)
				if strings.Contains(p.Name, "URL") && url.QueryEscape(text) != text && k.name != "URL" {
					continue // its signs are others
				}
				out := string(masked(t, r, usual, []byte(p.Write("SOME_VALUE", text))))
				all++
				of[p.Name]++
				if leaks(out, s) {
					missed[p.Name]++
					kinds[k.name+" in "+p.Name]++
					continue
				}
				good++
			}
		}
	}
	report(t, "shapes", good, all, missed, of, kinds)
}
