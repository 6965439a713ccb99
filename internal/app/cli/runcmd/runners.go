package runcmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/enginejob"
	"github.com/envwrap/envwrap/internal/app/cli/farend"
	"github.com/envwrap/envwrap/internal/app/engine"
	"github.com/envwrap/envwrap/internal/shared/errtext"
	"github.com/envwrap/envwrap/internal/shared/term"
	"github.com/envwrap/envwrap/job"
)

// RunnerVerb returns the group of verbs about the runners of --on.
func RunnerVerb(*cli.Env) *cli.Verb {
	return &cli.Verb{
		Name:    "runner",
		Args:    "VERB",
		Summary: "show or check the machines for --on",
		Text: `A runner is a command in your own configuration that runs the command line after it
on another machine, where envwrap is on PATH:

  [runner.build1]
  command = ["ssh", "build1", "--"]

Other keys: quote (shell, the default for ssh, or none), and cwd and env (a list of
NAME=value) on that machine. With engine instead of command, Slurm ("slurm"),
Kubernetes ("kubernetes") or commands of your own ("command": submit, status, cancel,
find, logs) hold the run while no process of envwrap lives here:

  [runner.gpu]
  engine = "slurm"
  partition = "gpu"

With both, command runs the engine's commands elsewhere, as on a login node.`,
		Example: "envwrap runner check build1\nenvwrap --on build1 -- make test",
		Verbs:   []cli.Row{{Name: "ls", Make: runnerLsVerb}, {Name: "check", Make: runnerCheckVerb}},
	}
}

func runnerLsVerb(*cli.Env) *cli.Verb {
	return &cli.Verb{
		Name:    "ls",
		Summary: "list the runners",
		Text:    "No runner is called, and no value of env is shown.",
		Has:     cli.HasJSON,
		Example: "envwrap runner ls",
		Run: func(_ context.Context, c *cli.Call) error {
			s, err := c.Settings()
			s.Warn(c.Complain, c.Verb.Options...)
			if err != nil {
				return err
			}
			rows, err := c.Runners()
			if err != nil {
				return err
			}
			return c.Answer(map[string]any{"runners": append([]cli.RunnerRow{}, rows...)}, func(b *strings.Builder) {
				for _, r := range rows {
					fmt.Fprintf(b, "%-12s %s\n", term.Visible(r.Name), term.Visible(cli.ShellLine(r.Words()...)))
				}
			})
		},
	}
}

// A runnerFinding is one line of a check.
type runnerFinding struct {
	Name string `json:"name"`
	OK   bool   `json:"ok"`
	Text string `json:"text"`
}

// quotingProbe contains every character that shell quoting can damage.
const quotingProbe = `a b'c"d$HOME\n*;#` + "\n" + `é`

func runnerCheckVerb(*cli.Env) *cli.Verb {
	return &cli.Verb{
		Name:    "check",
		Args:    "NAME",
		Summary: "try a runner: reach, version, quoting, jobs",
		Text:    "Prints a line for each check; the status is 1 if one fails. It runs a command there that prints a word.",
		Has:     cli.HasJSON,
		Example: "envwrap runner check build1",
		Run: func(ctx context.Context, c *cli.Call) error {
			row, err := c.Runner(c.Operands()[0])
			if err != nil {
				return err
			}
			check := checkRunner
			if row.Engine != nil {
				check = checkEngineRunner
			}
			found := check(ctx, c.Env, row)
			err = c.Answer(map[string]any{"checks": found}, func(b *strings.Builder) {
				for _, f := range found {
					fmt.Fprintf(b, "%-4s %-8s %s\n", map[bool]string{true: "ok", false: "FAIL"}[f.OK], f.Name, term.Visible(f.Text))
				}
			})
			if err == nil && !found[len(found)-1].OK {
				err = cli.Status(1)
			}
			return err
		},
	}
}

// checkRunner checks a runner in the order of the findings and stops after the first check
// that fails.
func checkRunner(ctx context.Context, env *cli.Env, row *cli.RunnerRow) []runnerFinding {
	f := farend.New(env, callEnviron(env), row, job.Far{Runner: row.Name, ID: env.Session().NewULID(), At: env.Now()})
	call := func(args ...string) (string, error) {
		ctx, cancel := context.WithTimeout(ctx, farend.AskTimeout)
		defer cancel()
		return f.Call(ctx, args...)
	}
	begun := env.Now()
	version, err := call("version")
	var ended *exec.ExitError
	switch {
	case errors.As(err, &ended):
		return []runnerFinding{{"reach", false, err.Error() + "; envwrap has to be on the PATH that the runner's command gives"}}
	case err != nil:
		return []runnerFinding{{"reach", false, err.Error()}}
	}
	first, _, _ := strings.Cut(version, "\n")
	all := []runnerFinding{{"reach", true, fmt.Sprintf("answers in %s", env.Now().Sub(begun).Round(time.Millisecond))}}
	if !strings.HasPrefix(first, "envwrap ") {
		return append(all, runnerFinding{"version", false, fmt.Sprintf("it prints %q, and only envwrap may write to standard output there", env.Masked(first))})
	}
	all = append(all, runnerFinding{"version", true, first})
	arrived, err := call("run", "--emit=always", "--compact", "--output=-", "--stream=false", "--redact=known", "--format=protocol/v1", "--detail=full", "--parse=text", "--wait=1m", "--id="+f.Far.ID, "--", "printf", "%s", quotingProbe)
	switch {
	case err != nil:
		return append(all, runnerFinding{"quoting", false, err.Error()})
	case commandStdout(arrived) != quotingProbe:
		other := "shell"
		if row.Quote == other {
			other = "none"
		}
		return append(all, runnerFinding{"quoting", false, fmt.Sprintf("arguments were changed on the way: set quote to %q (now %q) and check again", other, row.Quote)})
	}
	all = append(all, runnerFinding{"quoting", true, "arguments arrive unchanged"})
	found := f.Results(ctx, farend.AskTimeout)
	const gone = "finished jobs are not kept: large output needs --push, and after a lost connection envwrap cannot learn how the run ended"
	text := "finished jobs are kept: a run can be found again"
	switch {
	case found.State == farend.Done:
		rememberMark(ctx, f)
	case found.Why == farend.NoSuchJob:
		text = gone
	default:
		text = gone + " (" + found.Why + ")"
	}
	if leavesMore := strings.Contains(startsInQueue, " "+filepath.Base(row.Command[0])+" "); leavesMore {
		text += `; the run ends with this connection, and a question waits in the same queue: with engine = "slurm" Slurm holds the run`
	}
	return append(all, runnerFinding{"jobs", true, text})
}

// startsInQueue has the programs of Slurm that run a command while they live.
const startsInQueue = " srun salloc "

// checkEngineRunner runs a command through an engine. A run that waits for its turn longer
// than checkWait is canceled.
func checkEngineRunner(ctx context.Context, env *cli.Env, row *cli.RunnerRow) []runnerFinding {
	e := &enginejob.Job{Env: env, Inherit: callEnviron(env), Row: row, Mask: env.Mask()}
	begun := env.Now()
	if _, err := row.Engine.Find(ctx, e.Call, &engine.Job{Name: "envwrap-check"}); err != nil {
		return []runnerFinding{{"reach", false, err.Error()}}
	}
	all := []runnerFinding{{"reach", true, fmt.Sprintf("%s answers in %s", enginejob.Title(row), env.Now().Sub(begun).Round(time.Millisecond))}}
	self, err := env.Program()
	if err != nil {
		return append(all, runnerFinding{"run", false, err.Error()})
	}
	begun = env.Now()
	here := &enginejob.Job{Env: env, Inherit: e.Inherit, Row: &cli.RunnerRow{Name: row.Name}, Mask: e.Mask} // without the prefix of the row
	out, complaint, err := here.CallWithin(farend.AskTimeout)(ctx, []string{self, "run", "--on=" + row.Name, "--queue-timeout=" + checkWait.String(), "--format=protocol/v1", "--detail=full", "--compact", "--output=-", "--emit=always", "--redact=known", "--parse=text", "--", "printf", "%s", quotingProbe}, "")
	found := farend.Envelopes(out)
	switch {
	case len(found) == 0:
		return append(all, runnerFinding{"run", false, cmp.Or(errtext.LastLine(complaint), fmt.Sprint(err))})
	case found[0].Stdout.Text != quotingProbe:
		return append(all, runnerFinding{"run", false, found[0].Outcome.Message})
	}
	came := "its files were seen here"
	if row.Engine.Apart() {
		came = "its output came here"
	}
	all = append(all, runnerFinding{"run", true, fmt.Sprintf("a command ran, and %s, after %s", came, env.Now().Sub(begun).Round(time.Millisecond))})
	if slices.ContainsFunc(found[0].Warnings, func(w string) bool { return strings.HasPrefix(w, enginejob.NoEnvwrapThere) }) {
		return append(all, runnerFinding{"envwrap", true, "none was found there: output appears when the command has ended, and is stored unmasked until then"})
	}
	return append(all, runnerFinding{"envwrap", true, "it runs there: output is masked, and can be followed"})
}

// checkWait is how long a check waits in the queue of an engine.
const checkWait = 20 * time.Second

// rememberMark leaves a mark at a far end that keeps its jobs, for the runs to come.
func rememberMark(ctx context.Context, f *farend.Side) {
	f.Far.Mark = f.Env.Session().NewULID()
	err := f.LeaveMark(ctx, farend.AskTimeout)
	if err == nil {
		var s *job.Store
		if s, err = OpenJobs(f.Env, ""); err == nil {
			err = s.SetRunnerMark(farend.RunnerKey(f.Row), job.RunnerMark{Mark: f.Far.Mark, Since: f.Now()})
			_ = s.Close()
		}
	}
	if err != nil {
		f.Complain(err)
	}
}

// commandStdout returns the stdout of the command of the first envelope in doc.
func commandStdout(doc string) string {
	for _, res := range farend.Envelopes(doc) {
		return res.Stdout.Text
	}
	return ""
}
