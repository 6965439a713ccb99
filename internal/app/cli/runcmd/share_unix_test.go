//go:build unix

package runcmd

import (
	"crypto/ed25519"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/internal/app/cache"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/clitest"
	"github.com/envwrap/envwrap/internal/app/cli/farend"
	"github.com/envwrap/envwrap/internal/app/engine"
	"github.com/envwrap/envwrap/internal/shared/hints"
	"github.com/envwrap/envwrap/internal/test/testenv"
	"github.com/envwrap/envwrap/job"
	"github.com/envwrap/envwrap/redact"
	"github.com/envwrap/envwrap/wrap"
)

// A shared run needs a key that could be believed: one's own that nobody else has, or a
// trusted one.
func TestSharedNeedsAKey(t *testing.T) {
	dir := t.TempDir()
	own := ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))
	public := own.Public().(ed25519.PublicKey)
	for name, mode := range map[string]os.FileMode{"own": 0o600, "read": 0o640, "written": 0o666, "bad": 0o600} {
		text := cache.PrivateText(own)
		if name == "bad" {
			text = "x"
		}
		path := filepath.Join(dir, name)
		if err := errors.Join(os.WriteFile(path, []byte(text), 0o600), os.Chmod(path, mode)); err != nil {
			t.Fatal(err)
		}
	}
	const url = "https://example.com/x"
	others := []ed25519.PublicKey{make([]byte, ed25519.PublicKeySize)}
	for name, c := range map[string]struct {
		url      string
		sharing  cacheSharing
		revoked  []ed25519.PublicKey
		trusted  int // how many keys are believed; 0 is that nothing is shared
		signs    bool
		fault    string
		complain bool
	}{
		"not asked for":    {url, cacheSharing{}, nil, 0, false, "", false},
		"no remote":        {"", cacheSharing{remote: true, trusted: others}, nil, 0, false, "--cache-remote: no remote is configured", false},
		"no key":           {url, cacheSharing{remote: true}, nil, 0, false, "no key whose entries could be believed", false},
		"of others":        {url, cacheSharing{remote: true, trusted: others}, nil, 1, false, "", false},
		"own":              {url, cacheSharing{remote: true, key: "own"}, others, 1, true, "", false},
		"own, and others":  {url, cacheSharing{remote: true, key: "own", trusted: others}, nil, 2, true, "", false},
		"revoked":          {url, cacheSharing{remote: true, key: "own"}, []ed25519.PublicKey{others[0], public}, 0, false, "among revoked-keys", false},
		"missing":          {url, cacheSharing{remote: true, key: "none"}, nil, 0, false, `--cache-key "none"`, false},
		"no key in it":     {url, cacheSharing{remote: true, key: "bad"}, nil, 0, false, "no private key", false},
		"read by others":   {url, cacheSharing{remote: true, key: "read"}, nil, 0, false, "chmod 600", false},
		"of anybody":       {url, cacheSharing{remote: true, key: "written"}, nil, 0, false, "", true},
		"of anybody, more": {url, cacheSharing{remote: true, key: "written", trusted: others}, nil, 1, false, "", true},
	} {
		env := clitest.EnvIn(t, dir)
		r := &Runner{Env: env, O: DefaultRunOptions()}
		r.O.remote.URL, r.O.sharing, r.O.Cache.Revoked = c.url, c.sharing, c.revoked
		s, err := r.shared()
		var usage *cli.UsageError
		if (err == nil) != (c.fault == "") || err != nil && (!errors.As(err, &usage) || !strings.Contains(err.Error(), c.fault)) {
			t.Errorf("%s: %v", name, err)
		}
		if (s == nil) != (c.trusted == 0) || s != nil && (len(s.Trusted) != c.trusted || (s.Key != nil) != c.signs) {
			t.Errorf("%s: %+v", name, s)
		}
		if said := clitest.Contents(t, env.Stderr.Name()); strings.Contains(said, "is not believed, and nothing is signed") != c.complain {
			t.Errorf("%s: it says %q", name, said)
		}
	}
}

// fakeRemote is a companion whose remote is its own directory, or as the file status says.
const fakeRemote = `#!/bin/sh
d=${0%/*}
[ ! -e "$d/status" ] || exit "$(cat "$d/status")"
f=$d/${4#ac/}
case $2 in
put) exec cat >"$f" ;;
get) [ -e "$f" ] || exit 3; exec cat "$f" ;;
esac
`

// remoteMachine returns what a process has on a machine with the remote in dir and two runners.
func remoteMachine(t *testing.T, dir string) (*cli.Env, *JobOptions) {
	t.Helper()
	env := clitest.EnvIn(t, t.TempDir())
	env.Table = runTable()
	env.Executable = func() (string, error) { return filepath.Join(dir, "envwrap"), nil }
	const config = "[runner.kube]\nengine = \"kubernetes\"\nimage = \"img\"\n[runner.gpu]\nengine = \"slurm\"\n[runner.plain]\ncommand = [\"ssh\", \"x\"]\n"
	path := env.UserConfig()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(config), 0o600)); err != nil {
		t.Fatal(err)
	}
	o := NewJobOptions()
	o.remote.URL = "https://example.com/x"
	return env, o
}

// A job that was published is found by its id and its name on another machine, which believes
// nothing of the remote but what it asked for, and uses its own runners.
func TestPublishedIsAdopted(t *testing.T) {
	remote := t.TempDir()
	if err := testenv.WriteProgram(filepath.Join(remote, "envwrap-net"), fakeRemote); err != nil {
		t.Fatal(err)
	}
	here, o := remoteMachine(t, remote)
	store, err := OpenJobs(here, "")
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	s := &submission{Runner: &Runner{Env: here, O: o.RunOptions, cmd: &wrap.Command{Capture: wrap.Capture{Redactor: redact.New(redact.Options{})}}}, store: store}
	entries := func() int {
		t.Helper()
		all, err := os.ReadDir(remote)
		if err != nil {
			t.Fatal(err)
		}
		return len(all) - 1
	}
	publish := func(runner, name string, array *job.Array) string {
		t.Helper()
		row, err := here.Runner(runner)
		if err != nil {
			t.Fatal(err)
		}
		id := here.Session().NewULID()
		s.publish(row, &job.Record{
			ID: id, Name: name, Command: "exec/make", Tool: "make", Argv: []string{"make"}, TraceID: "0af7651916cd43dd8448eb211c80319c", Array: array,
			Far: &job.Far{Runner: runner, ID: here.Session().NewULID(), Engine: &job.EngineJob{Starts: 2}},
		})
		return id
	}
	publish("kube", "train", nil)
	if n := entries(); n != 0 {
		t.Errorf("%d entries without --push", n)
	}
	s.O.push, s.O.remote.URL = true, ""
	publish("kube", "train", nil) // what to do is said elsewhere
	s.O.remote.URL = "https://example.com/x"
	train := publish("kube", "train", nil)
	if n := entries(); n != 2 {
		t.Errorf("%d entries of a job with a name", n)
	}
	nameless := publish("kube", "", &job.Array{First: 3, Members: 2, Parallel: 1})
	if n := entries(); n != 3 {
		t.Errorf("%d entries after a job without one", n)
	}
	publish("gpu", "seen", nil)
	put := func(word, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(remote, publishedKey(word)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	entry := clitest.Contents(t, filepath.Join(remote, publishedKey("train")))
	put("other", entry)
	put("torn", entry[:9])
	put("long", strings.Replace(entry, `"train"`, `"long"`, 1)+strings.Repeat(" ", publishedMost))
	for name, runner := range map[string]string{"lost": "none", "plain": "plain", "near": "gpu"} {
		put(name, strings.NewReplacer(`"train"`, `"`+name+`"`, `"kube"`, `"`+runner+`"`).Replace(entry))
	}
	for word, want := range map[string]string{ // what stderr says; "" if the job is found
		"train": "", train: "", nameless: "",
		"other": "is no record of this job", "torn": "is no record of this job", "long": "is no record of this job",
		"seen": "add --store " + hints.Quote(store.Dir()), "lost": `there is no runner "none"`,
		"plain": "has no engine that brings the output", "near": "has no engine that brings the output",
		"unknown": "nothing", "not a name!": "nothing",
	} {
		env, o := remoteMachine(t, remote)
		stores, err := o.Stores(env, []string{word})
		if err != nil {
			t.Fatal(word, err)
		}
		defer stores.Close()
		said := clitest.Contents(t, env.Stderr.Name())
		one, id, err := stores.Find(word)
		if want != "" {
			if !errors.Is(err, job.ErrNotFound) || want == "nothing" && said != "" || want != "nothing" && !strings.Contains(said, want) {
				t.Errorf("%s: %v, %q", word, err, said)
			}
			continue
		}
		if err != nil || said != "" {
			t.Errorf("%s: %v, %q", word, err, said)
			continue
		}
		rec, err := one.Get(id)
		if err != nil || rec.State != job.Queued || rec.Far == nil || rec.Far.Runner != "kube" || rec.Far.Engine.Name != engineName(rec.Far.ID) || rec.Far.Engine.Starts != 2 || !rec.Far.Engine.Adopted || (rec.Array != nil) != (word == nameless) {
			t.Errorf("%s: %+v, %v", word, rec, err)
		}
		err = one.PutShared(id, engine.Members+"/3", nil) // only a group has a place for its members' files
		if (err == nil) != (word == nameless) {
			t.Errorf("%s: %v", word, err)
		}
	}
	for _, down := range []struct {
		status    string
		retryable bool
	}{{"5", true}, {"1", false}} {
		if err := os.WriteFile(filepath.Join(remote, "status"), []byte(down.status), 0o600); err != nil {
			t.Fatal(err)
		}
		env, o := remoteMachine(t, remote)
		_, err := o.Stores(env, []string{"train"})
		if unknown, ok := errors.AsType[*farend.UnknownError](err); !ok || unknown.Retryable != down.retryable || !strings.Contains(unknown.Message, "the remote cannot be asked") {
			t.Errorf("a remote that ends with %s: %v", down.status, err)
		}
	}
	publish("kube", "x", nil)
	if said := clitest.Contents(t, here.Stderr.Name()); strings.Count(said, "other machines cannot find job ") != 1 {
		t.Errorf("%q", said)
	}
}
