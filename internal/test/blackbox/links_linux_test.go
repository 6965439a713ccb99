package blackbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/envwrap/envwrap/internal/test/matrix"
)

// outsideText is in each file outside of the store, and in nothing else: where
// an answer has it, a link was followed.
const outsideText = "outside-letter"

// A furnished is a store in which something of every kind was kept, and the ids
// by which the verbs ask for it.
type furnished struct {
	*account
	store, shims     string
	digest, job, key string
}

// furnish makes such a store.
func furnish(t *testing.T) *furnished {
	t.Helper()
	f := &furnished{account: newAccount(t)}
	f.store, f.shims = filepath.Join(f.home, "envwrap"), filepath.Join(f.home, "shims")
	f.env = append(f.env, "XDG_STATE_HOME="+f.home) // the usual place, so that the list of trusted files is in it
	t.Cleanup(f.endProcesses)
	f.write("in", "put\n")
	f.write("clone/.envwrap.toml", "retries = 1\n")
	find := func(re, text string) string {
		t.Helper()
		m := regexp.MustCompile(re).FindStringSubmatch(text)
		if m == nil {
			t.Fatalf("no %s in %s", re, text)
		}
		return m[1]
	}
	stdout, _, _ := f.run("--inline-limit", "10", "--", "seq", "200")
	f.digest = find(`(sha256:[0-9a-f]{64})`, stdout)
	f.run("artifact", "pin", f.digest)
	f.run("--emit", "agent", "--", "echo", "recorded")
	f.run("--cache", "1h", "--inline-limit", "10", "--", "seq", "300")
	f.run("--cache", "1h", "--", "echo", "remembered")
	stdout, _, _ = f.run("--cache", "1h", "--", "echo", "remembered")
	f.key = find(`"cache_key":"(sha256:[0-9a-f]{64})"`, stdout)
	stdout, _, _ = f.run("job", "submit", "--dedupe", "--", "seq", "20")
	f.job = find(`"id":"([0-9A-Z]{26})"`, stdout)
	f.run("job", "wait", f.job)
	f.run("artifact", "gc")
	f.run("shim", "install", "--dir", f.shims, "git")
	if _, stderr, status := f.run("config", "trust"); status != 0 {
		t.Fatalf("config trust: %s", stderr)
	}
	// What is there for a moment only, or after a crash.
	for _, name := range []string{
		"cache/locks/" + strings.TrimPrefix(f.key, "sha256:"), "cache/tidied", "cache/digests/" + strings.Repeat("0", 32), "run/shards", "runs/older.jsonl",
		"part/1-dead.1", "quarantine/" + strings.Repeat("0", 64), "jobs/.queue/" + f.job, "jobs/.slots/0", "jobs/.salt",
		"jobs/" + f.job + "/cancel", "jobs/" + f.job + "/space", "jobs/" + f.job + "/stdout", "jobs/" + f.job + "/process.json", "jobs/" + f.job + "/record.json.new",
	} {
		if _, err := os.Lstat(filepath.Join(f.store, name)); err != nil {
			f.write("envwrap/"+name, "")
		}
	}
	again := time.NewTicker(10 * time.Millisecond)
	defer again.Stop()
	for deadline := time.Now().Add(hangs); ; <-again.C {
		stdout, _, _ := f.run("job", "ls")
		if strings.Contains(stdout, `"running":0`) && strings.Contains(stdout, `"queued":0`) {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("jobs do not end: %s", stdout)
		}
	}
	return f
}

// verbs are all that open, write or remove something below the store or among the
// shims; those that remove come last.
func (f *furnished) verbs() [][]string {
	job := []string{"status", "wait", "results", "tail", "cancel"}
	artifact := []string{"cat", "head", "tail", "stat", "path", "pin", "unpin"}
	var verbs [][]string
	for _, v := range job {
		verbs = append(verbs, []string{"job", v, f.job})
	}
	for _, v := range artifact {
		verbs = append(verbs, []string{"artifact", v, f.digest})
	}
	archive := filepath.Join(f.home, "archive.tar")
	return append(verbs, [][]string{
		{"--inline-limit", "10", "--", "seq", "200"},
		{"--inline-limit", "10", "--", "seq", "201"},
		{"--emit", "agent", "--", "echo", "x"},
		{"--emit", "auto", "--", "echo", "x"},
		{"--cache", "1h", "--", "echo", "remembered"},
		{"--cache", "1h", "--", "echo", "anew"},
		{"--cache", "1ns", "--cache-stale", "1h", "--", "echo", "remembered"},
		{"--wait", "20s", "--", "echo", "x"},
		{"job", "submit", "--dedupe", "--", "true"},
		{"job", "ls"},
		{"job", "status"},
		{"last"},
		{"history"},
		{"cache", "ls"},
		{"cache", "explain", "--", "echo", "remembered"},
		{"artifact", "ls"},
		{"artifact", "du"},
		{"artifact", "put", filepath.Join(f.home, "in")},
		{"artifact", "grep", "1", f.digest},
		{"artifact", "query", ".", f.digest},
		{"artifact", "export", "-o", archive},
		{"artifact", "import", archive},
		{"artifact", "verify"},
		{"artifact", "doctor"},
		{"artifact", "recover"},
		{"artifact", "reindex"},
		{"config"},
		{"config", "trust"},
		{"config", "untrust"},
		{"config", "trust"},
		{"shim", "install", "--dir", f.shims, "git", "npm"},
		{"shim", "list", "--dir", f.shims},
		{"shim", "remove", "--dir", f.shims, "git"},
		{"cache", "rm", f.key},
		{"cache", "clear"},
		{"artifact", "gc", "--max-age", "1ns"},
		{"artifact", "rm", f.digest},
		{"job", "cleanup", "--older", "0"},
	}...)
}

// A plant is a file or link put in the place of a name of the store.
type plant struct {
	kind string
	put  func(name, outside string, wasDir bool) error
}

func (p plant) String() string { return p.kind }

var plants = []plant{
	{"a link to a file", func(name, outside string, _ bool) error { return os.Symlink(outside+"/letter", name) }},
	{"a link to a directory", func(name, outside string, _ bool) error { return os.Symlink(outside+"/dir", name) }},
	{"a link to nothing", func(name, outside string, _ bool) error { return os.Symlink(outside+"/new", name) }},
	{"a FIFO", func(name, _ string, _ bool) error { return syscall.Mkfifo(name, 0o600) }},
	{"a huge file", func(name, _ string, wasDir bool) error {
		if wasDir {
			return os.WriteFile(name, nil, 0o600)
		}
		size := int64(20 << 30)
		if strings.Contains(name, "/objects/") || strings.Contains(name, "/part/") || strings.Contains(name, "/quarantine/") {
			size = 128 << 20 // these are read in pieces, whatever their size
		}
		return errors.Join(os.WriteFile(name, nil, 0o600), os.Truncate(name, size))
	}},
}

// names are the names of the store by where they lie: the directory at the top, and
// how deep. Those of one place are replaced together, so that a link above does
// not hide what is below.
func (f *furnished) names() map[string][]string {
	f.Helper()
	places := map[string][]string{}
	for _, root := range []string{f.store, f.shims} {
		err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
			if err != nil || name == root {
				return err
			}
			rel, _ := filepath.Rel(f.home, name)
			parts := strings.Split(rel, "/")
			place := fmt.Sprintf("%s, level %d", strings.Join(parts[:min(2, len(parts)-1)], "/"), len(parts))
			if len(parts) == 2 {
				place = rel // at the top each by itself: without VERSION nothing else is looked at
			}
			places[place] = append(places[place], rel)
			return nil
		})
		if err != nil {
			f.Fatal(err)
		}
	}
	return places
}

// makeOutside makes what no verb may touch: a file, and a directory that has all
// that a store's directories have, and old enough to be swept.
func (f *furnished) makeOutside() string {
	f.Helper()
	outside := filepath.Join(f.home, "outside")
	hex, id := strings.Repeat("0123456789abcdef", 4), "01JAAAAAAAAAAAAAAAAAAAAAAA"
	names := []string{
		"letter", "dir/VERSION", "dir/letter", "dir/" + hex, "dir/01/" + hex, "dir/newer.jsonl", "dir/older.jsonl", "dir/2026-01-01.jsonl",
		"dir/" + strings.TrimPrefix(f.digest, "sha256:"), "dir/" + strings.TrimPrefix(f.key, "sha256:"), "dir/" + hex + ".user", "dir/salt", "dir/entries/" + hex, "dir/locks/" + hex,
		"dir/" + id + "/record.json", "dir/record.json", "dir/result.json", "dir/process.json", "dir/lock", "dir/stdout", "dir/" + f.job + "/record.json", "dir/.envwrap-shims", "dir/git", "dir/tmp-1.1",
	}
	for _, name := range names {
		f.write("outside/"+name, outsideText+" "+name+"\n")
	}
	old := time.Now().AddDate(-1, 0, 0)
	err := filepath.WalkDir(outside, func(name string, _ fs.DirEntry, err error) error {
		return errors.Join(err, os.Chmod(name, 0o700))
	})
	if err == nil {
		for _, name := range names { // files first: they change their directories
			err = errors.Join(err, os.Chtimes(filepath.Join(outside, name), old, old))
		}
	}
	if err != nil {
		f.Fatal(err)
	}
	return outside
}

// memoryMost is how much memory a verb may take in KiB, whatever the size of a file.
const memoryMost = 768 << 10

// A hostile file under any name that a verb opens, writes or removes makes no verb touch or
// show a file outside of the store, hang, or use unbounded memory.
func TestNoVerbLeavesTheStore(t *testing.T) {
	t.Parallel()
	f := furnish(t)
	outside := f.makeOutside()
	places := f.names()
	order := make([]string, 0, len(places))
	for place := range places {
		order = append(order, place)
	}
	slices.Sort(order)
	if len(order) < 20 {
		t.Fatalf("only %q", order)
	}
	template := filepath.Join(f.home, "template")
	if out, err := exec.Command("sh", "-c", `mkdir "$1" && cp -a "$2" "$3" "$1"`, "sh", template, f.store, f.shims).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, verb := range f.verbs() { // they do something where nothing is in the way
		if stdout, stderr, status := f.run(verb...); status > 1 { // 1 reports that something is damaged
			t.Fatalf("envwrap %q: status %d: %s%s", verb, status, stdout, stderr)
		}
	}
	before := tree(t, outside)
	for i, planted := range plantings(order) {
		f.reset(template)
		for place, p := range planted {
			for _, name := range places[place] {
				f.replace(name, p, outside)
			}
		}
		var tried [][]string
		for j, verb := range f.verbs() {
			if (i+j)%matrix.Every(32) > 0 {
				continue
			}
			f.try(fmt.Sprintf("%v: envwrap %q", planted, verb), verb)
			tried = append(tried, verb)
		}
		if after := tree(t, outside); after != before {
			t.Fatalf("%v: one of envwrap %q touched what is outside:\n%s\nbefore:\n%s", planted, tried, after, before)
		}
	}
	f.reset(template)
	f.checkCalls(places, outside)
}

// plantings are the stores to try: for each the places where something else is, and
// what. Where there is time each place has each plant, alone. Otherwise each place
// has one, together with others that are as deep: those at the top in five groups,
// as a verb that refuses one directory does not come to the next.
func plantings(places []string) []map[string]plant {
	var all []map[string]plant
	groups := map[string]map[string]plant{}
	for i, place := range places {
		if matrix.Whole() {
			for _, p := range plants {
				all = append(all, map[string]plant{place: p})
			}
			continue
		}
		_, group, deep := strings.Cut(place, ", ")
		switch {
		case place == "envwrap/VERSION": // without it nothing else is looked at
			group = place
		case !deep:
			group = fmt.Sprint(i % 5)
		}
		if groups[group] == nil {
			groups[group] = map[string]plant{}
			all = append(all, groups[group])
		}
		groups[group][place] = plants[i%len(plants)]
	}
	return all
}

// ownMemory is the most memory that this process has had, in KiB: Linux counts
// that of the parent for a child before it executes its program (getrusage(2)).
func ownMemory(t testing.TB) int64 {
	t.Helper()
	var use syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &use); err != nil {
		t.Fatal(err)
	}
	return use.Maxrss
}

// endProcesses kills what verbs have left running: supervisors of jobs, and runs that
// are made anew in the background. They would write while the store is replaced.
func (f *furnished) endProcesses() {
	marker := []byte("XDG_STATE_HOME=" + f.home + "\x00")
	for found := true; found; {
		found = false
		all, _ := os.ReadDir("/proc")
		for _, e := range all {
			pid, err := strconv.Atoi(e.Name())
			if err != nil {
				continue
			}
			environ, _ := os.ReadFile("/proc/" + e.Name() + "/environ") // of a process that has ended it is empty
			if bytes.Contains(environ, marker) {
				found = true
				_ = syscall.Kill(pid, syscall.SIGKILL)
			}
		}
	}
}

// reset puts the store back as it was furnished.
func (f *furnished) reset(template string) {
	f.Helper()
	f.endProcesses()
	const script = `chmod -R u+rwx "$1/envwrap" "$1/shims" && rm -rf "$1/envwrap" "$1/shims" "$1/tmp/"* && cp -a "$2/." "$1"`
	if out, err := exec.Command("sh", "-c", script, "sh", f.home, template).CombinedOutput(); err != nil {
		f.Fatalf("%v: %s", err, out)
	}
}

// replace puts a plant in the place of a name, where the name still is.
func (f *furnished) replace(name string, p plant, outside string) {
	f.Helper()
	name = filepath.Join(f.home, name)
	info, err := os.Lstat(name)
	if err != nil {
		f.Fatal(err)
	}
	if err := errors.Join(os.RemoveAll(name), p.put(name, outside, info.IsDir())); err != nil {
		f.Fatal(err)
	}
}

// try runs a verb, which may fail, but may not hang, take much memory or show what
// is outside.
func (f *furnished) try(what string, verb []string) {
	f.Helper()
	ctx, cancel := context.WithTimeout(f.Context(), hangs)
	defer cancel()
	cmd := exec.CommandContext(ctx, "envwrap", verb...)
	cmd.Dir, cmd.Env = f.clone, f.env
	var out finder
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		f.Fatalf("%s hangs", what)
	case err != nil && !errors.As(err, &exit):
		f.Fatalf("%s: %v", what, err)
	}
	if out.found {
		f.Errorf("%s shows what is outside: %s", what, out.end)
	}
	if bytes.Contains(out.end, []byte("goroutine ")) || cmd.ProcessState.ExitCode() < 0 {
		f.Errorf("%s: %v: %s", what, cmd.ProcessState, out.end)
	}
	if use, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok && use.Maxrss > ownMemory(f)+memoryMost {
		f.Errorf("%s took %d MiB", what, use.Maxrss>>10)
	}
}

// A finder looks for outsideText in what is written to it, and keeps the end.
type finder struct {
	end   []byte
	found bool
}

func (f *finder) Write(b []byte) (int, error) {
	f.end = append(f.end, b...)
	f.found = f.found || bytes.Contains(f.end, []byte(outsideText))
	f.end = f.end[max(0, len(f.end)-4096):]
	return len(b), nil
}

// checkCalls checks that the system calls say the same: no descriptor of ours is ever one
// of a file outside.
func (f *furnished) checkCalls(places map[string][]string, outside string) {
	f.Helper()
	if err := exec.Command("strace", "-f", "--seccomp-bpf", "-o", os.DevNull, "true").Run(); err != nil {
		f.Logf("strace does not work here (%v): what is outside was compared", err)
		return
	}
	for place, names := range places {
		if strings.HasSuffix(place, "level 4") || place == "envwrap/VERSION" { // one level is enough here
			continue
		}
		for _, name := range names {
			if _, err := os.Lstat(filepath.Join(f.home, name)); err == nil && strings.Contains(place, "level 3") {
				f.replace(name, plants[1], outside)
			}
		}
	}
	log := filepath.Join(f.home, "strace")
	for i, verb := range f.verbs() {
		if i%matrix.Every(4) > 0 {
			continue
		}
		cmd := exec.Command("strace", append([]string{"-f", "--seccomp-bpf", "-y", "-e", "trace=%file,ftruncate,fchmod", "-o", log, "envwrap"}, verb...)...)
		cmd.Dir, cmd.Env = f.clone, f.env
		_ = cmd.Run()
		calls, err := os.ReadFile(log)
		if err != nil || !bytes.Contains(calls, []byte(f.home)) {
			f.Fatalf("strace of %q saw nothing: %v", verb, err)
		}
		for line := range strings.Lines(string(calls)) {
			// A target that readlink(2) shows, and the archive's name, are no descriptors.
			if strings.Contains(line, outside) && !strings.Contains(line, "readlink") {
				f.Errorf("envwrap %q: %s", verb, line)
			}
		}
	}
}
