package cli

import (
	"errors"
	"fmt"
	"runtime"
	"strings"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/session"
	"github.com/envwrap/envwrap/job"
	"github.com/envwrap/envwrap/wrap"
)

// jobQuestion is what every answer about jobs says of the question, masked.
func (w *World) jobQuestion(store string) jobView {
	v := jobView{
		now: w.Now(), requestID: w.session().NewUUID(), agent: w.callingAgent(), workspace: w.masked(session.Workspace(w.directory())),
	}
	if store != "" {
		v.command = w.masked("envwrap --store " + shellQuote(w.path(store)))
	}
	return v
}

// jobFault is the answer of a verb that has failed. What a user gave stands in
// many errors.
func (w *World) jobFault(verb string, err error, store string) *envelope.Result {
	res := jobFailure(verb, err, w.jobQuestion(store))
	res.Outcome.Message = w.masked(res.Outcome.Message)
	return res
}

// answerJobs prints what a verb has found out about jobs.
func (w *World) answerJobs(look jobLook, verb string, recs []*job.Record, v jobView) error {
	res, err := jobResult(verb, recs, v)
	if err != nil {
		return err
	}
	return w.printJob(look, res)
}

// onJob does something with the job that the only word names. Why it cannot is
// told in an envelope too, since a program asked.
func (o *jobOptions) onJob(c *call, do func(s *job.Store, id string) error) error {
	word, err := c.oneWord("ID")
	if err != nil {
		return err
	}
	return o.onShelf(c, func(shelf jobShelf) error {
		s, id, err := shelf.find(word)
		if err != nil {
			return err
		}
		return do(s, id)
	})
}

// onShelf does something with all jobs.
func (o *jobOptions) onShelf(c *call, do func(jobShelf) error) error {
	shelf, err := c.openShelf(o.store)
	if err == nil {
		defer shelf.Close()
		err = do(shelf)
	}
	return o.told(c, err)
}

// told tells a failure in an envelope and returns it.
func (o *jobOptions) told(c *call, err error) error {
	var st status
	if err == nil || errors.As(err, &st) || errors.Is(err, errPrint) {
		return err
	}
	res := c.jobFault(c.verb.name, err, o.store)
	if hint := res.Outcome.Hint; hint != "" {
		err = errors.Join(err, errors.New(hint))
	}
	return errors.Join(err, c.printJob(o.look(c.World, &job.View{Budget: budgetAuto}), res))
}

// errPrint means that stdout does not take the answer.
var errPrint = errors.New("print the envelope")

// lastLinesBytes is the most bytes of a stream that are read for its last lines.
const lastLinesBytes = 8 << 10

// unreadable tells on stderr which jobs an answer passes over, and returns warnings
// that say so to programs, masked.
func (w *World) unreadable(err error) []string {
	if err == nil {
		return nil
	}
	w.complain(err)
	lines := strings.Split(w.masked(err.Error()), "\n")
	if more := len(lines) - warningsMost; more > 0 {
		lines = append(lines[:warningsMost], fmt.Sprintf("%d more like these; stderr has all", more))
	}
	return lines
}

// warningsMost is how many of these an answer has.
const warningsMost = 5

// places are those of all jobs that wait, by id; the next one of a store is 1.
func (s jobShelf) places() (map[string]int, error) {
	places := map[string]int{}
	for _, one := range s {
		queue, err := one.Queue()
		if err != nil {
			return nil, err
		}
		for i, id := range queue {
			places[id] = i + 1
		}
	}
	return places, nil
}

// glimpse looks at what a job has printed last.
func (s jobShelf) glimpse(id string, verbose bool) glimpse {
	store, _, err := s.find(id)
	if err != nil {
		return glimpse{}
	}
	stdout, stderr, _, err := store.Tail(id, envelope.LastLinesMost, lastLinesBytes)
	if err != nil {
		return glimpse{}
	}
	g := glimpse{verbose: verbose, lines: append(linesOf(stderr), linesOf(stdout)...)}
	for _, line := range g.lines {
		if pct, ok := wrap.Percentage(line); ok && (g.pct == nil || pct > *g.pct) {
			g.pct = &pct
		}
	}
	if out, errs, err := store.Printed(id); err == nil {
		g.stdout, g.stderr = jobOutput(out), jobOutput(errs)
	}
	return g
}

// runners are where jobs run: on this machine.
func runners(recs []*job.Record, workspace string) []envelope.JobRunner {
	r := envelope.JobRunner{
		ID: "exec", Name: "this machine", Workspace: workspace,
		Platform: runtime.GOOS + "/" + runtime.GOARCH, MaxJobs: defaultMaxJobs,
	}
	if len(recs) > 0 {
		r.Since = recs[0].Submitted
	}
	return []envelope.JobRunner{r}
}
