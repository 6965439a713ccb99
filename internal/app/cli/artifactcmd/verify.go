package artifactcmd

import (
	"fmt"
	"strings"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/shared/term"
)

func artifactVerifyVerb(*cli.Env) *cli.Verb {
	var k artifact.Check
	return &cli.Verb{
		Name:    "verify",
		Args:    "[ID...]",
		Takes:   cli.AnArtifact,
		Summary: "read artifacts and compare them with their digests",
		Text: `Without an ID verify reads all artifacts and checks all other files of the store.
It prints a line for each damaged file, with the reason, and then ends with 1.
It reports each object in quarantine, found corrupt by an earlier reader, once.`,
		Has:     cli.HasStore | cli.HasJSON,
		Example: "envwrap artifact verify\nenvwrap artifact verify --quarantine\nenvwrap artifact verify --purge",
		Options: []*cli.Option{
			{Name: "quarantine", NoEnv: true, Help: "move corrupt artifacts to quarantine", Set: cli.Into(&k.Quarantine, cli.Boolean)},
			{Name: "purge", NoEnv: true, Help: "remove quarantined objects that an earlier verify reported", Set: cli.Into(&k.Purge, cli.Boolean)},
		},
		Run: onArchive(func(c *cli.Call, a *cli.Archive) error {
			k.IDs = c.Operands()
			if k.Purge && len(k.IDs) > 0 {
				return cli.Usagef("--purge is for all of the quarantine: leave out the ID")
			}
			return verify(c, a, k)
		}),
	}
}

// A verdictView has the faults that verify found, in JSON.
type verdictView struct {
	Objects int         `json:"objects"`
	Bytes   int64       `json:"bytes"`
	Faults  []faultView `json:"faults"`
	Known   int         `json:"quarantined"` // and reported before
	Purged  int         `json:"purged"`
}

type faultView struct {
	Store string `json:"store"`
	artifact.Fault
}

func verify(c *cli.Call, a *cli.Archive, k artifact.Check) error {
	v := &verdictView{Faults: []faultView{}}
	where, err := idsByStore(a, k.IDs)
	if err != nil {
		return err
	}
	for i, s := range a.Stores {
		if len(k.IDs) > 0 && len(where[i]) == 0 {
			continue
		}
		found, err := s.Verify(artifact.Check{IDs: where[i], Quarantine: k.Quarantine, Purge: k.Purge})
		if err != nil {
			return err
		}
		v.add(s.Dir(), found)
	}
	err = c.Answer(v, func(b *strings.Builder) {
		for _, f := range v.Faults {
			fmt.Fprintf(b, "%s/%s: %s\n", f.Store, f.File, f.Text)
		}
		fmt.Fprintf(b, "%s read, %s; %s\n", term.Plural(v.Objects, "object"), term.Bytes(v.Bytes), term.Plural(len(v.Faults), "fault"))
		switch {
		case v.Purged > 0:
			fmt.Fprintf(b, "%s removed from quarantine\n", term.Plural(v.Purged, "object"))
		case v.Known > 0:
			fmt.Fprintf(b, "%s in quarantine, reported before: --purge removes them\n", term.Plural(v.Known, "object"))
		}
	})
	if err == nil && (len(v.Faults) > 0 || a.Refused != nil) {
		err = cli.Status(cli.StatusFound)
	}
	return err
}

func (v *verdictView) add(dir string, found *artifact.Verdict) {
	v.Objects += found.Objects
	v.Bytes += found.Bytes
	v.Known += found.Known
	v.Purged += found.Purged
	for _, f := range found.Faults {
		v.Faults = append(v.Faults, faultView{dir, f})
	}
}

// idsByStore sorts ids by the store that has them.
func idsByStore(a *cli.Archive, ids []string) ([][]string, error) {
	where := make([][]string, len(a.Stores))
	for _, id := range ids {
		s, digest, err := a.Locate(id)
		if err != nil {
			return nil, err
		}
		for i := range a.Stores {
			if a.Stores[i] == s {
				where[i] = append(where[i], digest)
			}
		}
	}
	return where, nil
}
