package artifactcmd

import (
	"bufio"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/shared/term"
)

// Limits of artifact grep, so that an agent's context does not drown.
const (
	grepMatches = 1000
	grepBytes   = 1 << 20
)

// grepChecked is the size in bytes up to which grep also checks the digest.
const grepChecked = 64 << 20

func artifactGrepVerb(*cli.Env) *cli.Verb {
	g := artifact.Grep{MaxMatches: grepMatches, MaxBytes: grepBytes}
	var check bool
	var pattern *string
	return &cli.Verb{
		Name:    "grep",
		Args:    "[PATTERN] ID",
		Takes:   cli.AnArtifact,
		Prints:  true,
		Summary: "print the matching lines of an artifact",
		Text: `PATTERN is a regular expression in Go's (RE2's) syntax. A line is printed with
its number: 12:text for a match, 11-text for context, and -- between groups
that do not touch. The status is 0 if a line matched, else 1. A line of more than
--max-bytes is cut around the match. An artifact of at most 64 MiB that is searched
to its end is checked against its digest; if it is corrupt, the status is 1. For a
larger one, of which the check takes longer than the search, give --check.
A line above 16 MiB is searched in pieces of that size: ^ and $ also match at their
borders, and a match across a border is found if it has at most 64 KiB.`,
		Has:     cli.HasStore | cli.HasJSON | cli.HasRaw,
		Example: "envwrap artifact grep -i 'error|warning' sha256:2cf24dba\nenvwrap artifact grep -F -C 3 'panic: ' 2cf24dba",
		Options: append([]*cli.Option{{
			Name: "check", NoEnv: true, Help: "check the digest of a large artifact too", Set: cli.Into(&check, cli.Boolean),
		}, {
			Name: "regexp", Short: "e", Value: "PATTERN", NoEnv: true, Help: "use PATTERN, also one that begins with -",
			Set: func(given []string) error {
				pattern = &given[len(given)-1]
				return nil
			},
		}}, grepOptions(&g)...),
		Run: onArchive(func(c *cli.Call, a *cli.Archive) error {
			words := c.Operands()
			if pattern != nil {
				words = append([]string{*pattern}, words...)
			}
			if len(words) != 2 {
				return cli.Usagef("a pattern and an ID are needed, not %s", term.Plural(len(words), "word"))
			}
			g.Pattern = words[0]
			s, err := artifact.NewSearcher(g)
			if err != nil {
				return &cli.UsageError{Text: err.Error(), Hint: "Quote special characters with \\, or use -F."}
			}
			o, err := a.Get(words[1])
			if err != nil {
				return err
			}
			defer o.Close()
			in, err := grepInput(o, check)
			if err != nil {
				return err
			}
			return grep(c, s, o.Digest(), in, g.Before+g.After > 0)
		}),
	}
}

// grepOptions returns the options for the pattern and for the limits of the output.
func grepOptions(g *artifact.Grep) []*cli.Option {
	return []*cli.Option{
		{Name: "fixed-strings", Short: "F", NoEnv: true, Help: "PATTERN is plain text", Set: cli.Into(&g.Fixed, cli.Boolean)},
		{Name: "ignore-case", Short: "i", NoEnv: true, Help: "ignore case", Set: cli.Into(&g.IgnoreCase, cli.Boolean)},
		{Name: "context", Short: "C", Value: "N", NoEnv: true, Help: "N lines of context around a match", Set: func(given []string) error {
			err := cli.Into(&g.Before, cli.Count)(given)
			g.After = g.Before
			return err
		}},
		{Name: "before-context", Short: "B", Value: "N", NoEnv: true, Help: "N lines of context before a match", Set: cli.Into(&g.Before, cli.Count)},
		{Name: "after-context", Short: "A", Value: "N", NoEnv: true, Help: "N lines of context after a match", Set: cli.Into(&g.After, cli.Count)},
		{Name: "max-count", Short: "m", Value: "N", Def: strconv.Itoa(grepMatches), NoEnv: true, Help: "stop after N matching lines; 0 is no limit", Set: cli.Into(&g.MaxMatches, cli.Count)},
		{Name: "max-bytes", Value: "SIZE", Def: "1MiB", NoEnv: true, Help: "stop after so many bytes of output; 0 is no limit", Set: cli.Into(&g.MaxBytes, cli.Size)},
	}
}

// grepInput returns the reader that grep searches. Without check its digest is not
// checked.
func grepInput(o *artifact.Object, check bool) (io.Reader, error) {
	if o.Size() > grepChecked && !check {
		return io.NewSectionReader(o, 0, o.Size()), nil
	}
	return checkedReader(o)
}

// grep prints the lines of an artifact that match.
func grep(c *cli.Call, s *artifact.Searcher, digest string, in io.Reader, context bool) error {
	search := func(search lineSearch, _ string, context bool) (artifact.GrepResult, error) {
		out, end := c.Content(c.Raw())
		r, err := grepText(out, search, context)
		return r, errors.Join(err, end())
	}
	if c.JSON() {
		search = func(search lineSearch, digest string, _ bool) (artifact.GrepResult, error) {
			return grepJSON(c, search, digest)
		}
	}
	var cut cutLines
	r, err := search(func(show func(artifact.Line) error) (artifact.GrepResult, error) {
		return s.Search(in, func(l artifact.Line) error {
			cut.add(&l)
			return show(l)
		})
	}, digest, context)
	if err != nil {
		return fmt.Errorf("search artifact %s: %w", digest, err)
	}
	if cut.lines > 0 {
		c.Complain(fmt.Errorf("%s cut: the first, line %d, has %s", wereLines(cut.lines), cut.number, cut.length()))
	}
	if r.Truncated {
		c.Complain(fmt.Errorf("stopped after %s: -m and --max-bytes set the limits", term.Plural(r.Matches, "matching line")))
	}
	if r.Matches == 0 && !r.Truncated {
		return cli.Status(cli.StatusFound)
	}
	return nil
}

// cutLines counts the lines that are shown in part.
type cutLines struct {
	lines  int
	number int64 // of the first
	size   int   // of the first
	more   bool  // the first has more
}

// length returns the length of the first line that was cut.
func (c *cutLines) length() string {
	if c.more {
		return "more than " + term.Bytes(int64(c.size))
	}
	return term.Bytes(int64(c.size))
}

func (c *cutLines) add(l *artifact.Line) {
	if len(l.Text) == l.Size && !l.More {
		return
	}
	if c.lines++; c.lines == 1 {
		c.number, c.size, c.more = l.Number, l.Size, l.More
	}
}

func wereLines(n int) string {
	if n == 1 {
		return "1 line is"
	}
	return strconv.Itoa(n) + " lines are"
}

// A lineSearch calls show for every line that is to be shown.
type lineSearch func(show func(artifact.Line) error) (artifact.GrepResult, error)

// grepText prints each line when it is found.
func grepText(out io.Writer, search lineSearch, context bool) (artifact.GrepResult, error) {
	w := bufio.NewWriterSize(out, 64<<10)
	last := int64(-1)
	r, err := search(func(l artifact.Line) error {
		if context && last >= 0 && l.Number != last+1 {
			w.WriteString("--\n")
		}
		last = l.Number
		return writeMatch(w, l)
	})
	return r, errors.Join(err, w.Flush())
}

// grepJSON prints all lines as one object.
func grepJSON(c *cli.Call, search lineSearch, digest string) (artifact.GrepResult, error) {
	found := []lineView{}
	r, err := search(func(l artifact.Line) error {
		found = append(found, viewLine(l))
		return nil
	})
	if err != nil {
		return r, err
	}
	return r, c.AnswerJSON(struct {
		Digest    string     `json:"digest"`
		Matches   int        `json:"matches"`
		Truncated bool       `json:"truncated,omitempty"`
		Lines     []lineView `json:"lines"`
	}{digest, r.Matches, r.Truncated, found})
}

func writeMatch(w *bufio.Writer, l artifact.Line) error {
	sign := byte('-')
	if l.Match {
		sign = ':'
	}
	var number [20]byte
	w.Write(strconv.AppendInt(number[:0], l.Number, 10))
	w.WriteByte(sign)
	w.Write(l.Text)
	return w.WriteByte('\n')
}

// A lineView is a line that grep shows, in JSON: as text where it is UTF-8.
type lineView struct {
	Line   int64   `json:"line"`
	Offset int64   `json:"offset"`
	Match  bool    `json:"match"`
	Text   *string `json:"text,omitempty"`
	Base64 string  `json:"base64,omitempty"`
	Size   int     `json:"size_bytes,omitempty"` // of the whole line, where it is cut
	More   bool    `json:"more,omitempty"`       // it has more than that
}

func viewLine(l artifact.Line) lineView {
	v := lineView{Line: l.Number, Offset: l.Offset, Match: l.Match, More: l.More}
	if len(l.Text) < l.Size || l.More {
		v.Size = l.Size
	}
	if utf8.Valid(l.Text) {
		s := string(l.Text)
		v.Text = &s
	} else {
		v.Base64 = base64.StdEncoding.EncodeToString(l.Text)
	}
	return v
}
