package cli

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/excerpt"
	"github.com/envwrap/envwrap/job"
)

func jobStatusVerb(*World) *verb {
	o := newJobOptions()
	var verbose bool
	limit := defaultRecent
	return &verb{
		name:    "status",
		args:    "[ID]",
		takes:   aJob,
		summary: "say how a job stands, or how all do",
		text:    "It never waits. Of the jobs that are over it tells of the last ones; job ls has all.",
		example: "envwrap job status\nenvwrap job status --verbose 01KDF3",
		options: append(
			o.table(false),
			&option{name: "verbose", short: "v", noEnv: true, help: "with the last lines of jobs that run", set: into(&verbose, boolean)},
			&option{name: "limit", short: "n", value: "N", def: "5", noEnv: true, help: "most jobs that are over; 0 is all", set: into(&limit, count)},
		),
		run: func(_ context.Context, c *call) error {
			if len(c.args()) > 0 {
				return o.onJob(c, func(s *job.Store, id string) error {
					rec, err := s.Get(id)
					if err != nil {
						return err
					}
					return o.printStanding(c, s, rec, verbose)
				})
			}
			if limit == 0 {
				limit = -1
			}
			return o.onShelf(c, func(shelf jobShelf) error { return o.printAll(c, shelf, limit, verbose) })
		},
	}
}

// printStanding tells how one job stands.
func (o *jobOptions) printStanding(c *call, s *job.Store, rec *job.Record, verbose bool) error {
	v := c.jobQuestion(o.store)
	if err := v.stand(s, rec, verbose); err != nil {
		return err
	}
	return c.answerJobs(o.look(c.World, &rec.View), "status", []*job.Record{rec}, v)
}

// stand adds what there is to say of one job that is not over.
func (v *jobView) stand(s *job.Store, rec *job.Record, verbose bool) (err error) {
	if rec.State.Over() {
		return nil
	}
	v.glimpse = func(id string) glimpse { return jobShelf{s}.glimpse(id, verbose) }
	if v.places, err = (jobShelf{s}).places(); err == nil && v.places[rec.ID] > 0 {
		v.usual, err = usual(s, v.now)
	}
	return err
}

// printAll tells how all jobs stand.
func (o *jobOptions) printAll(c *call, shelf jobShelf, limit int, verbose bool) error {
	recs, err := shelf.list()
	v := c.jobQuestion(o.store)
	v.warnings = c.unreadable(err)
	v.all, v.recent, v.usual = true, limit, usualDuration(recs, v.now)
	if v.places, err = shelf.places(); err != nil {
		return err
	}
	v.glimpse = func(id string) glimpse { return shelf.glimpse(id, verbose) }
	return c.answerJobs(o.look(c.World, &job.View{Budget: budgetAuto}), "status", recs, v)
}

func jobLsVerb(*World) *verb {
	o := newJobOptions()
	limit := 0
	return &verb{
		name: "ls",

		summary: "list the jobs that are remembered, and where jobs run",
		example: "envwrap job ls\nenvwrap job ls -n 20 -f delegator",
		options: append(
			o.table(false),
			&option{name: "limit", short: "n", value: "N", def: "all", noEnv: true, help: "only the last N; 0 is all", set: into(&limit, count)},
		),
		run: func(_ context.Context, c *call) error {
			if err := c.noWords(); err != nil {
				return err
			}
			return o.onShelf(c, func(shelf jobShelf) error { return o.printList(c, shelf, limit) })
		},
	}
}

func (o *jobOptions) printList(c *call, shelf jobShelf, limit int) error {
	recs, err := shelf.list()
	v := c.jobQuestion(o.store)
	v.warnings = c.unreadable(err)
	v.all, v.last, v.usual, v.runners = true, limit, usualDuration(recs, v.now), runners(recs, v.workspace)
	if len(shelf) > 0 {
		v.store = c.masked(shelf[0].Dir())
	}
	if v.places, err = shelf.places(); err != nil {
		return err
	}
	return c.answerJobs(o.look(c.World, &job.View{Budget: budgetAuto}), "ls", recs, v)
}

// linesOf are the lines of a text that say something, each cut to its first bytes.
// One that was redrawn with carriage returns is as it was last.
func linesOf(text []byte) []string {
	var lines []string
	for line := range strings.Lines(excerpt.Clean(string(text))) {
		line = strings.TrimSpace(line)
		if len(line) > lineMost {
			line = string(wholeCharacters([]byte(line[:lineMost])))
		}
		if line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// cleanStream is a piece of output as a stream, cleaned where it is text.
func cleanStream(p []byte) *envelope.Stream {
	if utf8.Valid(p) {
		p = []byte(excerpt.Clean(string(p)))
	}
	return textStream(p)
}

// textStream is a piece of output as a stream.
func textStream(p []byte) *envelope.Stream {
	s := &envelope.Stream{}
	_ = s.Interpret(p, envelope.ParseText) // only JSON that is none is an error
	return s
}
