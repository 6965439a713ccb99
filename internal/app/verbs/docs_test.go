package verbs

import (
	"fmt"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/clitest"
	"github.com/envwrap/envwrap/internal/app/cli/runcmd"
	"github.com/envwrap/envwrap/internal/app/session"
	"github.com/envwrap/envwrap/internal/test/testenv"
)

// docs/reference/options.md says what the tables say. UPDATE=1 writes it anew.
func TestDocs(t *testing.T) {
	testenv.KeepSections(t, "../../../docs/reference/options.md", map[string]string{
		"verbs":          docVerbs(fullEnv(t, t.TempDir())),
		"options":        docOptions(runcmd.DefaultRunOptions().Table()),
		"noninteractive": docNonInteractive(),
	})
}

func docVerbs(env *cli.Env) string {
	var b strings.Builder
	b.WriteString("| verb | |\n|---|---|\n")
	for _, n := range cli.Nodes(env)[1:] {
		v, err := cli.Find(env, strings.Fields(n.Path))
		if err != nil {
			return err.Error()
		}
		if strings.Contains(n.Path, " ") {
			continue
		}
		text := v.Summary
		for i, c := range n.Verbs {
			text += []string{": ", ", "}[min(i, 1)] + c.Name
		}
		fmt.Fprintf(&b, "| `%s` | %s |\n", clitest.DocText(strings.TrimSpace(n.Path+" "+v.Args)), clitest.DocText(text))
	}
	return b.String()
}

func docOptions(options []*cli.Option) string {
	var b strings.Builder
	b.WriteString("| option | default | meaning |\n|---|---|---|\n")
	for _, o := range options {
		name := strings.Join(o.Spellings(), ", ")
		if o.Value != "" {
			name += " " + o.Value
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", name, docDefault(o), clitest.DocText(o.Help))
	}
	return b.String()
}

func docDefault(o *cli.Option) string {
	switch {
	case o.Def == "" && o.Value == "":
		return "off"
	case o.Def == "":
		return "none"
	}
	return clitest.DocText(o.Def)
}

func docNonInteractive() string {
	return "    " + strings.Join(session.NonInteractive(nil), "\n    ") + "\n"
}
