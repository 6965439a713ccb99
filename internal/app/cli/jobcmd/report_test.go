package jobcmd

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/clitest"
	"github.com/envwrap/envwrap/internal/app/cli/farend"
	"github.com/envwrap/envwrap/internal/app/cli/runcmd"
	"github.com/envwrap/envwrap/job"
)

// A person reads a table: how long a job took if it has begun, and how to see those
// that are left out.
func TestTable(t *testing.T) {
	begun := clitest.Now().Add(-time.Hour)
	recs := []*job.Record{
		{ID: "01KDF3", Name: "nightly", State: job.OK, Command: "exec/make", Argv: []string{"make", "all"}, Submitted: begun, Started: begun, Ended: begun.Add(1500 * time.Millisecond), Outcome: &job.Outcome{ExitCode: new(0)}},
		{ID: "01KDF4", State: job.Queued, Command: "exec/true", Argv: []string{"true"}, Submitted: begun},
	}
	show := func(recs []*job.Record, omitted int) string {
		env := clitest.EnvIn(t, t.TempDir())
		v := runcmd.JobQuestion(env, "")
		v.All, v.Omitted = true, omitted
		if err := answerJobs(env, runcmd.JobLayout{Table: true}, "ls", recs, v); err != nil {
			t.Fatal(err)
		}
		return clitest.Contents(t, env.Stdout.Name())
	}
	lines := strings.Split(strings.TrimSpace(show(recs, 0)), "\n")
	want := []string{"01KDF3 nightly ok 0 1h 1.5s make all -", "01KDF4 - queued - 1h - true -"}
	for i, line := range want {
		if len(lines) != len(want) || strings.Join(strings.Fields(lines[i]), " ") != line {
			t.Fatalf("got\n%s", strings.Join(lines, "\n"))
		}
	}
	if got := show(recs, 2); !strings.HasSuffix(got, "\n2 jobs more, over: -n 0 lists all.\n") {
		t.Errorf("of those left out: %s", got)
	}
	if got := show(nil, 0); got != "No job is remembered.\n" {
		t.Errorf("of none: %s", got)
	}
}

// The output of a job that is removed meanwhile is unknown.
func TestGlimpseOfNone(t *testing.T) {
	if g := lastOutput(nil, "01KDF3", true); g.Verbose || g.Lines != nil || g.Stdout != nil {
		t.Errorf("%+v", g)
	}
}

// The envelope of a list has the entries that could not be read, masked and limited in
// number.
func TestUnreadable(t *testing.T) {
	stderr, err := os.Create(t.TempDir() + "/stderr")
	if err != nil {
		t.Fatal(err)
	}
	defer stderr.Close()
	env := &cli.Env{Stderr: stderr, Environ: []string{"API_TOKEN=swordfish-4711"}}
	var all []error
	for range warningsLimit + 3 {
		all = append(all, errors.New("read swordfish-4711: it is damaged"))
	}
	got := omittedJobs(env, errors.Join(all...))
	if len(got) != warningsLimit+1 || got[0] != "read ***: it is damaged" || !strings.HasPrefix(got[warningsLimit], "3 more") {
		t.Errorf("%q", got)
	}
	said, err := os.ReadFile(stderr.Name())
	if n := strings.Count(string(said), "read ***"); n != len(all) || err != nil {
		t.Errorf("stderr names %d: %s, %v", n, said, err)
	}
	if got := omittedJobs(env, nil); got != nil {
		t.Errorf("%q", got)
	}
}

// What a runner no longer knows is an error; an error of the question comes first.
func TestRequireKnown(t *testing.T) {
	broken, rec := errors.New("broken"), &job.Record{}
	for _, c := range []struct {
		lost    *envelope.Result
		err     error
		unknown bool
	}{{nil, nil, false}, {&envelope.Result{}, nil, true}, {&envelope.Result{}, broken, false}, {nil, broken, false}} {
		got, err := requireKnown(rec, c.lost, c.err)
		var unknown *farend.UnknownError
		if got != rec || errors.As(err, &unknown) != c.unknown || !c.unknown && !errors.Is(err, c.err) {
			t.Errorf("%+v: got %v", c, err)
		}
	}
}

// A member whose envelope cannot be read, or is none, is an error that names it.
func TestMemberResultFails(t *testing.T) {
	broken := errors.New("broken")
	for _, c := range []struct {
		doc       string
		err, want error
	}{{"", broken, broken}, {"{}", nil, job.ErrDamaged}} {
		res, err := memberResult(job.Member{Number: 7}, func() ([]byte, error) { return []byte(c.doc), c.err })
		if res != nil || !errors.Is(err, c.want) || c.err == nil && !strings.Contains(err.Error(), "member 7") {
			t.Errorf("%q, %v: got %+v, %v", c.doc, c.err, res, err)
		}
	}
}
