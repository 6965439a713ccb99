package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/internal/term"
)

func artifactExportVerb(*World) *verb {
	var store, output string
	var asJSON bool
	return &verb{
		name:    "export",
		args:    "[ID...]",
		takes:   anArtifact,
		summary: "write artifacts as a tar archive",
		text: `Without an ID all artifacts are written. The archive goes to standard output, or
to a file that appears whole or not at all. Every artifact is checked.`,
		example: "envwrap artifact export > store.tar\nenvwrap artifact export -o one.tar sha256:2cf24dba",
		options: []*option{
			archiveOption(&store),
			jsonOption(&asJSON),
			{name: "output", short: "o", value: "FILE", def: "standard output", noEnv: true, takes: aFile, help: "where the archive goes", set: into(&output, text)},
		},
		run: func(_ context.Context, c *call) error {
			a, err := c.openArchive(store)
			if err != nil {
				return err
			}
			defer a.Close()
			entries, err := a.chosen(c.args())
			if err != nil {
				return asUsage(err)
			}
			toStdout := output == "" || output == "-" || c.standard(output) == c.Stdout
			if asJSON && toStdout {
				return usagef("--json needs -o FILE: standard output has the archive")
			}
			if err := c.export(a, entries, output); err != nil || !asJSON {
				return err
			}
			doc := struct {
				Output    string      `json:"output"`
				Artifacts []entryView `json:"artifacts"`
			}{c.path(output), make([]entryView, 0, len(entries))}
			for i := range entries {
				doc.Artifacts = append(doc.Artifacts, viewEntry(&entries[i]))
			}
			return c.answerJSON(doc)
		},
	}
}

// chosen are the artifacts that were named, or all of them.
func (a *archive) chosen(ids []string) ([]artifact.Entry, error) {
	all, err := a.List()
	if err != nil || len(ids) == 0 {
		return all, err
	}
	wanted := map[string]bool{}
	for _, id := range ids {
		digest, err := a.Resolve(id)
		if err != nil {
			return nil, err
		}
		wanted[digest] = true
	}
	var chosen []artifact.Entry
	for _, e := range all {
		if wanted[e.Digest] {
			chosen = append(chosen, e)
		}
	}
	return chosen, nil
}

func (c *call) export(a *archive, entries []artifact.Entry, output string) (err error) {
	s, err := c.openSink(output)
	if err != nil {
		return outputError(output, err)
	}
	defer func() { err = errors.Join(err, s.close()) }()
	if s.stream != nil && term.IsTerminal(s.stream) {
		return usagef("an archive is nothing for a terminal: redirect it, or use -o FILE")
	}
	return s.fill(func(out io.Writer) error {
		w := bufio.NewWriterSize(out, 256<<10)
		if err := a.Export(w, entries); err != nil {
			return err
		}
		return w.Flush()
	})
}

func artifactImportVerb(*World) *verb {
	var store string
	var asJSON bool
	return &verb{
		name:    "import",
		args:    "[FILE]",
		takes:   aFile,
		summary: "store the artifacts of an archive that export wrote",
		text: `Every artifact is checked against its digest. They are stored as they are: what
export wrote was masked when it was captured. Files that are no artifacts are passed
over and counted on stderr; the status is 1 where nothing else is there.`,
		example: "envwrap artifact import store.tar\nssh host envwrap artifact export | envwrap artifact import",
		options: []*option{archiveOption(&store), jsonOption(&asJSON)},
		run: func(_ context.Context, c *call) error {
			in, err := c.input()
			if err != nil {
				return err
			}
			defer in.Close()
			return c.importFrom(in, store, asJSON)
		},
	}
}

func (c *call) importFrom(in *os.File, store string, asJSON bool) error {
	s, warning, err := c.openFirst(artifact.Options{Now: c.Now}, store)
	if err != nil {
		return err
	}
	defer s.Close()
	if warning != "" {
		c.complain(errors.New(warning))
	}
	type importView struct {
		Digest string `json:"digest"`
		Size   int64  `json:"size_bytes"`
	}
	views := []importView{}
	done, err := s.Import(bufio.NewReaderSize(in, 256<<10))
	for _, one := range done.Artifacts {
		views = append(views, importView(one))
	}
	if done.Foreign > 0 {
		c.complain(fmt.Errorf("%s of the archive passed over, no artifact by its name: %q", term.Plural(done.Foreign, "file"), done.FirstForeign))
	}
	doc := struct {
		Imported   []importView `json:"imported"`
		PassedOver int          `json:"passed_over"`
	}{views, done.Foreign}
	return errors.Join(err, c.answer(asJSON, doc, func(b *strings.Builder) {
		for _, v := range views {
			fmt.Fprintf(b, "%s %10s\n", v.Digest, term.Bytes(v.Size))
		}
		fmt.Fprintf(b, "%s imported\n", term.Plural(len(views), "artifact"))
	}))
}
