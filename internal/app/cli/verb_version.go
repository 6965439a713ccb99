package cli

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"time"
)

// VersionVerb returns the verb version.
func VersionVerb(*Env) *Verb {
	return &Verb{
		Name:    "version",
		Summary: "print envwrap's version, commit and date",
		Example: "envwrap version",
		Run:     func(_ context.Context, c *Call) error { return printVersion(c.Env) },
	}
}

// printVersion prints one line: name, version, commit, date, Go and platform.
func printVersion(env *Env) error {
	b := env.Build.stamped()
	_, err := fmt.Fprintf(env.Stdout, "envwrap %s (commit %s, %s) %s %s/%s\n",
		b.Version, b.Commit, b.Date, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	if err != nil {
		return fmt.Errorf("print version: %w", err)
	}
	return nil
}

// stamped fills what a release build would have said from the stamp that the
// go command leaves: a commit after `go build` in a clone, a module version
// after `go install`.
func (b Build) stamped() Build {
	if info, ok := debug.ReadBuildInfo(); ok {
		b = b.fillFrom(info)
	}
	b.Version = cmp.Or(b.Version, "(devel)")
	b.Commit = cmp.Or(b.Commit, "unknown")
	b.Date = cmp.Or(b.Date, "date unknown")
	return b
}

// fillFrom sets missing fields from info. The commit of a module is in its
// pseudo-version only; a module with a tag has the tag as its version.
func (b Build) fillFrom(info *debug.BuildInfo) Build {
	vcs := map[string]string{}
	for _, s := range info.Settings {
		vcs[s.Key] = s.Value
	}
	commit, date := pseudo(info.Main.Version)
	b.Version = cmp.Or(b.Version, info.Main.Version)
	b.Commit = cmp.Or(b.Commit, vcs["vcs.revision"], commit)
	b.Date = cmp.Or(b.Date, vcs["vcs.time"], date)
	return b
}

// pseudo takes commit and date out of a pseudo-version, which ends in -, UTC
// time, -, the first twelve digits of the commit (Go Modules Reference,
// "Pseudo-versions"). Both are empty for any other version.
func pseudo(version string) (commit, date string) {
	version, _, _ = strings.Cut(version, "+")
	i := strings.LastIndexByte(version, '-')
	if commit = version[i+1:]; i < 0 || len(commit) != 12 || strings.Trim(commit, "0123456789abcdef") != "" {
		return "", ""
	}
	at, err := time.Parse("20060102150405", version[max(i-14, 0):i])
	if err != nil {
		return "", ""
	}
	return commit, at.Format(time.RFC3339)
}
