package redactcmd

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/redact"
)

// explain copies in to w, line by line, and prints on stderr for each masked span its
// place, the rule, the reason and how sure it is. If all lines of a secret are needed to
// find it, the place is on its last line.
func explain(c *cli.Call, w *redact.Writer, in io.Reader) error {
	r := bufio.NewReaderSize(in, 256<<10)
	var found []redact.Finding
	w.Trace(func(f redact.Finding) { found = append(found, f) })
	for line := 1; ; {
		b, readErr := r.ReadSlice('\n')
		if _, err := w.Write(b); err != nil {
			return fmt.Errorf("write the masked text: %w", err)
		}
		end := errors.Is(readErr, io.EOF)
		if end {
			if err := w.Close(); err != nil {
				return err
			}
		}
		if err := printFindings(c, line, found); err != nil {
			return err
		}
		found = found[:0]
		switch {
		case end:
			return nil
		case errors.Is(readErr, bufio.ErrBufferFull):
			continue // the line goes on
		case readErr != nil:
			return readErr
		}
		line++
	}
}

// printFindings says on stderr what was found on a line.
func printFindings(c *cli.Call, line int, found []redact.Finding) error {
	for _, f := range found {
		what, sure := redact.Explain(f.Rule)
		if f.Shows != "" {
			what += ", and " + f.Shows
		}
		place, name := fmt.Sprintf("line %d", line), ""
		if f.Column > 0 {
			place += fmt.Sprintf(", column %d", f.Column)
		}
		if f.Name != "" {
			name = fmt.Sprintf(" after %q", f.Name)
		}
		if _, err := fmt.Fprintf(c.Stderr, "%s: %s%s (%s): %s\n", place, f.Rule, name, sure, what); err != nil {
			return err
		}
	}
	return nil
}
