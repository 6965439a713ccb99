package wrap

import (
	"io"
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

// lastCommand returns the pipeline that a text for a shell ends with. A text that cannot be
// parsed is returned whole.
func lastCommand(inv shell.Invocation) string {
	if !strings.ContainsAny(inv.Text, "&;\n#") {
		return inv.Text
	}
	text, err := shell.Parse(inv.Text, inv.Dialect)
	if err != nil {
		return inv.Text
	}
	list := text.List()
	if len(list) == 0 {
		return ""
	}
	return list[len(list)-1].In(inv.Text)
}
