package envelope

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/envwrap/envwrap/internal/shared/jsontext"
)

// An inputVector is a whole input and what a checker must say of it. The file
// testdata/vectors/inputs.jsonl has one a line.
type inputVector struct {
	Name      string            `json:"name"`
	From      string            `json:"from,omitempty"` // the input without the fault
	Strict    bool              `json:"strict,omitempty"`
	Secrets   []string          `json:"secrets,omitempty"`   // what must not stand in the clear
	Artifacts map[string]string `json:"artifacts,omitempty"` // those of the store, by digest: whole or corrupt
	Text      string            `json:"text"`
	Documents int               `json:"documents"`
	Faults    []inputFault      `json:"faults,omitempty"`
}

// options has the circumstances that the vector names.
func (v *inputVector) options() ValidateOptions {
	return ValidateOptions{
		Strict: v.Strict,
		Mask: func(doc []byte) []byte {
			for _, secret := range v.Secrets {
				doc = bytes.ReplaceAll(doc, []byte(secret), []byte("***"))
			}
			return doc
		},
		Artifact: func(digest string) ArtifactState {
			switch v.Artifacts[digest] {
			case "whole":
				return ArtifactWhole
			case "corrupt":
				return ArtifactCorrupt
			}
			return ArtifactMissing
		},
	}
}

type inputFault struct {
	Line    int    `json:"line,omitempty"` // 0 is the input as a whole
	In      string `json:"in,omitempty"`
	Pointer string `json:"pointer"`
	Rule    string `json:"rule"`
}

func readInputs(t testing.TB) []inputVector {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "testdata", "vectors", "inputs.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var list []inputVector
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var v inputVector
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		list = append(list, v)
	}
	if len(list) == 0 || lines.Err() != nil {
		t.Fatalf("%d inputs, %v", len(list), lines.Err())
	}
	return list
}

// checkInput checks an input as the command line does.
func checkInput(t testing.TB, r io.Reader, o ValidateOptions) (documents int, faults []inputFault) {
	t.Helper()
	c := Checker{Options: o}
	for doc, err := range Documents(r) {
		if err != nil {
			t.Fatal(err)
		}
		documents++
		for _, f := range c.Check(doc.Text).Faults {
			faults = append(faults, inputFault{doc.Line, doc.In, f.Pointer, f.Rule})
		}
	}
	for _, f := range c.End() {
		faults = append(faults, inputFault{Pointer: f.Pointer, Rule: f.Rule})
	}
	return documents, faults
}

// checkAll is checkInput for many documents at a time.
func checkAll(t testing.TB, r io.Reader) (documents int, faults []inputFault) {
	t.Helper()
	var c Checker
	err := c.CheckAll(r, 3, func(doc Document, checked Checked) {
		documents++
		for _, f := range checked.Faults {
			faults = append(faults, inputFault{doc.Line, doc.In, f.Pointer, f.Rule})
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range c.End() {
		faults = append(faults, inputFault{Pointer: f.Pointer, Rule: f.Rule})
	}
	return documents, faults
}

// Many at a time say the same as one after the other, in the same order.
func TestCheckAll(t *testing.T) {
	var long strings.Builder
	for i := range 3000 {
		doc := plainProtocol
		if i%7 == 3 {
			doc = strings.Replace(doc, `"ok"`, `"OK"`, 1)
		}
		if i%11 == 5 {
			doc = asProgress(doc)
		}
		long.WriteString(doc + "\n")
	}
	texts := []string{long.String()}
	for _, v := range readInputs(t) {
		texts = append(texts, v.Text)
	}
	for _, text := range texts {
		n, want := checkInput(t, strings.NewReader(text), ValidateOptions{})
		got, faults := checkAll(t, strings.NewReader(text))
		if got != n || fmt.Sprint(faults) != fmt.Sprint(want) {
			t.Errorf("%.60q: %d documents, %d faults; want %d, %d", text, got, len(faults), n, len(want))
		}
	}
	broken := errors.New("the disk is gone")
	seen := 0
	err := new(Checker).CheckAll(io.MultiReader(strings.NewReader(plainProtocol+"\n"), iotest.ErrReader(broken)), 2, func(Document, Checked) { seen++ })
	if !errors.Is(err, broken) || seen != 1 {
		t.Errorf("%v after %d documents", err, seen)
	}
}

func TestInputs(t *testing.T) {
	for _, v := range readInputs(t) {
		for name, r := range map[string]io.Reader{"whole": strings.NewReader(v.Text), "bytewise": iotest.OneByteReader(strings.NewReader(v.Text))} {
			n, faults := checkInput(t, r, v.options())
			if n != v.Documents || fmt.Sprint(faults) != fmt.Sprint(v.Faults) {
				t.Errorf("%s, %s: %d documents, %v; want %d, %v", v.Name, name, n, faults, v.Documents, v.Faults)
			}
		}
	}
}

// A log of envelopes may be of any length.
func TestMemoryIsFlat(t *testing.T) {
	line := strings.TrimSpace(plainProtocol) + "\n"
	const n = 20_000
	in := io.LimitReader(&repeat{text: line}, int64(n*len(line)))
	var before, after runtime.MemStats
	c := Checker{}
	documents := 0
	for doc, err := range Documents(in) {
		if err != nil {
			t.Fatal(err)
		}
		if documents++; documents == 1000 {
			runtime.GC()
			runtime.ReadMemStats(&before)
		}
		if checked := c.Check(doc.Text); checked.Faults != nil {
			t.Fatal(checked.Faults)
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if documents != n || int64(after.HeapAlloc)-int64(before.HeapAlloc) > 4<<20 {
		t.Errorf("%d documents; the heap grew from %d to %d bytes", documents, before.HeapAlloc, after.HeapAlloc)
	}
}

// repeat reads as text over and over.
type repeat struct {
	text string
	at   int
}

func (r *repeat) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		c := copy(p[n:], r.text[r.at:])
		n += c
		r.at = (r.at + c) % len(r.text)
	}
	return n, nil
}

func TestDocumentsEndWithTheReadersError(t *testing.T) {
	broken := errors.New("the disk is gone")
	for _, text := range []string{"", plainProtocol + "\n", "{\n", plainProtocol[:50]} {
		var last error
		for _, err := range Documents(io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken))) {
			last = err
		}
		if !errors.Is(last, broken) {
			t.Errorf("%.20q: %v", text, last)
		}
	}
}

// --strict also checks for secrets and missing artifacts.
func TestStrictLooksAtSecretsAndArtifacts(t *testing.T) {
	const secret = "hunter2-and-more"
	mask := func(doc []byte) []byte { return bytes.ReplaceAll(doc, []byte(secret), []byte("***")) }
	state := func(id string) ArtifactState {
		switch id {
		case digestA:
			return ArtifactMissing
		case digestB:
			return ArtifactCorrupt
		}
		return ArtifactWhole
	}
	strict := ValidateOptions{Strict: true, Mask: mask, Artifact: state}
	spilled := newRun(1, "", "", "make").failed(Failure, ERUNTIME, "make said "+secret, "h", ByStatus)
	spilled.Stdout, spilled.Stderr = inStore("password "+secret+"\n", digestA), inStore("x\n", digestB)
	whole := newRun(0, "ok\n", "", "make")
	whole.CacheKey = digestA // no artifact
	for _, d := range Dialects() {
		doc, err := Encode(d, spilled, EncodeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		found := map[string]int{}
		for _, f := range Validate(d, doc, strict) {
			found[f.Rule]++
			if strings.Contains(f.String(), secret) {
				t.Errorf("%s: the secret is told: %s", d.Name(), f)
			}
		}
		if found["secret/clear"] == 0 || found["artifact/missing"] == 0 || found["artifact/corrupt"] == 0 {
			t.Errorf("%s: %v\n%s", d.Name(), found, doc)
		}
		if faults := Validate(d, doc, ValidateOptions{}); faults != nil {
			t.Errorf("%s, not strict: %v", d.Name(), faults)
		}
		doc, err = Encode(d, whole, EncodeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if faults := Validate(d, doc, strict); faults != nil {
			t.Errorf("%s: %v\n%s", d.Name(), faults, doc)
		}
	}
}

// Digests that a command printed are no artifacts of ours.
func TestStrictLeavesOutputAlone(t *testing.T) {
	strict := ValidateOptions{Strict: true, Artifact: func(string) ArtifactState { return ArtifactMissing }}
	run := newRun(0, "", "", "docker", "inspect", "x")
	run.Stdout = Stream{JSON: []byte(`[{"Id":"` + digestA + `","artifact":"` + digestA + `"}]`), Bytes: 90, Lines: 1}
	for _, d := range []Dialect{&protocolV1, &foxctlV1} {
		doc, err := Encode(d, run, EncodeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if faults := Validate(d, doc, strict); faults != nil {
			t.Errorf("%s: %v\n%s", d.Name(), faults, doc)
		}
	}
}

// A document of many levels is read once, whatever is looked for in it.
func TestStrictReadsDeepDocuments(t *testing.T) {
	deep := `{"version":1,"status":"ok","command":"a/b","data":{"a":` + strings.Repeat("[", 900) + `"` + digestA + `"` + strings.Repeat(",1", 200_000) +
		strings.Repeat("]", 900) + `},"meta":{"ts":"2026-01-01T00:00:00Z","duration_ms":1},"error":{"code":null,"message":null}}`
	looked := 0
	jsontext.Strings([]byte(deep), documentDepth, func(*jsontext.Reader, []byte) { looked++ })
	if looked != 4 {
		t.Errorf("%d texts, want 4", looked)
	}
	faults := Validate(&protocolV1, []byte(deep), ValidateOptions{Strict: true, Artifact: func(string) ArtifactState { return ArtifactMissing }})
	if len(faults) != 1 || faults[0].Rule != "protocol/inline-size" {
		t.Errorf("%v", faults)
	}
}

// BenchmarkCheck checks a log of 100,000 envelopes of commands, as NDJSON, and
// a part of it with a general validator and the JSON Schema, which finds less.
func BenchmarkCheck(b *testing.B) {
	small := newRun(0, "git version 2.39.5\n", "", "git", "--version")
	failed := newRun(2, "", "ls: cannot access '/x': No such file or directory\n", "ls", "/x").failed(Failure, ERUNTIME, "ls failed", "Look at stderr.", ByStatus)
	for _, log := range []struct {
		name string
		runs []*Result
	}{
		{"small", []*Result{small}},
		{"mixed", []*Result{small, failed, newRun(0, lines(40), "", "go", "test", "./..."), newRun(0, lines(400), "x\n", "make")}},
	} {
		var docs []byte
		for _, r := range log.runs {
			doc, err := Encode(&protocolV1, r, EncodeOptions{})
			if err != nil {
				b.Fatal(err)
			}
			docs = append(docs, doc...)
		}
		b.Run(log.name+"/envwrap", func(b *testing.B) {
			times := 100_000 / len(log.runs)
			b.SetBytes(int64(times * len(docs)))
			b.ReportAllocs()
			for b.Loop() {
				in := io.LimitReader(&repeat{text: string(docs)}, int64(times*len(docs)))
				n, c := 0, Checker{}
				err := c.CheckAll(in, runtime.GOMAXPROCS(0), func(_ Document, checked Checked) {
					if n++; checked.Faults != nil {
						b.Fatal(checked.Faults)
					}
				})
				if err != nil || n != 100_000 {
					b.Fatal(n, err)
				}
			}
		})
		b.Run(log.name+"/schema", func(b *testing.B) {
			schema := compiled(b, &protocolV1)
			b.SetBytes(int64(len(docs)))
			b.ReportAllocs()
			for b.Loop() {
				for doc := range bytes.Lines(docs) {
					if err := fitsSchema(b, schema, &protocolV1, doc); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}

// Of one document, 100 repeated names are reported, and one fault says that the rest was not
// read.
func TestManyFaults(t *testing.T) {
	for names, want := range map[int]int{100: 99, 101: 100, 102: 101, 10_000: 101} {
		doc := `{"version":1,"status":"ok","command":"a/b","data":{` + strings.Repeat(`"k":1,`, names-1) + `"k":1},"meta":{"ts":"2026-01-01T00:00:00Z","duration_ms":1},"error":{"code":null,"message":null}}`
		faults := new(Checker).Check([]byte(doc)).Faults
		if len(faults) != want {
			t.Errorf("%d names: %d faults, want %d", names, len(faults), want)
			continue
		}
		if last := faults[len(faults)-1].Text; strings.Contains(last, "the rest of the document was not read") != (names > 101) {
			t.Errorf("%d names: the last fault is %q", names, last)
		}
	}
}

// BenchmarkHostile checks documents that take the most time for their size.
func BenchmarkHostile(b *testing.B) {
	for name, text := range map[string]string{
		"repeated names":          `{"version":1,"status":"ok","command":"a/b","data":{` + strings.Repeat(`"k":1,`, 200_000) + `"a":1}}`,
		"repeated names in lines": strings.Repeat(`{"version":1,"status":"ok","command":"a/b","data":{`+strings.Repeat(`"k":1,`, 2000)+`"a":1}}`+"\n", 100),
		"in short lines":          strings.Repeat(`{"version":1,"status":"ok","command":"a/b","data":{`+strings.Repeat(`"k":1,`, 200)+`"a":1},"meta":{},"error":{}}`+"\n", 800),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				n, c := 0, Checker{}
				err := c.CheckAll(strings.NewReader(text), runtime.GOMAXPROCS(0), func(_ Document, checked Checked) { n += len(checked.Faults) })
				if err != nil || n < 100 {
					b.Fatal(n, err)
				}
			}
		})
	}
}

// Identify reads unchecked output: an escape that is cut short in a name must not make it
// panic.
func TestIdentifyBrokenEscapes(t *testing.T) {
	for _, doc := range []string{`{"\u12":1}`, `{"\u":1}`, `{"\u12`, `{"\`, `{"\":1}`, `{"\uD83D\u1":1}`, `{"status\uD83":"ok"}`} {
		if d, ok := Identify([]byte(doc)); ok {
			t.Errorf("%s is taken for %s", doc, d.Name())
		}
		if checked := new(Checker).Check([]byte(doc)); checked.Faults == nil {
			t.Errorf("%s has no faults", doc)
		}
	}
}
