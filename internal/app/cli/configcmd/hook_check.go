package configcmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/envwrap/envwrap/internal/app/below"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/session"
	"github.com/envwrap/envwrap/internal/platform/scratch"
)

func checkVerb(*cli.Env) *cli.Verb {
	return &cli.Verb{
		Name: "check", Args: "[CLIENT]", Choices: clientNames,
		Summary: "prove that a client's commands run under envwrap",
		Text: `It looks at the client's settings, links and version, and at the store, and runs one
command through what is installed. Each fault comes with the command that mends it, and
the status is 1 then. Without CLIENT: all that are installed.`,
		Example: "envwrap hook check claude-code",
		Run:     func(ctx context.Context, c *cli.Call) error { return checkClients(ctx, c) },
	}
}

// checkClients checks the client that the line names, or all that are installed.
func checkClients(ctx context.Context, c *cli.Call) error {
	words := c.Operands()
	place, err := placeOf(c)
	if err != nil {
		return err
	}
	var list []*below.Client
	if len(words) > 0 {
		client, _, err := clientAndPlace(c)
		if err != nil {
			return err
		}
		list = []*below.Client{client}
	} else {
		list = slices.DeleteFunc(slices.Clone(below.Clients), func(client *below.Client) bool {
			plan, err := client.Remove(place)
			return err == nil && plan.Empty()
		})
		if len(list) == 0 {
			_, err := io.WriteString(c.Stdout, "No client is set up: envwrap hook install CLIENT ("+clients()+")\n")
			return errors.Join(err, cli.Status(cli.StatusFound))
		}
	}
	faults := 0
	for _, client := range list {
		k := check{Call: c, client: client, place: place}
		k.run(ctx)
		faults += k.faults
	}
	if faults > 0 {
		return cli.Status(cli.StatusFound)
	}
	return nil
}

// A check looks at one client and prints what it finds.
type check struct {
	*cli.Call
	client *below.Client
	place  *below.Place
	faults int
}

func (k *check) say(ok bool, format string, args ...any) {
	state := "ok"
	if !ok {
		state = "fault"
		k.faults++
	}
	fmt.Fprintf(k.Stdout, "%-11s %-5s %s\n", k.client.Name, state, fmt.Sprintf(format, args...))
}

func (k *check) run(ctx context.Context) {
	mend := "envwrap hook install " + k.client.Name
	plan, err := installPlan(k.client, k.place)
	switch {
	case err != nil:
		k.say(false, "settings: %v", err)
	case !plan.Empty():
		for _, change := range plan.Changes {
			k.say(false, "settings: %s does not lead to envwrap: %s", change.Path, mend)
		}
		for _, link := range plan.Links {
			k.say(false, "link: %s does not lead to %s: %s", link, k.place.Envwrap, mend)
		}
	default:
		k.say(true, "settings lead to %s", k.place.Envwrap)
	}
	k.version(ctx)
	k.store()
	if k.client.Name == below.Gemini {
		k.path()
	}
	if k.faults == 0 && k.client.Name != below.Cursor {
		k.play(ctx)
	}
}

// version finds the client's program. Another version than the one that was tried is no
// fault.
func (k *check) version(ctx context.Context) {
	path, _ := k.Lookup("PATH")
	program, ok := cli.FindProgram(path, k.client.Program, nil)
	if !ok {
		k.say(true, "%s is not on this PATH", k.client.Program)
		return
	}
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, program, "--version").Output()
	line, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	switch {
	case err != nil:
		k.say(true, "%s does not say its version", program)
	case k.client.Tried == "":
		k.say(true, "version: %s; none was tried", line)
	case strings.Contains(line, k.client.Tried):
		k.say(true, "version: %s, as tried", line)
	default:
		k.say(true, "version: %s; %s was tried", line, k.client.Tried)
	}
}

// store finds out whether long output can be kept.
func (k *check) store() {
	named, _ := k.Lookup("ENVWRAP_STORE")
	dir := k.Session().FirstStore(named)
	err := os.MkdirAll(dir, 0o700)
	if err == nil {
		var f *os.File
		if f, err = os.CreateTemp(dir, ".check-*"); err == nil {
			_ = f.Close()
			err = os.Remove(f.Name())
		}
	}
	if err != nil {
		if path, ok := errors.AsType[*fs.PathError](err); ok {
			err = path.Err
		}
		k.say(false, "store: %s cannot be written (%v): chown or chmod it, or set ENVWRAP_STORE", dir, err)
		return
	}
	k.say(true, "store: %s can be written; in a sandbox of the client's add it to the places that may be", dir)
}

// path finds out whether a login shell would start Gemini CLI with the link before the
// real bash.
func (k *check) path() {
	path, _ := k.Lookup("PATH")
	for _, dir := range filepath.SplitList(path) {
		file := filepath.Join(dir, below.GeminiShell)
		if below.IsGeminiShell(file) {
			k.say(true, "PATH: %s comes first", file)
			return
		}
		if _, err := os.Stat(file); err == nil {
			break
		}
	}
	k.say(true, "PATH of this shell has the real bash first; the line that hook install shows changes that for Gemini CLI only")
}

// sample is a command that fails in a way that its status does not show.
const sample = "echo hello; ls /nonexistent 2>/dev/null | tail -1"

// proof prints something only under an envwrap.
const proof = `echo "${ENVWRAP_CTX:+wrapped}"`

// play runs one command as the client would start it after the installation.
func (k *check) play(ctx context.Context) {
	out, err := k.ran(ctx, sample)
	if err == nil && strings.Contains(out, "(stage 1 of 2)") {
		k.say(true, "one command: of %q the model reads:\n%s", sample, out)
		return
	}
	if proved, _ := k.ran(ctx, proof); err == nil && proved == "wrapped\n" {
		k.say(true, "one command: it ran under envwrap, which says nothing of the stages of pipelines: BASH_ENV or bash's options keep it from that")
		return
	}
	why := "envwrap hook explain '...' says what would become of a command"
	if off, _ := k.Lookup("ENVWRAP"); off == "0" {
		why = "ENVWRAP=0 in the environment switches envwrap off: unset ENVWRAP"
	}
	k.say(false, "one command: %q did not run under envwrap%s: %s\n%s", sample, reasonOf(err), why, out)
}

// reasonOf returns how a command ended that did not end well.
func reasonOf(err error) string {
	if err == nil {
		return ""
	}
	return " (" + err.Error() + ")"
}

// ran runs a command as the client would, and returns all that it printed. Its store is
// temporary, so that the user's history and statistics have the client's own runs only.
func (k *check) ran(ctx context.Context, command string) (string, error) {
	argv, env, err := k.place.Sample(k.client, command)
	if err != nil {
		return "", err
	}
	store, err := scratch.New()
	if err != nil {
		return "", err
	}
	defer func() { _ = store.Remove() }()
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Env = session.SetAll(session.SetAll(slices.Clone(k.Environ), env...), "ENVWRAP_STORE="+store.Path)
	out, err := cmd.CombinedOutput()
	return string(out), err
}
