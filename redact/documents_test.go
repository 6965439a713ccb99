package redact_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/redact"
)

var (
	membersMade = []string{"name", "password", "api_key", "token", "log", "data", "port", "private_key", "count", "auth"}
	valuesMade  = []any{
		"ada", "Tr0ub4dor&3xyz", "kq09zxlm2tnb5vrc8f3a", 8080, 83749261, true, nil, "a \"quoted\" w0rd9!", "back\\slash9",
		"id,password\n1,hunter2x\n2,s3same-0pen\n", "machine example.com\n  login ada\n  password sunny48kite\n",
		"Private-Lines: 1\nAAAAgQDAC4AWkdwKYSd8Ks14IReLcYgADhoXk56ZzXI=\nPrivate-MAC: 1",
		`{"password": "hunter2x9", "port": 83749261}`, "https://ada:hunter2x@example.com/x",
	}
)

// made is a JSON document with members and values of those lists, at random.
func made(rnd *rand.Rand, depth int) any {
	switch n := rnd.IntN(6); {
	case depth > 0 && n == 0:
		return []any{made(rnd, depth-1), made(rnd, depth-1)}
	case depth > 0 && n < 4:
		m := map[string]any{}
		for range 4 {
			m[membersMade[rnd.IntN(len(membersMade))]] = made(rnd, depth-1)
		}
		return m
	}
	return valuesMade[rnd.IntN(len(valuesMade))]
}

// outline is a document with nothing but its members and the length of its lists.
func outline(v any) any {
	switch v := v.(type) {
	case map[string]any:
		m := map[string]any{}
		for k, x := range v {
			m[k] = outline(x)
		}
		return m
	case []any:
		l := make([]any, len(v))
		for i, x := range v {
			l[i] = outline(x)
		}
		return l
	}
	return 0
}

// A JSON document stays one, with the same members, on one line or on many.
func TestMadeUpJSON(t *testing.T) {
	r := redact.New(redact.Options{})
	rnd := rand.New(rand.NewPCG(18, 5))
	for range 300 {
		doc := map[string]any{"x": made(rnd, 3)}
		for _, indent := range []string{"", "  "} {
			in, err := json.MarshalIndent(doc, "", indent)
			if indent == "" {
				in, err = json.Marshal(doc)
			}
			if err != nil {
				t.Fatal(err)
			}
			got, _ := r.Bytes(in)
			var before, after any
			if err := json.Unmarshal(in, &before); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(got, &after); err != nil {
				t.Fatalf("%s\nbecame, with %v,\n%s", in, err, got)
			}
			if a, b := fmt.Sprint(outline(before)), fmt.Sprint(outline(after)); a != b {
				t.Fatalf("%s\nbecame\n%s", in, got)
			}
		}
	}
}

// A mapping of YAML keeps its lines, with the same indentation, names and quotes.
func TestMadeUpYAML(t *testing.T) {
	r := redact.New(redact.Options{})
	rnd := rand.New(rand.NewPCG(18, 6))
	for range 300 {
		var b strings.Builder
		for i := range 8 {
			value := fmt.Sprint(valuesMade[rnd.IntN(7)])
			if strings.ContainsAny(value, "&!") || rnd.IntN(2) == 0 {
				value = `"` + value + `"`
			}
			fmt.Fprintf(&b, "%s%s: %s\n", strings.Repeat("  ", i%3), membersMade[rnd.IntN(len(membersMade))], value)
		}
		got, _ := r.String(b.String())
		in, out := strings.Split(b.String(), "\n"), strings.Split(got, "\n")
		if len(in) != len(out) {
			t.Fatalf("%s\nbecame\n%s", b.String(), got)
		}
		for i := range in {
			name, value, _ := strings.Cut(in[i], ": ")
			if rest, ok := strings.CutPrefix(out[i], name); !ok || strings.Count(rest, `"`)%2 != 0 || (value == "") != (rest == "") {
				t.Fatalf("%q became %q", in[i], out[i])
			}
			if value := strings.TrimPrefix(out[i], name+": "); strings.HasPrefix(out[i], " ") && strings.HasPrefix(value, redact.Mask) {
				t.Fatalf("%q has an alias where %q had a scalar", out[i], in[i])
			}
		}
	}
}
