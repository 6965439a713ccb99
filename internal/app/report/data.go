// Package report writes one HTML page about the runs of the record, which needs no
// network: a timeline, failures by cause, the slowest commands, tokens, masked secrets and
// what still runs. The page's script draws all of it from one JSON value, so that its
// filters need no server.
//
// Nothing in the page can run what a command printed: the value is in a script element of
// a type that no browser runs, with <, > and & escaped; the page's own script writes texts
// only as text nodes; and the Content-Security-Policy allows nothing but that script and
// style, by their digests.
package report

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/envwrap/envwrap/internal/app/runlog"
	"github.com/envwrap/envwrap/internal/app/stats"
	"github.com/envwrap/envwrap/internal/shared/term"
)

// Bounds of the page.
const (
	runsMost    = 10_000  // runs that are listed; totals are of all
	pageMost    = 500_000 // bytes of the page with that many runs
	commandMost = 160     // bytes of a command line
	textMost    = 400     // bytes of a message or an excerpt
	causesMost  = 100     // groups of failures
	namesMost   = 200     // directories, labels or codes; the rest are together
	agentsMost  = 40
	dirMost     = 120 // bytes of a directory
	shortMost   = 80  // bytes of a message where there is no room
)

// data is the JSON value of the page.
type data struct {
	Made    int64        `json:"made"`  // when, in Unix seconds
	Since   int64        `json:"since"` // 0 is all of the record
	Total   stats.Totals `json:"total"`
	Agents  []string     `json:"agents"`
	Dirs    []string     `json:"dirs"`
	Labels  []string     `json:"labels"` // program, and subcommand
	Codes   []string     `json:"codes"`
	Lines   []string     `json:"lines"` // command lines; as many of the newest as there is room for
	Causes  []cause      `json:"causes"`
	Runs    [][]int64    `json:"runs"` // see row
	ByAgent []byAgent    `json:"byAgent"`
	Masked  []count      `json:"masked"`
	Running []running    `json:"running"`
}

// A cause groups failures with the same code, label and message, numbers aside.
type cause struct {
	Code    string `json:"code"`
	Label   string `json:"label"`
	Message string `json:"message"`
	Excerpt string `json:"excerpt"` // of the newest
}

type byAgent struct {
	Agent   string       `json:"agent"`
	Runs    int          `json:"runs"`
	Counted int          `json:"counted"`
	Tokens  stats.Tokens `json:"tokens"`
}

type count struct {
	Name string `json:"name"`
	N    int    `json:"n"`
}

// A running is a job or another run that has no end on record.
type running struct {
	Job   string `json:"job"` // the job's name, or its id where it has none; "" of another run
	State string `json:"state"`
	Line  string `json:"line"`
	Agent string `json:"agent"`
	Dir   string `json:"dir"`
	Since int64  `json:"since"` // Unix seconds
}

// A builder makes the data from the lines of the record.
type builder struct {
	data
	now     time.Time
	lives   map[string]bool // ids of runs whose processes live
	jobs    map[string]bool // ids of the jobs in Running
	counter stats.Counter
	masked  map[string]int
	dirs    names
	agents  names
	labels  names
	codes   names
	lines   names
	causes  map[string]int
	room    int // bytes left for command lines
}

// names numbers strings in the order in which they come.
type names struct {
	list  []string
	index map[string]int
	most  int // further ones are "other"; 0 is no limit
}

func (n *names) of(name string) int64 {
	if n.index == nil {
		n.index = map[string]int{}
	}
	i, ok := n.index[name]
	if !ok && n.most > 0 && len(n.list) >= n.most {
		name = "other"
		i, ok = n.index[name]
	}
	if !ok {
		i = len(n.list)
		n.list = append(n.list, name)
		n.index[name] = i
	}
	return int64(i)
}

func newBuilder(now time.Time, running []string) *builder {
	b := &builder{now: now, masked: map[string]int{}, causes: map[string]int{}, lives: map[string]bool{}, jobs: map[string]bool{}, room: pageMost / 4}
	b.counter.By = stats.Keys()["agent"]
	for _, id := range running {
		b.lives[id] = true
	}
	b.dirs.most, b.labels.most, b.codes.most, b.agents.most = namesMost, namesMost, namesMost, agentsMost
	return b
}

// add adds an unfinished job, or a line of the record. The jobs come first, then the lines,
// the last one first.
func (b *builder) add(r *runlog.Run) {
	if r.Kind == runlog.JobUnfinished {
		b.jobs[r.ID] = true
		b.addRunning(r, cmp.Or(r.Name, r.ID), r.Outcome)
		return
	}
	b.counter.Add(r)
	switch r.Kind {
	case runlog.RunBegun:
		switch {
		case b.jobs[r.ID]:
		case b.lives[r.ID]:
			b.addRunning(r, "", "running")
		default:
			b.addRunning(r, "", "no end on record")
		}
	case runlog.RunEnded:
		for rule, n := range r.Masked {
			b.masked[rule] += n
		}
		if len(b.Runs) < runsMost {
			b.Runs = append(b.Runs, b.row(r))
		}
	}
}

func (b *builder) addRunning(r *runlog.Run, job, state string) {
	b.Running = append(b.Running, running{
		Job: clean(job, 64), State: clean(state, 32), Line: clean(r.CommandLine(), commandMost),
		Agent: clean(cmp.Or(r.Agent, "none"), 64), Dir: clean(r.Dir, dirMost), Since: r.Time.Unix(),
	})
}

// lineColumn is the place of the command line's index in a row.
const lineColumn = 6

// row returns a run as numbers: seconds before the page was made at which it ended,
// milliseconds that it took, and the indexes of agent, directory, label, code, command line
// (-1: not shown) and cause (-1: no failure).
func (b *builder) row(r *runlog.Run) []int64 {
	label := clean(stats.Label(r), 64)
	line := int64(-1)
	if text := clean(r.CommandLine(), commandMost); b.room > 0 {
		before := len(b.lines.list)
		if line = b.lines.of(text); len(b.lines.list) > before {
			b.room -= len(text) + 8
		}
	}
	code := cmp.Or(r.Code, "ok")
	if r.Cached {
		code = "memory"
	}
	return []int64{
		int64(b.now.Sub(r.Time) / time.Second), r.Duration,
		b.agents.of(clean(cmp.Or(r.Agent, "none"), 64)), b.dirs.of(clean(cmp.Or(r.Workspace, r.Dir), dirMost)),
		b.labels.of(label), b.codes.of(clean(code, 64)), line, b.cause(r, label),
	}
}

// numbers returns what matches digits and hashes, which are removed before messages are
// grouped. It is compiled at its first use: a server of MCP starts without it.
var numbers = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[0-9]+(?:[.:,][0-9]+)*|\b[0-9a-f]{7,}\b`)
})

// cause returns the index of a failure's cause, or -1.
func (b *builder) cause(r *runlog.Run, label string) int64 {
	if !r.Failed() {
		return -1
	}
	c := cause{
		Code: clean(r.Code, 64), Label: label, Message: clean(numbers().ReplaceAllString(r.Message, "#"), textMost),
		Excerpt: cleanLines(r.Excerpt, textMost),
	}
	key := c.Code + "\x00" + c.Label + "\x00" + c.Message
	i, ok := b.causes[key]
	if !ok && len(b.Causes) >= causesMost {
		c = cause{Code: c.Code, Label: "other", Message: "other failures"}
		key = c.Code
		i, ok = b.causes[key]
	}
	if !ok {
		i = len(b.Causes)
		b.Causes = append(b.Causes, c)
		b.causes[key] = i
	}
	return int64(i)
}

// finish returns the data.
func (b *builder) finish(since time.Time) *data {
	d := &b.data
	d.Made, d.Total = b.now.Unix(), b.counter.Total()
	if !since.IsZero() {
		d.Since = since.Unix()
	}
	d.Agents, d.Dirs, d.Labels, d.Codes, d.Lines = b.agents.list, b.dirs.list, b.labels.list, b.codes.list, b.lines.list
	groups := b.counter.Groups()
	for _, g := range groups[:min(len(groups), agentsMost)] {
		d.ByAgent = append(d.ByAgent, byAgent{clean(g.Key, 64), g.Runs, g.Counted, g.Tokens})
	}
	for rule, n := range b.masked {
		d.Masked = append(d.Masked, count{clean(rule, 64), n})
	}
	slices.SortFunc(d.Masked, func(a, b count) int { return cmp.Or(b.N-a.N, cmp.Compare(a.Name, b.Name)) })
	d.Masked = d.Masked[:min(len(d.Masked), causesMost)]
	d.Running = d.Running[:min(len(d.Running), causesMost)]
	return d
}

// shrink leaves out some of what takes most room: command lines of older runs, then
// excerpts, then the ends of messages, then older runs. It reports whether there was any.
func (d *data) shrink() bool {
	switch {
	case len(d.Lines) > 0:
		d.Lines = d.Lines[:len(d.Lines)/2]
		for _, row := range d.Runs {
			if row[lineColumn] >= int64(len(d.Lines)) {
				row[lineColumn] = -1
			}
		}
	case slices.ContainsFunc(d.Causes, func(c cause) bool { return c.Excerpt != "" }):
		for i := range d.Causes {
			d.Causes[i].Excerpt = ""
		}
	case slices.ContainsFunc(d.Causes, func(c cause) bool { return len(c.Message) > shortMost }):
		for i := range d.Causes {
			d.Causes[i].Message = clean(d.Causes[i].Message, shortMost)
		}
	case len(d.Runs) > 0:
		d.Runs = d.Runs[:len(d.Runs)/2]
	default:
		return false
	}
	return true
}

// clean returns a text on one line that shows control characters and marks of writing
// direction as such, cut to most bytes.
func clean(text string, most int) string {
	text = term.Visible(strings.Join(strings.Fields(text), " "))
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most-len("…")], "") + "…"
}

// cleanLines is clean for the end of a text of several lines.
func cleanLines(text string, most int) string {
	var lines []string
	for line := range strings.Lines(text) {
		lines = append(lines, term.Visible(strings.TrimRight(line, "\r\n")))
	}
	text = strings.Join(lines, "\n")
	if len(text) > most {
		text = "…" + strings.ToValidUTF8(text[len(text)-most:], "")
	}
	return text
}
