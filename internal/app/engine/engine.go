// Package engine hands runs to programs that hold jobs and their queue, such as Slurm.
//
// An engine is known by its commands: submit, status, cancel and find, each a list of
// words with placeholders. The package fills them in, has its caller run them, and reads
// what they print. It starts no process and opens no file.
package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/envwrap/envwrap/internal/shared/errtext"
)

// A State is what an engine says of a job. The zero value means that it said nothing
// that is known.
type State int

const (
	Unknown   State = iota
	Queued          // it has not started, or waits to start again
	Running         // it runs
	Succeeded       // it is over, and the engine counts it as a success
	Failed          // it is over
	Preempted       // the engine ended it in favour of another; it may come back
	Absent          // the engine has no such job, or has forgotten it
)

// Over reports whether the engine holds the job no more.
func (s State) Over() bool { return s >= Succeeded }

// A Cause is the reason for which an engine ended a job. The zero value means that the
// engine gave no reason.
type Cause int

const (
	TimeLimit  Cause = iota + 1 // of the engine
	Memory                      // it needed more than it was given
	CancelWord                  // somebody had the engine end it
	NodeLost                    // the machine that ran it failed
	Impossible                  // nothing that the engine has satisfies the request
)

// A Status is a state and the engine's own word for it.
type Status struct {
	State State
	Cause Cause
	Word  string
	// What an engine knows of the command itself, if it keeps the command's output (see
	// [Engine.Apart]); else zero.
	Unit    string    // what ran the command, such as a pod
	Started time.Time // zero if the command was not started
	Exited  bool      // the command has ended, with the status Exit
	Exit    int
	How     How // as its script says it
}

// A Job is what placeholders in the words of a command stand for.
type Job struct {
	ID     string // {id}: the engine's id; "" before it is known
	Name   string // {name}: unique
	Dir    string // {dir}: working directory of the command
	Script string // {script}: file of the script that runs the command, or StdinScript
	Out    string // {out}: file for what the script prints
	Err    string // {err}: file for complaints of the engine about it
	Unit   string // {unit}: of the last Status
	Text   string // content of the script, of a job to submit
	Starts int    // how often the script may be started, of a job to submit
	Array  string // {array}: numbers of the members of a group, as "1-9%2"; "" for any other job

	Members, Parallel int // of a group: how many, and how many run at a time
}

// StdinScript stands for the script of a job whose submit reads it from stdin.
const StdinScript = "/dev/stdin"

// fill replaces the placeholders in the words of a command; {{id}} is the text {id}.
func (j *Job) fill(words []string) []string {
	var pairs []string
	for _, each := range [...][2]string{
		{"{id}", j.ID}, {"{name}", j.Name}, {"{dir}", j.Dir}, {"{script}", j.Script}, {"{out}", j.Out}, {"{err}", j.Err}, {"{unit}", j.Unit}, {"{array}", j.Array},
	} {
		pairs = append(pairs, "{"+each[0]+"}", each[0], each[0], each[1])
	}
	r := strings.NewReplacer(pairs...)
	line := make([]string, 0, len(words))
	for _, word := range words {
		line = append(line, r.Replace(word))
	}
	return line
}

// commands are the command lines of an engine.
type commands struct {
	submit []string   // its first line is the id
	status [][]string // tried in this order until one knows the job
	cancel []string   // of a job that has not started; twice, of every job without stop
	stop   [][]string // of a job that runs: one after another, until it ends
	find   [][]string // print the id of the job with a name; tried in this order
	states map[string]State
	causes map[string]Cause
	absent []string // parts of complaints that mean that there is no such job

	// Of an engine that takes a group in one submission.
	array   []string   // precede the last word of submit
	task    string     // variable with the number of a member
	members [][]string // status of a group, which prints a line for each member that is not over
	drop    []string   // takes members that have not started out of the queue; nil needs no call
	end     [][]string // stop of a group; nil is as that of any job
	pods    []string   // prints a line for each member that was started (see [Engine.Pods])

	// Of an engine that keeps what the command prints, and shares no files with this machine.
	input   func(*Job) string   // of submit: the whole job, which it reads from stdin
	parse   func(string) Status // reads what status prints
	logs    []string            // print what the script has printed
	follow  []string            // the same, and goes on until the command ends; nil if there is no such command
	marked  bool                // only the lines of package file log.go tell when the command started, and how it ended
	forget  []string            // removes what the engine keeps of a job that is over; nil needs no call
	rejects []string            // parts of complaints of submit that mean that there will be no job
	// explains says what to do about parts of complaints of submit.
	explains map[string]string
}

// An Engine is the engine of one runner. It is not changed after it was made.
type Engine struct {
	kind  *kind
	words map[string]string // partition, time, cpus and the like
	extra []string
	apart bool     // the row says shared = false
	own   commands // of the kind command
}

// A kind is an engine that this package knows.
type kind struct {
	name     string
	words    []string             // keys of a runner's table with one value, which --resources may set
	lists    []string             // keys with a list of words
	needs    []string             // words without which there is no job
	extra    func([]string) error // checks the list extra; nil takes any
	commands func(*Engine) commands
}

// Name returns the kind of the engine.
func (e *Engine) Name() string { return e.kind.name }

// With returns the engine with resources of one run: a list of KEY=VALUE, whose keys are
// words of the engine.
func (e *Engine) With(resources []string) (*Engine, error) {
	changed := *e
	changed.words = maps.Clone(e.words)
	for _, r := range splitResources(resources) {
		key, value, ok := strings.Cut(r, "=")
		if !ok || value == "" {
			return nil, fmt.Errorf("resource %q: write KEY=VALUE", r)
		}
		if !slices.Contains(e.kind.words, key) {
			known := "it has none"
			if len(e.kind.words) > 0 {
				known = "there are " + strings.Join(e.kind.words, ", ")
			}
			return nil, fmt.Errorf("the engine %s has no resource %q: %s", e.kind.name, key, known)
		}
		changed.words[key] = value
	}
	return &changed, nil
}

// splitResources splits lists such as "cpus=4,memory=8G". A part without "=" belongs to the
// value that precedes it, as in "partition=a,b".
func splitResources(lists []string) (all []string) {
	for _, list := range lists {
		for i, part := range strings.Split(list, ",") {
			part = strings.TrimSpace(part)
			if i > 0 && !strings.Contains(part, "=") {
				all[len(all)-1] += "," + part
			} else {
				all = append(all, part)
			}
		}
	}
	return all
}

// Line returns the command that submits a job, for those who want to see it.
func (e *Engine) Line() []string { return e.kind.commands(e).submit }

// NamesScript reports whether the command that submits a job names the file of its script. If
// it does not, it has to read the script from stdin.
func (e *Engine) NamesScript() bool {
	c := e.kind.commands(e)
	return c.input != nil || slices.ContainsFunc(c.submit, func(word string) bool { return strings.Contains(word, "{script}") })
}

// Apart reports whether the jobs share no files with this machine, so that the engine is
// asked for what they have printed, and for their exit status.
func (e *Engine) Apart() bool { return len(e.kind.commands(e).logs) > 0 }

// DropsRunning reports whether a running job that was canceled may be missing from what status
// knows while its command goes on: of an engine of the row's own commands nothing else is known.
func (e *Engine) DropsRunning() bool { return e.kind.name == "command" }

// Marked reports whether only what a job prints tells when its command started, and how it
// ended: see [LogReader].
func (e *Engine) Marked() bool { return e.kind.commands(e).marked }

// Logs returns the command that prints what a job has printed so far, and with follow
// until it has ended; nil if the engine has no such command.
func (e *Engine) Logs(j *Job, follow bool) []string {
	c := e.kind.commands(e)
	if follow {
		return j.fill(c.follow)
	}
	return j.fill(c.logs)
}

// OwnLog returns the file to which the script of a job is to print; "" if the engine makes
// it.
func (e *Engine) OwnLog(j *Job) string {
	if e.apart {
		return j.Out
	}
	return ""
}

// A Caller runs a command, which reads input, and returns what it printed. The error is an
// [*exec.ExitError], or wraps it, if the command ended with another status than 0.
type Caller func(ctx context.Context, line []string, input string) (stdout, stderr string, err error)

// ErrRejected is wrapped by the error of [Engine.Submit] if the engine has refused the
// job, so that it does not come later.
var ErrRejected = errors.New("the engine does not take it")

// Submit submits a job and returns the engine's id. After an error the engine may have
// the job all the same: see [Engine.Find].
func (e *Engine) Submit(ctx context.Context, call Caller, j *Job) (id string, err error) {
	c := e.kind.commands(e)
	words, input := c.submit, ""
	if last := len(words) - 1; j.Array != "" {
		words = slices.Concat(words[:last], c.array, words[last:])
	}
	line := j.fill(words)
	switch {
	case c.input != nil:
		input = c.input(j)
	case j.Script == StdinScript:
		input = j.Text
	}
	out, complaint, err := call(ctx, line, input)
	if err != nil && says(complaint, c.rejects) {
		err = fmt.Errorf("%w: %w", ErrRejected, err)
	}
	if err != nil {
		err = failure(line, complaint, err)
		for part, why := range c.explains {
			if strings.Contains(complaint, part) {
				err = fmt.Errorf("%w: %s", err, why)
			}
		}
		return "", err
	}
	return parseID(line[0], out)
}

// idMost is the longest id that is believed, in bytes.
const idMost = 1 << 10

// parseID takes the id from the first line that program printed: "12" or, as sbatch prints
// it in a federation, "12;cluster". What is too long, no UTF-8 or has control characters is
// no id; the error shows its beginning.
func parseID(program, out string) (string, error) {
	line, _, _ := strings.Cut(strings.TrimSpace(out), "\n")
	id, _, _ := strings.Cut(strings.TrimSpace(line), ";")
	switch {
	case id == "":
		return "", fmt.Errorf("%s printed no id", program)
	case len(id) > idMost, !utf8.ValidString(id), strings.ContainsFunc(id, unicode.IsControl):
		return "", fmt.Errorf("the first line that %s printed is no id: it has %d bytes, and begins with %q", program, len(line), short(line))
	}
	return id, nil
}

// short returns the beginning of what a program printed, as one line of UTF-8.
func short(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text[:min(len(text), errtext.Max)], "\uFFFD"))
	return errtext.BoundTo(text, errtext.MaxValue)
}

// Status asks for the state of a job. An error means that no command could be asked.
func (e *Engine) Status(ctx context.Context, call Caller, j *Job) (Status, error) {
	c := e.kind.commands(e)
	found := Status{State: Absent}
	questions := c.status
	if j.Array != "" {
		questions = c.members
	}
	for _, words := range questions {
		line := j.fill(words)
		out, complaint, err := call(ctx, line, "")
		if err != nil && !says(complaint, c.absent) {
			return Status{}, failure(line, complaint, err)
		}
		parse := c.parse
		switch {
		case parse == nil:
			parse = c.parseStatus
		case err == nil && !isList(out):
			return Status{}, fmt.Errorf("%s printed no list of objects, but %q", line[0], short(out))
		}
		if s := parse(out); err == nil && s.Word != "" {
			s.Word = short(s.Word)
			return s, nil
		}
	}
	return found, nil
}

// isList reports whether kubectl's answer is a list of objects.
func isList(out string) bool {
	var list struct{ Items *[]json.RawMessage }
	return json.Unmarshal([]byte(out), &list) == nil && list.Items != nil
}

// says reports whether a complaint contains one of the parts.
func says(complaint string, parts []string) bool {
	return slices.ContainsFunc(parts, func(text string) bool { return strings.Contains(complaint, text) })
}

// parseStatus reads the last line of a status: the word of the state, which may follow
// the id and "|". A remainder as in "CANCELLED by 1000", "CANCELLED+" or "PENDING
// (Resources)" is not part of the word of which the state is known.
func (c *commands) parseStatus(out string) Status {
	lines := strings.Split(strings.TrimSpace(out), "\n")
	fields := strings.Split(strings.TrimSpace(lines[len(lines)-1]), "|")
	text := fields[0]
	if len(fields) > 1 {
		text = fields[1]
	}
	text = strings.TrimSuffix(text, " (None)") // of squeue: there is no reason
	word, _, _ := strings.Cut(text, " ")
	word = strings.TrimSuffix(word, "+")
	st := Status{State: c.states[word], Cause: c.causes[word], Word: text}
	if _, reason, _ := strings.Cut(text, " ("); st.State == Failed && st.Cause == 0 {
		st.Cause = c.causes[strings.TrimSuffix(reason, ")")]
	}
	return st
}

// Arrays reports whether the engine takes a group of many runs in one submission.
func (e *Engine) Arrays() bool { return e.kind.commands(e).task != "" }

// Task returns the variable in which a member of a group finds its number.
func (e *Engine) Task() string { return e.kind.commands(e).task }

// Find returns the id of the job with j's name; "" if the engine has none. An error means
// that it could not be asked.
func (e *Engine) Find(ctx context.Context, call Caller, j *Job) (id string, err error) {
	c := e.kind.commands(e)
	for _, words := range c.find {
		line := j.fill(words)
		out, complaint, err := call(ctx, line, "")
		if err != nil && !says(complaint, c.absent) {
			return "", failure(line, complaint, err)
		}
		if err == nil && strings.TrimSpace(out) != "" {
			return parseID(line[0], out)
		}
	}
	return "", nil
}

// failure says which command failed, with the first line of its complaint.
func failure(line []string, complaint string, err error) error {
	first, _, _ := strings.Cut(strings.TrimSpace(complaint), "\n")
	if first == "" {
		return fmt.Errorf("%s: %w", line[0], err)
	}
	return fmt.Errorf("%s: %w: %s", line[0], err, errtext.Bound(first))
}
