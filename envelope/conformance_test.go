package envelope

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/envwrap/envwrap/envelope/internal/wire"
)

// Every case in every dialect agrees with its golden. UPDATE=1 writes the
// goldens anew; read the difference.
func TestGoldens(t *testing.T) {
	dir := filepath.Join("..", "testdata", "envelopes")
	for _, c := range testCases(t) {
		t.Run(c.name, func(t *testing.T) {
			archive := &txtar.Archive{Comment: []byte(c.about + "\n")}
			for _, d := range Dialects() {
				doc, err := Encode(d, c.result, c.opt)
				if err != nil {
					t.Fatal(err)
				}
				name := strings.ReplaceAll(d.Name(), "/", "-")
				archive.Files = append(archive.Files, txtar.File{Name: name, Data: doc})
			}
			compareGolden(t, filepath.Join(dir, c.name+".txtar"), txtar.Format(archive))
		})
	}
}

func compareGolden(t *testing.T, path string, got []byte) {
	t.Helper()
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs; UPDATE=1 writes it anew. Now:\n%s", path, got)
	}
}

// Each dialect writes one value with one final newline in valid UTF-8, which passes the
// dialect's check and, read back, encodes to the same bytes.
func TestConformance(t *testing.T) {
	for _, c := range testCases(t) {
		for _, d := range Dialects() {
			t.Run(c.name+"/"+d.Name(), func(t *testing.T) {
				doc, err := Encode(d, c.result, c.opt)
				if err != nil {
					t.Fatal(err)
				}
				checkDocument(t, d, doc, InlineSize(c.result) <= inlineMost)
				checkStable(t, d, doc, c.opt)
			})
		}
	}
}

func checkDocument(t *testing.T, d Dialect, doc []byte, strict bool) {
	t.Helper()
	if !utf8.Valid(doc) || !bytes.HasSuffix(doc, []byte("\n")) || bytes.HasSuffix(doc, []byte("\n\n")) {
		t.Errorf("not UTF-8 with one final newline:\n%q", doc)
	}
	for _, f := range Validate(d, doc, ValidateOptions{Strict: strict}) {
		t.Errorf("%s\n%s", f, doc)
	}
	if found, ok := Identify(doc); !ok || found != d && d != Dialect(&foxctlV1) {
		t.Errorf("identified as %v, %v\n%s", found, ok, doc)
	}
	if found, ok := Guess(doc); !ok || found != d {
		t.Errorf("guessed to be %v, %v\n%s", found, ok, doc)
	}
}

func checkStable(t *testing.T, d Dialect, doc []byte, o EncodeOptions) {
	t.Helper()
	r, err := Decode(d, doc)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Encode(d, r, o)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(again, doc) {
		t.Errorf("read and written again:\n%s\nfirst:\n%s", again, doc)
	}
}

// An adopted envelope in the dialect it came in is the same envelope, with the
// facts of the run beside its payload.
func TestAdoptionLosesNothing(t *testing.T) {
	for _, c := range append(plainCases(), append(failureCases(), storeCases()...)...) {
		for _, d := range Dialects() {
			t.Run(c.name+"/"+d.Name(), func(t *testing.T) {
				doc, err := Encode(d, c.result, EncodeOptions{Layout: LayoutCompact})
				if err != nil {
					t.Fatal(err)
				}
				status := 0
				if !c.result.Outcome.OK() {
					status = 1
				}
				adopted := mustAdopt(t, d, c.result, status)
				if own := adopted.Exec.Extra; own != nil && !adopted.Nested { // what a helper says of its own run is with the facts of this one
					adopted.Payload = wire.EncodeObject(append(wire.FieldsIn(adopted.Payload), own...))
				}
				adopted.Exec, adopted.Nested = nil, false
				again, err := Encode(d, adopted, EncodeOptions{Layout: LayoutCompact})
				if err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(again, doc) {
					t.Errorf("adopted:\n%s\nprinted:\n%s", again, doc)
				}
			})
		}
	}
}
