package exitcode

import "github.com/envwrap/envwrap/envelope"

// A class is what the table's fourth column stands for.
type class struct {
	name      string
	kind      envelope.Kind
	code      envelope.Code
	refinable bool // an output's signature may say more
}

// classes are all that the table may use. "exec" and "sysexits" depend on the
// status too; see match.
var classes = [...]class{
	{"ok", envelope.Success, "", false},
	{"negative", envelope.Negative, "", false},
	{"changes", envelope.Changes, "", false},
	{"warning", envelope.Warning, "", false},

	{"partial", envelope.Partial, envelope.ERUNTIME, false},
	{"findings", envelope.Findings, envelope.ERUNTIME, false},
	{"timeout", envelope.Timeout, envelope.ETIMEOUT, false},
	{"cancelled", envelope.Canceled, envelope.ECANCELED, false},

	{"generic", envelope.Failure, envelope.ERUNTIME, true},
	{"child", envelope.Failure, envelope.ERUNTIME, true},
	{"http", envelope.Failure, envelope.ERUNTIME, true},
	{"internal", envelope.Failure, envelope.ERUNTIME, false},
	{"signal", envelope.Failure, envelope.ERUNTIME, false},
	{"network", envelope.Failure, envelope.ERUNTIME, false},
	{"tls", envelope.Failure, envelope.ERUNTIME, false},
	{"transient", envelope.Failure, envelope.ERUNTIME, false},
	{"conflict", envelope.Failure, envelope.ERUNTIME, false},
	{"usage", envelope.Failure, envelope.EARG, false},
	{"config", envelope.Failure, envelope.EARG, false},
	{"input", envelope.Failure, envelope.EARG, false},
	{"not_found", envelope.Failure, envelope.ENOTFOUND, false},
	{"dependency", envelope.Failure, envelope.ENOTFOUND, false},
	{"auth", envelope.Failure, envelope.EAUTH, false},
	{"permission", envelope.Failure, envelope.EPOLICY, false},
	{"resource", envelope.Failure, envelope.EIO, false},
	{"exec", envelope.Failure, envelope.EIO, false},
	{"sysexits", envelope.Failure, envelope.ERUNTIME, false},
}

// severity orders classes: done, done in part, not done.
func severity(name string) int {
	c, _ := classOf(name)
	switch {
	case c.kind.OK():
		return 1
	case c.kind == envelope.Partial:
		return 2
	case c.kind == envelope.Findings:
		return 3
	}
	return 4
}

func classOf(name string) (class, bool) {
	for _, c := range classes {
		if c.name == name {
			return c, true
		}
	}
	return class{}, false
}

// sysexits are the codes of the statuses from sysexitsBase on, in the order of
// sysexits.h: USAGE, DATAERR, NOINPUT, NOUSER, NOHOST, UNAVAILABLE, SOFTWARE,
// OSERR, OSFILE, CANTCREAT, IOERR, TEMPFAIL, PROTOCOL, NOPERM, CONFIG.
var sysexits = [...]envelope.Code{
	envelope.EARG, envelope.EPARSE, envelope.ENOTFOUND, envelope.EAUTH, envelope.ENOTFOUND,
	envelope.ESKILLDOWN, envelope.ERUNTIME, envelope.EIO, envelope.EIO, envelope.EIO,
	envelope.EIO, envelope.ERUNTIME, envelope.ERUNTIME, envelope.EPOLICY, envelope.EARG,
}

const sysexitsBase = 64
