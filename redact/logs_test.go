package redact_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/envwrap/envwrap/redact"
)

// realLogs are the logs of testdata/logs, by name.
func realLogs(t testing.TB) map[string][]byte {
	t.Helper()
	files, err := filepath.Glob("testdata/logs/*.txt.gz")
	if err != nil || len(files) < 3 {
		t.Fatalf("%d logs, %v", len(files), err)
	}
	out := map[string][]byte{}
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		z, err := gzip.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		out[filepath.Base(name)] = text
	}
	return out
}

// The output of real tools comes out as it went in, alone and as JSON.
func TestRealLogs(t *testing.T) {
	r := redact.New(redact.Options{})
	for name, text := range realLogs(t) {
		for l := range bytes.SplitSeq(text, []byte("\n")) {
			got, counts := r.Bytes(l)
			if !bytes.Equal(got, l) {
				t.Errorf("%s: %q became %q (%v)", name, l, got, counts)
			}
		}
		if got, counts := r.Bytes(text); !bytes.Equal(got, text) {
			t.Errorf("%s: as a whole it is masked: %v", name, counts)
		}
		if _, counts := r.Bytes(quoted(t, text)); len(counts) > 0 {
			t.Errorf("%s: as JSON it is masked: %v", name, counts)
		}
	}
}

// quoted is each line of text as the member of an object.
func quoted(t testing.TB, text []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	for l := range bytes.Lines(text) {
		if err := e.Encode(map[string]string{"log": string(l)}); err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}

// BenchmarkRealLogs counts what is masked of real logs, in spans/MB.
func BenchmarkRealLogs(b *testing.B) {
	for name, text := range realLogs(b) {
		b.Run(name, func(b *testing.B) { benchmark(b, redact.New(redact.Options{}), text) })
	}
}
