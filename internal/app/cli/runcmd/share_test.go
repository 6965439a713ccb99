package runcmd

import (
	"context"
	"errors"
	"os"
	"testing"

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
	if err := context.Cause(ctx); !errors.Is(err, errSignal) {
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
