package cli

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
)

func versionVerb(*World) *verb {
	return &verb{
		name:    "version",
		summary: "print envwrap's version, commit and date",
		example: "envwrap version",
		run: func(_ context.Context, c *call) error {
			if len(c.args()) > 0 {
				return usagef("unexpected word %q", c.args()[0])
			}
			return printVersion(c.World)
		},
	}
}

// printVersion prints one line: name, version, commit, date, Go and platform.
func printVersion(w *World) error {
	b := w.Build.stamped()
	_, err := fmt.Fprintf(w.Stdout, "envwrap %s (commit %s, %s) %s %s/%s\n",
		b.Version, b.Commit, b.Date, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	if err != nil {
		return fmt.Errorf("print version: %w", err)
	}
	return nil
}

// stamped fills what a release build would have said from the stamp that the
// go command leaves: a module version after `go install`, a commit after
// `go build` in a clone.
func (b Build) stamped() Build {
	if info, ok := debug.ReadBuildInfo(); ok {
		vcs := map[string]string{}
		for _, s := range info.Settings {
			vcs[s.Key] = s.Value
		}
		b.Version = firstOf(b.Version, info.Main.Version)
		b.Commit = firstOf(b.Commit, vcs["vcs.revision"])
		b.Date = firstOf(b.Date, vcs["vcs.time"])
	}
	b.Version = firstOf(b.Version, "(devel)")
	b.Commit = firstOf(b.Commit, "unknown")
	b.Date = firstOf(b.Date, "date unknown")
	return b
}

// firstOf returns the first text that is not empty.
func firstOf(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}
