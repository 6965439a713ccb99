//go:build unix

package enginejob

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/engine"
	"github.com/envwrap/envwrap/job"
)

// What an engine says of a group counts only if members left no envelope.
func TestGroupOfEngineEnds(t *testing.T) {
	t.Parallel()
	said := envelope.Outcome{Kind: envelope.Failure, Code: envelope.ERUNTIME, Message: "kubernetes says Failed", ClassifiedBy: envelope.ByEnvwrap}
	gone := envelope.Outcome{Kind: envelope.Canceled, Code: envelope.ECANCELED, Message: "it was canceled"}
	for name, c := range map[string]struct {
		status   []int // of members
		canceled bool
		says     envelope.Outcome
		want     int
		code     envelope.Code
		message  string
		hint     bool
	}{
		"well":               {[]int{0, 0, 0}, false, said, 0, "", "", false},
		"well, canceled":     {[]int{0, 0, 0}, true, said, 0, "", "", false},
		"one fails":          {[]int{0, 3, 0}, false, said, 3, envelope.ERUNTIME, "1 of 3 members failed", true},
		"two fail":           {[]int{0, 3, 4}, true, said, 3, envelope.ERUNTIME, "2 of 3 members failed", true},
		"one was canceled":   {[]int{0, 143, 4}, true, said, 143, envelope.ECANCELED, "the group was canceled", false},
		"by somebody":        {[]int{0, 143, 4}, false, said, 143, envelope.ERUNTIME, "2 of 3 members failed", true},
		"one left nothing":   {[]int{0, 0}, false, said, 125, envelope.ERUNTIME, "1 of 3 members left no envelope: kubernetes says Failed", false},
		"canceled with less": {[]int{0}, true, gone, 143, envelope.ECANCELED, "it was canceled", false},
	} {
		p := newPodJob(t, &job.Array{First: 1, Members: 3, Parallel: 3})
		for i, status := range c.status {
			state := job.OK
			if status == 143 {
				state = job.Canceled
			} else if status != 0 {
				state = job.Failed
			}
			if err := p.Store.PutShared(p.Record.ID, engine.Members+"/"+string(rune('1'+i)), nil); err != nil {
				t.Fatal(err)
			}
			if _, err := p.Store.Collect(p.Record.ID, func(n int, _ []byte) (job.Member, []byte) {
				return job.Member{Number: n, Status: status, State: state}, []byte("{}")
			}); err != nil {
				t.Fatal(err)
			}
		}
		if c.canceled {
			if err := p.Store.AskCancel(p.Record.ID); err != nil {
				t.Fatal(err)
			}
		}
		res := &envelope.Result{Outcome: c.says}
		p.summarize(res)
		if o := &res.Outcome; res.ExitStatus != c.want || o.Code != c.code || o.Message != c.message || (o.Hint != "") != c.hint || o.ClassifiedBy != envelope.ByEnvwrap {
			t.Errorf("%s: %d, %+v", name, res.ExitStatus, o)
		}
	}
}

// A group whose members cannot be asked for or kept is asked about again.
func TestGroupOfEngineCannotBeKept(t *testing.T) {
	t.Parallel()
	const pods = `{"items":[{"kind":"Job","metadata":{"name":"n"},"spec":{"completionMode":"Indexed"},"status":{"active":1}}]}`
	for name, block := range map[string]string{"no directory": "", "a member's start": "members/1.started.new", "a member's end": "members/1.new", "output": "stdout"} {
		p := newPodJob(t, &job.Array{First: 1, Members: 1, Parallel: 1})
		p.says(t, pods, "out\n")
		if err := os.WriteFile(filepath.Join(p.dir, "lines"), []byte("0|p|Failed|7|2026-11-27T04:53:45Z|\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		st, err := p.status(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		dir := p.Store.Path(p.Record.ID)
		path := filepath.Join(dir, block)
		if block == "" {
			err = os.Rename(dir, dir+".moved")
		} else {
			err = os.MkdirAll(filepath.Join(path, "x"), 0o700)
		}
		if err != nil {
			t.Fatal(err)
		}
		if over, err := p.bring(t.Context(), st); over || err == nil {
			t.Errorf("%s: %t, %v", name, over, err)
		}
		if block == "" {
			err = os.Rename(dir+".moved", dir)
		} else {
			err = os.RemoveAll(path)
		}
		if err != nil {
			t.Fatal(err)
		}
		if over, err := p.bring(t.Context(), st); !over || err != nil || p.Record.Outcome.ExitStatus != 7 {
			t.Errorf("%s, later: %t, %v, %+v", name, over, err, p.Record.Outcome)
		}
	}
	p := newPodJob(t, &job.Array{First: 1, Members: 1, Parallel: 1})
	replaceFile(t, filepath.Join(p.dir, "kubectl"), "#!/bin/sh\nexit 1\n")
	p.brought = true
	if over, err := p.bringMembers(t.Context()); over || err != nil || p.fault == nil || p.brought {
		t.Errorf("it cannot be asked: %t, %v, %v", over, err, p.fault)
	}
}

// digestOf returns the digest of a group's file.
func digestOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// Of a group in one submission a member's text is its number, or its line while the file is
// what it was.
func TestMemberText(t *testing.T) {
	file := filepath.Join(t.TempDir(), "lines")
	if err := os.WriteFile(file, []byte("a\nb\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	digest := digestOf("a\nb\n")
	for name, c := range map[string]struct {
		array job.Array
		want  [3]string // of the members 1 to 3
	}{
		"numbers":    {job.Array{}, [3]string{"1", "2", "3"}},
		"lines":      {job.Array{File: file, Digest: digest}, [3]string{"a", "b", "{}"}},
		"other ones": {job.Array{File: file, Digest: "x"}, [3]string{"{}", "{}", "{}"}},
		"no file":    {job.Array{File: file + "2", Digest: digest}, [3]string{"{}", "{}", "{}"}},
	} {
		e := &Job{Record: &job.Record{Array: &c.array}}
		for i, want := range c.want {
			if got := e.memberText(i + 1); got != want {
				t.Errorf("%s: member %d is %q", name, i+1, got)
			}
		}
	}
}

// A member whose script could not start it has the reason, and may run again; one whose envelope
// cannot be read may have run.
func TestMemberFile(t *testing.T) {
	t.Parallel()
	p := newPodJob(t, &job.Array{First: 1, Members: 3, Parallel: 3})
	for file, want := range map[string]string{
		engine.NoStart + "its file is gone\n": `runner \"kube\": member 3 did not run: its file is gone","details":{"classified_by":"envwrap","retryable":true}`,
		"{":                                   `the envelope of member 3 cannot be read: `,
	} {
		m, doc := p.member(3, []byte(file))
		if m.Number != 3 || m.Status != cli.StatusFailed || m.State != job.Failed || !strings.Contains(string(doc), want) {
			t.Errorf("%q: %+v, %s", file, m, doc)
		}
	}
}
