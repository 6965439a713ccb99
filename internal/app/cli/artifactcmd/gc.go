package artifactcmd

import (
	"errors"
	"fmt"
	"strings"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/platform/scratch"
	"github.com/envwrap/envwrap/internal/shared/term"
)

func artifactGcVerb(*cli.Env) *cli.Verb {
	p := artifact.DefaultPolicy()
	return &cli.Verb{
		Name:    "gc",
		Summary: "remove artifacts that are too old or too many",
		Text: `An artifact's age counts from when it was last stored. Pinned ones and
those younger than --grace stay in any case. 0 is no limit. Old artifacts of 1 MiB
or more that stay are packed with gzip, and read as before. The store also collects
by itself, a little with every run that stores something. gc also removes temporary
files of runs that SIGKILL ended, an hour later.`,
		Has:     cli.HasStore | cli.HasJSON,
		Example: "envwrap artifact gc --dry-run\nenvwrap artifact gc --max-age 24h --grace 1h",
		Options: []*cli.Option{
			{Name: "max-age", Value: "DURATION", Def: "336h", NoEnv: true, Help: "remove artifacts older than this", Set: cli.Into(&p.MaxAge, cli.Duration)},
			{Name: "max-size", Value: "SIZE", Def: "10GiB", NoEnv: true, Help: "remove the oldest until the store is no larger than this", Set: cli.Into(&p.MaxSize, cli.Size)},
			{Name: "grace", Value: "DURATION", Def: "24h", NoEnv: true, Help: "keep artifacts younger than this, whatever the limits", Set: cli.Into(&p.Grace, cli.Duration)},
			{Name: "dry-run", NoEnv: true, Help: "only say what would be removed", Set: cli.Into(&p.DryRun, cli.Boolean)},
		},
		Run: onArchive(func(c *cli.Call, a *cli.Archive) error { return collect(c, a, p) }),
	}
}

// A collectionView is the result of gc, in JSON.
type collectionView struct {
	DryRun  bool               `json:"dry_run"`
	Objects int                `json:"objects"`
	Bytes   int64              `json:"bytes"`
	Removed []artifact.Removal `json:"removed"`
	Freed   int64              `json:"freed_bytes"`
	Pinned  int                `json:"kept_pinned"`
	Young   int                `json:"kept_young"`
	Busy    int                `json:"kept_busy"`
	Parts   int                `json:"parts_removed"`
	Packed  int                `json:"packed"`
	Saved   int64              `json:"packed_saved_bytes"`
	Scratch int                `json:"temporary_removed"`
}

// collect runs the collector in all stores.
func collect(c *cli.Call, a *cli.Archive, p artifact.Policy) error {
	v := &collectionView{DryRun: p.DryRun, Removed: []artifact.Removal{}}
	var failed error
	for _, s := range a.Stores {
		done, err := s.Collect(p)
		failed = errors.Join(failed, err)
		v.add(done)
		if err == nil && !p.DryRun && done.Largest >= artifact.DefaultPackSize {
			packed, err := s.Pack(artifact.DefaultPackSize, artifact.DefaultPackAge)
			failed = errors.Join(failed, err)
			v.Packed += packed.Objects
			v.Saved += packed.Before - packed.After
		}
	}
	if !p.DryRun {
		v.Scratch = scratch.Sweep(c.Now())
	}
	return errors.Join(failed, c.Answer(v, v.write))
}

func (v *collectionView) add(c *artifact.Collection) {
	v.Objects += c.Objects
	v.Bytes += c.Bytes
	v.Freed += c.Freed
	v.Pinned += c.Kept.Pinned
	v.Young += c.Kept.Young
	v.Busy += c.Kept.Busy
	v.Parts += c.Parts
	v.Removed = append(v.Removed, c.Removed...)
}

func (v *collectionView) write(b *strings.Builder) {
	verb := "removed"
	if v.DryRun {
		verb = "would remove"
	}
	for _, r := range v.Removed {
		fmt.Fprintf(b, "%s %10s  %s\n", r.Digest, term.Bytes(r.Size), r.Reason)
	}
	fmt.Fprintf(b, "%s %d of %s, %s of %s\n", verb, len(v.Removed), term.Plural(v.Objects, "artifact"), term.Bytes(v.Freed), term.Bytes(v.Bytes))
	for _, kept := range []struct {
		n   int
		why string
	}{{v.Pinned, "pinned"}, {v.Young, "in their grace"}, {v.Busy, "in use by another process"}} {
		if kept.n > 0 {
			fmt.Fprintf(b, "kept %d that are %s\n", kept.n, kept.why)
		}
	}
	if v.Packed > 0 {
		fmt.Fprintf(b, "packed %s, which saves %s\n", term.Plural(v.Packed, "artifact"), term.Bytes(v.Saved))
	}
	if v.Parts > 0 {
		fmt.Fprintf(b, "removed %s of writers that died\n", term.Plural(v.Parts, "part"))
	}
	if v.Scratch > 0 {
		fmt.Fprintf(b, "removed the temporary files of %s\n", term.Plural(v.Scratch, "killed run"))
	}
}
