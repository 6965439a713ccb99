package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/internal/term"
)

func artifactVerifyVerb(*World) *verb {
	var store string
	var asJSON bool
	var k artifact.Check
	return &verb{
		name:    "verify",
		args:    "[ID...]",
		takes:   anArtifact,
		summary: "read artifacts and compare them with their digests",
		text: `Without an ID all artifacts are read, and all other files of the store are
looked at. A line names a file and what is wrong with it; the status is then 1.
What lies in quarantine, since it was corrupt when it was read, is told once.`,
		example: "envwrap artifact verify\nenvwrap artifact verify --sample 100 --quarantine\nenvwrap artifact verify --purge",
		options: []*option{
			archiveOption(&store),
			jsonOption(&asJSON),
			{name: "sample", value: "N", def: "all", noEnv: true, help: "only so many, chosen at random", set: into(&k.Sample, count)},
			{name: "quarantine", noEnv: true, help: "move what is corrupt out of sight", set: into(&k.Quarantine, boolean)},
			{name: "purge", noEnv: true, help: "remove what lies in quarantine, once it is told", set: into(&k.Purge, boolean)},
		},
		run: func(_ context.Context, c *call) error {
			k.IDs = c.args()
			if k.Purge && len(k.IDs) > 0 {
				return usagef("--purge is for all of the quarantine: leave out the ID")
			}
			return asUsage(c.verify(store, k, asJSON))
		},
	}
}

// A verdictView is what verify found, in JSON.
type verdictView struct {
	Objects int         `json:"objects"`
	Bytes   int64       `json:"bytes"`
	Faults  []faultView `json:"faults"`
	Told    int         `json:"quarantined"` // and told before
	Purged  int         `json:"purged"`
}

type faultView struct {
	Store string `json:"store"`
	File  string `json:"file"`
	Text  string `json:"text"`
}

func (c *call) verify(store string, k artifact.Check, asJSON bool) error {
	a, err := c.openArchive(store)
	if err != nil {
		return err
	}
	defer a.Close()
	v := &verdictView{Faults: []faultView{}}
	where, err := a.placesOf(k.IDs)
	if err != nil {
		return err
	}
	for i, s := range a.Stores {
		if len(k.IDs) > 0 && len(where[i]) == 0 {
			continue
		}
		found, err := s.Verify(artifact.Check{IDs: where[i], Sample: k.Sample, Quarantine: k.Quarantine, Purge: k.Purge})
		if err != nil {
			return err
		}
		v.add(s.Dir(), found)
	}
	err = c.answer(asJSON, v, func(b *strings.Builder) {
		for _, f := range v.Faults {
			fmt.Fprintf(b, "%s/%s: %s\n", f.Store, f.File, f.Text)
		}
		fmt.Fprintf(b, "%s read, %s; %s\n", term.Plural(v.Objects, "object"), term.Bytes(v.Bytes), term.Plural(len(v.Faults), "fault"))
		switch {
		case v.Purged > 0:
			fmt.Fprintf(b, "%s removed from quarantine\n", term.Plural(v.Purged, "object"))
		case v.Told > 0:
			fmt.Fprintf(b, "%s in quarantine, told before: --purge removes what lies there\n", term.Plural(v.Told, "object"))
		}
	})
	if err == nil && (len(v.Faults) > 0 || a.refused != nil) {
		err = status(statusFound)
	}
	return err
}

func (v *verdictView) add(dir string, found *artifact.Verdict) {
	v.Objects += found.Objects
	v.Bytes += found.Bytes
	v.Told += found.Told
	v.Purged += found.Purged
	for _, f := range found.Faults {
		v.Faults = append(v.Faults, faultView{dir, f.File, f.Text})
	}
}

// placesOf sorts ids by the store that has them.
func (a *archive) placesOf(ids []string) ([][]string, error) {
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
