package wrap

import (
	"io"
	"slices"
	"strings"

	"github.com/envwrap/envwrap/internal/shared/hints"
	"github.com/envwrap/envwrap/internal/shared/shell"
	"github.com/envwrap/envwrap/redact"
)

// MaskStdout returns a writer that masks what the command prints on stdout and passes it on
// to dst. It knows the command: a password that is all that "pass show prod/db" prints has
// no name beside it.
func (c *Command) MaskStdout(dst io.Writer) *redact.Writer {
	w := c.Redactor.Writer(dst)
	w.After(c.line)
	return w
}

// line returns the command as it would be typed: of a text for a shell the last command,
// whose output is mostly all of the text's.
func (c *Command) line() string {
	argv := c.unframed().Argv
	if inv, ok := shell.ReadInvocation(argv); ok {
		return lastCommand(inv)
	}
	words := make([]string, len(argv))
	for i, word := range argv {
		words[i] = hints.Quote(word)
	}
	return strings.Join(words, " ")
}

// maxScript is the length of the longest text for a shell that is parsed to find its last
// command: longer ones are programs.
const maxScript = 8 << 10

// lastCommand returns the last pipeline of a text for a shell that prints more than words of
// the text itself. A text that cannot be parsed is returned whole.
func lastCommand(inv shell.Invocation) string {
	if len(inv.Text) > maxScript {
		return ""
	}
	if !strings.ContainsAny(inv.Text, "&;\n#") {
		return inv.Text
	}
	text, err := shell.Parse(inv.Text, inv.Dialect)
	if err != nil {
		return inv.Text
	}
	for _, p := range slices.Backward(text.List()) {
		if line := p.In(inv.Text); !saysOnly(p, line) {
			return line
		}
	}
	return ""
}

// saysOnly reports whether a pipeline prints nothing but words of its own and a status:
// echo, echo "exit $?", true.
func saysOnly(p shell.Pipeline, line string) bool {
	if len(p.Stages) != 1 || strings.ContainsAny(strings.ReplaceAll(line, "$?", ""), "$`") {
		return false
	}
	switch p.Stages[0].Name() {
	case "echo", "printf", "true", ":", "exit":
		return true
	}
	return false
}
