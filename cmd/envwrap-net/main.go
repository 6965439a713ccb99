// Command envwrap-net is the companion of envwrap. It has the verbs that need a network
// library, or that would slow the start of a program that is run all the time.
// Its verbs are mcp, which serves the Model Context Protocol, query, which runs jq
// expressions, remote, which moves artifacts, and report, which writes a page about runs;
// envwrap runs it for its verbs of these names.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/mcpserver"
	"github.com/envwrap/envwrap/internal/app/remote"
	"github.com/envwrap/envwrap/internal/app/remoteconfig"
	"github.com/envwrap/envwrap/internal/platform/safefs"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Set by the release build.
var version string

const usage = `envwrap-net mcp: serve the Model Context Protocol

Usage:
  envwrap mcp [OPTIONS]

It serves on standard input and output; a client starts it. Tools: run, job, read,
explain, and shell with --shell. Any command can be run: which ones are allowed
is for the client to decide.

Options:
  --shell              add the tool shell, a text for bash
  --structured         answer with structured content, too, for programs; several
                       clients show a model that, and not the text
  --wait DURATION      how long a call waits before its command goes on as a job (default 45s)
  --format FORMAT      format of the text in answers (default brief/v1)
  --listen HOST:PORT   serve over HTTP on a loopback address
  --token-file FILE    bearer token for --listen (default: the variable ENVWRAP_MCP_TOKEN)
  --origin URL         let web pages of this origin in (may be repeated)
  --version            print the version

Examples:
  claude mcp add envwrap -- envwrap mcp
  envwrap mcp --shell --wait 20s
  envwrap mcp --listen 127.0.0.1:7331 --token-file ~/.envwrap-token
`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:])
	stop()
	var u *usageError
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
	case errors.Is(err, errFound):
		os.Exit(statusFailed)
	case errors.Is(err, errUnreached):
		os.Exit(statusUnreached)
	case remote.IsUnreached(err):
		complain(err)
		os.Exit(statusUnreached)
	case errors.Is(err, artifact.ErrNotFound):
		complain(err)
		os.Exit(statusNotFound)
	case errors.As(err, &u):
		complain(fmt.Errorf("%w\n`envwrap mcp --help` lists the options.", err))
		os.Exit(statusUsage)
	default:
		complain(err)
		os.Exit(statusFailed)
	}
}

// memoryLimit is the soft limit of the Go runtime's memory, in bytes. It is above what
// the server needs; what a request of many megabytes took is returned to the system soon
// after it.
const memoryLimit = 32 << 20

// options holds the options of the command line.
type options struct {
	config    mcpserver.Config
	listener  mcpserver.Listener
	tokenFile string
	version   bool
}

func run(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return say("%s", usage)
	}
	switch args[0] {
	case "-h", "--help", "help":
		return say("%s", usage)
	case "--version", "version":
		return say("envwrap-net %s\n", ownVersion())
	case "query":
		return runQuery(ctx, args[1:])
	case "remote":
		return runRemote(ctx, args[1:])
	case "report":
		return runReport(args[1:])
	case "mcp":
	default:
		return &usageError{fmt.Sprintf("no verb %q: there are mcp, query, remote and report", args[0])}
	}
	o, err := parse(args[1:])
	if err != nil {
		return err
	}
	if o.version {
		return say("envwrap-net %s\n", ownVersion())
	}
	if o.config.Program, err = program(); err != nil {
		return err
	}
	o.config.Environ, o.config.Version = os.Environ(), ownVersion()
	o.config.Log = slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError}))
	debug.SetMemoryLimit(memoryLimit)
	server, err := mcpserver.New(o.config)
	if err != nil {
		return err
	}
	if o.listener.Address != "" {
		return o.listen(ctx, server)
	}
	return mcpserver.ServeLines(ctx, server, os.Stdin, os.Stdout)
}

// parse reads the options of mcp.
func parse(args []string) (*options, error) {
	o := &options{}
	set := flag.NewFlagSet("mcp", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.Usage = func() {}
	set.BoolVar(&o.config.Shell, "shell", false, "")
	set.BoolVar(&o.config.Structured, "structured", false, "")
	set.DurationVar(&o.config.Wait, "wait", mcpserver.DefaultWait, "")
	set.StringVar(&o.listener.Address, "listen", "", "")
	set.StringVar(&o.tokenFile, "token-file", "", "")
	set.BoolVar(&o.version, "version", false, "")
	set.Func("origin", "", func(s string) error {
		o.listener.Origins = append(o.listener.Origins, s)
		return nil
	})
	set.Func("format", "", func(s string) (err error) {
		var ok bool
		if o.config.Format, ok = envelope.Lookup(s); !ok {
			err = errors.New("no such format")
		}
		return err
	})
	if err := set.Parse(args); errors.Is(err, flag.ErrHelp) {
		fmt.Print(usage)
		return nil, err
	} else if err != nil {
		return nil, &usageError{err.Error()}
	}
	switch {
	case set.NArg() > 0:
		return nil, &usageError{fmt.Sprintf("%q is one word too many", set.Arg(0))}
	case o.config.Wait <= 0:
		return nil, &usageError{"--wait has to be longer than 0"}
	case o.listener.Address == "" && (o.tokenFile != "" || len(o.listener.Origins) > 0):
		return nil, &usageError{"--token-file and --origin go with --listen"}
	}
	return o, nil
}

// listen serves over HTTP.
func (o *options) listen(ctx context.Context, server *mcp.Server) error {
	o.listener.Token = os.Getenv(remoteconfig.ServerTokenVariable)
	if o.tokenFile != "" {
		if err := safefs.StrictModes(o.tokenFile); errors.Is(err, safefs.ErrRefused) {
			return fmt.Errorf("read the bearer token: %w", err)
		}
		if info, err := os.Stat(o.tokenFile); err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
			fmt.Fprintf(os.Stderr, "envwrap-net: others can read the token, and run commands as you; run: chmod 600 %q\n", o.tokenFile)
		}
		token, err := os.ReadFile(o.tokenFile)
		if err != nil {
			return fmt.Errorf("read the bearer token: %w", err)
		}
		o.listener.Token = strings.TrimSpace(string(token))
	}
	listener, err := o.listener.Listen()
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "envwrap-net: serving on http://%s\n", listener.Addr())
	return o.listener.Serve(ctx, server, listener)
}

// program finds envwrap: beside this program, else on PATH.
func program() (string, error) {
	name := "envwrap"
	if self, err := os.Executable(); err == nil {
		beside := filepath.Join(filepath.Dir(self), name+filepath.Ext(self))
		if info, err := os.Stat(beside); err == nil && info.Mode().IsRegular() {
			return beside, nil
		}
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return "", fmt.Errorf("find envwrap: %w\nInstall it beside envwrap-net: go install github.com/envwrap/envwrap@latest", err)
	}
	return path, nil
}

// ownVersion returns the version of the build.
func ownVersion() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "devel"
}
