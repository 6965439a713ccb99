package literal_test

import (
	"bytes"
	"flag"
	"os"
	"testing"

	"github.com/envwrap/envwrap/redact/internal/literal"
	"github.com/envwrap/envwrap/redact/internal/rules"
)

var (
	generate = flag.Bool("generate", false, "write builtin_gen.go")
	anew     = flag.Bool("anew", false, "choose all windows, not only those of new literals")
	count    = flag.String("grams", "", "write testdata/grams.gz, counted over the `file`")
)

// TestBuiltin holds builtin_gen.go to the tables of rules. With -generate it writes the
// file.
func TestBuiltin(t *testing.T) {
	const name = "builtin_gen.go"
	if *count != "" {
		literal.WriteGrams(t, *count)
		return
	}
	src := literal.BuiltinSource(t, rules.Literals(), *anew)
	if *generate {
		if err := os.WriteFile(name, src, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	have, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(have, src) {
		t.Errorf("%s is not what the tables say: run go generate ./redact", name)
	}
}
