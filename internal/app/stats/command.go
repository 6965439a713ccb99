package stats

import (
	"path"
	"slices"
	"strings"

	"github.com/envwrap/envwrap/internal/app/runlog"
	"github.com/envwrap/envwrap/internal/shared/pipeline"
	"github.com/envwrap/envwrap/internal/shared/shell"
)

// Program returns the name of the program that a run was about: of a text for a shell the
// first program of its last pipeline, if that is certain. A pipeline that follows another and only ends the
// text, or prints a word, does not count.
func Program(r *runlog.Run) string {
	if len(r.Argv) == 0 {
		return strings.TrimPrefix(r.Command, "exec/")
	}
	name := path.Base(r.Argv[0])
	if p := subject(r); p != nil {
		if first := p.Stages[0].Name(); first != "" {
			return path.Base(first)
		}
	}
	return name
}

// minor lists commands that a text is not about: first those that prepare or report something, then
// those that only end it.
var minor = [...]string{"cd pushd popd set export source . echo printf test [", "exit return true : wait"}

// subject returns the last pipeline of the run's text that is about something, else the last, or nil.
func subject(r *runlog.Run) *shell.Pipeline {
	list := pipelines(r)
	for _, passed := range []string{minor[0] + " " + minor[1], minor[1]} {
		for i := len(list) - 1; i >= 0; i-- {
			if stages := list[i].Stages; len(stages) > 0 && !slices.Contains(strings.Fields(passed), stages[0].Name()) {
				return &list[i]
			}
		}
	}
	return lastOf(list)
}

// lastPipeline returns the pipeline that the run's text ends with, or nil.
func lastPipeline(r *runlog.Run) *shell.Pipeline { return lastOf(pipelines(r)) }

func lastOf(list []shell.Pipeline) *shell.Pipeline {
	if len(list) == 0 || len(list[len(list)-1].Stages) == 0 {
		return nil
	}
	return &list[len(list)-1]
}

// pipelines returns those of the run's text, or nil if they are not certain.
func pipelines(r *runlog.Run) []shell.Pipeline {
	if r.Text == "" || r.Cut != nil {
		return nil
	}
	text, err := shell.Parse(r.Text, shell.DialectOf(r.Argv[0]))
	if err != nil {
		return nil
	}
	return text.List()
}

// firstStage returns the text up to the first stage of its last pipeline, if all later stages
// only look at the output of that: cut reports whether there are any. A redirection of
// standard error into the output makes no difference. stage is "" for other runs.
func firstStage(r *runlog.Run) (stage string, cut bool) {
	end := len(r.Text)
	if strings.Contains(r.Text, "|") {
		p := lastPipeline(r)
		if p == nil {
			return "", false
		}
		for _, s := range p.Stages[1:] {
			if !pipeline.Looks(s) {
				return "", false
			}
		}
		end, cut = p.Stages[0].End, len(p.Stages) > 1
	}
	return strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(r.Text[:end]), "2>&1")), cut
}

// commanders are programs whose first argument says what they do.
var commanders = map[string]bool{
	"apt": true, "apt-get": true, "aws": true, "bazel": true, "bun": true, "bundle": true, "cargo": true, "conda": true, "deno": true,
	"docker": true, "dotnet": true, "gh": true, "git": true, "go": true, "gradle": true, "helm": true, "just": true, "kubectl": true,
	"make": true, "mvn": true, "npm": true, "npx": true, "pip": true, "pnpm": true, "podman": true, "poetry": true, "rails": true,
	"swift": true, "systemctl": true, "task": true, "terraform": true, "uv": true, "yarn": true,
}

// Label returns Program, and of a program with subcommands also that, such as "go test".
func Label(r *runlog.Run) string {
	words := r.Argv
	if p := subject(r); p != nil {
		words = p.Stages[0].Args()
	}
	name := Program(r)
	if len(words) > 1 && commanders[name] && isSubcommand(words[1]) {
		return name + " " + words[1]
	}
	return name
}

// isSubcommand reports whether a word looks like a subcommand: lower-case letters, with
// digits, dashes and colons between.
func isSubcommand(word string) bool {
	return len(word) <= 24 && word != "" && word[0] >= 'a' && word[0] <= 'z' &&
		strings.Trim(word, "abcdefghijklmnopqrstuvwxyz0123456789-:") == ""
}
