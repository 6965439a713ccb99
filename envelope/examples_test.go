package envelope

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/envelope/internal/wire"
	"github.com/envwrap/envwrap/internal/test/testenv"
)

// docs/reference/examples.md says which of the documents' own examples keep to their
// rules. UPDATE=1 writes its table anew.
func TestDocumentsExamples(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "testdata", "documents", "*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d examples, %v", len(files), err)
	}
	var b strings.Builder
	b.WriteString("| example | dialect | faults |\n|---|---|---|\n")
	for _, file := range files {
		name := filepath.Base(file)
		d, _ := Lookup(map[byte]string{'1': "helper", '2': "protocol", '3': "delegator", '4': "tool-envelope", '5': "agent-response"}[name[0]])
		doc, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var faults []string
		for _, f := range Validate(d, doc, ValidateOptions{}) {
			faults = append(faults, fmt.Sprintf("`%s` [%s](rules.md#%s)", wire.OrRoot(f.Pointer), f.Rule, strings.ReplaceAll(f.Rule, "/", "-")))
		}
		if faults == nil {
			faults = []string{"none"}
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", name, d.Name(), strings.Join(faults, "<br>"))
	}
	testenv.KeepSections(t, "../docs/reference/examples.md", map[string]string{"examples": b.String()})
}
