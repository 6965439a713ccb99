//go:build unix

package main

import (
	"errors"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/internal/app/remote"
	"github.com/envwrap/envwrap/internal/app/remoteconfig"
	"github.com/envwrap/envwrap/internal/test/testenv"
)

// cacheServer is a Bazel cache in memory.
func cacheServer(t *testing.T) (url string, requests func() int) {
	t.Helper()
	var mu sync.Mutex
	objects, asked := map[string]string{}, 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		mu.Lock()
		defer mu.Unlock()
		asked++
		found, ok := objects[r.URL.Path]
		switch {
		case r.Method == http.MethodPut:
			objects[r.URL.Path] = string(text)
		case !ok:
			http.NotFound(w, r)
		default:
			_, _ = io.WriteString(w, found)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL + "/team", func() int {
		mu.Lock()
		defer mu.Unlock()
		return asked
	}
}

// A machine is a user's home of a test.
type machine struct {
	t        *testing.T
	dir, bin string
	env      []string
}

func newMachine(t *testing.T, config string) *machine {
	t.Helper()
	bin, env := programs(t)
	path := filepath.Join(bin, ".config", "envwrap", "config.toml")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	return &machine{t, testenv.TempDir(t), bin, env}
}

// run runs envwrap, which has to end with a status, and returns what it printed.
func (m *machine) run(status int, args ...string) string {
	m.t.Helper()
	cmd := exec.Command(filepath.Join(m.bin, "envwrap"), args...)
	cmd.Env, cmd.Dir = m.env, m.dir
	out, err := cmd.CombinedOutput()
	if got := cmd.ProcessState.ExitCode(); got != status {
		m.t.Errorf("%q: got %d, %v: %s", args, got, err, out)
	}
	return string(out)
}

// store makes an artifact and returns its digest.
func (m *machine) store(text string) string {
	m.t.Helper()
	out := m.run(0, "--inline-limit", "0", "--", "printf", text)
	_, digest, _ := strings.Cut(out, `"artifact":"`)
	digest, _, _ = strings.Cut(digest, `"`)
	return digest
}

// A machine reads and keeps what another pushed, once it has the remote.
func TestShare(t *testing.T) {
	t.Parallel()
	url, requests := cacheServer(t)
	config := "[remote]\nurl = \"" + url + "\"\n"
	one, two := newMachine(t, config), newMachine(t, config)
	digest := one.store("to be shared")
	if out := one.run(0, "artifact", "push", "last"); !strings.Contains(out, digest) || !strings.Contains(out, "sent") || strings.Count(out, "\n") != 1 {
		t.Errorf("push: %s", out)
	}
	two.run(1, "artifact", "cat", "--offline", digest)
	two.run(1, "artifact", "cat", digest[:20])
	for range 2 {
		before := requests()
		if out := two.run(0, "artifact", "cat", digest); out != "to be shared" {
			t.Errorf("cat: %s", out)
		}
		if n := requests() - before; n > 1 {
			t.Errorf("%d requests", n)
		}
		two.run(0, "artifact", "cat", "--offline", digest)
	}
	digests := map[string]string{}
	for _, verb := range []string{"head", "tail", "grep", "query", "show", "stat", "path", "export"} {
		digests[verb] = one.store(`"for ` + verb + `"`)
	}
	one.run(0, append([]string{"artifact", "push"}, slices.Collect(maps.Values(digests))...)...)
	for verb, digest := range digests {
		args := []string{"artifact", verb, digest}
		if verb == "grep" || verb == "query" {
			args = slices.Insert(args, 2, ".")
		}
		two.run(1, append(args, "--offline")...)
		if out := two.run(0, args...); !strings.Contains(out, "for "+verb) && !strings.Contains(out, digest[7:]) {
			t.Errorf("%s: %s", verb, out)
		}
	}
	missing := "sha256:" + strings.Repeat("0", 64)
	if out := two.run(1, "artifact", "pull", "--json", missing); !strings.HasPrefix(out, `{"artifacts":[{`) || strings.Count(out, "\n") != 1 {
		t.Errorf("pull: %s", out)
	}
	two.run(2, "artifact", "pull", digest[:20])
	if out := two.run(0, "remote", "check"); !strings.HasPrefix(out, "ok  ") || strings.Contains(out, "{") {
		t.Errorf("check: %s", out)
	}
	if out := two.run(0, "remote", "ls"); out != url+"\n" {
		t.Errorf("remote ls: %s", out)
	}
}

// A run and a job push what their envelopes name, and a remote that is gone costs
// them a warning.
func TestPushOption(t *testing.T) {
	url, requests := cacheServer(t)
	m, other := newMachine(t, "push = true\n[remote]\nurl = \""+url+"\"\n"), newMachine(t, "[remote]\nurl = \""+url+"\"\n")
	digest := m.store("from a run")
	if out := other.run(0, "artifact", "cat", digest); out != "from a run" {
		t.Errorf("got %s", out)
	}
	before := requests()
	_, id, _ := strings.Cut(m.run(0, "job", "submit", "--", "printf", "from a job"), `"job_id":"`)
	id, _, _ = strings.Cut(id, `"`)
	m.run(0, "job", "wait", id)
	if n := requests() - before; n != 2 {
		t.Errorf("a job made %d requests", n)
	}
	out := m.run(125, "--remote", "s3:///", "--inline-limit", "0", "--emit", "always", "--", "printf", "nowhere")
	if !strings.Contains(out, "EARG") {
		t.Errorf("got %s", out)
	}
}

// queueOf returns a remote, the directory of a queue that shares no files, and a configuration
// with the remote and the queue as runner far.
func queueOf(t *testing.T) (url, queue, config string) {
	t.Helper()
	url, _ = cacheServer(t)
	queue = t.TempDir()
	const script = `#!/bin/sh
cd "${0%/*}" || exit
case $1 in
submit) cat >"$2.sh"; PATH=/usr/bin:/bin setsid sh "$2.sh" >"$3" </dev/null & echo $! >"$2.id"; [ -e mute ] || echo $! ;;
status) if kill -0 "$2"; then echo running; else echo success; fi ;;
cancel) kill -TERM "$2" ;;
find) [ -e forgets ] || cat "$2.id" ;;
logs) [ -e forgets ] || cat "$2" ;;
esac 2>/dev/null
exit 0
`
	if err := testenv.WriteProgram(filepath.Join(queue, "queue"), script); err != nil {
		t.Fatal(err)
	}
	config = "[remote]\nurl = \"" + url + "\"\n[runner.far]\nengine = \"command\"\ncommand = [\"env\", \"--\"]\n"
	for key, words := range map[string]string{"submit": `"{name}", "{out}", "{script}"`, "status": `"{id}"`, "cancel": `"{id}"`, "find": `"{name}"`, "logs": `"{out}"`} {
		config += key + " = [\"" + queue + "/queue\", \"" + key + "\", " + words + "]\n"
	}
	return url, queue, config
}

// A job that an engine holds is found by another machine that has the remote and the runner.
func TestJobOfAnotherMachine(t *testing.T) {
	t.Parallel()
	url, _, config := queueOf(t)
	m, other := newMachine(t, config), newMachine(t, config)
	stranger := newMachine(t, "[remote]\nurl = \""+url+"\"\n")
	m.run(0, "job", "submit", "--push", "--name", "train", "--on", "far", "--cwd", m.dir, "--", "sh", "-c", "echo begun; echo >begun; until [ -e go ]; do sleep .1; done; echo over; exit 5")
	testenv.Await(t, filepath.Join(m.dir, "begun"))
	if out := stranger.run(1, "job", "status", "train"); !strings.Contains(out, `there is no runner \"far\"`) && !strings.Contains(out, `there is no runner "far"`) {
		t.Errorf("a machine without the runner: %s", out)
	}
	if out := other.run(1, "--remote", url+"/else", "job", "status", "train"); !strings.Contains(out, "not found") && !strings.Contains(out, "no such job") {
		t.Errorf("another remote: %s", out)
	}
	if out := other.run(0, "job", "status", "train"); !strings.Contains(out, `"state":"running"`) {
		t.Errorf("state: %s", out)
	}
	if out := other.run(0, "job", "tail", "train"); out != "begun\n" {
		t.Errorf("so far: %q", out)
	}
	if err := os.WriteFile(filepath.Join(m.dir, "go"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, each := range []*machine{other, m} {
		if out := each.run(5, "job", "wait", "train"); !strings.Contains(out, `"text":"begun\nover\n"`) {
			t.Errorf("end: %s", out)
		}
	}
}

// Another machine cancels a job, whose submit has printed no id.
func TestCancelOfAnotherMachine(t *testing.T) {
	t.Parallel()
	_, queue, config := queueOf(t)
	m, other := newMachine(t, config), newMachine(t, config)
	if err := os.WriteFile(filepath.Join(queue, "mute"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, id, _ := strings.Cut(m.run(0, "job", "submit", "--push", "--on", "far", "--cwd", m.dir, "--", "sh", "-c", "echo >slept; exec sleep 300"), `"job_id":"`)
	id, _, _ = strings.Cut(id, `"`)
	testenv.Await(t, filepath.Join(m.dir, "slept"))
	other.run(0, "job", "cancel", id)
	other.run(143, "job", "results", id)
	if out := m.run(143, "job", "wait", id); !strings.Contains(out, `"ECANCELED"`) {
		t.Errorf("the first machine, after the other has canceled it: %s", out)
	}
	// A remote that is down says nothing of a job, and one that is here needs none.
	down := []string{"--remote", "http://127.0.0.1:1/x", "job", "status"}
	if out := other.run(1, append(down, "unknown")...); !strings.Contains(out, `"code":"ERUNTIME"`) || !strings.Contains(out, `"retryable":true`) {
		t.Errorf("the remote is down: %s", out)
	}
	other.run(0, append(down, id)...)
}

// The remote has no result of a job that the engine has forgotten, and the record that it has
// gives no orders.
func TestLostJobOfAnotherMachine(t *testing.T) {
	t.Parallel()
	_, queue, config := queueOf(t)
	config += "[runner.near]\nengine = \"command\"\nsubmit = [\"echo\", \"1\", \"{script}\"]\nstatus = [\"sh\", \"-c\", \"echo queued\", \"{id}\"]\ncancel = [\"true\", \"{id}\"]\n"
	m, other := newMachine(t, config), newMachine(t, config)
	m.run(0, "job", "submit", "--push", "--name", "gone", "--on", "far", "--", "true")
	m.run(0, "job", "wait", "gone")
	if err := os.WriteFile(filepath.Join(queue, "forgets"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if out := other.run(125, "job", "results", "gone"); !strings.Contains(out, "known only on the machine that has submitted it") {
		t.Errorf("the engine has forgotten it: %s", out)
	}
	other.run(1, "job", "status", "01ARZ3NDEKTSV4RRFFQ69G5FAV")
	m.run(0, "job", "submit", "--push", "--name", "shared", "--on", "near", "--", "true")
	_, store, _ := strings.Cut(other.run(1, "job", "status", "shared"), "add --store ")
	store, _, _ = strings.Cut(store, "\n")
	other.run(0, "job", "status", "--store", store, "shared")
}

// A group that a cluster holds is found on another machine, too.
func TestGroupOfAnotherMachine(t *testing.T) {
	t.Parallel()
	url, _ := cacheServer(t)
	cluster := filepath.Join(t.TempDir(), "cluster")
	const script = `#!/bin/sh
case "$2 $3 $*" in
create*) cat >/dev/null; echo job.batch/n ;;
get*jsonpath*) for i in 0 1; do echo "$i|p$i|Succeeded|0|2026-11-27T04:53:45Z|"; done ;;
get*) echo '{"items":[{"kind":"Job","metadata":{"name":"n"},"spec":{"completionMode":"Indexed"},"status":{"conditions":[{"type":"Complete","status":"True"}]}}]}' ;;
logs*) echo "of $3" ;;
esac
`
	if err := testenv.WriteProgram(cluster, script); err != nil {
		t.Fatal(err)
	}
	config := "[remote]\nurl = \"" + url + "\"\n[runner.kube]\nengine = \"kubernetes\"\nimage = \"x\"\ncommand = [\"" + cluster + "\"]\n"
	m, other := newMachine(t, config), newMachine(t, config)
	m.run(0, "job", "submit", "--push", "--name", "many", "--array", "7-8", "--on", "kube", "--", "echo", "{}")
	for _, each := range []*machine{other, m} {
		out := each.run(0, "job", "results", "many")
		if first, second, _ := strings.Cut(out, "\n"); !strings.Contains(first, `"argv":["echo","7"]`) || !strings.Contains(second, `"text":"of p1\n"`) {
			t.Errorf("the members: %s", out)
		}
	}
}

// A project's file names no remote, and a URL no credentials.
func TestRemoteSettings(t *testing.T) {
	url, requests := cacheServer(t)
	m := newMachine(t, "")
	for _, text := range []string{"[remote]\nurl = \"" + url + "\"\n", "remote = \"" + url + "\"\n"} {
		if err := os.WriteFile(filepath.Join(m.dir, ".envwrap.toml"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		m.run(0, "config", "trust")
		m.run(1, "artifact", "cat", "sha256:"+strings.Repeat("0", 64))
	}
	if requests() > 0 {
		t.Error("it asked the remote of a project's file")
	}
	out := m.run(2, "remote", "check", "--remote", "https://ada:hunter22@cache.example/x")
	if strings.Contains(out, "hunter22") || !strings.Contains(out, "netrc") {
		t.Errorf("got %s", out)
	}
	m.run(2, "remote", "check")
	if out := m.run(1, "remote", "check", "--remote", "http://127.0.0.1:1/x"); !strings.Contains(out, "\nFAIL reach ") {
		t.Errorf("got %s", out)
	}
	if out := m.run(1, "remote", "check", "--json", "--remote", "http://127.0.0.1:1/x"); !strings.Contains(out, `"ok":false`) {
		t.Errorf("got %s", out)
	}
}

// A verb of remote that does not exist, or with another number of words, asks nothing
// of the remote.
func TestRemoteUsage(t *testing.T) {
	url, requests := cacheServer(t)
	settings := (&remoteconfig.Settings{URL: url}).Encode()
	for _, words := range [][]string{{"get"}, {"get", "a", "b"}, {"put"}, {"put", "a", "b"}, {"bogus"}, {"bogus", "a"}} {
		var usage *usageError
		if err := runRemote(t.Context(), slices.Insert(words, 1, settings)); !errors.As(err, &usage) || requests() > 0 {
			t.Errorf("%q: %v, %d requests", words, err, requests())
		}
	}
}

// A limit of the store holds for all that is put into it: nothing is left of what
// does not fit.
func TestStoreMax(t *testing.T) {
	url, _ := cacheServer(t)
	config := "[remote]\nurl = \"" + url + "\"\n"
	one, two := newMachine(t, config), newMachine(t, "store-max = \"1KiB\"\n"+config)
	digest := one.store(strings.Repeat("much ", 1000))
	one.run(0, "artifact", "push", digest)
	for _, m := range []*machine{one, two} {
		for name, text := range map[string]string{"large": strings.Repeat("more ", 1000), "archive": one.run(0, "artifact", "export", digest)} {
			if err := os.WriteFile(filepath.Join(m.dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, args := range [][]string{{"put", "large"}, {"import", "archive"}, {"pull", digest}, {"cat", digest}} {
		args = append([]string{"artifact"}, args...)
		if out := two.run(1, args...); !strings.Contains(out, "the store is full (--store-max): raise the limit") {
			t.Errorf("%q: %s", args, out)
		}
		if out := two.run(0, "artifact", "du", "--json"); !strings.Contains(out, `"bytes":0,`) || !strings.Contains(out, `"part_bytes":0,`) {
			t.Errorf("%q left %s", args, out)
		}
		one.run(0, append(args, "--store-max", "100KiB")...)
	}
}

// What cannot be opened is an error, even if nothing is to be moved.
func TestTransferWithoutStore(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s := &remoteconfig.Settings{URL: "http://127.0.0.1:1/x", Stores: []string{file}}
	r, err := remote.Open(t.Context(), s, os.Getenv)
	if err != nil {
		t.Fatal(err)
	}
	if push(r, s, nil) == nil || pull(r, s, nil) == nil {
		t.Error("a file is a store")
	}
	a, err := artifact.Open(artifact.Options{Dir: filepath.Join(t.TempDir(), "store"), NoMaintenance: true})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if s.Stores = append(s.Stores, a.Dir()); push(r, s, nil) != nil {
		t.Error("a second store is not used")
	}
}
