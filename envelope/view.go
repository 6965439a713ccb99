package envelope

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strings"

	"github.com/envwrap/envwrap/envelope/internal/wire"
	"github.com/oklog/ulid/v2"
)

// A view is a Result that is being encoded: valid in every dialect, with the caller's
// options and the current limits on texts.
type view struct {
	*Result
	opt EncodeOptions
	cut textLimits
	// floats: the reader decodes numbers as float64 and refuses those that are too large.
	floats bool
}

// newView returns a view of a copy of r that meets the demands of the documents on any
// run: a command that fits the pattern, a code of the catalog, one-line messages.
func newView(r *Result, o EncodeOptions) *view {
	c := *r
	if !wire.IsCommand(c.Command) || len(c.Command) > nameMax {
		c.Command = CommandName(c.Command)
	}
	if c.Tool = wire.Shorten(oneLine(c.Tool), nameMax); c.Tool == "" {
		c.Tool = "envwrap"
	}
	c.Agent, c.TraceID, c.Workspace = wire.Shorten(c.Agent, nameMax), wire.Shorten(c.TraceID, nameMax), wire.Shorten(c.Workspace, pathMax)
	if c.Ended.IsZero() {
		c.Ended = c.Started
	}
	c.Duration = max(c.Duration, 0)
	if c.Started.IsZero() {
		c.Started = c.Ended.Add(-c.Duration)
	}
	if c.Jobs != nil {
		c.aboutJobs()
	}
	c.Outcome = soundOutcome(&c)
	if f := o.FailureBudget; f > 0 && (o.Budget == 0 || f < o.Budget) && !endedWell(&c.Outcome) {
		o.Budget = f
	}
	if o.Shown != nil && o.Budget > 0 {
		o.Budget = max(o.Budget-units([]byte(o.Shown.Text)), shownRest)
	}
	if o.Detail == DetailLean && c.Exec.repeats(&c) {
		c.Exec, c.Nested = nil, false
	}
	if c.lean && o.Detail == DetailFull && c.leans() { // there is nothing to fill in
		o.Detail = DetailLean
	}
	return &view{Result: &c, opt: o}
}

// shownRest is the least budget of an answer, in characters, whatever was shown before.
const shownRest = 2000

// endedWell reports whether a command ended by itself, with status 0.
func endedWell(o *Outcome) bool { return o.Signal == "" && o.ExitCode != nil && *o.ExitCode == 0 }

func soundOutcome(r *Result) Outcome {
	o := r.Outcome
	if o.Code == "" {
		o.Message, o.ForeignCode = "", ""
		if !o.Kind.OK() {
			o.Kind = Success
		}
		return o
	}
	o.ForeignCode = wire.Shorten(o.ForeignCode, nameMax)
	if !o.Code.Known() {
		o.Code = ERUNTIME
	}
	if o.Kind == "" || o.Kind.OK() {
		o.Kind = Failure
	}
	if o.Message = oneLine(o.Message); o.Message == "" {
		o.Message = r.Tool + " failed"
	}
	if o.ClassifiedBy == "" && r.ordinary() {
		o.ClassifiedBy = ByStatus
	}
	if o.ClassifiedBy == "" && r.Jobs != nil {
		o.ClassifiedBy = ByEnvwrap
	}
	return o
}

// aboutJobs makes an answer about jobs valid, and sets its command and its job. In an
// answer without jobs, JobID names the job that was not found.
func (r *Result) aboutJobs() {
	r.Jobs = r.Jobs.sound()
	r.Command, r.Payload, r.Exec = jobsCommand(r.Jobs.Kind), nil, nil
	switch one := r.Jobs.one(); {
	case one != nil:
		r.JobID = one.ID
	case len(r.Jobs.List) > 0 || r.Outcome.OK():
		r.JobID = ""
	}
}

// ordinary reports whether r is a run of envwrap's, this one or a nested one, and neither
// another's envelope nor an answer about jobs. Only an ordinary run is written with
// defaults that its record lacks.
func (r *Result) ordinary() bool {
	return r.Payload == nil && r.Jobs == nil && (r.Exec == nil || r.Nested)
}

// hasPayload reports whether the envelope has a payload other than a run's.
func (r *Result) hasPayload() bool { return r.Payload != nil || r.Jobs != nil }

// ran returns the run of envwrap's that printed r's output: r itself, or the one that
// printed the envelope; nil if r was read from another's envelope.
func (r *Result) ran() *Result {
	if r.ordinary() {
		return r
	}
	return r.Exec
}

// ended returns the run whose end envwrap saw: the one that printed the adopted envelope,
// or r itself.
func (r *Result) ended() *Result { return cmp.Or(r.Exec, r) }

// nameMax is the largest number of characters in a program's name and in a command. No
// file system has longer names, and no cut of an envelope shortens them.
const nameMax = 255

// pathMax is the largest number of characters in a path: the limit of Linux.
const pathMax = 4096

// CommandName returns the command, namespace/verb, for a program's name, in the pattern
// of Protocol v1: "exec/git" for "git". A name that has a namespace keeps it. Each of
// the two words is cut to 127 characters.
func CommandName(program string) string {
	namespace, verb, ok := strings.Cut(program, "/")
	if !ok {
		namespace, verb = "exec", program
	}
	return commandWord(namespace, "exec") + "/" + commandWord(verb, "run")
}

func commandWord(s, none string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return '-'
	}, s)
	s = strings.Trim(s, "-")
	if s = headBytes(s, nameMax/2); s == "" {
		return none
	}
	return s
}

// ts returns the time when the envelope's run ended.
func (v *view) ts() wire.Timestamp { return wire.Stamp(v.Ended) }

func (v *view) ms() wire.Count { return wire.Milliseconds(v.Duration) }

// seconds returns the duration in seconds, to the millisecond.
func (v *view) seconds() float64 { return wire.Seconds(v.Duration) }

func (v *view) agent() wire.Filled {
	if v.Agent == "" {
		return "unknown"
	}
	return wire.Filled(v.Agent)
}

// artifacts returns the digests of the streams that are in the store.
func (r *Result) artifacts() []wire.Digest {
	var out []wire.Digest
	for _, s := range r.stored() {
		out = append(out, wire.Digest(s.Artifact))
	}
	return out
}

// A namedStream is a stream with its name, stdout or stderr.
type namedStream struct {
	name string
	*Stream
}

// stored returns the streams that are in the store. If r is another's envelope, the
// streams of the run that printed it are included; those of a nested run are in exec.
func (r *Result) stored() []namedStream {
	list := []namedStream{{"stdout", &r.Stdout}, {"stderr", &r.Stderr}}
	if r.Exec != nil && !r.Nested {
		list = append(list, namedStream{"stdout", &r.Exec.Stdout}, namedStream{"stderr", &r.Exec.Stderr})
	}
	var out []namedStream
	for _, s := range list {
		twice := func(o namedStream) bool { return r.Exec != nil && o.Artifact == s.Artifact }
		if s.Artifact != "" && !slices.ContainsFunc(out, twice) {
			out = append(out, s)
		}
	}
	return out
}

// HasStored reports whether any output of r is stored.
func (r *Result) HasStored() bool { return len(r.Digests()) > 0 }

// Digests returns the digests of r's stored output: those of StreamDigests, then those of
// what was kept of pipelines.
func (r *Result) Digests() []string {
	list, kept := r.StreamDigests(), r.Kept
	if r.Exec != nil {
		kept = slices.Concat(kept, r.Exec.Kept)
	}
	for i := range kept {
		if digest := kept[i].Artifact; wire.IsDigest(digest) && !slices.Contains(list, digest) {
			list = append(list, digest)
		}
	}
	return list
}

// StreamDigests returns the digests of r's stored streams, stdout first.
func (r *Result) StreamDigests() []string {
	var list []string
	for _, s := range []*Stream{&r.Stdout, &r.Stderr} {
		list = append(list, s.Stored())
	}
	if r.Exec != nil {
		list = append(list, r.Exec.Stdout.Stored(), r.Exec.Stderr.Stored())
	}
	return slices.DeleteFunc(list, func(digest string) bool { return digest == "" })
}

// Stored returns the digest of the whole stream in the store, or "".
func (s *Stream) Stored() string { return cmp.Or(s.Artifact, s.Exact) }

// redactions returns the counts of masked secrets. If there is no room for all rules, it
// names those that masked most and adds up the others; the total stays.
func (v *view) redactions() *wire.Redactions {
	if v.Redactions.Total == 0 {
		return nil
	}
	r := v.Redactions
	limit := v.cut.text / 10
	if limit == 0 {
		return &r
	}
	rules := slices.SortedFunc(maps.Keys(r.ByRule), func(a, b string) int {
		return cmp.Or(cmp.Compare(r.ByRule[b], r.ByRule[a]), cmp.Compare(a, b))
	})
	r.ByRule = make(map[string]int, limit)
	for i, rule := range rules {
		name := wire.Shorten(rule, 64)
		if i >= limit {
			name = "others"
		}
		r.ByRule[name] += v.Redactions.ByRule[rule]
	}
	return &r
}

// requestID returns the id of the request. For a record without one it derives a UUID of
// version 4 from the record, the same each time.
func (v *view) requestID() wire.UUID4 {
	if wire.IsUUID4(v.RequestID) {
		return wire.UUID4(v.RequestID)
	}
	b := v.fingerprint()
	b[6] = b[6]&0x0F | 0x40
	b[8] = b[8]&0x3F | 0x80
	h := hex.EncodeToString(b[:])
	return wire.UUID4(h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:])
}

// taskID returns the ULID of the task, derived from the record if it has none.
func (v *view) taskID() string {
	if wire.IsULID(v.TaskID) {
		return v.TaskID
	}
	id := ulid.ULID(v.fingerprint())
	if ms := v.Started.UnixMilli(); ms >= 0 {
		_ = id.SetTime(min(uint64(ms), ulid.MaxTime())) // the error is for larger times
	}
	return id.String()
}

// fingerprint returns a hash that distinguishes records.
func (v *view) fingerprint() (sum [16]byte) {
	h := fnv.New128a()
	fmt.Fprintf(h, "%q %q %q %q %d %d", v.Command, v.Argv, v.TraceID, v.Workspace, v.Started.UnixNano(), v.Ended.UnixNano())
	h.Sum(sum[:0])
	return sum
}
