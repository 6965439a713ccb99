package remote

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/internal/app/remoteconfig"
)

// An object that is corrupt at the remote and has the right size is replaced by a push with
// verify, or after a pull that failed; if the server keeps it, the error says so.
func TestCorruptIsReplaced(t *testing.T) {
	text := bytes.Repeat([]byte("truth "), 1000)
	key := "/team/cas/" + digestOf(text)[7:]
	keeps := func(_ http.ResponseWriter, r *http.Request, _ []byte) bool { return r.Method == http.MethodPut }
	for scheme, change := range kinds {
		t.Run(scheme, func(t *testing.T) {
			from := storeIn(t, artifact.Options{})
			keep(t, from, text)
			b := &bazel{}
			use := func(verify bool) *Remote {
				r, _ := b.open(t, func(s *remoteconfig.Settings) {
					if change != nil {
						change(s)
					}
					s.Verify, s.Stores, s.Limit = verify, []string{from.Dir()}, 10 // --max-artifact is for pulls
				}, nil)
				r.corrupt.URL = scheme // each server has another port
				return r
			}
			push := func(verify bool, want string) {
				t.Helper()
				if one := use(verify).Push(artifact.Stores{from}, []string{digestOf(text)}, &Meter{})[0]; one.State != want {
					t.Errorf("pushed with verify %v: %+v, want %s", verify, one, want)
				}
			}
			push(false, "sent")
			b.objects[key] = bytes.ToUpper(text)
			push(false, "present")
			push(true, "replaced")
			push(true, "present")
			if !bytes.Equal(b.objects[key], text) {
				t.Error("the remote has not got it")
			}

			b.objects[key] = bytes.ToUpper(text)
			r := use(false)
			r.limit = 1 << 20
			into := storeIn(t, artifact.Options{Fetch: r.Metered(&Meter{})})
			if one := r.Pull(into, []string{digestOf(text)}, &Meter{})[0]; one.Err == nil {
				t.Errorf("the corrupt object was pulled: %+v", one)
			}
			push(false, "replaced")
			push(false, "present")

			b.objects[key], b.lie = bytes.ToUpper(text), keeps
			one := use(true).Push(artifact.Stores{from}, []string{digestOf(text)}, &Meter{})[0]
			if one.Err == nil || !strings.Contains(one.Error, "remove that object on the server") {
				t.Errorf("the server kept it: %+v", one)
			}
		})
	}
}

// A pull replaces an artifact that is corrupt here.
func TestPullReplacesCorrupt(t *testing.T) {
	text := bytes.Repeat([]byte("truth "), 1000)
	b := &bazel{objects: map[string][]byte{"/team/cas/" + digestOf(text)[7:]: text}}
	r, _ := b.open(t, nil, nil)
	into := storeIn(t, artifact.Options{Fetch: r})
	keep(t, into, text)
	path, err := into.Path(digestOf(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Clean(path), strings.ToUpper(string(text)))
	for _, want := range []string{"replaced", "present"} {
		if one := r.Pull(into, []string{digestOf(text)}, &Meter{})[0]; one.Err != nil || one.State != want {
			t.Errorf("pulled: %+v, want %s", one, want)
		}
	}
}
