package runcmd

import (
	"io"
	"strings"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/cli"
)

// sharingOptions are those of a run whose output goes elsewhere.
func (o *RunOptions) sharingOptions() []*cli.Option {
	push := &cli.Option{Name: "push", Group: "Remote", Help: "send stored output to the remote before the envelope is printed", Set: cli.Into(&o.push, cli.Boolean)}
	return append([]*cli.Option{push}, cli.RemoteOptions(&o.remote)...)
}

// readAnywhere is the command that shows an artifact on machines that have to fetch
// it first, by all of its digits.
func (r *Runner) readAnywhere(digest string) string {
	return strings.Replace(r.ReadCommand(r.O.store)(digest), envelope.ShortDigest(digest), digest, 1)
}

// pushPatience is how long a run waits for a remote that does not answer.
const pushPatience = 15 * time.Second

// push sends what a run has stored.
func (r *Runner) push(stores, digests []string) error {
	c := r.CompanionFor(&r.O.remote)
	c.Settings.Stores, c.Settings.Patience = stores, pushPatience
	return c.Do("push", digests, nil, io.Discard)
}
