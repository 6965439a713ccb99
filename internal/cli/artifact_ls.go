package cli

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/internal/term"
)

// A listing is which artifacts ls shows, and how.
type listing struct {
	store            string
	json             bool
	limit            int
	newer, older     time.Duration
	minSize, maxSize int64
	command, kind    string
	sort             order
}

func artifactLsVerb(*World) *verb {
	l := &listing{}
	return &verb{
		name:    "ls",
		summary: "list artifacts, the newest first",
		text: `A line has the digest, size, age, MIME type and command of an artifact; a terminal
that is too narrow for that shows the first digits of the digest. Output
that is being written, or whose writer was killed, is listed behind them: see
artifact tail -f and artifact recover.`,
		example: "envwrap artifact ls -n 5\nenvwrap artifact ls --command exec/go --newer 2h --json",
		options: []*option{
			archiveOption(&l.store),
			jsonOption(&l.json),
			{name: "limit", short: "n", value: "N", def: "all", noEnv: true, help: "only the first N", set: into(&l.limit, count)},
			{name: "newer", value: "DURATION", noEnv: true, help: "only those stored within this time", set: into(&l.newer, duration)},
			{name: "older", value: "DURATION", noEnv: true, help: "only those stored before that", set: into(&l.older, duration)},
			{name: "min-size", value: "SIZE", noEnv: true, help: "only those of at least this size", set: into(&l.minSize, size)},
			{name: "max-size", value: "SIZE", noEnv: true, help: "only those of at most this size", set: into(&l.maxSize, size)},
			{name: "command", value: "GLOB", noEnv: true, help: "only those of such commands: exec/go, exec/*", set: into(&l.command, glob)},
			{name: "kind", value: "GLOB", noEnv: true, help: "only those of such MIME types: application/json, text/*", set: into(&l.kind, glob)},
			{name: "sort", value: "KEY", def: "age", noEnv: true, help: "order by age, size, command or kind", choices: names(orders), set: into(&l.sort, choice(orders))},
		},
		run: func(_ context.Context, c *call) error {
			if err := c.noWords(); err != nil {
				return err
			}
			return l.run(c)
		},
	}
}

type order = func(a, b artifact.Entry) int

// orders are the values of --sort. The newest first comes out of the store.
func orders() []word[order] {
	return []word[order]{
		{"age", nil},
		{"size", func(a, b artifact.Entry) int { return cmp.Compare(b.Size, a.Size) }},
		{"command", func(a, b artifact.Entry) int { return strings.Compare(a.Command, b.Command) }},
		{"kind", func(a, b artifact.Entry) int { return strings.Compare(a.Kind, b.Kind) }},
	}
}

func (l *listing) run(c *call) error {
	a, err := c.openArchive(l.store)
	if err != nil {
		return err
	}
	defer a.Close()
	entries, err := a.List()
	if err != nil {
		return err
	}
	now := c.Now()
	entries = slices.DeleteFunc(entries, func(e artifact.Entry) bool { return !l.wants(&e, now) })
	if l.sort != nil {
		slices.SortStableFunc(entries, l.sort)
	}
	if l.limit > 0 && len(entries) > l.limit {
		entries = entries[:l.limit]
	}
	var parts []artifact.Part
	for _, s := range a.Stores {
		found, err := s.Parts()
		if err != nil {
			return err
		}
		parts = append(parts, found...)
	}
	return l.print(c, entries, parts)
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
		return "", badValue(s, "pattern", "Stars, question marks and [classes] are read.")
	}
	return text(s)
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

func (l *listing) print(c *call, entries []artifact.Entry, parts []artifact.Part) error {
	if l.json {
		doc := struct {
			Artifacts []entryView `json:"artifacts"`
			Parts     []partView  `json:"parts"`
		}{make([]entryView, 0, len(entries)), make([]partView, 0, len(parts))}
		for i := range entries {
			doc.Artifacts = append(doc.Artifacts, viewEntry(&entries[i]))
		}
		for _, p := range parts {
			doc.Parts = append(doc.Parts, partView{p.Name, p.Size, stamp(p.Time), p.Alive})
		}
		return c.answerJSON(doc)
	}
	return c.answer(false, nil, func(b *strings.Builder) {
		listingTable(entries, parts, c.Now()).Write(b, c.screen())
	})
}

// shortDigits are those of a digest that a narrow terminal shows.
const shortDigits = 12

// listingTable has a row an artifact, then one a part.
func listingTable(entries []artifact.Entry, parts []artifact.Part, now time.Time) *term.Table {
	t := &term.Table{Columns: []term.Column{
		{Name: "ARTIFACT", Short: shortID},
		{Name: "SIZE", Right: true},
		{Name: "AGE", Right: true},
		{Name: "KIND", Fit: term.Clipped, Least: 8, Optional: true, Short: bareType},
		{Name: "COMMAND", Fit: term.Clipped, Least: 7},
	}}
	t.Rows = make([][]string, 0, len(entries)+len(parts))
	for i := range entries {
		e := &entries[i]
		command := cmp.Or(e.Command, "-")
		if e.Stream != "" {
			command += " " + e.Stream
		}
		t.Add(e.Digest, term.Bytes(e.Size), term.Age(now.Sub(e.Time)), visible(cmp.Or(e.Kind, "-")), visible(command))
	}
	for _, p := range parts {
		state := "left by a writer that died: envwrap artifact recover"
		if p.Alive {
			state = "being written"
		}
		t.Add(p.Name, term.Bytes(p.Size), term.Age(now.Sub(p.Time)), "-", state)
	}
	return t
}

// shortID is a digest as verbs take it, without what says that it is one.
func shortID(id string) string {
	if digits, ok := strings.CutPrefix(id, "sha256:"); ok {
		return digits[:min(shortDigits, len(digits))]
	}
	return id
}

// visible spells out the characters without a shape of a text that may come from an
// archive of somebody else's, so that it moves no cursor and begins no line.
func visible(s string) string {
	if strings.IndexFunc(s, func(r rune) bool { return !strconv.IsPrint(r) }) < 0 {
		return s
	}
	q := strconv.Quote(s)
	return q[1 : len(q)-1]
}

// bareType is a MIME type without its parameters.
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
}

func viewEntry(e *artifact.Entry) entryView {
	return entryView{e.Digest, e.Size, stamp(e.Time), e.Kind, e.Command, e.Stream, e.Run}
}
