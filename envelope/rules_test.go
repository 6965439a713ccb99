package envelope

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A requirement is one sentence of a document.
type requirement struct {
	dialect, section, demand, rule, pointer string
	valid, invalid                          string // names of vectors
}

// readRequirements reads what the documents demand, with the vectors that show
// each demand met and broken.
func readRequirements(t *testing.T) []requirement {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "testdata", "vectors", "requirements.psv"))
	if err != nil {
		t.Fatal(err)
	}
	vectors := map[string][]vector{}
	for _, d := range Dialects() {
		vectors[d.Name()] = readVectors(t, d)
	}
	inputs := readInputs(t)
	var list []requirement
	for line := range strings.Lines(string(text)) {
		f := strings.Split(strings.TrimSpace(line), "|")
		if strings.HasPrefix(line, "#") {
			continue
		}
		if len(f) != 5 {
			t.Fatalf("requirements.psv: %q has %d fields", line, len(f))
		}
		r := requirement{dialect: f[0], section: f[1], demand: f[2], rule: f[3], pointer: f[4]}
		for _, v := range vectors[r.dialect] {
			if v.From != "" && r.invalid == "" && slices.ContainsFunc(v.Faults, r.isShownBy) {
				r.valid, r.invalid = v.From, v.Name
			}
		}
		for _, v := range inputs {
			broken := func(f inputFault) bool { return r.isShownBy(vectorFault{f.Pointer, f.Rule}) }
			if v.From != "" && r.invalid == "" && slices.ContainsFunc(v.Faults, broken) {
				r.valid, r.invalid = v.From, v.Name
			}
		}
		list = append(list, r)
	}
	return list
}

func (r *requirement) isShownBy(f vectorFault) bool {
	return f.Rule == r.rule && (f.Pointer == r.pointer || r.rule == "json/depth" && strings.HasPrefix(f.Pointer, r.pointer))
}

// Each demand of a document has a rule of ours, a vector that meets it and one
// that breaks it.
func TestEveryRequirementHasVectors(t *testing.T) {
	known := map[string]bool{}
	for _, r := range Rules() {
		if known[r.Name] {
			t.Errorf("rule %s is there twice", r.Name)
		}
		known[r.Name] = true
	}
	for _, r := range readRequirements(t) {
		if !known[r.rule] {
			t.Errorf("%s, %s: no rule %q", r.dialect, r.section, r.rule)
		}
		if r.invalid == "" || r.valid == "" {
			t.Errorf("%s, %s: nothing shows that %s (%s at %q)", r.dialect, r.section, r.demand, r.rule, r.pointer)
		}
	}
}

// Each rule is broken by some vector and met by the one that it was made from,
// and each name in the code is a rule.
func TestEveryRuleIsUsed(t *testing.T) {
	broken, met, inCode := map[string]bool{}, map[string]bool{}, ruleNames(t)
	for _, d := range Dialects() {
		for _, v := range readVectors(t, d) {
			for _, f := range v.Faults {
				broken[f.Rule] = true
				met[f.Rule] = met[f.Rule] || v.From != ""
			}
		}
	}
	for _, v := range readInputs(t) {
		for _, f := range v.Faults {
			broken[f.Rule] = true
			met[f.Rule] = met[f.Rule] || v.From != ""
		}
	}
	for _, r := range Rules() {
		if !broken[r.Name] || !met[r.Name] {
			t.Errorf("%s: a vector breaks it: %t; made from one that meets it: %t", r.Name, broken[r.Name], met[r.Name])
		}
		if !inCode[r.Name] {
			t.Errorf("%s is told by nothing", r.Name)
		}
		delete(inCode, r.Name)
	}
	for name := range inCode {
		t.Errorf("%s is told, and not in the table", name)
	}
}

// The vector that another was made from is there, and has no faults.
func TestVectorsAreMadeOfValidOnes(t *testing.T) {
	valid := map[string]bool{}
	var all [][3]string
	for _, d := range Dialects() {
		for _, v := range readVectors(t, d) {
			valid[d.Name()+" "+v.Name] = v.Valid
			all = append(all, [3]string{d.Name(), v.From, v.Name})
		}
	}
	for _, v := range readInputs(t) {
		valid["input "+v.Name] = v.Faults == nil
		all = append(all, [3]string{"input", v.From, v.Name})
	}
	for _, v := range all {
		if v[1] != "" && !valid[v[0]+" "+v[1]] {
			t.Errorf("%s %s is made from %q, which is not valid", v[0], v[2], v[1])
		}
	}
}

// ruleNames are the strings in the code that look like a rule's name.
func ruleNames(t *testing.T) map[string]bool {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, room := range []string{"../internal/shared/jsontext", "internal/wire", "internal/delegator", "internal/check"} {
		more, err := filepath.Glob(room + "/*.go")
		if err != nil || more == nil {
			t.Fatal(room, err)
		}
		files = append(files, more...)
	}
	names := map[string]bool{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") || file == "rules.go" {
			continue
		}
		tree, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if name, err := strconv.Unquote(lit.Value); err == nil && looksLikeRule(name) {
					names[name] = true
				}
			}
			return true
		})
	}
	return names
}

func looksLikeRule(s string) bool {
	topic, rest, ok := strings.Cut(s, "/")
	topics := []string{
		"format", "json", "member", "value", "protocol", "foxctl", "run", "output", "helper", "delegator",
		"tool-envelope", "agent-response", "stream", "secret", "artifact",
	}
	return ok && slices.Contains(topics, topic) && strings.Trim(rest, "abcdefghijklmnopqrstuvwxyz0123456789-") == "" && rest != "" && rest[0] != '-' && !strings.HasPrefix(rest, "v1") && s != "helper/output"
}

// docs/reference/rules.md says what the tables say. UPDATE=1 writes it anew.
func TestRulesPage(t *testing.T) {
	var b strings.Builder
	b.WriteString(`# The rules of envwrap validate

A fault is one line: a JSON Pointer (RFC 6901) to the place, the name of a rule, and
what was found. Names do not change. testdata/vectors/requirements.psv has the section
of the document that each rule comes from.

`)
	for _, r := range Rules() {
		fmt.Fprintf(&b, "- <a id=%q></a>**%s**%s: %s\n", strings.ReplaceAll(r.Name, "/", "-"), r.Name, strictNote(r), r.Text)
	}
	compareGolden(t, filepath.Join("..", "docs", "reference", "rules.md"), []byte(b.String()))
}

func strictNote(r Rule) string {
	if r.Strict {
		return " (--strict)"
	}
	return ""
}
