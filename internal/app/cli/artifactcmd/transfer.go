package artifactcmd

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/platform/output"
	"github.com/envwrap/envwrap/internal/shared/term"
)

func artifactExportVerb(*cli.Env) *cli.Verb {
	var target string
	return &cli.Verb{
		Name:    "export",
		Args:    "[ID...]",
		Takes:   cli.AnArtifact,
		Summary: "write artifacts as a tar archive",
		Text: `Without an ID all artifacts are written. The archive goes to standard output, or
with -o to a file, which appears only once it is whole. Every artifact is checked.`,
		Has:     cli.HasStore | cli.HasJSON,
		Example: "envwrap artifact export > store.tar\nenvwrap artifact export -o one.tar sha256:2cf24dba",
		Options: []*cli.Option{
			{Name: "output", Short: "o", Value: "FILE", Def: "standard output", NoEnv: true, Takes: cli.AFile, Help: "write the archive to FILE", Set: cli.Into(&target, cli.Text)},
		},
		Run: onArchive(func(c *cli.Call, a *cli.Archive) error {
			entries, err := selectEntries(a, c.Operands())
			if err != nil {
				return err
			}
			toStdout := target == "" || target == "-" || output.Standard(target, c.Stdout, c.Stderr) == c.Stdout
			if c.JSON() && toStdout {
				return cli.Usagef("--json needs -o FILE: standard output has the archive")
			}
			if err := export(c, a, entries, target); err != nil || !c.JSON() {
				return err
			}
			doc := struct {
				Output    string      `json:"output"`
				Artifacts []entryView `json:"artifacts"`
			}{c.Path(target), make([]entryView, 0, len(entries))}
			for i := range entries {
				doc.Artifacts = append(doc.Artifacts, viewEntry(&entries[i], nil))
			}
			return c.AnswerJSON(doc)
		}),
	}
}

// selectEntries returns the artifacts that were named, or all of them.
func selectEntries(a *cli.Archive, ids []string) ([]artifact.Entry, error) {
	wanted := map[string]bool{}
	for _, id := range ids {
		o, err := a.Get(id) // fetches an object that this store lacks
		if err != nil {
			return nil, err
		}
		wanted[o.Digest()] = true
		_ = o.Close()
	}
	all, err := a.List()
	if err != nil || len(ids) == 0 {
		return all, err
	}
	var chosen []artifact.Entry
	for _, e := range all {
		if wanted[e.Digest] {
			chosen = append(chosen, e)
		}
	}
	return chosen, nil
}

func export(c *cli.Call, a *cli.Archive, entries []artifact.Entry, target string) (err error) {
	s, err := output.OpenSink(target, c.Path, c.Stdout, c.Stderr)
	if err != nil {
		return cli.OutputError(target, err)
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if s.Stream != nil && term.IsTerminal(s.Stream) {
		return cli.Usagef("an archive is nothing for a terminal: redirect it, or use -o FILE")
	}
	return s.Fill(func(out io.Writer) error {
		w := bufio.NewWriterSize(out, 256<<10)
		if err := a.Export(w, entries); err != nil {
			return err
		}
		return w.Flush()
	})
}

func artifactImportVerb(*cli.Env) *cli.Verb {
	var most int64
	return &cli.Verb{
		Name:    "import",
		Args:    "[FILE]",
		Takes:   cli.AFile,
		Summary: "store the artifacts of an archive that export wrote",
		Text: `Every artifact is checked against its digest. They are stored as they are,
since they were masked when they were captured. Other files are skipped and counted
on stderr; the status is 1 if there is no artifact.`,
		Has:     cli.HasStore | cli.HasJSON,
		Example: "envwrap artifact import store.tar\nssh host envwrap artifact export | envwrap artifact import",
		Options: []*cli.Option{cli.StoreMaxOption(&most, "")},
		Run: func(_ context.Context, c *cli.Call) error {
			in, err := c.Input()
			if err != nil {
				return err
			}
			defer in.Close()
			return importFrom(c, in, most)
		},
	}
}

func importFrom(c *cli.Call, in *os.File, most int64) error {
	s, warning, err := c.OpenFirst(artifact.Options{Now: c.Now, MaxSize: most}, c.Store())
	if err != nil {
		return err
	}
	defer s.Close()
	if warning != "" {
		c.Complain(errors.New(warning))
	}
	done, err := s.Import(bufio.NewReaderSize(in, 256<<10))
	if done.Foreign > 0 {
		c.Complain(fmt.Errorf("%s of the archive passed over, no artifact by its name: %q", term.Plural(done.Foreign, "file"), done.FirstForeign))
	}
	doc := struct {
		Imported   []artifact.Import `json:"imported"`
		PassedOver int               `json:"passed_over"`
	}{append([]artifact.Import{}, done.Artifacts...), done.Foreign}
	return errors.Join(err, c.Answer(doc, func(b *strings.Builder) {
		for _, v := range done.Artifacts {
			fmt.Fprintf(b, "%s %10s\n", v.Digest, term.Bytes(v.Size))
		}
		fmt.Fprintf(b, "%s imported\n", term.Plural(len(done.Artifacts), "artifact"))
	}))
}
