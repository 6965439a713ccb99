package wrap

import (
	"os"
	"path/filepath"
	"testing"
)

// A pipe shows how many bytes wait in it, and whether somebody can still write.
func TestLookAtPipe(t *testing.T) {
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	defer writer.Close()
	check := func(what string, want pipeState) {
		t.Helper()
		if got, ok := lookAtPipe(reader); !ok || got != want {
			t.Errorf("%s: got %+v, %v, want %+v", what, got, ok, want)
		}
	}
	check("empty", pipeState{})
	if _, err := writer.WriteString("abc"); err != nil {
		t.Fatal(err)
	}
	check("three bytes", pipeState{queued: 3})
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	check("ended", pipeState{queued: 3, ended: true})
	if err := reader.Close(); err != nil {
		t.Fatal(err)
	}
	if got, ok := lookAtPipe(reader); ok {
		t.Errorf("closed: got %+v", got)
	}
	dir, err := os.Open(filepath.Dir(os.DevNull))
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	if got, ok := lookAtPipe(dir); ok {
		t.Errorf("a directory: got %+v", got)
	}
}
