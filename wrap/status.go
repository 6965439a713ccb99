package wrap

import "github.com/envwrap/envwrap/envelope"

// Exit statuses of a wrapper (POSIX, XCU 2.8.2; coreutils timeout(1)).
const (
	statusTimeout       = 124
	statusSelf          = 125 // envwrap itself could not do what was asked
	statusNotExecutable = 126
	statusNotFound      = 127
	statusSignal        = 128 // plus the signal's number
)

// exitStatus returns the exit status that envwrap has with --exit-code child.
func (r *run) exitStatus(o *envelope.Outcome) int {
	switch {
	case r.failure != nil:
		return r.failure.status
	case r.stopped.cause == stopTimeout, r.stopped.cause == stopIdle:
		return statusTimeout
	case r.stopped.cause == stopCanceled:
		return statusSignal + r.stopped.number()
	case r.stopped.cause == stopOverflow:
		return statusSelf
	case r.end.lost:
		return statusSelf
	case r.end.signal != 0:
		return statusSignal + r.end.signal
	case r.end.code == 0 && o.Code == envelope.EPARSE:
		return statusSelf
	}
	return portable(r.end.code)
}

// portable returns an exit status as eight bits that are 0 only for 0: Windows has 32.
func portable(code int) int {
	if code == 0 || code&0xff != 0 {
		return code & 0xff
	}
	return 0xff
}
