package exitcode

import "github.com/envwrap/envwrap/internal/shared/outcome"

// A class is the meaning of a word in the table's fourth column.
type class struct {
	name      string
	kind      outcome.Kind
	code      outcome.Code
	refinable bool // an output's signature may say more
}

// classes lists all classes of the table. "exec" and "sysexits" depend on the
// status too; see match.
var classes = [...]class{
	{"ok", outcome.Success, "", false},
	{"negative", outcome.Negative, "", false},
	{"changes", outcome.Changes, "", false},
	{"warning", outcome.Warning, "", false},

	{"partial", outcome.Partial, outcome.ERUNTIME, false},
	{"findings", outcome.Findings, outcome.ERUNTIME, false},
	{"timeout", outcome.Timeout, outcome.ETIMEOUT, false},
	{"cancelled", outcome.Canceled, outcome.ECANCELED, false},

	{"generic", outcome.Failure, outcome.ERUNTIME, true},
	{"child", outcome.Failure, outcome.ERUNTIME, true},
	{"http", outcome.Failure, outcome.ERUNTIME, true},
	{"internal", outcome.Failure, outcome.ERUNTIME, false},
	{"signal", outcome.Failure, outcome.ERUNTIME, false},
	{"network", outcome.Failure, outcome.ERUNTIME, false},
	{"tls", outcome.Failure, outcome.ERUNTIME, false},
	{"transient", outcome.Failure, outcome.ERUNTIME, false},
	{"conflict", outcome.Failure, outcome.ERUNTIME, false},
	{"usage", outcome.Failure, outcome.EARG, false},
	{"config", outcome.Failure, outcome.EARG, false},
	{"input", outcome.Failure, outcome.EARG, false},
	{"not_found", outcome.Failure, outcome.ENOTFOUND, false},
	{"dependency", outcome.Failure, outcome.ENOTFOUND, false},
	{"auth", outcome.Failure, outcome.EAUTH, false},
	{"permission", outcome.Failure, outcome.EPOLICY, false},
	{"resource", outcome.Failure, outcome.EIO, false},
	{"exec", outcome.Failure, outcome.EIO, false},
	{"sysexits", outcome.Failure, outcome.ERUNTIME, false},
}

// severity orders classes: done, done in part, not done.
func severity(name string) int {
	c, _ := classOf(name)
	switch {
	case c.kind.OK():
		return 1
	case c.kind == outcome.Partial:
		return 2
	case c.kind == outcome.Findings:
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
var sysexits = [...]outcome.Code{
	outcome.EARG, outcome.EPARSE, outcome.ENOTFOUND, outcome.EAUTH, outcome.ENOTFOUND,
	outcome.ESKILLDOWN, outcome.ERUNTIME, outcome.EIO, outcome.EIO, outcome.EIO,
	outcome.EIO, outcome.ERUNTIME, outcome.ERUNTIME, outcome.EPOLICY, outcome.EARG,
}

const sysexitsBase = 64
