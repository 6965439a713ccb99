//go:build unix

package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// entries is a cache of which a test sees and changes what is kept.
type entries struct {
	mu      sync.Mutex
	objects map[string][]byte
	asked   []string
}

func (e *entries) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.asked = append(e.asked, r.Method+" "+r.URL.Path)
	switch text, ok := e.objects[r.URL.Path]; {
	case r.Method == http.MethodPut:
		text := make([]byte, r.ContentLength)
		for n := 0; n < len(text); {
			got, err := r.Body.Read(text[n:])
			if n += got; err != nil && n < len(text) {
				return
			}
		}
		e.objects[r.URL.Path] = text
	case !ok:
		http.NotFound(w, r)
	default:
		_, _ = w.Write(text)
	}
}

// the returns the one remembered run that the cache has.
func (e *entries) the(t *testing.T) (path string, text []byte) {
	t.Helper()
	e.mu.Lock()
	defer e.mu.Unlock()
	for name, object := range e.objects {
		if strings.Contains(name, "/ac/") && !strings.HasPrefix(string(object), "envwrap-shared-lease ") {
			if path != "" {
				t.Fatal("there are two entries")
			}
			path, text = name, object
		}
	}
	if path == "" {
		t.Fatal("nothing was shared")
	}
	return path, text
}

func (e *entries) set(path string, text []byte) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.objects[path] = text
}

// requests returns what was asked since the last call.
func (e *entries) requests() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	asked := e.asked
	e.asked = nil
	return asked
}

// builder is a machine with a workspace of its own that shares remembered runs. All
// have the same PATH, as machines of one image do.
func builder(t *testing.T, bin, url string, trusted ...string) (m *machine, public string) {
	t.Helper()
	m = newMachine(t, "")
	for i, e := range m.env {
		if strings.HasPrefix(e, "PATH=") {
			m.env[i] = "PATH=" + bin + ":/usr/bin:/bin"
		}
	}
	out := m.run(0, "cache", "keygen")
	key, rest, _ := strings.Cut(out, "\n")
	public = strings.Split(rest, `"`)[1]
	for i := range trusted {
		trusted[i] = `"` + trusted[i] + `"`
	}
	config := key + "\ntrusted-keys = [" + strings.Join(trusted, ",") + "]\ncache-remote = true\n[remote]\nurl = \"" + url + "\"\n"
	if err := os.WriteFile(filepath.Join(m.bin, ".config", "envwrap", "config.toml"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(m.dir, ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(m.dir, "input"), []byte("same"), 0o600); err != nil {
		t.Fatal(err)
	}
	return m, public
}

// build is a run that leaves a mark where it was really made.
func (m *machine) build(args ...string) (out string, ran bool) {
	m.t.Helper()
	mark := filepath.Join(m.dir, "ran")
	_ = os.Remove(mark)
	args = append(args, "--cache", "1h", "--cache-input", "input", "--stdin", "null", "--", "sh", "-c", "cat input; : >ran")
	out = m.run(0, args...)
	_, err := os.Stat(mark)
	return out, err == nil
}

// A run that one machine made is answered on another, by one request; its large
// output comes with it.
func TestSharedCache(t *testing.T) {
	t.Parallel()
	bin, _ := programs(t)
	server := &entries{objects: map[string][]byte{}}
	s := httptest.NewServer(server)
	defer s.Close()
	one, key := builder(t, bin, s.URL)
	two, _ := builder(t, bin, s.URL, key)
	if out, ran := one.build(); !ran || strings.Contains(out, "warnings") {
		t.Fatalf("the first: ran %v, %s", ran, out)
	}
	server.requests()
	out, ran := two.build()
	if ran || !strings.Contains(out, `"source":"cache"`) || !strings.Contains(out, `"text":"same"`) {
		t.Errorf("the second: ran %v, %s", ran, out)
	}
	if asked := server.requests(); len(asked) != 1 {
		t.Errorf("a hit asked %q", asked)
	}
	if out, ran := two.build(); ran || len(server.requests()) > 0 {
		t.Errorf("the second again: ran %v, %s", ran, out)
	}
	if err := os.WriteFile(filepath.Join(two.dir, "input"), []byte("other"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, ran := two.build(); !ran {
		t.Error("another input is the same run")
	}
	three, _ := builder(t, bin, s.URL, key)
	out = three.run(0, "cache", "explain", "--cache", "1h", "--cache-input", "input", "--stdin", "null", "--", "sh", "-c", "cat input; : >ran")
	if !strings.Contains(out, "remote: its entry is good") {
		t.Errorf("explain: %s", out)
	}
}

// A key that was revoked is not believed any more, whatever trusts it: neither what comes
// from the remote nor what was taken before, nor is anything signed with it.
func TestRevokedKey(t *testing.T) {
	t.Parallel()
	bin, _ := programs(t)
	s := httptest.NewServer(&entries{objects: map[string][]byte{}})
	defer s.Close()
	one, key := builder(t, bin, s.URL)
	one.build()
	two, _ := builder(t, bin, s.URL, key)
	three, other := builder(t, bin, s.URL, key)
	if out, ran := two.build(); ran || !strings.Contains(out, `"source":"cache"`) {
		t.Fatalf("before: ran %v, %s", ran, out)
	}
	if _, ran := two.build("--revoked-keys", other); ran {
		t.Error("another key was revoked, and the run was made again")
	}
	out, ran := three.build("--revoked-keys", key)
	if !ran || !strings.Contains(out, "remote cache: the entry of this run was not used: its key "+key+" is among revoked-keys") {
		t.Errorf("what the remote has: ran %v, %s", ran, out)
	}
	if out, ran := two.build("--revoked-keys", key); !ran {
		t.Errorf("what was taken before: %s", out)
	}
	if out := one.run(125, "--cache", "1h", "--revoked-keys", key, "--", "true"); !strings.Contains(out, "EARG") || !strings.Contains(out, "envwrap cache keygen FILE") {
		t.Errorf("signing with it: %s", out)
	}
}

// An entry that is forged, expired, for another call or signed by a foreign key is a miss,
// and a warning says why.
func TestSharedCacheIsNotBelieved(t *testing.T) {
	t.Parallel()
	bin, _ := programs(t)
	server := &entries{objects: map[string][]byte{}}
	s := httptest.NewServer(server)
	defer s.Close()
	one, key := builder(t, bin, s.URL)
	one.build()
	path, good := server.the(t)
	short, shortKey := builder(t, bin, s.URL)
	short.run(0, "--cache", "1ms", "--cache-input", "input", "--stdin", "null", "--", "sh", "-c", "cat input; : >ran")
	_, old := server.the(t)
	for name, c := range map[string]struct {
		text    []byte
		trusted string
		want    string
	}{
		"forged":   {[]byte(strings.Replace(string(good), "same", "fake", 1)), key, "its signature is invalid"},
		"cut":      {good[:len(good)-1], key, "its signature is invalid"},
		"foreign":  {good, shortKey, "not among trusted-keys"},
		"expired":  {old, shortKey, "it has expired"},
		"no entry": {[]byte("an ActionResult"), key, "the remote's entry is not signed"},
		"endless":  {make([]byte, 10<<20), key, "EOUTPUT_TOO_LARGE"},
	} {
		server.set(path, c.text)
		m, _ := builder(t, bin, s.URL, c.trusted)
		if name == "forged" || name == "foreign" { // of the others it says the same as the run
			args := []string{"cache", "explain", "--cache", "1h", "--cache-input", "input", "--stdin", "null", "--", "sh", "-c", "cat input; : >ran"}
			if out := m.run(0, args...); !strings.Contains(out, c.want) {
				t.Errorf("%s: explain: %s", name, out)
			}
		}
		out, ran := m.build()
		if !ran || !strings.Contains(out, c.want) {
			t.Errorf("%s: ran %v, %s", name, ran, out)
		}
	}
	// The good entry of one call, under the key of another.
	m, _ := builder(t, bin, s.URL, key)
	if err := os.WriteFile(filepath.Join(m.dir, "input"), []byte("more"), 0o600); err != nil {
		t.Fatal(err)
	}
	server.requests()
	m.build()
	asked := server.requests()
	server.set(strings.TrimPrefix(asked[0], "GET "), good)
	again, _ := builder(t, bin, s.URL, key)
	if err := os.WriteFile(filepath.Join(again.dir, "input"), []byte("more"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, ran := again.build(); !ran || !strings.Contains(out, "signed for another call") {
		t.Errorf("replayed: ran %v, %s", ran, out)
	}
}
