package redact

import (
	"encoding/base64"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/internal/test/matrix"
	"github.com/envwrap/envwrap/internal/test/redactcases"
	"github.com/envwrap/envwrap/redact/internal/decode"
	"github.com/envwrap/envwrap/redact/internal/rules/token"
)

// leastRecall is the share of secrets that must be found in each context.
const leastRecall = 0.97

// TestTokensInSettings puts tokens of every kind in every place.
func TestTokensInSettings(t *testing.T) {
	t.Parallel()
	rnd := random()
	r := New(Options{})
	missed, of, kinds := map[string]int{}, map[string]int{}, map[string]int{}
	good, all, turn := 0, 0, 0
	for _, f := range token.Families {
		for _, tok := range f.Tokens {
			turn++
			for i, p := range redactcases.Settings {
				if (turn+i)%matrix.Every(10) > 0 {
					continue
				}
				if strings.HasPrefix(p.Name, "base64") && !strings.Contains(p.Name, " in ") &&
					len(tok.Prefix+tok.Sample) < decode.MinRun*3/4 {
					continue // too short to be looked into
				}
				s := tok.Prefix + redactcases.Like(rnd, tok.Sample)
				text := p.Write("SERVICE_TOKEN", s)
				out := string(masked(t, r, usual, []byte(text)))
				all++
				of[p.Name]++
				if tok.Address() {
					s = s[len(tok.Prefix):]
				}
				if !leaks(out, s) {
					good++
					continue
				}
				missed[p.Name]++
				kinds[f.Rule+" "+tok.Prefix]++
			}
		}
	}
	report(t, "tokens", good, all, missed, of, kinds)
}

// leaks reports whether more than a tenth of s, or six bytes, is left in out,
// as it is or in base64.
func leaks(out, s string) bool {
	n := max(6, len(s)/10) + 1
	for i := 0; i+n <= len(s); i++ {
		if strings.Contains(out, s[i:i+n]) {
			return true
		}
	}
	e := base64.StdEncoding.EncodeToString([]byte(s))
	return strings.Contains(out, e[:len(e)*3/4])
}

// report logs which share was found, of all and in each context, and what was
// missed. Each share is to be leastRecall.
func report(t *testing.T, what string, good, all int, missed, of, kinds map[string]int) {
	t.Helper()
	recall := float64(good) / float64(all)
	t.Logf("%s: %d of %d, %.4f", what, good, all, recall)
	if recall < leastRecall {
		t.Errorf("%s: recall is %.4f, want %.2f", what, recall, leastRecall)
	}
	for _, name := range slices.Sorted(maps.Keys(of)) {
		share := 1 - float64(missed[name])/float64(of[name])
		t.Logf("%s, %s: %d of %d, %.4f", what, name, of[name]-missed[name], of[name], share)
		if share < leastRecall {
			t.Errorf("%s, %s: recall is %.4f, want %.2f", what, name, share, leastRecall)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(kinds)) {
		t.Logf("%s: %d of %s are missed", what, kinds[name], name)
	}
}

// Values without a shape of their own are masked by their names.
func TestNamesInSettings(t *testing.T) {
	t.Parallel()
	rnd := random()
	r := New(Options{})
	missed, of, kinds := map[string]int{}, map[string]int{}, map[string]int{}
	good, all, turn := 0, 0, 0
	for _, name := range []string{
		"DB_PASSWORD", "PASSWORD", "API_KEY", "SECRET_KEY", "ACCESS_TOKEN", "CLIENT_SECRET", "AWS_SECRET_ACCESS_KEY", "PRIVATE_KEY",
		"GITHUB_TOKEN", "AUTH_TOKEN", "ENCRYPTION_KEY", "DB_PASS", "MYSQL_PWD", "PASSPHRASE", "STRIPE_KEY", "SIGNING_SECRET",
	} {
		for _, sample := range []string{
			"0123456789abcdef0123456789abcdef", "aB3dE5fG7hJ9kL2mN4pQ6rS8", "k7w2m9q4x1z8c5v3b6n0", "Ab1/Cd2+Ef3/Gh4+Ij5/Kl6+Mn7/Op8+Qr9=",
			"f47ac10b-58cc-4372-a567-0e02b2c3d479", "xK9-mP2_qR7-tV4_wY1-zB6",
		} {
			turn++
			for i, p := range slices.Concat(redactcases.NamedSettings(), redactcases.Named) {
				if (turn+i)%matrix.Every(3) > 0 {
					continue
				}
				s := redactcases.Like(rnd, sample)
				out := string(masked(t, r, usual, []byte(p.Write(name, s))))
				all++
				of[p.Name]++
				if !leaks(out, s) && !strings.Contains(out, url.QueryEscape(s)) {
					good++
					continue
				}
				missed[p.Name]++
				kinds["name "+name]++
				kinds["sample "+sample]++
			}
		}
	}
	report(t, "names", good, all, missed, of, kinds)
}

// Each rule with tokens has a kind in kinds.txt. What follows an address is in other cases.
func TestEveryTokenRuleHasAKind(t *testing.T) {
	kinds := map[string]bool{}
	for _, k := range redactcases.Tokens() {
		kinds[k.Rule] = true
	}
	for _, f := range token.Families {
		if !kinds[f.Rule] && !f.Tokens[0].Address() {
			t.Errorf("rule %s has no line in internal/test/redactcases/kinds.txt", f.Rule)
		}
	}
}
