package cli

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/envwrap/envwrap/internal/app/engine"
	"github.com/envwrap/envwrap/internal/shared/hints"
)

// A RunnerRow is a runner, a place that runs commands, of the user's own configuration.
type RunnerRow struct {
	Name    string   `json:"name"`
	Command []string `json:"command,omitempty"` // a prefix that runs the command that follows it elsewhere
	Quote   string   `json:"quote,omitempty"`   // shell, or none
	Cwd     string   `json:"cwd,omitempty"`     // working directory there
	Env     []string `json:"-"`                 // NAME=value, for the command there; values may be secret

	// Engine holds the runs; nil for a runner that is a command. With both, Command runs the
	// engine's commands elsewhere, as on a login node.
	Engine *engine.Engine `json:"-"`
}

// Words returns the command of the runner: its prefix, or that by which its engine gets a
// run, with the prefix.
func (r *RunnerRow) Words() []string {
	if r.Engine != nil {
		return r.Line(r.Engine.Line()...)
	}
	return r.Command
}

// Line returns the command line that runs argv on the runner.
func (r *RunnerRow) Line(argv ...string) []string {
	line := slices.Clone(r.Command)
	for _, arg := range argv {
		if r.Quote == "shell" {
			arg = hints.SingleQuoted(arg)
		}
		line = append(line, arg)
	}
	return line
}

// Call is Line for one call: {id} in the command of the runner becomes id in lower case, so
// that each call may have a name of its own, and {{id}} becomes {id}.
func (r *RunnerRow) Call(id string, argv ...string) []string {
	line, own := r.Line(argv...), strings.NewReplacer("{{id}}", "{id}", "{id}", strings.ToLower(id))
	for i := range r.Command {
		line[i] = own.Replace(line[i])
	}
	return line
}

// Runners returns the runners of the user's own configuration, sorted by name: none if
// others can change it, of which [Settings.Warn] warns.
func (env *Env) Runners() ([]RunnerRow, error) {
	f, err := env.readUserConfig()
	if f == nil || err != nil {
		return nil, err
	}
	table, ok := f.doc[runnerTable].(map[string]any)
	if !ok && f.doc[runnerTable] != nil {
		return nil, Usagef("%s: runners are tables, [runner.NAME]", f.at(runnerTable))
	}
	var all []RunnerRow
	for _, name := range slices.Sorted(maps.Keys(table)) {
		row, err := runnerRow(name, table[name])
		if err != nil {
			return nil, &UsageError{Text: fmt.Sprintf("%s: [runner.%s]: %v", f.Path, name, err), Hint: "Mend the table; then `envwrap runner check " + hints.Quote(name) + "` tries it."}
		}
		all = append(all, row)
	}
	return all, nil
}

// Runner returns the runner with a name.
func (env *Env) Runner(name string) (*RunnerRow, error) {
	all, err := env.Runners()
	if err != nil {
		return nil, err
	}
	var names []string
	for i := range all {
		if all[i].Name == name {
			return &all[i], nil
		}
		names = append(names, all[i].Name)
	}
	hint := "Your own configuration has none: write [runner." + named(name) + "] with a command, or an engine, into it."
	if len(names) > 0 {
		hint = "There are: " + strings.Join(names, ", ") + "."
	}
	if f, _ := env.readUserConfig(); f != nil && f.untrusted {
		hint = "Your own configuration has runners only if nobody else can change it; `envwrap config` says who can."
	}
	return nil, &UsageError{Text: fmt.Sprintf("there is no runner %q", name), Hint: hint}
}

// commandList says in errors what the key command takes.
const commandList = `a list of words, as in ["ssh", "build1", "--"]`

// runnerRow reads the table of one runner.
func runnerRow(name string, v any) (RunnerRow, error) {
	row := RunnerRow{Name: name}
	table, ok := v.(map[string]any)
	if !ok {
		return row, errors.New("it is no table")
	}
	if kind, ok := table["engine"].(string); ok {
		return engineRow(name, kind, table)
	}
	for _, key := range slices.Sorted(maps.Keys(table)) {
		values, err := configValues(table[key], key == "command" || key == "env")
		if err != nil {
			return row, fmt.Errorf("%q: %w", key, err)
		}
		switch key {
		case "command":
			row.Command = values
		case "quote":
			row.Quote = values[0]
		case "cwd":
			row.Cwd = values[0]
		case "env":
			row.Env = values
		default:
			return row, fmt.Errorf("unknown key %q: there are command, quote, cwd and env; with engine also the words of that", key)
		}
	}
	if len(row.Command) == 0 || row.Command[0] == "" {
		return row, errors.New("command is missing: " + commandList)
	}
	return row, row.complete()
}

// complete sets how words are quoted, and checks the keys that all runners have.
func (r *RunnerRow) complete() error {
	if r.Quote == "" {
		r.Quote = "none"
		if len(r.Command) > 0 && filepath.Base(r.Command[0]) == "ssh" {
			r.Quote = "shell"
		}
	}
	if r.Quote != "shell" && r.Quote != "none" {
		return errors.New("quote is shell or none")
	}
	for _, e := range r.Env {
		if name, _, ok := strings.Cut(e, "="); !ok || name == "" {
			return errors.New("env: write NAME=value")
		}
	}
	return nil
}

// engineRow reads the table of a runner with an engine.
func engineRow(name, kind string, table map[string]any) (RunnerRow, error) {
	row := RunnerRow{Name: name}
	s := engine.Settings{Engine: kind, Values: map[string][]string{}, States: map[string]string{}}
	for _, key := range slices.Sorted(maps.Keys(table)) {
		if states, ok := table[key].(map[string]any); ok && key == "states" {
			for word, v := range states {
				s.States[word], _ = v.(string)
			}
			continue
		}
		values, err := configValues(table[key], true)
		if err != nil {
			return row, fmt.Errorf("%q: %w", key, err)
		}
		_, list := table[key].([]any)
		switch {
		case key == "engine":
		case key == "command" && (!list || len(values) == 0 || values[0] == ""):
			return row, errors.New("command is " + commandList)
		case key == "command":
			row.Command = values
		case key == "quote" && !list:
			row.Quote = values[0]
		case key == "env":
			row.Env = values
		case key == "cwd" && !list:
			row.Cwd = values[0]
		default:
			s.Values[key] = values
		}
	}
	var err error
	if row.Engine, err = engine.New(s); err != nil {
		return row, err
	}
	if len(row.Command) == 0 && !row.Engine.NamesScript() { // with a command it comes over stdin
		return row, errors.New(`submit has no {script}, the file that it is to run: a list of words, as in ["qsub", "-N", "{name}", "{script}"]`)
	}
	return row, row.complete()
}
