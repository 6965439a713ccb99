package envelope

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/envwrap/envwrap/internal/shared/jsontext"
)

// A Mask masks secrets in the texts of a record.
type Mask struct {
	Text func(string) string
	Args func([]string) []string // masks a command line and returns it, or a copy
}

// MaskTexts masks all texts of r and of the records in it. It leaves the output of a
// command as it is (contents, excerpts, payloads, lines), which was masked when it was
// captured, and ids, digests and words of a fixed list, which cannot hold a secret. Lists
// that r shares with others are copied before they are changed.
func (r *Result) MaskTexts(m Mask) {
	if r == nil {
		return
	}
	r.Command = m.Command(r.Command)
	m.strings(&r.Tool, &r.TraceID, &r.Workspace, &r.Agent, &r.Runner, &r.Markdown)
	r.Argv = m.Args(r.Argv)
	m.outcome(&r.Outcome)
	m.stream(&r.Stdout)
	m.stream(&r.Stderr)
	m.list(&r.SkippedSources)
	m.list(&r.Warnings)
	r.Leftovers = slices.Clone(r.Leftovers)
	for i := range r.Leftovers {
		m.strings(&r.Leftovers[i].Name)
	}
	r.Kept = slices.Clone(r.Kept)
	commands := []string{r.Stdout.Read, r.Stderr.Read}
	for i := range r.Kept {
		k := &r.Kept[i]
		m.strings(&k.Program, &k.Read)
		k.Read = unquoteMasks(k.Read)
		commands = append(commands, k.Read)
	}
	m.fields(&r.Extra)
	m.fields(&r.Unnamed)
	m.jobs(r.Jobs)
	if strings.Contains(strings.Join(commands, ""), mask) && !slices.Contains(r.Warnings, pathMasked) {
		r.Warnings = append(r.Warnings, pathMasked)
	}
	r.Exec.MaskTexts(m)
}

// mask replaces a secret, and pathMasked warns of it in a command that is to be run.
const (
	mask       = "***"
	pathMasked = "in read *** hides a secret in a path: a shell finds the file if no other name fits; if one does, write the path in its place"
)

func (m Mask) outcome(o *Outcome) {
	m.strings(&o.ForeignCode, &o.Message, &o.Hint, &o.Meaning, &o.Interpreter)
	m.list(&o.Suggestions)
	m.fields(&o.Details)
	m.fields(&o.Unnamed)
}

// stream masks what envwrap itself says of a stream.
func (m Mask) stream(s *Stream) {
	if s == nil {
		return
	}
	m.strings(&s.Read)
	s.Read = unquoteMasks(s.Read)
	if s.Summary != nil {
		m.strings(&s.Summary.Kind)
	}
	if s.Excerpt != nil {
		m.strings(&s.Excerpt.Gap, &s.Excerpt.Query)
	}
}

// unquoteMasks takes the masks in a command out of quotes: a shell then expands one in a
// path to the name that it stands for, if no other name is like it, and the command works.
func unquoteMasks(command string) string {
	parts := strings.Split(command, mask)
	for i, quotes := 0, 0; i < len(parts)-1; i++ {
		if quotes += strings.Count(parts[i], "'"); quotes%2 == 1 {
			parts[i] += "'"
			parts[i+1] = "'" + parts[i+1]
			quotes++
		}
	}
	return strings.Join(parts, mask)
}

func (m Mask) jobs(j *Jobs) {
	if j == nil {
		return
	}
	m.strings(&j.Next, &j.Source)
	j.Next = unquoteMasks(j.Next)
	j.List, j.Runners = slices.Clone(j.List), slices.Clone(j.Runners)
	for i := range j.List {
		job := &j.List[i]
		job.Command = m.Command(job.Command)
		m.strings(&job.Name, &job.Message)
		job.Argv = m.Args(job.Argv)
	}
	for i := range j.Runners {
		m.strings(&j.Runners[i].ID, &j.Runners[i].Name, &j.Runners[i].Workspace, &j.Runners[i].Platform)
	}
	for _, s := range []*Stream{j.Stdout, j.Stderr, j.SoFar[0], j.SoFar[1]} {
		m.stream(s)
	}
}

func (m Mask) strings(list ...*string) {
	for _, s := range list {
		if *s != "" {
			*s = m.Text(*s)
		}
	}
}

// Command masks a namespace/verb. If that changes it, the result has that form again.
func (m Mask) Command(name string) string {
	if masked := m.Text(name); masked != name {
		return CommandName(masked)
	}
	return name
}

func (m Mask) list(list *[]string) {
	*list = slices.Clone(*list)
	for i := range *list {
		m.strings(&(*list)[i])
	}
}

func (m Mask) fields(list *Fields) {
	*list = slices.Clone(*list)
	for i := range *list {
		f := &(*list)[i]
		m.strings(&f.Name)
		f.Value = m.json(f.Value)
	}
}

// json masks the strings and names in a JSON value, each by itself. It masks invalid
// JSON as one text.
func (m Mask) json(raw json.RawMessage) json.RawMessage {
	if slices.Index(raw, '"') < 0 {
		return raw
	}
	if !jsontext.Valid(raw) {
		return json.RawMessage(m.Text(string(raw)))
	}
	var out json.RawMessage
	done := 0 // bytes of raw that are in out
	for i := 0; i < len(raw); i++ {
		if raw[i] != '"' {
			continue
		}
		end := jsontext.Skip(raw, i)
		text := string(jsontext.Unquote(raw[i:end]))
		if masked := m.Text(text); masked != text {
			out = jsontext.AppendString(append(out, raw[done:i]...), masked)
			done = end
		}
		i = end - 1
	}
	if done == 0 {
		return raw
	}
	return append(out, raw[done:]...)
}
