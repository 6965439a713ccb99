package detect

import (
	"fmt"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/internal/test/testenv"
)

// docs/reference/agents.md says what the tables say. UPDATE=1 writes it anew.
func TestDocs(t *testing.T) {
	testenv.KeepSections(t, "../docs/reference/agents.md", map[string]string{"agents": docAgents(), "hosts": docHosts()})
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
