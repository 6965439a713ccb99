package verbs

import (
	"runtime"
	"testing"

	"github.com/envwrap/envwrap/internal/app/cli/clitest"
)

// The README shows the envelope that the program prints. UPDATE=1 writes it
// anew.
func TestReadme(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("texts of the system differ elsewhere")
	}
	const path = "../../../README.md"
	doc := clitest.Contents(t, path)
	text := printed(t, t.TempDir(), "protocol/v1", []string{"sh", "-c", "echo deploying; exit 75"},
		"ENVWRAP_PRETTY=1", "ENVWRAP_DETAIL=lean", "PATH="+smallPath(t))
	clitest.KeepDoc(t, path, doc, clitest.ReplaceSection(t, doc, "run", fenced(text)))
}
