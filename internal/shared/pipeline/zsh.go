package pipeline

import (
	"strings"

	"github.com/envwrap/envwrap/internal/shared/shell"
)

// shownByZsh lists words of texts for zsh that may show the lines that envwrap adds to a text, or
// run them more than once.
var shownByZsh = [...]string{"trap", "TRAP", "ZERR", "xtrace", "verbose", "set -x", "set -v", "set -ex", "set -eux", "pipestatus", "LINENO", "EXECUTION_STRING"}

// readZsh returns what zsh can be asked about a command line: how the stages of the last pipeline
// ended, if the text is a command in the frame of Claude Code. A text of zsh without a frame is
// not changed, and no start-up file of envwrap's own takes the place of the user's.
func readZsh(argv []string, text string) (*Line, bool) {
	bare, f, _, ok := shell.Unframe(argv)
	if !ok || f.Client != "claude-code" || len(text) > maxFramed {
		return nil, false
	}
	inv, ok := shell.ReadInvocation(bare)
	if !ok || len(inv.Options) > 0 {
		return nil, false
	}
	for _, word := range shownByZsh {
		if strings.Contains(inv.Text, word) {
			return nil, false
		}
	}
	command, err := shell.Parse(inv.Text, shell.Zsh)
	if err != nil {
		return nil, false
	}
	last, err := command.Last()
	if err != nil || len(last.Stages) < 2 {
		return nil, false
	}
	return &Line{LastPipeline: last, argv: argv, text: text, frame: f, zsh: true}, true
}
