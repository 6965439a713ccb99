package blackbox

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// startsPrograms matches what a test has that may start envwrap.
var startsPrograms = regexp.MustCompile(`"os/exec"|os\.StartProcess|cli\.Main\(|clitest\.Scripts\(|[^.]\bMain\(w\)`)

// guards matches what runs the tests of a package in a home of their own.
var guards = regexp.MustCompile(`(testenv\.Run(Waiting)?|clitest\.Main)\(`)

// othersOnly are packages whose tests start programs of the system, and never
// envwrap.
var othersOnly = map[string]string{
	"internal/shared/pipeline": "bash",
	"internal/platform/proc":   "cat",
	"internal/test/testenv":    "sh",
	"wrap/internal/proctree":   "sh, cat and sleep",
	"wrap/internal/signals":    "its own tests",
}

// No test writes to a home that it did not make: each package whose tests may start
// envwrap runs them in one of their own, and fails where something is left in it.
func TestHomes(t *testing.T) {
	starts, guarded := map[string]bool{}, map[string]bool{}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		pkg := filepath.ToSlash(filepath.Dir(path))
		starts[pkg] = starts[pkg] || startsPrograms.Match(text)
		guarded[pkg] = guarded[pkg] || guards.Match(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if !starts["wrap"] || !starts["internal/app/verbs"] || !starts["internal/test/blackbox"] {
		t.Fatalf("these start programs: %v", starts)
	}
	for pkg := range starts {
		if starts[pkg] && !guarded[pkg] && othersOnly[pkg] == "" {
			t.Errorf("the tests of %s start programs: run them by testenv.Run in TestMain", pkg)
		}
		if guarded[pkg] && othersOnly[pkg] != "" {
			t.Errorf("%s is guarded: take it out of the list", pkg)
		}
	}
}
