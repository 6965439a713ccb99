package farend

import (
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"
)

// A far end that sends something from time to time is waited for, and one that has
// stalled is not.
func TestFarReaderStalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out, in := io.Pipe()
		r := &farReader{Reader: out, stalled: func() { _ = in.CloseWithError(errStalled) }}
		go func() {
			for range 5 {
				<-time.After(stallMost - time.Second)
				_, _ = in.Write([]byte("x"))
			}
		}()
		begun := time.Now()
		text, err := io.ReadAll(r)
		if string(text) != "xxxxx" || !errors.Is(err, errStalled) {
			t.Errorf("got %q, %v", text, err)
		}
		if took := time.Since(begun); took != 5*(stallMost-time.Second)+stallMost {
			t.Errorf("it took %s", took)
		}
	})
}
