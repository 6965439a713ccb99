package redactcmd

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/envwrap/envwrap/internal/cli"
	"github.com/envwrap/envwrap/redact"
)

// explain copies in to w, line by line, and says on stderr for each line what was
// masked in it: the rule, what that goes by, and how sure it is. A secret that is
// found in lines together is told of at the last.
func explain(c *cli.Call, w *redact.Writer, in io.Reader) error {
	r := bufio.NewReaderSize(in, 256<<10)
	before := redact.Counts{}
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
		counts := w.Counts()
		for _, rule := range slices.Sorted(maps.Keys(counts)) {
			n := counts[rule] - before[rule]
			if n == 0 {
				continue
			}
			what, sure := redact.Explain(rule)
			times := ""
			if n > 1 {
				times = fmt.Sprintf(", %d times", n)
			}
			if _, err := fmt.Fprintf(c.Stderr, "line %d: %s%s (%s): %s\n", line, rule, times, sure, what); err != nil {
				return err
			}
			before[rule] = counts[rule]
		}
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
