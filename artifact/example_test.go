package artifact_test

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/envwrap/envwrap/artifact"
)

// Store a stream, and read it back by the beginning of its digest. What is given
// to the store is stored as it is; mask it first.
func ExampleOpenFirst() {
	dir, err := os.MkdirTemp("", "example-")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	digest, err := keep(dir, strings.NewReader("foo\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := artifact.OpenRead(artifact.Options{Dir: dir})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	object, err := s.Get(digest[:len("sha256:")+8])
	if err != nil {
		fmt.Println(err)
		return
	}
	defer object.Close()
	text, err := io.ReadAll(object)
	fmt.Printf("%s %q %v\n", object.Digest(), text, err)
	// Output: sha256:b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c "foo\n" <nil>
}

func keep(dir string, r io.Reader) (digest string, err error) {
	s, warning, err := artifact.OpenFirst(artifact.Options{}, dir, artifact.FallbackDir(os.TempDir()))
	if err != nil {
		return "", err
	}
	defer s.Close()
	if warning != "" { // it is the second place
		fmt.Fprintln(os.Stderr, warning)
	}
	p, err := s.Create()
	if err != nil {
		return "", err
	}
	defer p.Discard() // does nothing after Commit
	if _, err := io.Copy(p, r); err != nil {
		return "", err
	}
	return p.Commit(artifact.Info{Kind: "text/plain", Command: "exec/make"})
}
