package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"

	"github.com/envwrap/envwrap/internal/app/hookclient"
)

// runHook answers an agent's event, or shows or changes an agent's settings. It never
// returns status 2, which would forbid the command.
func runHook(args []string) error {
	var all, dry bool
	set := flag.NewFlagSet("hook", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.BoolVar(&all, "all", false, "")
	set.BoolVar(&dry, "dry-run", false, "")
	if err := set.Parse(args); err != nil {
		return err
	}
	w := &hookclient.World{Getenv: os.Getenv, System: runtime.GOOS, Callers: hookclient.Callers, All: all}
	verb, name := set.Arg(0), set.Arg(1)
	if client, ok := hookclient.Lookup(verb); ok {
		return client.Answer(w, os.Stdin, os.Stdout)
	}
	clients := hookclient.Clients
	if name != "" {
		client, ok := hookclient.Lookup(name)
		if !ok {
			return fmt.Errorf("hook %s: there is no client %q", verb, name)
		}
		clients = []*hookclient.Client{client}
	}
	switch verb {
	case "install":
		return changeSettings(clients[0], (*hookclient.Client).Install, w, dry)
	case "remove":
		return changeSettings(clients[0], (*hookclient.Client).Remove, w, dry)
	case "status":
		return hookStatus(clients, w)
	}
	return fmt.Errorf("no verb %q of hook", verb)
}

// changeSettings shows a change of an agent's settings, and makes it.
func changeSettings(c *hookclient.Client, edit func(*hookclient.Client, *hookclient.World) (*hookclient.Change, error), w *hookclient.World, dry bool) error {
	change, err := edit(c, w)
	if err != nil {
		return err
	}
	if change == nil {
		return say("%s: nothing to change\n", c.Name)
	}
	if err := say("%s:\n%s", change.Path, change.Diff()); err != nil || dry {
		return err // what could not be shown is not made
	}
	return change.Write()
}

func hookStatus(clients []*hookclient.Client, w *hookclient.World) error {
	var failed error
	for _, c := range clients {
		path, ok, err := c.Installed(w)
		state := "not installed"
		switch {
		case err != nil:
			state, failed = "unknown", err
		case ok:
			state = "installed"
		case len(clients) == 1:
			failed = errNotInstalled
		}
		if err := say("%-11s  %-13s  %s\n", c.Name, state, path); err != nil {
			return err
		}
	}
	return failed
}
