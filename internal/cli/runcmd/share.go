package runcmd

import (
	"strings"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/cli"
	"github.com/envwrap/envwrap/internal/sharing"
)

// sharingOptions are those of a run whose output goes elsewhere.
func (o *RunOptions) sharingOptions() []*cli.Option {
	push := &cli.Option{Name: "push", Group: "Remote", Help: "send stored output to the remote before the envelope is printed", Set: cli.Into(&o.push, cli.Boolean)}
	return append([]*cli.Option{o.onOption(), push}, cli.RemoteOptions(&o.remote)...)
}

// readAnywhere is the command that shows an artifact on machines that have to fetch
// it first, by all of its digits.
func (r *Runner) readAnywhere(digest string) string {
	return strings.Replace(r.ReadCommand(r.O.store)(digest), envelope.ShortDigest(digest), digest, 1)
}

// pushPatience is how long a run waits for a remote that does not answer.
const pushPatience = 15 * time.Second

// pushing is the companion of a run, which has less patience than a person.
func (r *Runner) pushing() *sharing.Companion {
	c := r.CompanionFor(&r.O.remote)
	c.Settings.Patience = pushPatience
	return c
}
