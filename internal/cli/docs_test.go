package cli

import (
	"fmt"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/internal/session"
)

// docs/cli.md says what the tables say. UPDATE=1 writes it anew.
func TestDocs(t *testing.T) {
	const path = "../../docs/cli.md"
	doc := contents(t, path)
	want := doc
	for name, text := range map[string]string{
		"verbs":          docVerbs(worldIn(t, t.TempDir())),
		"options":        docOptions(defaultRunOptions().table()),
		"noninteractive": docNonInteractive(),
	} {
		want = replaceSection(t, want, name, text)
	}
	keepDoc(t, path, doc, want)
}

// replaceSection puts text between the markers of a name.
func replaceSection(t *testing.T, doc, name, text string) string {
	t.Helper()
	before, rest, ok := strings.Cut(doc, "<!-- begin "+name+" -->\n")
	_, after, ok2 := strings.Cut(rest, "<!-- end "+name+" -->\n")
	if !ok || !ok2 {
		t.Fatalf("no section %q", name)
	}
	return before + "<!-- begin " + name + " -->\n" + text + "<!-- end " + name + " -->\n" + after
}

func docVerbs(w *World) string {
	var b strings.Builder
	b.WriteString("| verb | |\n|---|---|\n")
	for _, n := range nodes(w)[1:] {
		v, err := find(w, strings.Fields(n.path))
		if err != nil {
			return err.Error()
		}
		fmt.Fprintf(&b, "| `%s` | %s |\n", docText(strings.TrimSpace(n.path+" "+v.args)), docText(v.summary))
	}
	return b.String()
}

func docOptions(options []*option) string {
	var b strings.Builder
	b.WriteString("| option | variable | default | meaning |\n|---|---|---|---|\n")
	for _, o := range options {
		name := strings.Join(o.spellings(), ", ")
		if o.value != "" {
			name += " " + o.value
		}
		fmt.Fprintf(&b, "| `%s` | `%s` | %s | %s |\n", name, o.env(), docDefault(o), docText(o.help))
	}
	return b.String()
}

func docDefault(o *option) string {
	switch {
	case o.def == "" && o.value == "":
		return "off"
	case o.def == "":
		return "none"
	}
	return docText(o.def)
}

// docText keeps angle brackets and bars from being read as markup.
func docText(s string) string {
	return strings.NewReplacer("<", "&lt;", "|", `\|`).Replace(s)
}

func docNonInteractive() string {
	return "    " + strings.Join(session.NonInteractive(nil), "\n    ") + "\n"
}
