package artifactcmd

import (
	"cmp"
	"path"
	"strings"
	"time"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/shared/term"
)

// A listing holds the options of ls.
type listing struct {
	limit            int
	newer, older     time.Duration
	minSize, maxSize int64
	command, kind    string
	sort             order
}

func artifactLsVerb(*cli.Env) *cli.Verb {
	l := &listing{}
	return &cli.Verb{
		Name:    "ls",
		Summary: "list artifacts, the newest first",
		Text: `A line has the digest, size, age and MIME type of an artifact, and the exit status,
stream, command and directory of the run that printed it; a terminal that is too
narrow for that shows the first digits of the digest. Output that is being written,
or whose writer was killed, follows: see artifact tail -f and artifact recover.`,
		Has:     cli.HasStore | cli.HasJSON,
		Example: "envwrap artifact ls -n 5\nenvwrap artifact ls --command exec/go --newer 2h --json",
		Options: []*cli.Option{
			{Name: "limit", Short: "n", Value: "N", Def: "all", NoEnv: true, Help: "only the first N", Set: cli.Into(&l.limit, cli.Count)},
			{Name: "newer", Value: "DURATION", NoEnv: true, Help: "only artifacts stored within the last DURATION", Set: cli.Into(&l.newer, cli.Duration)},
			{Name: "older", Value: "DURATION", NoEnv: true, Help: "only artifacts stored more than DURATION ago", Set: cli.Into(&l.older, cli.Duration)},
			{Name: "min-size", Value: "SIZE", NoEnv: true, Help: "only artifacts of at least SIZE", Set: cli.Into(&l.minSize, cli.Size)},
			{Name: "max-size", Value: "SIZE", NoEnv: true, Help: "only artifacts of at most SIZE", Set: cli.Into(&l.maxSize, cli.Size)},
			{Name: "command", Value: "GLOB", NoEnv: true, Help: "only artifacts of commands that match GLOB: exec/go, exec/*", Set: cli.Into(&l.command, glob)},
			{Name: "kind", Value: "GLOB", NoEnv: true, Help: "only artifacts whose MIME type matches GLOB: application/json, text/*", Set: cli.Into(&l.kind, glob)},
			{Name: "sort", Value: "KEY", Def: "age", NoEnv: true, Help: "order by age, size, command or kind", Choices: cli.Names(orders), Set: cli.Into(&l.sort, cli.Choice(orders))},
		},
		Run: onArchive(l.run),
	}
}

type order = func(a, b artifact.Entry) int

// orders returns the values of --sort. The newest first comes out of the store.
func orders() []cli.Word[order] {
	return []cli.Word[order]{
		{Name: "age", Value: nil},
		{Name: "size", Value: func(a, b artifact.Entry) int { return cmp.Compare(b.Size, a.Size) }},
		{Name: "command", Value: func(a, b artifact.Entry) int { return strings.Compare(a.Command, b.Command) }},
		{Name: "kind", Value: func(a, b artifact.Entry) int { return strings.Compare(a.Kind, b.Kind) }},
	}
}

func (l *listing) run(c *cli.Call, a *cli.Archive) error {
	list, err := a.Listing()
	if err != nil {
		return err
	}
	now := c.Now()
	if l.filters() {
		list.Keep(func(e *artifact.Entry) bool { return l.wants(e, now) })
	}
	if l.sort != nil {
		list.Sort(l.sort)
	}
	if l.limit > 0 {
		list.Truncate(l.limit)
	}
	var parts []artifact.Part
	for _, s := range a.Stores {
		found, err := s.Parts()
		if err != nil {
			return err
		}
		parts = append(parts, found...)
	}
	return l.print(c, list, parts)
}

// filters reports whether l does not want all artifacts.
func (l *listing) filters() bool {
	return l.newer != 0 || l.older != 0 || l.minSize > 0 || l.maxSize != 0 || l.command != "" || l.kind != ""
}

func (l *listing) wants(e *artifact.Entry, now time.Time) bool {
	age := now.Sub(e.Time)
	kind := bareType(e.Kind)
	return (l.newer == 0 || age <= l.newer) &&
		(l.older == 0 || age > l.older) &&
		e.Size >= l.minSize &&
		(l.maxSize == 0 || e.Size <= l.maxSize) &&
		(l.command == "" || matches(l.command, e.Command)) &&
		(l.kind == "" || matches(l.kind, kind) || matches(l.kind, e.Kind))
}

// glob reads a pattern of path.Match.
func glob(s string) (string, error) {
	if _, err := path.Match(s, ""); err != nil {
		return "", cli.BadValue(s, "pattern", "Stars, question marks and [classes] are read.")
	}
	return cli.Text(s)
}

func matches(pattern, s string) bool {
	ok, _ := path.Match(pattern, s) // glob has read it
	return ok
}

// A partView is output without a digest, in JSON.
type partView struct {
	Part  string `json:"part"`
	Size  int64  `json:"size_bytes"`
	Time  string `json:"ts"`
	Alive bool   `json:"being_written"`
}

func (l *listing) print(c *cli.Call, list *artifact.Listing, parts []artifact.Part) error {
	sources := c.Sources(c.Store())
	if c.JSON() {
		doc := struct {
			Artifacts []entryView `json:"artifacts"`
			Parts     []partView  `json:"parts"`
		}{make([]entryView, 0, list.Len()), make([]partView, 0, len(parts))}
		for i := range list.Len() {
			e := list.Entry(i)
			doc.Artifacts = append(doc.Artifacts, viewEntry(&e, sources))
		}
		for _, p := range parts {
			doc.Parts = append(doc.Parts, partView{p.Name, p.Size, cli.Stamp(p.Time), p.Alive})
		}
		return c.AnswerJSON(doc)
	}
	t := listingTable(list.Len(), list.Entry, parts, sources, c.Now())
	if !term.IsTerminal(c.Stdout) {
		return c.Stream(t.Plain)
	}
	return c.Show(func(b *strings.Builder) { t.Write(b, c.Screen()) })
}

// listingTable returns a table with a row for each of n artifacts, then one for each
// part.
func listingTable(n int, entry func(i int) artifact.Entry, parts []artifact.Part, sources map[string]*cli.Source, now time.Time) *term.Table {
	t := &term.Table{Columns: []term.Column{
		{Name: "ARTIFACT", Short: cli.ShortID},
		{Name: "SIZE", Right: true},
		{Name: "AGE", Right: true},
		{Name: "KIND", Fit: term.Clipped, Least: 8, Optional: true, Short: bareType},
		{Name: "STATUS", Right: true},
		{Name: "STREAM"},
		{Name: "COMMAND", Fit: term.Clipped, Least: 7},
		{Name: "DIRECTORY", Fit: term.Clipped, Least: 8, Optional: true},
	}}
	t.Each = func(add func(cells ...string)) {
		for i := range n {
			e := entry(i)
			source := sources[e.Digest]
			add(e.Digest, term.Bytes(e.Size), term.Age(now.Sub(e.Time)), term.Visible(cmp.Or(e.Kind, "-")),
				source.Status(), term.Visible(cmp.Or(e.Stream, "-")), commandOf(&e, source), directoryOf(source))
		}
		for _, p := range parts {
			state := "left by a writer that died: envwrap artifact recover"
			if p.Alive {
				state = "being written"
			}
			add(p.Name, term.Bytes(p.Size), term.Age(now.Sub(p.Time)), "-", "-", "-", state, "-")
		}
	}
	return t
}

// bareType returns a MIME type without its parameters.
func bareType(kind string) string {
	kind, _, _ = strings.Cut(kind, ";")
	return kind
}

// An entryView is an artifact in JSON.
type entryView struct {
	Digest  string `json:"digest"`
	Size    int64  `json:"size_bytes"`
	Time    string `json:"ts"`
	Kind    string `json:"kind,omitempty"`
	Command string `json:"command,omitempty"`
	Stream  string `json:"stream,omitempty"`
	Run     string `json:"run,omitempty"`
	*cli.Source
}

func viewEntry(e *artifact.Entry, sources map[string]*cli.Source) entryView {
	return entryView{e.Digest, e.Size, cli.Stamp(e.Time), e.Kind, e.Command, e.Stream, e.Run, sources[e.Digest]}
}

// commandOf returns the command line that printed an artifact, or its name where no
// record has it.
func commandOf(e *artifact.Entry, s *cli.Source) string {
	command := cmp.Or(e.Command, "-")
	if s != nil && len(s.Argv) > 0 {
		command = strings.Join(strings.Fields(cli.ShellLine(s.Argv...)), " ")
	}
	return term.Visible(command)
}

// directoryOf returns where the command ran, "-" where that is not known.
func directoryOf(s *cli.Source) string {
	if s == nil {
		return "-"
	}
	return term.Visible(cmp.Or(s.Directory, "-"))
}
