package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/redact"
)

func TestTool(t *testing.T) {
	root := os.Getenv("TREE")
	if root == "" {
		t.Skip()
	}
	ext := os.Getenv("EXT")
	r := redact.New(redact.Options{})
	total, spans := 0, 0
	_ = filepath.Walk(root, func(p string, fi os.FileInfo, err error) error {
		if err != nil || fi.IsDir() || ext != "" && !strings.HasSuffix(p, ext) {
			return nil
		}
		b, err := os.ReadFile(p)
		if err != nil {
			return nil
		}
		total += len(b)
		out, c := r.Bytes(b)
		if len(c) == 0 {
			return nil
		}
		for _, n := range c {
			spans += n
		}
		in, ou := bytes.Split(b, []byte("\n")), bytes.Split(out, []byte("\n"))
		j := 0
		for i := 0; i < len(in) && j < len(ou); i++ {
			if !bytes.Equal(in[i], ou[j]) {
				l := in[i]
				k := 0
				for k < len(l) && k < len(ou[j]) && l[k] == ou[j][k] {
					k++
				}
				a := max(0, k-60)
				e := min(len(l), k+80)
				fmt.Printf("%s:%d: %q\n", strings.TrimPrefix(p, root), i+1, l[a:e])
				if len(in) != len(ou) { // resync
					for n := 1; n < 60 && i+n < len(in); n++ {
						if j+1 < len(ou) && bytes.Equal(in[i+n], ou[j+1]) && len(in[i+n]) > 3 {
							i += n - 1
							break
						}
					}
				}
			}
			j++
		}
		return nil
	})
	fmt.Printf("TOTAL %.1f MB, %d spans, %.2f/MB\n", float64(total)/1e6, spans, float64(spans)/(float64(total)/1e6))
}
