package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/envwrap/envwrap/internal/shared/term"
)

// Screen returns the screen of stdout.
func (env *Env) Screen() term.Screen { return term.ScreenOf(env.Stdout, env.Lookup) }

// Out returns Stdout as a writer that counts what a verb prints, for the record of what
// was read of earlier runs.
func (env *Env) Out() io.Writer { return counted{env} }

type counted struct{ env *Env }

func (c counted) Write(b []byte) (int, error) {
	n, err := c.env.Stdout.Write(b)
	c.env.Count(n)
	return n, err
}

// Count adds to the number of bytes that a verb has printed of its answer.
func (env *Env) Count(n int) { env.printed += int64(n) }

// Content returns a writer of an artifact's bytes to stdout, and a function that ends it:
// a terminal gets control characters spelled out unless raw is set.
func (env *Env) Content(raw bool) (io.Writer, func() error) {
	if term.IsTerminal(env.Stdout) {
		return term.Content(env.Stdout, raw)
	}
	return env.Out(), func() error { return nil }
}

// Print writes an answer on stdout.
func (env *Env) Print(text string) error {
	_, err := io.WriteString(env.Out(), term.ForScreen(env.Stdout, text))
	return err
}

// Answer prints a verb's answer: v as a JSON object, or the lines that text writes.
func (c *Call) Answer(v any, text func(*strings.Builder)) error {
	if c.JSON() {
		return c.AnswerJSON(v)
	}
	return c.Show(text)
}

// Show prints the lines that text writes on stdout.
func (env *Env) Show(text func(*strings.Builder)) error {
	var b strings.Builder
	text(&b)
	return unprinted(env.Print(b.String()))
}

// Stream prints a verb's answer on stdout while write writes it.
func (env *Env) Stream(write func(io.Writer) error) error {
	b := bufio.NewWriterSize(env.Out(), 64<<10)
	err := write(b)
	if err == nil {
		err = b.Flush()
	}
	return unprinted(err)
}

// AnswerJSON prints a verb's answer as a JSON object.
func (env *Env) AnswerJSON(v any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if term.IsTerminal(env.Stdout) {
		e.SetIndent("", "  ")
	}
	err := e.Encode(v)
	if err == nil {
		_, err = env.Out().Write(b.Bytes())
	}
	return unprinted(err)
}

func unprinted(err error) error {
	if err != nil {
		return fmt.Errorf("print the answer: %w", err)
	}
	return nil
}

// Stamp returns a time as it is in envelopes.
func Stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// Input opens the file that is the call's operand, or standard input.
func (c *Call) Input() (*os.File, error) {
	words := c.Operands()
	switch {
	case len(words) == 1 && words[0] == "":
		return nil, Usagef("the name of the FILE is empty")
	case len(words) == 1 && words[0] != "-":
		return os.Open(c.Path(words[0]))
	case c.Stdin == nil:
		return nil, Usagef("standard input is closed: name a FILE")
	}
	return c.Stdin, nil
}
