package artifactcmd

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"

	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/query"
	"github.com/envwrap/envwrap/internal/app/remoteconfig"
	"github.com/envwrap/envwrap/internal/shared/limitbuf"
)

// complaintLimit is the most that is kept of what the companion complains about, in
// bytes.
const complaintLimit = 4 << 10

// queryByCompanion makes the companion run an expression that is more than simple
// filters. It prints a line of JSON for each result.
func queryByCompanion(ctx context.Context, c *cli.Call, expr string, in io.Reader, o query.Options, emit func(text []byte) error) error {
	program, err := c.Companion()
	if err != nil {
		c.Complain(fmt.Errorf("query with %q: this is more than a simple filter (`envwrap help artifact query`) and needs the companion program: %w", expr, err))
		return cli.Status(cli.StatusMissing)
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	source := &sourceReader{Reader: in}
	complaint := limitbuf.NewBuffer(complaintLimit)
	cmd := exec.CommandContext(ctx, program, append([]string{"query"}, o.Encode(expr)...)...)
	cmd.Env, cmd.Stdin, cmd.Stderr = c.Environ, source, complaint
	cmd.SysProcAttr = remoteconfig.Attributes()
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	passed := passLines(out, emit)
	if passed != nil {
		stop()
	}
	err = cmd.Wait()
	text := strings.TrimPrefix(strings.TrimSpace(complaint.String()), "envwrap-net: ")
	exit, ended := errors.AsType[*exec.ExitError](err)
	switch {
	case passed != nil:
		return passed
	case source.err != nil:
		return source.err
	case ended && exit.ExitCode() == query.StatusExpression:
		return query.NotJQ(text)
	case ended && text != "":
		return errors.New(text)
	case err != nil:
		return fmt.Errorf("run %q: %w", program, err)
	}
	return nil
}

// passLines passes on each line of r without its end.
func passLines(r io.Reader, emit func(text []byte) error) error {
	lines := bufio.NewReaderSize(r, 64<<10)
	for {
		line, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return nil // what has no end was cut with the program
		}
		if err == nil {
			err = emit(bytes.TrimSuffix(line, []byte("\n")))
		}
		if err != nil {
			return err
		}
	}
}

// A sourceReader keeps the error of reading, which a program that reads a pipe sees
// as its end.
type sourceReader struct {
	io.Reader
	err error
}

func (s *sourceReader) Read(b []byte) (int, error) {
	n, err := s.Reader.Read(b)
	if err != nil && !errors.Is(err, io.EOF) {
		s.err = err
	}
	return n, err
}
