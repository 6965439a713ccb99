package detect

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// docs/reference/agents.md says what the tables say. UPDATE=1 writes it anew.
func TestDocs(t *testing.T) {
	const path = "../docs/reference/agents.md"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	doc := string(text)
	want := section(t, section(t, doc, "agents", docAgents()), "hosts", docHosts())
	if want == doc {
		return
	}
	if os.Getenv("UPDATE") == "" {
		t.Fatalf("%s differs from the tables; UPDATE=1 go test ./detect writes it", path)
	}
	if err := os.WriteFile(path, []byte(want), 0o600); err != nil {
		t.Fatal(err)
	}
}

// section puts text between the markers of a name.
func section(t *testing.T, doc, name, text string) string {
	t.Helper()
	before, rest, ok := strings.Cut(doc, "<!-- begin "+name+" -->\n")
	_, after, ok2 := strings.Cut(rest, "<!-- end "+name+" -->\n")
	if !ok || !ok2 {
		t.Fatalf("no section %q", name)
	}
	return before + "<!-- begin " + name + " -->\n" + text + "<!-- end " + name + " -->\n" + after
}

func docAgents() string {
	var b strings.Builder
	b.WriteString("| agent | seen by | before | but |\n|---|---|---|---|\n")
	for i := range agents {
		a := &agents[i]
		var seen []string
		for _, m := range a.markers {
			seen = append(seen, docTests(m))
		}
		if len(seen) == 0 {
			seen = []string{"`AI_AGENT` only"}
		}
		over := strings.Join(a.over, ", ")
		if a.lowest {
			over = "none"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", a.id, strings.Join(seen, ", "), over, a.note)
	}
	return b.String()
}

func docHosts() string {
	var b strings.Builder
	b.WriteString("| host | seen by |\n|---|---|\n")
	for _, h := range hosts {
		var seen []string
		for _, q := range h.tests {
			seen = append(seen, docTests(marker{q}))
		}
		fmt.Fprintf(&b, "| `%s` | %s |\n", h.id, strings.Join(seen, ", "))
	}
	return b.String()
}

func docTests(m marker) string {
	var tests []string
	for _, q := range m {
		switch q.how {
		case isEqual:
			tests = append(tests, "`"+q.variable+"="+strings.ReplaceAll(q.text, "|", `\|`)+"`")
		case hasInside:
			tests = append(tests, "`"+q.text+"` in `"+q.variable+"`")
		default:
			tests = append(tests, "`"+q.variable+"`")
		}
	}
	return strings.Join(tests, " ")
}
