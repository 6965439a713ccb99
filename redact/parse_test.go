package redact_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/internal/test/matrix"
	"github.com/envwrap/envwrap/redact"
)

// maskedFiles calls check with each file below dir whose name ends in ext and in which
// something is masked, or some of these ([matrix.Every]). What is installed beside the
// standard library is not looked at.
func maskedFiles(t *testing.T, dir, ext string, check func(name string, text, masked []byte)) {
	t.Helper()
	r := redact.New(redact.Options{})
	files, every := 0, matrix.Every(24)
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && strings.HasSuffix(name, "-packages") {
			return filepath.SkipDir
		}
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ext) {
			return nil //nolint:nilerr // what cannot be read is not masked either
		}
		if files++; files%every > 0 {
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return nil //nolint:nilerr // it may have been removed, or be a directory
		}
		if masked, counts := r.Bytes(text); len(counts) > 0 {
			check(name, text, masked)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files == 0 {
		t.Skipf("there are no files *%s in %s", ext, dir)
	}
}

// Go source in which something is masked is Go source still.
func TestMaskedGoParses(t *testing.T) {
	t.Parallel()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skipf("the go command does not say where its source is: %v", err)
	}
	parses := func(text []byte) error {
		_, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
		return err
	}
	maskedFiles(t, filepath.Join(strings.TrimSpace(string(root)), "src"), ".go", func(name string, text, masked []byte) {
		if parses(text) != nil {
			return // of the tests of a parser
		}
		if err := parses(masked); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	})
}

// So is Python. One interpreter looks at all files, which it gets as pairs.
func TestMaskedPythonParses(t *testing.T) {
	t.Parallel()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip(err)
	}
	dir, err := exec.Command(python, "-I", "-B", "-c", "import sysconfig; print(sysconfig.get_path('stdlib'))").Output()
	if err != nil {
		t.Skipf("%s does not say where its source is: %v", python, err)
	}
	var list []string
	pairs := t.TempDir()
	maskedFiles(t, strings.TrimSpace(string(dir)), ".py", func(name string, text, masked []byte) {
		after := filepath.Join(pairs, filepath.Base(filepath.Dir(name))+"-"+filepath.Base(name))
		if err := os.WriteFile(after, masked, 0o600); err != nil {
			t.Fatal(err)
		}
		list = append(list, name, after)
	})
	const script = `
import ast, sys, warnings
warnings.simplefilter("ignore")
def parses(name):
    try:
        with open(name, "rb") as f:
            ast.parse(f.read())
    except Exception as e:
        return str(e)
files = sys.stdin.read().splitlines()
for before, after in zip(files[::2], files[1::2]):
    if not parses(before) and parses(after):
        print(before, parses(after))
`
	c := exec.Command(python, "-I", "-B", "-c", script)
	c.Stdin = strings.NewReader(strings.Join(list, "\n"))
	out, err := c.CombinedOutput()
	if err != nil || len(out) > 0 {
		t.Errorf("after masking: %v\n%s", err, out)
	}
}
