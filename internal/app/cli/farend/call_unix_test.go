//go:build unix

package farend

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/job"
)

// sideOf returns the far end of askedRunner's runner.
func sideOf(t *testing.T, env *cli.Env, far job.Far) *Side {
	t.Helper()
	row, err := env.Runner("far")
	if err != nil {
		t.Fatal(err)
	}
	return New(env, env.Environ, row, far)
}

// says makes the answer of a call.
func says(t *testing.T, env *cli.Env, call, text string) {
	t.Helper()
	if err := os.WriteFile(env.Path(call), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// A mark was left if a line of the answer says so; else the error has what the call complains
// of, masked.
func TestLeaveMark(t *testing.T) {
	t.Parallel()
	env := askedRunner(t)
	f := sideOf(t, env, job.Far{Mark: "M"})
	if err := f.LeaveMark(t.Context(), time.Minute); err == nil || !strings.HasPrefix(err.Error(), "exit status 1: cat: ") {
		t.Errorf("no answer: %v", err)
	}
	for text, want := range map[string]string{
		"hello\r\n" + job.MarkLeft + "M\r\n": "", job.MarkLeft + "M": "",
		"": "it does not say", job.MarkLeft + "N\n": "it does not say", "x" + job.MarkLeft + "M\n": "it does not say",
	} {
		says(t, env, "job-mark", text)
		if err := f.LeaveMark(t.Context(), time.Minute); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// Artifacts come from the far end once, all that were asked for; an error says where they are.
func TestFetch(t *testing.T) {
	t.Parallel()
	env := askedRunner(t)
	f := sideOf(t, env, job.Far{})
	var digests, archives []string
	there, err := artifact.Open(artifact.Options{Dir: t.TempDir(), Now: env.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer there.Close()
	for _, text := range []string{"one", strings.Repeat("x", 3*archiveOverhead)} {
		p, err := there.Create()
		if err != nil {
			t.Fatal(err)
		}
		_, _ = p.Write([]byte(text))
		digest, err := p.Commit(artifact.Info{})
		if err != nil {
			t.Fatal(err)
		}
		var archive bytes.Buffer
		if err := (artifact.Stores{there}).Export(&archive, []artifact.Entry{{Digest: digest}}); err != nil {
			t.Fatal(err)
		}
		digests, archives = append(digests, digest), append(archives, archive.String())
	}
	here, err := artifact.Open(artifact.Options{Dir: t.TempDir(), Now: env.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer here.Close()
	for _, c := range []struct {
		name, archive string
		digest        string
		most          int64
		want          string
	}{
		{"another one", archives[0], digests[1], 0, "not all of it came; read it there: "},
		{"no archive", "password=hunter2hunter2", digests[1], 0, "read it there: " + env.Path("far") + " envwrap artifact cat " + digests[1]},
		{"too large", archives[1], digests[1], 1, "read it there"},
		{"the first", archives[0], digests[0], 0, ""},
		{"in full", archives[1], digests[1], 3 * archiveOverhead, ""},
		{"nothing", "", "", 0, ""},
	} {
		says(t, env, "artifact-export", c.archive)
		var wanted []string
		if c.digest != "" {
			wanted = []string{c.digest}
		}
		if err := f.Fetch(t.Context(), here, wanted, c.most); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	says(t, env, "artifact-export", archives[0])
	says(t, env, "fails", "")
	if err := f.Fetch(t.Context(), here, []string{digests[0]}, 0); err != nil {
		t.Errorf("what is here is asked for: %v", err)
	}
	if _, err := here.Remove(digests[0]); err != nil {
		t.Fatal(err)
	}
	if err := f.Fetch(t.Context(), here, []string{digests[0]}, 0); err == nil || !strings.HasPrefix(err.Error(), "exit status 3; read it there") {
		t.Errorf("a call that failed: %v", err)
	}
	if err := os.Remove(env.Path("artifact-export")); err != nil {
		t.Fatal(err)
	}
	missing := strings.Replace(digests[0], digests[0][7:9], "zz", 1)
	if err := f.Fetch(t.Context(), here, []string{missing}, 0); err == nil || !strings.Contains(err.Error(), ": cat: ") {
		t.Errorf("a complaint: %v", err)
	}
}
