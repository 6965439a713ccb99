package session

import (
	"crypto/ed25519"
	"slices"
	"time"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/signature"
	"github.com/envwrap/envwrap/redact"
	"github.com/envwrap/envwrap/wrap"
)

// Options are the resolved options of one run. Argv is required; the zero value of
// everything else is a useful default: no time limit, no retries, nothing is
// remembered, all secrets are masked.
type Options struct {
	Argv      []string // the program and its arguments
	Name      string   // namespace/verb; "" is made from the program
	RequestID string   // "" is a new UUID
	TaskID    string   // "" is a new ULID
	TraceID   string   // "" is that of TRACEPARENT, else a new one

	Dir            string   // where the command runs; "" is the world's directory
	Env            []string // NAME=value, for the command beside what it inherits
	CleanEnv       bool     // it inherits nothing
	NonInteractive bool     // it is to ask nobody anything
	// Own reports whether a variable is envwrap's and not inherited; nil is none.
	Own   func(name string) bool
	Stdin wrap.Stdin
	// Terminal says that the command talks to a terminal of ours.
	Terminal bool
	// Alone says that this process runs nothing else, so that it may become the
	// parent of what outlives the command, and end it.
	Alone bool
	// IsHelper reports whether a process that descends from the command is not of it;
	// nil is none. Refreshes of remembered runs are spared in any case.
	IsHelper func(pid int) bool

	Merge bool // one pipe for both streams
	wrap.Limits
	wrap.Meaning

	Retry  Retry
	Cache  Cache
	Shared *Shared // with other machines; nil is not

	Redact  redact.Mode
	Secrets []redact.Value // beside those of the world's environment and of Env
	Rules   []redact.Rule

	Store     string // directory; "" is the user's usual one
	StoreSync artifact.Sync
	StoreMax  int64 // bytes that the store may have; 0 is no limit
	// Push sends artifacts of the stores elsewhere, before the result is shown; nil
	// is nowhere. Its error is a warning.
	Push func(stores, digests []string) error
	// Read makes the command that shows an artifact; nil is none.
	Read func(digest string) string

	Dialect  envelope.Dialect // for which the result is made to fit; nil is none
	Encoding envelope.EncodeOptions

	// Refresh returns the arguments and the environment of an envwrap that runs the
	// command anew in the background, with a store; nil where none can be begun.
	Refresh func(store string) (args, environ []string)
}

// Retry says when a command that failed is run again.
type Retry struct {
	Times           int             // most runs after the first
	On              []envelope.Code // nil is what is temporary
	Delay, MaxDelay time.Duration
	Deadline        time.Duration // no retry begins after it; 0 is none
}

// Cache says which runs are remembered, and for how long.
type Cache struct {
	TTL, Stale time.Duration // 0 is none
	Inputs     []string      // files, directories and patterns that the command reads
	Env        []string      // names of variables that it looks at
	Failures   bool          // runs that failed are remembered, too
}

// policy returns what package wrap does about failures.
func (y *Retry) policy() wrap.Retry {
	return wrap.Retry{
		Times: y.Times, On: y.wanted, Delay: y.Delay, MaxDelay: y.MaxDelay, Deadline: y.Deadline,
		After: retryAfter,
	}
}

// retryAfter reads from the output of a run how long the server asks to wait.
func retryAfter(res *envelope.Result) (time.Duration, bool) {
	if res.Exec != nil {
		res = res.Exec
	}
	return signature.RetryAfter(res.Stderr.Tail, res.Stdout.Tail, res.Ended)
}

// wanted reports whether an outcome is worth another run.
func (y *Retry) wanted(o *envelope.Outcome) bool {
	if y.On != nil {
		return slices.Contains(y.On, o.Code)
	}
	switch o.Code {
	case envelope.ERATELIMIT, envelope.ETIMEOUT:
		return true
	}
	return o.Code == envelope.ERUNTIME && o.Retryable
}

// Shared is where runs are remembered for other machines.
type Shared struct {
	Remote  SharedRemote
	Trusted []ed25519.PublicKey // whose entries are believed
	Key     ed25519.PrivateKey  // which signs ours; nil where none is made
}

// A SharedRemote keeps entries by their key's 64 digits, and artifacts.
type SharedRemote interface {
	artifact.Fetcher
	// Get returns what is kept under a key. The error wraps [artifact.ErrNotFound]
	// where nothing is.
	Get(key string) ([]byte, error)
	Put(key string, text []byte) error
	Push(stores, digests []string) error
}
