package runcmd

import (
	"context"
	"errors"
	"os"
	"testing"

	"github.com/envwrap/envwrap/internal/app/cli/farend"
	"github.com/envwrap/envwrap/job"
	"github.com/envwrap/envwrap/wrap"
)

// A signal that ends a transfer is in the queue again by the time the transfer ends: what
// follows, such as a short command, would else be over before it came.
func TestUntilSignalHandsOn(t *testing.T) {
	r := &Runner{signals: make(chan os.Signal, 1), cmd: &wrap.Command{}}
	ctx, release := r.untilSignal(context.Background())
	defer release()
	r.signals <- os.Interrupt
	<-ctx.Done()
	if err := context.Cause(ctx); !errors.Is(err, farend.ErrSignal) {
		t.Errorf("the transfer ended for %v", err)
	}
	select {
	case sig := <-r.signals:
		if sig != os.Interrupt {
			t.Errorf("%v was handed on", sig)
		}
	default:
		t.Error("no signal was handed on")
	}
}

// What a remote has is believed only if it can be the record of the job that was asked for.
func TestPublishedIsBelievable(t *testing.T) {
	const id, far = "01ARZ3NDEKTSV4RRFFQ69G5FAV", "01ARZ3NDEKTSV4RRFFQ69G5FAW"
	for name, c := range map[string]struct {
		change func(*publishedJob)
		want   bool
	}{
		"by its name":     {func(*publishedJob) {}, true},
		"by its id":       {func(p *publishedJob) { p.Name = "" }, false}, // it was asked for by name
		"a later version": {func(p *publishedJob) { p.Version++ }, false},
		"no id":           {func(p *publishedJob) { p.ID = "../x" }, false},
		"no far id":       {func(p *publishedJob) { p.FarID = "" }, false},
		"no name":         {func(p *publishedJob) { p.Name = "a/b" }, false},
		"another name":    {func(p *publishedJob) { p.Name = "other" }, false},
		"no command":      {func(p *publishedJob) { p.Argv = nil }, false},
		"a group":         {func(p *publishedJob) { p.Array = &job.Array{Members: 2, Parallel: 1} }, true},
		"some members":    {func(p *publishedJob) { p.Array = &job.Array{Members: 3, First: 2, Only: "2,4-5", Parallel: 3} }, true},
		"fewer members":   {func(p *publishedJob) { p.Array = &job.Array{Members: 3, First: 2, Only: "2,4", Parallel: 3} }, false},
		"more members": {func(p *publishedJob) {
			p.Array = &job.Array{Members: 3, First: 2, Only: "2,4-9000000000000", Parallel: 3}
		}, false},
		"no members":       {func(p *publishedJob) { p.Array = &job.Array{Parallel: 1} }, false},
		"a negative count": {func(p *publishedJob) { p.Array = &job.Array{Members: -1, Parallel: 1} }, false},
		"too many members": {func(p *publishedJob) { p.Array = &job.Array{Members: 9_000_000_000_000, Parallel: 1} }, false},
		"a negative first": {func(p *publishedJob) { p.Array = &job.Array{Members: 1, First: -1, Parallel: 1} }, false},
		"none at a time":   {func(p *publishedJob) { p.Array = &job.Array{Members: 1} }, false},
	} {
		p := &publishedJob{Version: publishedVersion, ID: id, Name: "train", Runner: "kube", FarID: far, Argv: []string{"make"}}
		c.change(p)
		if got := p.believable("train"); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
	p := &publishedJob{Version: publishedVersion, ID: id, Runner: "kube", FarID: far, Argv: []string{"make"}}
	if !p.believable(id) || p.believable(far) {
		t.Error("a job without a name is that of its id, and of no other")
	}
}
