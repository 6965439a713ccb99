package runlog

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/envwrap/envwrap/internal/shared/hints"
	"github.com/envwrap/envwrap/internal/shared/jsontext"
)

// A Kind is the kind of a line in the record.
type Kind string

const (
	// RunEnded is a run that is over.
	RunEnded Kind = "run"
	// RunBegun is a run whose output is shown while it runs. It has the ID of the line
	// which follows at its end; without one it still runs, or envwrap was killed.
	RunBegun Kind = "begin"
	// AnswerShown adds to a job's run what its caller was shown: Shown and AgentReads. The
	// job's supervisor records the run, and who waits for the job prints the answer.
	AnswerShown Kind = "shown"
	// OutputLate adds to a run what its command printed after the answer was out: Parts.
	OutputLate Kind = "late"
	// OutputRead is output of an earlier run that an agent read from the store: Shown
	// bytes.
	OutputRead Kind = "read"
	// JobUnfinished is a job that waits or runs, with its state as Outcome. It is never on
	// record: the report lists the jobs so.
	JobUnfinished Kind = "job"
)

// A Run is a line in the record of runs. All texts in it are masked.
type Run struct {
	Kind Kind      `json:"kind"`
	ID   string    `json:"id,omitempty"` // ULID; of a job its id
	Time time.Time `json:"ts"`           // the end; of RunBegun the start

	Outcome  string `json:"outcome,omitempty"`
	Code     string `json:"code,omitempty"` // "" if the run is ok
	ExitCode *int   `json:"exit_code,omitempty"`
	Signal   string `json:"signal,omitempty"`
	Message  string `json:"message,omitempty"`
	Duration int64  `json:"duration_ms"`
	Attempts int    `json:"attempts,omitempty"` // if there was more than one

	Agent     string `json:"agent,omitempty"`
	Session   string `json:"session,omitempty"` // of the agent, where it says so
	Call      string `json:"call,omitempty"`    // the agent's id of the tool call
	Dir       string `json:"dir,omitempty"`
	Workspace string `json:"workspace,omitempty"` // if it is not Dir
	Job       bool   `json:"job,omitempty"`
	Name      string `json:"name,omitempty"`   // that the job was given
	Runner    string `json:"runner,omitempty"` // "" is this machine
	Far       string `json:"far,omitempty"`    // the id of the same run at the far end, in RunEnded
	Cached    bool   `json:"cached,omitempty"` // answered from memory
	PID       int    `json:"pid,omitempty"`    // of the envwrap that runs it, in RunBegun
	Parts     *Parts `json:"parts,omitempty"`  // of the store, which have the output so far, in RunBegun and OutputLate

	Command string   `json:"command,omitempty"` // namespace/verb
	Argv    []string `json:"argv,omitempty"`    // "" stands for Text
	Text    string   `json:"text,omitempty"`    // what a shell was given to run
	Cut     *Cut     `json:"cut,omitempty"`     // if Argv or Text is not whole

	StdoutBytes int64  `json:"stdout_bytes,omitempty"`
	StdoutLines int64  `json:"stdout_lines,omitempty"`
	StderrBytes int64  `json:"stderr_bytes,omitempty"`
	StderrLines int64  `json:"stderr_lines,omitempty"`
	Excerpt     string `json:"excerpt,omitempty"` // the end of what a failed run printed; of RunBegun, of what was shown by then

	Shown      int64          `json:"shown,omitempty"`       // bytes that were printed for the caller
	AgentReads bool           `json:"agent_reads,omitempty"` // the agent itself read them
	Format     string         `json:"format,omitempty"`      // the dialect of the answer; "bytes" if it was the command's own bytes
	Masked     map[string]int `json:"masked,omitempty"`      // secrets, by rule
	Artifacts  []string       `json:"artifacts,omitempty"`   // sha256:<64 hex>
}

// Parts are the names of the part files of a run's output: "" of a stream without one.
type Parts struct {
	Stdout string `json:"stdout,omitempty"`
	Stderr string `json:"stderr,omitempty"`
	// Pipeline has the output of an early stage of the shell's pipelines, of one if several have.
	Pipeline string `json:"pipeline,omitempty"`
}

// With returns the parts of both; either may be nil. Of a stream that both have, it is p's.
func (p *Parts) With(others *Parts) *Parts {
	if p == nil || others == nil {
		return cmp.Or(p, others)
	}
	return &Parts{cmp.Or(p.Stdout, others.Stdout), cmp.Or(p.Stderr, others.Stderr), cmp.Or(p.Pipeline, others.Pipeline)}
}

// First returns the first part that exists.
func (p *Parts) First() string { return cmp.Or(p.Stdout, p.Stderr, p.Pipeline) }

// A Cut describes a command that is too long for the record.
type Cut struct {
	Bytes  int    `json:"bytes"`  // of all words and the text, with a NUL after each
	Digest string `json:"sha256"` // of the same
}

// CommandLine returns the command, quoted for a POSIX shell. Where it was cut it ends
// with "...".
func (r *Run) CommandLine() string {
	words := make([]string, len(r.Argv))
	for i, w := range r.Argv {
		if w == "" && r.Text != "" {
			w = r.Text
		}
		words[i] = hints.Quote(w)
	}
	if r.Cut != nil {
		words = append(words, "...")
	}
	return strings.Join(words, " ")
}

// whole reports whether a line has what every line of its kind has.
func (r *Run) whole() bool {
	isRun := r.Kind == RunEnded || r.Kind == RunBegun
	return !r.Time.IsZero() && r.Kind != "" && (!isRun || r.ID != "" && (r.Kind == RunBegun || r.Outcome != ""))
}

// Bounds of the counts in a line that is read. Sums of many of them do not overflow.
const (
	countMost    = 1 << 46                                 // bytes and lines: 64 TiB
	durationMost = math.MaxInt64 / int64(time.Millisecond) // what a time.Duration can hold
	maskedMost   = 1 << 30
)

// boundCounts replaces counts that no run can have by the nearest bound. They come from the
// envelope of a runner's far end, or from a line that another program wrote.
func (r *Run) boundCounts() {
	r.Duration = min(max(r.Duration, 0), durationMost)
	for _, n := range []*int64{&r.StdoutBytes, &r.StdoutLines, &r.StderrBytes, &r.StderrLines, &r.Shown} {
		*n = min(max(*n, 0), countMost)
	}
	for rule, n := range r.Masked {
		r.Masked[rule] = min(max(n, 0), maskedMost)
	}
}

// Output returns how many bytes the command printed.
func (r *Run) Output() int64 { return r.StdoutBytes + r.StderrBytes }

// Failed reports whether the run was an error.
func (r *Run) Failed() bool { return r.Kind == RunEnded && r.Code != "" }

// Bounds of a line and of its parts in bytes. Bytes appended in one write of at most a
// page are not mixed with another process's.
const (
	LineMost    = 4096
	argvMost    = 1024 // of the words together
	textMost    = 1024
	messageMost = 320
	excerptMost = 640
	wordMost    = 256 // of a directory, an id or a name
	listMost    = 8   // artifacts and rules
	digestMost  = len("sha256:") + 64
)

// AppendLine appends the run as a line of JSON, which begins with a newline: an
// unfinished line before it, left by a full disk, does not spoil it. The line has at most
// LineMost bytes.
func (r *Run) AppendLine(b []byte) []byte {
	short := *r
	short.shorten(1)
	start := len(b)
	b = short.AppendJSON(append(b, '\n'))
	for part := 2; len(b)-start > LineMost; part *= 2 { // of many escapes
		short = *r
		short.shorten(part)
		b = short.AppendJSON(append(b[:start], '\n'))
	}
	return b
}

// shorten cuts all texts to their bounds, divided by part.
func (r *Run) shorten(part int) {
	words := r.Argv
	argv, whole := cutWords(words, argvMost/part)
	text := cutText(r.Text, textMost/part)
	if !whole || len(text) < len(r.Text) {
		hash, n := sha256.New(), 0
		for _, w := range append(slices.Clone(words), r.Text) {
			n += len(w) + 1
			hash.Write(append([]byte(w), 0))
		}
		r.Cut = &Cut{Bytes: n, Digest: hex.EncodeToString(hash.Sum(nil))}
	}
	r.Argv, r.Text = argv, text
	r.Message, r.Excerpt = cutText(r.Message, messageMost/part), tailText(r.Excerpt, excerptMost/part)
	for _, s := range []*string{&r.ID, &r.Outcome, &r.Code, &r.Signal, &r.Agent, &r.Session, &r.Call, &r.Name, &r.Runner, &r.Far, &r.Command, &r.Format} {
		*s = cutText(*s, wordMost/2/part)
	}
	r.Dir, r.Workspace = cutText(r.Dir, wordMost/part), cutText(r.Workspace, wordMost/part)
	r.Artifacts = r.Artifacts[:min(len(r.Artifacts), listMost/part)]
	for i, digest := range r.Artifacts {
		if len(digest) > digestMost {
			r.Artifacts = slices.Clone(r.Artifacts)
			r.Artifacts[i] = cutText(digest, digestMost)
		}
	}
	r.Masked = fewRules(r.Masked, listMost/part)
}

// fewRules returns the counts of at most most rules, and of all others together.
func fewRules(masked map[string]int, most int) map[string]int {
	if len(masked) == 0 {
		return nil
	}
	few := make(map[string]int, most+1)
	for i, rule := range slices.Sorted(maps.Keys(masked)) {
		if name := cutText(rule, wordMost/4); i < most && len(name) == len(rule) {
			few[rule] = masked[rule]
		} else {
			few["other"] += masked[rule]
		}
	}
	return few
}

// cutWords returns the first words of argv that have at most most bytes together.
func cutWords(argv []string, most int) (cut []string, whole bool) {
	for i, w := range argv {
		if len(w) > most {
			cut = slices.Clone(argv[:i])
			if short := cutText(w, most); short != "" {
				cut = append(cut, short)
			}
			return cut, false
		}
		most -= len(w) + 1
	}
	return argv, true
}

// cutText returns the first bytes of s, at most most, without a part of a character.
func cutText(s string, most int) string {
	if len(s) <= most {
		return s
	}
	s = s[:max(most, 0)]
	return s[:len(s)-jsontext.Unfinished([]byte(s))]
}

// tailText returns the last bytes of s, at most most, from the beginning of a line if
// there is one.
func tailText(s string, most int) string {
	if len(s) <= most {
		return s
	}
	s = s[len(s)-most:]
	if _, rest, ok := strings.Cut(s, "\n"); ok && rest != "" {
		return rest
	}
	for len(s) > 0 && s[0]&0xc0 == 0x80 {
		s = s[1:]
	}
	return s
}

// AppendJSON appends the run as a JSON object. It writes what encoding/json would: reflection costs
// the first value of a process more than all else about the record.
func (r *Run) AppendJSON(b []byte) []byte {
	o := object{append(b, '{')}
	o.text("kind", string(r.Kind))
	o.text("id", r.ID)
	o.text("ts", r.Time.UTC().Format("2006-01-02T15:04:05.000Z"))
	o.text("outcome", r.Outcome)
	o.text("code", r.Code)
	if r.ExitCode != nil {
		o.name("exit_code")
		o.b = strconv.AppendInt(o.b, int64(*r.ExitCode), 10)
	}
	o.text("signal", r.Signal)
	o.text("message", r.Message)
	if r.Kind == RunEnded {
		o.name("duration_ms")
		o.b = strconv.AppendInt(o.b, r.Duration, 10)
	}
	o.number("attempts", int64(r.Attempts))
	o.text("agent", r.Agent)
	o.text("session", r.Session)
	o.text("call", r.Call)
	o.text("dir", r.Dir)
	o.text("workspace", r.Workspace)
	o.yes("job", r.Job)
	o.text("name", r.Name)
	o.text("runner", r.Runner)
	o.text("far", r.Far)
	o.yes("cached", r.Cached)
	o.number("pid", int64(r.PID))
	o.parts(r.Parts)
	o.text("command", r.Command)
	o.texts("argv", r.Argv)
	o.text("text", r.Text)
	if r.Cut != nil {
		o.name("cut")
		o.b = append(o.b, `{"bytes":`...)
		o.b = append(strconv.AppendInt(o.b, int64(r.Cut.Bytes), 10), `,"sha256":"`+r.Cut.Digest+`"}`...)
	}
	o.number("stdout_bytes", r.StdoutBytes)
	o.number("stdout_lines", r.StdoutLines)
	o.number("stderr_bytes", r.StderrBytes)
	o.number("stderr_lines", r.StderrLines)
	o.text("excerpt", r.Excerpt)
	o.number("shown", r.Shown)
	o.yes("agent_reads", r.AgentReads)
	o.text("format", r.Format)
	if len(r.Masked) > 0 {
		o.name("masked")
		inner := object{append(o.b, '{')}
		for _, rule := range slices.Sorted(maps.Keys(r.Masked)) {
			inner.number(rule, int64(r.Masked[rule]))
		}
		o.b = append(inner.b, '}')
	}
	o.texts("artifacts", r.Artifacts)
	return append(o.b, '}')
}

// An object is a JSON object that is being written.
type object struct{ b []byte }

func (o *object) name(name string) {
	if o.b[len(o.b)-1] != '{' {
		o.b = append(o.b, ',')
	}
	o.b = append(jsontext.AppendString(o.b, name), ':')
}

func (o *object) text(name, value string) {
	if value != "" {
		o.name(name)
		o.b = jsontext.AppendString(o.b, value)
	}
}

func (o *object) number(name string, value int64) {
	if value != 0 {
		o.name(name)
		o.b = strconv.AppendInt(o.b, value, 10)
	}
}

func (o *object) yes(name string, value bool) {
	if value {
		o.name(name)
		o.b = append(o.b, "true"...)
	}
}

func (o *object) parts(p *Parts) {
	if p == nil {
		return
	}
	o.name("parts")
	inner := object{append(o.b, '{')}
	inner.text("stdout", p.Stdout)
	inner.text("stderr", p.Stderr)
	inner.text("pipeline", p.Pipeline)
	o.b = append(inner.b, '}')
}

func (o *object) texts(name string, list []string) {
	if len(list) == 0 {
		return
	}
	o.name(name)
	o.b = append(o.b, '[')
	for i, s := range list {
		if i > 0 {
			o.b = append(o.b, ',')
		}
		o.b = jsontext.AppendString(o.b, s)
	}
	o.b = append(o.b, ']')
}
