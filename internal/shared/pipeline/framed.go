package pipeline

import (
	"slices"
	"strings"

	"github.com/envwrap/envwrap/internal/shared/hints"
	"github.com/envwrap/envwrap/internal/shared/shell"
)

// A Line is a command line of bash or zsh of whose text the shell can be asked something. If the text is
// the frame of an agent, the commands are those in the frame.
type Line struct {
	// LastPipeline is the pipeline that the text ends with, nil if that has one stage.
	*shell.LastPipeline

	// Deciders are the commands of which one decides the status of the text, nil if bash
	// cannot say which.
	Deciders []shell.Decider

	// Kept are the pipelines of the text's own list whose last stages only look.
	Kept []Kept

	argv    []string
	text    string
	frame   shell.Frame // its zero value if none exists
	keeping string      // the command that Keep made; "" before
	zsh     bool        // the shell is zsh
}

// maxFramed bounds a text with a frame, in bytes, so that what Run makes of it fits in one
// argument.
const maxFramed = 100_000

// Framed reports whether the pipeline is in the frame of an agent. Its statuses then are in
// the file that Run was given, unless the command left the frame early.
func (l *Line) Framed() bool { return l.frame.Client != "" }

// Run returns the command line to start. Without a frame it is the one that was read, or with
// the command that Keep made. With
// one, the start-up file does not see the pipeline end: eval sets PIPESTATUS, too, and the
// shell of Codex makes place for another. So the text is changed to an equivalent one,
// which writes the statuses to the file named answer, or has the other shell read the
// start-up file. own is false if the first shell must not read that.
func (l *Line) Run(startup, answer string) (argv []string, own bool) {
	f := l.frame
	command, changed := f.Command, l.keeping != ""
	if changed {
		command = l.keeping
	}
	text := l.text
	switch f.Client {
	case "claude-code":
		also := ""
		if l.zsh {
			also = recorderOfZsh(answer)
			changed = true
		} else if l.LastPipeline != nil {
			also = "$'\\n'" + hints.SingleQuoted(recorder(answer))
			changed = true
		}
		if !changed {
			return l.argv, true
		}
		text = text[:f.Start] + hints.SingleQuoted(command) + also + text[f.End:]
	case "gemini":
		text = text[:f.Start] + command + "\n" + recorder(answer) + text[f.End:]
	case "codex":
		if changed {
			text = text[:f.Start] + hints.SingleQuoted(command) + text[f.End:]
		}
		text = text[:f.Exec] + Variable + "=" + hints.SingleQuoted(startup) + " " + text[f.Exec:]
	default:
		if !changed {
			return l.argv, true
		}
		text = command
	}
	argv = slices.Clone(l.argv)
	argv[slices.Index(argv, l.text)] = text
	return argv, f.Client != "codex" && !l.zsh
}

// recorder returns a line that writes PIPESTATUS to a file, as [Statuses] reads it, and
// leaves $? as it is. It is silent under set -x, needs no file that the command could
// have removed, and starts a process only if the status is not 0. A newline must stand before it.
// In a word that eval gets, that is written as $'\n': bash numbers the lines of the word from
// the line on which the word ends.
func recorder(answer string) string {
	return "{ __envwrap=(\"$?\" \"${PIPESTATUS[@]}\"); \\builtin printf '%s ' \"${__envwrap[@]:1}\" >|" + hints.SingleQuoted(answer) +
		"; case $__envwrap in 0) ;; *) (\\builtin exit \"$__envwrap\");; esac; } 2>/dev/null"
}

// recorderOfZsh returns the end of a word: a line that writes pipestatus to a file, as
// [Statuses] reads it, and leaves the status as it is. A subshell leaves no variable, and needs
// no braces, which options of zsh may make words; indexes of arrays depend on options, too. If
// the user's start-up files have set xtrace (x in $-), which would show the line, it is empty.
// The newline is written as an expansion, so that later lines of the frame keep their numbers.
func recorderOfZsh(answer string) string {
	line := "( __envwrap=(\"$?\" \"${pipestatus[@]}\"); \\builtin printf '%s ' \"${__envwrap[@]:1}\" >|" + hints.SingleQuoted(answer) +
		"; \\builtin exit \"${__envwrap[@]:0:1}\" ) 2>/dev/null"
	return `"${${-##*x*}:+${(#):-10}` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, `$`, `\$`, "`", "\\`", `}`, `\}`).Replace(line) + `}"`
}

// Startup returns the start-up file for the shell that ends with the pipeline, as [Probe]
// makes it; for zsh it is empty. BASH_EXECUTION_STRING is the text that was read, whatever Run made of it.
func (l *Line) Startup(answers Answers, env []string) (string, bool) {
	if l.zsh {
		return "", true
	}
	if l.LastPipeline == nil {
		answers.Statuses = ""
	}
	if l.Deciders == nil {
		answers.Command = ""
	}
	content, ok := Probe(answers, env)
	switch {
	case l.frame.Shell != "" && l.keeping != "":
		content = executionString(l.frame.Command) + content
	case l.frame.Shell == "" && (l.keeping != "" || l.Framed() && l.LastPipeline != nil):
		content = executionString(l.text) + content
	}
	return content, ok
}

// executionString returns a line that sets BASH_EXECUTION_STRING.
func executionString(text string) string {
	return "BASH_EXECUTION_STRING=" + hints.SingleQuoted(text) + "\n"
}
