package runcmd

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"github.com/envwrap/envwrap/internal/app/cli"
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
NAME=value) on that machine.`,
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
			found := checkRunner(ctx, c.Env, row)
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
	f := newFarSide(env, row, job.Far{Runner: row.Name, ID: env.Session().NewULID(), At: env.Now()})
	call := func(args ...string) (string, error) {
		ctx, cancel := context.WithTimeout(ctx, askTimeout)
		defer cancel()
		return f.call(ctx, args...)
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
	arrived, err := call("run", "--emit=always", "--compact", "--output=-", "--stream=false", "--redact=known", "--format=protocol/v1", "--detail=full", "--parse=text", "--wait=1m", "--id="+f.far.ID, "--", "printf", "%s", quotingProbe)
	switch {
	case err != nil:
		return append(all, runnerFinding{"quoting", false, err.Error()})
	case printed(arrived) != quotingProbe:
		other := "shell"
		if row.Quote == other {
			other = "none"
		}
		return append(all, runnerFinding{"quoting", false, fmt.Sprintf("arguments were changed on the way: set quote to %q (now %q) and check again", other, row.Quote)})
	}
	all = append(all, runnerFinding{"quoting", true, "arguments arrive unchanged"})
	found := f.results(ctx, askTimeout)
	const gone = "finished jobs are not kept: large output needs --push, and after a lost connection envwrap cannot learn how the run ended"
	text := "finished jobs are kept: a run can be found again"
	switch {
	case found.farJobState == farDone:
		rememberMark(ctx, f)
	case found.why == noSuchJob:
		text = gone
	default:
		text = gone + " (" + found.why + ")"
	}
	return append(all, runnerFinding{"jobs", true, text})
}

// rememberMark leaves a mark at a far end that keeps its jobs, for the runs to come.
func rememberMark(ctx context.Context, f *farSide) {
	f.far.Mark = f.Env.Session().NewULID()
	err := f.leaveMark(ctx, askTimeout)
	if err == nil {
		var s *job.Store
		if s, err = OpenJobs(f.Env, ""); err == nil {
			err = s.SetRunnerMark(runnerKey(f.row), job.RunnerMark{Mark: f.far.Mark, Since: f.Now()})
			_ = s.Close()
		}
	}
	if err != nil {
		f.Complain(err)
	}
}

// printed returns what the command of an envelope has printed.
func printed(doc string) string {
	for _, res := range farEnvelopes(doc) {
		return res.Stdout.Text
	}
	return ""
}
