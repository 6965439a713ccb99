package blackbox

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/envwrap/envwrap/internal/platform/proc"
	"github.com/envwrap/envwrap/internal/test/testenv"
)

// An account is a home directory with a clone in it, and what envwrap sees of
// both. The tests here attack it: each was an attack that worked.
type account struct {
	*testing.T
	home, clone string
	env         []string
}

func newAccount(t *testing.T) *account {
	t.Helper()
	a := &account{T: t, home: testenv.TempDir(t)}
	a.clone = filepath.Join(a.home, "clone")
	for _, e := range os.Environ() {
		if !strings.HasPrefix(e, "ENVWRAP") && !strings.HasPrefix(e, "XDG_") {
			a.env = append(a.env, e)
		}
	}
	a.env = append(a.env, "HOME="+a.home, "TMPDIR="+filepath.Join(a.home, "tmp"), "ENVWRAP_AGENT=none", "GORACE=atexit_sleep_ms=0")
	a.mkdir("clone/.git")
	a.mkdir("tmp")
	return a
}

// mkdir makes a directory below the home, as a checkout does.
func (a *account) mkdir(name string) {
	a.Helper()
	if err := os.MkdirAll(filepath.Join(a.home, name), 0o755); err != nil {
		a.Fatal(err)
	}
}

func (a *account) write(name, text string) {
	a.Helper()
	a.mkdir(filepath.Dir(name))
	if err := os.WriteFile(filepath.Join(a.home, name), []byte(text), 0o600); err != nil {
		a.Fatal(err)
	}
}

func (a *account) link(target, name string) {
	a.Helper()
	a.mkdir(filepath.Dir(name))
	if err := os.Symlink(target, filepath.Join(a.home, name)); err != nil {
		a.Fatal(err)
	}
}

func (a *account) read(name string) string {
	a.Helper()
	text, err := os.ReadFile(filepath.Join(a.home, name))
	if err != nil {
		a.Fatal(err)
	}
	return string(text)
}

// hangs is how long an envwrap may take before it counts as hanging.
const hangs = 2 * time.Minute

// run runs envwrap in the clone and returns what it printed and its status.
func (a *account) run(args ...string) (stdout, stderr string, status int) {
	a.Helper()
	ctx, cancel := context.WithTimeout(a.Context(), hangs)
	defer cancel()
	cmd := exec.CommandContext(ctx, "envwrap", args...)
	cmd.Dir, cmd.Env = a.clone, a.env
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) || ctx.Err() != nil {
		a.Fatalf("envwrap %q: %v, %v", args, err, ctx.Err())
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// bySetting are the ways in which a store in the clone is named: by the project's
// file, which gives no orders, and by the user.
var bySetting = map[string]func(a *account) []string{
	"the project's file": func(a *account) []string {
		a.write("clone/.envwrap.toml", "store = \".s\"\n")
		return nil
	},
	"the user": func(*account) []string { return []string{"--store", ".s"} },
}

// A store that came with a clone has links in the place of the record of runs and of the
// log of envelopes: what they lead to, a directory and a file that a shell reads, is not
// written to.
func TestCloneWritesNoFile(t *testing.T) {
	t.Parallel()
	for by, name := range bySetting {
		t.Run(by, func(t *testing.T) {
			t.Parallel()
			a := newAccount(t)
			const rc = "alias ll='ls -l'\n"
			a.write(".bashrc", rc)
			a.write("clone/.s/VERSION", "1\n")
			a.link("../../../.bashrc", "clone/.s/runs/newer.jsonl")
			a.write("Documents/letter", "dear\n")
			a.link("../../Documents", "clone/.s/record")
			for _, emit := range []string{"agent", "auto"} {
				args := append(name(a), "--emit", emit, "--", "echo", "$(touch owned)")
				if stdout, _, status := a.run(args...); status != 0 || stdout != "$(touch owned)\n" {
					t.Errorf("--emit %s: status %d, %q", emit, status, stdout)
				}
			}
			if got := a.read(".bashrc"); got != rc {
				t.Errorf(".bashrc is now %q", got)
			}
			if files, err := os.ReadDir(filepath.Join(a.home, "Documents")); err != nil || len(files) != 1 {
				t.Errorf("the linked directory has %v, %v", files, err)
			}
		})
	}
}

// A store that came with a clone has links in the place of the cache's directories:
// nothing that they lead to is removed by the sweep.
func TestCloneRemovesNoFile(t *testing.T) {
	t.Parallel()
	for by, name := range bySetting {
		t.Run(by, func(t *testing.T) {
			t.Parallel()
			a := newAccount(t)
			a.write("Documents/letter", "dear\n")
			a.write("Documents/"+strings.Repeat("a", 64), "key\n")
			old := time.Now().AddDate(-1, 0, 0)
			for _, name := range []string{"letter", strings.Repeat("a", 64)} {
				if err := os.Chtimes(filepath.Join(a.home, "Documents", name), old, old); err != nil {
					t.Fatal(err)
				}
			}
			a.write("clone/.s/VERSION", "1\n")
			a.write("clone/.s/cache/salt", strings.Repeat("00", 32)+"\n")
			for _, dir := range []string{"entries", "digests", "locks"} {
				a.link("../../../Documents", "clone/.s/cache/"+dir)
			}
			args := append(name(a), "--cache", "1m", "--", "echo", "x")
			if _, _, status := a.run(args...); status != 0 {
				t.Errorf("status %d", status)
			}
			if left, err := os.ReadDir(filepath.Join(a.home, "Documents")); err != nil || len(left) != 2 {
				t.Errorf("%v is left, %v", left, err)
			}
		})
	}
}

// envwrap does not trust a store that came with a clone: it shows no remembered run, job
// or record of it. A run of another account made the store, so that its format is right.
func TestCloneForgesNothing(t *testing.T) {
	t.Parallel()
	a := newAccount(t)
	mine := filepath.Join(a.home, "mine")
	for _, args := range [][]string{
		{"--store", mine, "--cache", "10h", "--", "echo", "forged"},
		{"--store", mine, "--emit", "agent", "--", "echo", "forged"},
		{"--store", mine, "--wait", "1m", "--", "echo", "forged"},
	} {
		if stdout, stderr, status := a.run(args...); status != 0 || !strings.Contains(stdout, "forged") {
			t.Fatalf("%q: status %d: %s%s", args, status, stdout, stderr)
		}
	}
	if out, err := exec.Command("cp", "-a", mine, filepath.Join(a.clone, ".s")).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	a.write("clone/.envwrap.toml", "store = \".s\"\n")
	for _, verb := range [][]string{{"last"}, {"history"}, {"job", "ls"}} {
		if stdout, _, _ := a.run(verb...); strings.Contains(stdout, "forged") {
			t.Errorf("envwrap %q shows what the clone has: %s", verb, stdout)
		}
	}
	if stdout, _, _ := a.run("--cache", "10h", "--", "echo", "forged"); strings.Contains(stdout, `"source":"cache"`) {
		t.Errorf("the clone's remembered run was believed: %s", stdout)
	}
}

// An entry of the cache whose salt the attacker knows, since he made the store, is
// an answer only where the line itself names that store.
func TestForgedEntryWithKnownSalt(t *testing.T) {
	t.Parallel()
	a := newAccount(t)
	a.write("clone/answer", "forged\n")
	mine := filepath.Join(a.home, "mine")
	call := []string{"--cache", "10h", "--", "cat", "answer"}
	a.run(append([]string{"--store", mine}, call...)...)
	planted := filepath.Join(a.clone, ".s")
	if out, err := exec.Command("cp", "-a", mine, planted).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	a.write("clone/answer", "genuine\n")
	stdout, _, _ := a.run(append([]string{"--store", planted}, call...)...)
	if !strings.Contains(stdout, `"source":"cache"`) || !strings.Contains(stdout, "forged") {
		t.Fatalf("the forged entry is not read as an entry, so this tests nothing: %s", stdout)
	}
	for _, project := range []string{"store = \".s\"\n", "store = \"" + planted + "\"\ncache = \"10h\"\n"} {
		a.write("clone/.envwrap.toml", project)
		for _, trusted := range []bool{false, true} {
			if trusted {
				if _, stderr, status := a.run("config", "trust"); status != 0 {
					t.Fatalf("config trust: %s", stderr)
				}
			}
			stdout, stderr, status := a.run(call...)
			if status != 0 || strings.Contains(stdout, "forged") || !strings.Contains(stdout, "genuine") || !strings.Contains(stderr, "store") {
				t.Errorf("%q, trusted %v: status %d: %s%s", project, trusted, status, stdout, stderr)
			}
		}
	}
}

// plantStandIn puts a store of an attacker in the place that stands in for the
// user's own: a job that seems to be lost, whose child is a process of the user's,
// and the record of a run. It returns that process.
func (a *account) plantStandIn() (dir string, victim *exec.Cmd) {
	a.Helper()
	victim = exec.Command("sleep", "1000")
	victim.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := victim.Start(); err != nil {
		a.Fatal(err)
	}
	a.Cleanup(func() { _ = victim.Process.Kill(); _ = victim.Wait() })
	pid := victim.Process.Pid
	process, err := json.Marshal(map[string]any{
		"supervisor": map[string]any{"pid": 1 << 22, "started": "1", "boot": proc.BootID()},
		"child":      map[string]any{"pid": pid, "started": proc.Start(pid), "boot": proc.BootID()},
	})
	if err != nil {
		a.Fatal(err)
	}
	base := fmt.Sprintf("tmp/envwrap-%d", os.Geteuid())
	const id = "01JAAAAAAAAAAAAAAAAAAAAAAA"
	now := time.Now().UTC().Format(time.RFC3339)
	a.write(base+"/VERSION", "1\n")
	a.write(base+"/jobs/"+id+"/lock", "")
	a.write(base+"/jobs/"+id+"/process.json", string(process))
	a.write(base+"/jobs/"+id+"/record.json", `{"version":1,"id":"`+id+`","state":"running","command":"exec/forged","tool":"forged",`+
		`"argv":["forged"],"dir":"/","environ":[],"submitted":"`+now+`","started":"`+now+`","limits":{},"view":{"format":"protocol/v1","exit_code":"child"}}`)
	a.write(base+"/record/2026-01-01.jsonl", "\n"+`{"kind":"run","id":"01ID","ts":"2026-01-01T00:00:00.000Z","outcome":"success","exit_code":0,"duration_ms":1,"dir":"/","command":"exec/forged","argv":["forged"]}`)
	a.write(base+"/runs/newer.jsonl", `01ID {"version":1,"status":"ok","command":"exec/forged","data":{"argv":["forged"],"exit_code":0,"outcome":"success","stdout":{"bytes":0,"lines":0,"text":""},`+
		`"stderr":{"bytes":0,"lines":0,"text":""}},"meta":{"ts":"2026-01-01T00:00:00.000Z","duration_ms":1,"runner":"exec","workspace":"/","profiles":["core/v1"],"source":"run","agent":"unknown"},"error":{"code":null,"message":null}}`+"\n")
	dir = filepath.Join(a.home, base)
	err = filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			err = os.Chmod(name, 0o700)
		}
		return err
	})
	if err != nil {
		a.Fatal(err)
	}
	return dir, victim
}

// A stand-in for the store that another user has made, that others may write to, or
// that is a link, is not believed: nothing in it is shown, none of its words kills a
// process, and it is named.
func TestForeignStandInIsNotBelieved(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(t *testing.T, dir string) error{
		"another user's": func(t *testing.T, dir string) error {
			if os.Geteuid() != 0 {
				t.Skip("only root can give a directory away")
			}
			return filepath.WalkDir(dir, func(name string, _ os.DirEntry, err error) error {
				return errors.Join(err, os.Lchown(name, 12345, 12345))
			})
		},
		"others may write": func(_ *testing.T, dir string) error { return os.Chmod(dir, 0o777) },
		"a link": func(_ *testing.T, dir string) error {
			return errors.Join(os.Rename(dir, dir+"-real"), os.Symlink(dir+"-real", dir))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := newAccount(t)
			dir, victim := a.plantStandIn()
			if err := spoil(t, dir); err != nil {
				t.Fatal(err)
			}
			before := tree(t, a.home+"/tmp")
			for _, verb := range [][]string{
				{"last"},
				{"history"},
				{"job", "ls"},
				{"job", "status"},
				{"job", "cleanup"},
				{"job", "cancel", "01JAAA"},
				{"job", "wait", "01JAAA", "--timeout", "1s"},
				{"artifact", "ls"},
				{"artifact", "gc"},
				{"artifact", "verify"},
				{"cache", "ls"},
			} {
				stdout, stderr, _ := a.run(verb...)
				if strings.Contains(stdout, "forged") {
					t.Errorf("envwrap %q shows what is in it: %s", verb, stdout)
				}
				if !strings.Contains(stdout+stderr, "envwrap-") {
					t.Errorf("envwrap %q does not name it: %s%s", verb, stdout, stderr)
				}
				if !lives(victim.Process.Pid) {
					t.Fatalf("envwrap %q killed a process", verb)
				}
			}
			if after := tree(t, a.home+"/tmp"); after != before {
				t.Errorf("it was changed:\n%s\n%s", before, after)
			}
		})
	}
}

// A stand-in of one's own is used: the tests above do not pass because nothing is.
func TestOwnStandInIsUsed(t *testing.T) {
	t.Parallel()
	a := newAccount(t)
	dir, victim := a.plantStandIn()
	for _, verb := range [][]string{{"last"}, {"history"}, {"job", "ls"}} {
		if stdout, stderr, _ := a.run(verb...); !strings.Contains(stdout, "forged") {
			t.Errorf("envwrap %q: %s%s", verb, stdout, stderr)
		}
	}
	if lives(victim.Process.Pid) {
		t.Errorf("the child of a lost job in %s was left", dir)
	}
}

// A stand-in that would lie in a repository's work tree could have come with it.
func TestNoStandInInAWorkTree(t *testing.T) {
	t.Parallel()
	a := newAccount(t)
	a.plantStandIn()
	a.env = append(a.env, "TMPDIR="+a.clone+"/tmp", "HOME=/dev/null")
	if err := os.Rename(a.home+"/tmp", a.clone+"/tmp"); err != nil {
		t.Fatal(err)
	}
	for _, verb := range [][]string{{"last"}, {"history"}, {"job", "ls"}} {
		if stdout, _, _ := a.run(verb...); strings.Contains(stdout, "forged") {
			t.Errorf("envwrap %q shows what the clone has: %s", verb, stdout)
		}
	}
	stdout, _, _ := a.run("--inline-limit", "10", "--", "seq", "100")
	if !strings.Contains(stdout, "work tree") || !strings.Contains(stdout, `"code":"EIO"`) {
		t.Errorf("got %s", stdout)
	}
}

// A project's file that another user has put into a directory which all share is
// no project's: it could end every command below. One in a checkout of another
// user's is.
func TestPlantedProjectFile(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root can give a file away")
	}
	a := newAccount(t)
	a.write("clone/.envwrap.toml", "format = \"helper/v1\"\n")
	if err := os.Chown(a.clone+"/.envwrap.toml", 12345, 12345); err != nil {
		t.Fatal(err)
	}
	for mode, taken := range map[os.FileMode]bool{0o755: true, 0o777 | os.ModeSticky: false} {
		if err := os.Chmod(a.clone, mode); err != nil {
			t.Fatal(err)
		}
		stdout, stderr, status := a.run("--", "true")
		if status != 0 || strings.Contains(stdout, "schema_version") != taken {
			t.Errorf("directory %v: status %d: %s%s", mode, status, stdout, stderr)
		}
	}
}

// tree describes all that lies below a directory: names, modes, times, contents.
func tree(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%s %v %d %d", name[len(dir):], info.Mode(), info.Size(), info.ModTime().UnixNano())
		switch {
		case info.Mode().IsRegular() && info.Size() < 1<<20:
			text, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			fmt.Fprintf(&b, " %q", text)
		case info.Mode()&os.ModeSymlink != 0:
			to, _ := os.Readlink(name)
			fmt.Fprintf(&b, " -> %s", to)
		}
		b.WriteByte('\n')
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}
