package spawn

import "time"

// Retry calls do, and again after a pause as long as it fails for a reason that may
// pass.
func Retry(do func() error) error {
	for waited, delay := time.Duration(0), busyDelay; ; waited, delay = waited+delay, min(2*delay, busyMost) {
		err := do()
		if err == nil || !isTransient(err) || waited >= busyWait {
			return err
		}
		time.Sleep(delay)
	}
}

// busyWait bounds the pauses after which a program that another process is still
// writing (ETXTBSY, go.dev/issue/22315), or a full process table (EAGAIN), is tried
// again. The pauses are counted and not timed: a busy machine may stop the other process
// for as long as this one. busyDelay is the first pause, which doubles up to busyMost.
const (
	busyWait  = time.Second
	busyDelay = time.Millisecond
	busyMost  = 50 * time.Millisecond
)
