// Package cli has the parts that all verbs of envwrap's command line share: it finds the
// verb in a command line, reads its options from the line, the environment and the
// configuration, and prints help.
//
// A verb is one file and one row of the table in internal/app/verbs; an option is one
// row of its verb's table ([Option]). Parsing, help, completion, environment variables
// and the removal of envwrap's variables from the child's environment all use these
// rows.
package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/shared/errtext"
	"github.com/envwrap/envwrap/internal/shared/term"
	"github.com/envwrap/envwrap/redact"
	"github.com/envwrap/envwrap/wrap"
)

// Complain prints an error on stderr.
func (env *Env) Complain(err error) {
	_, _ = fmt.Fprintf(env.Stderr, "envwrap: %s\n", env.ErrorText(err))
}

// ErrorText returns the text of an error to show. Since errors may contain text of
// a user or a file, ErrorText masks secrets, makes control characters visible, and cuts a long
// text.
func (env *Env) ErrorText(err error) string {
	text := err.Error()
	if p, ok := errors.AsType[*fs.PathError](err); ok && len(p.Path) > errtext.MaxValue {
		text = strings.ReplaceAll(text, p.Op+" "+p.Path, p.Op+" "+strconv.Quote(p.Path)) // which shows where it ends
	}
	return errtext.Bound(term.Text(env.Masked(text)))
}

// Masked returns a text with its secrets masked.
func (env *Env) Masked(text string) string { return env.Mask().Text(text) }

// Mask returns what masks the texts of a record that no run makes: secrets by their form,
// and those in the environment.
func (env *Env) Mask() envelope.Mask {
	return wrap.Mask(redact.New(redact.Options{Values: redact.EnvValues(env.Environ)}))
}
