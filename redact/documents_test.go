package redact_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

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

// plainMade are values of YAML that are secret beside most of membersMade.
var plainMade = []string{"Tr0ub4dor&3xyz", "kq09zxlm2tnb5vrc8f3a", "n0rth/Wind+7=", "83749261", aToken, "https://ada:hunter2x@example.com/x", "a8f!;&3kQ"}

// yamlMade is a value of YAML as people write one: plain, in quotes, with a tag, an anchor
// or a comment, or several of these in brackets.
func yamlMade(rnd *rand.Rand, flow bool) string {
	value := plainMade[rnd.IntN(len(plainMade))]
	switch rnd.IntN(8) {
	case 0:
		return `"` + value + `"`
	case 1:
		return "'" + value + "'"
	case 2:
		return "!!str " + value
	case 3:
		if !flow {
			return fmt.Sprintf("&a%d %s", rnd.Uint32(), value)
		}
	case 4:
		if !flow {
			return value + " # to be changed"
		}
	case 5:
		if !flow {
			return "[" + yamlMade(rnd, true) + ", " + yamlMade(rnd, true) + "]"
		}
	case 6:
		if !flow {
			return "{password: " + yamlMade(rnd, true) + ", token: " + yamlMade(rnd, true) + "}"
		}
	}
	return value
}

// A document of YAML stays one, with the same members, whatever is indented.
func TestMadeUpYAML(t *testing.T) {
	r := redact.New(redact.Options{})
	rnd := rand.New(rand.NewPCG(18, 6))
	masks := 0
	for range 500 {
		var b strings.Builder
		for i, name := range rnd.Perm(len(membersMade))[:5] {
			indent := []string{"", "  "}[i%2]
			fmt.Fprintf(&b, "%s:", membersMade[name])
			switch rnd.IntN(5) {
			case 0:
				fmt.Fprintf(&b, "\n%s- %s\n%[1]s- %s\n", indent, yamlMade(rnd, false), yamlMade(rnd, false))
			case 1:
				fmt.Fprintf(&b, "\n%s- password: %s\n%[1]s  port: 5432\n", indent, yamlMade(rnd, false))
			case 2:
				fmt.Fprintf(&b, " {port: it's\n    \"quoted\", token: %s, log: it's\n    two words, auth: %s}\n", yamlMade(rnd, true), yamlMade(rnd, true))
			case 3:
				fmt.Fprintf(&b, "\n  user: ada\n  password: %s\n", yamlMade(rnd, false))
			default:
				fmt.Fprintf(&b, " %s\n", yamlMade(rnd, false))
			}
		}
		in := b.String()
		got, _ := r.String(in)
		masks += strings.Count(got, redact.Mask)
		var before, after map[string]any
		if err := yaml.Unmarshal([]byte(in), &before); err != nil {
			t.Fatalf("%s\n%v", in, err)
		}
		if err := yaml.Unmarshal([]byte(got), &after); err != nil {
			t.Fatalf("%s\nbecame, with %v,\n%s", in, err, got)
		}
		if a, b := fmt.Sprint(outline(before)), fmt.Sprint(outline(after)); a != b {
			t.Fatalf("%s\nbecame\n%s", in, got)
		}
	}
	if masks < 1000 {
		t.Errorf("%d secrets were masked, want thousands", masks)
	}
}
