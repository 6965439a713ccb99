package runcmd

import (
	"math"
	"path/filepath"
	"time"

	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/session"
)

// leastKillAfter is the shortest time that a project's file may leave a command
// to end by itself.
const leastKillAfter = time.Second

// shorterKillAfter is AtMost for --kill-after. A short timeout is worth nothing
// beside a long time to end; a very short one could cost a command its data.
func shorterKillAfter(env *cli.Env, f *cli.ConfigFile, given, before []string) string {
	if d, err := cli.Duration(cli.Last(given)); err == nil && d < leastKillAfter {
		return "below 1s"
	}
	return cli.AtMost(timeRank)(env, f, given, before)
}

// contradicts returns the restraint of a switch that cannot be on together with another
// one of the same file.
func contradicts(other string) cli.Restraint {
	return func(_ *cli.Env, f *cli.ConfigFile, given, _ []string) string {
		on, _ := cli.Boolean(cli.Last(given))
		if otherOn, _ := cli.Boolean(cli.Last(f.Values[other])); on && otherOn {
			return "contradicts " + other
		}
		return ""
	}
}

func sizeRank(_ *cli.Env, s string) (int64, bool) {
	n, err := cli.Size(s)
	return n, err == nil
}

// limitRank ranks 0, which is no limit, above all others.
func limitRank(env *cli.Env, s string) (int64, bool) {
	n, ok := sizeRank(env, s)
	return unlimited(n), ok
}

// timeRank ranks "none", the default of most, and 0 as no limit.
func timeRank(_ *cli.Env, s string) (int64, bool) {
	if s == "none" {
		return math.MaxInt64, true
	}
	d, err := cli.Duration(s)
	return unlimited(int64(d)), err == nil
}

// budgetRank ranks auto as what it is for the calling agent.
func budgetRank(env *cli.Env, s string) (int64, bool) {
	n, err := budget(s)
	if n == BudgetAuto {
		n = session.BudgetOf(env.CallingAgent())
	}
	return unlimited(int64(n)), err == nil
}

// excerptRank ranks auto as the most that it can be.
func excerptRank(_ *cli.Env, s string) (int64, bool) {
	n, err := excerptSize(s)
	if n == excerptAuto {
		n = excerptMost
	}
	return int64(n), err == nil
}

func unlimited(n int64) int64 {
	if n == 0 {
		return math.MaxInt64
	}
	return n
}

// outsideWorkTrees returns the restraint of a store, trusted or not: what lies in a
// repository's work tree came with the repository. Both the name and the place
// that symbolic links lead to have to be outside.
func outsideWorkTrees(_ *cli.Env, f *cli.ConfigFile, given, _ []string) string {
	own := session.Workspace(f.Dir)
	for _, path := range []string{filepath.Clean(cli.Last(given)), session.ResolveLinks(cli.Last(given))} {
		if cli.Within(path, own) || cli.Within(path, f.Dir) {
			return "a store may not lie in the project"
		}
		if _, ok := session.WorkTree(path); ok {
			return "a store may not lie in the work tree of a repository"
		}
	}
	return ""
}

// excerptMost is the largest value of --excerpt auto, the one for a success.
const excerptMost = 32 << 10
