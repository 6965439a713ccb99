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

// Print writes an answer on stdout.
func (env *Env) Print(text string) error {
	_, err := io.WriteString(env.Stdout, term.ForScreen(env.Stdout, text))
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
	b := bufio.NewWriterSize(env.Stdout, 64<<10)
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
		_, err = env.Stdout.Write(b.Bytes())
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
