package session

import (
	"crypto/ed25519"
	"slices"
	"time"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/shared/failpattern"
	"github.com/envwrap/envwrap/redact"
	"github.com/envwrap/envwrap/wrap"
)

// Options are the resolved options of one run. Argv is required. The zero value of
// every other field is a useful default.
type Options struct {
	UserOptions

	Argv      []string // the program and its arguments
	RequestID string   // "" is a new UUID
	TaskID    string   // "" is a new ULID

	// Own reports whether a variable is envwrap's own, which the command does not
	// inherit; it may be nil.
	Own   func(name string) bool
	Stdin wrap.Stdin
	// Terminal means that the command uses this process's terminal.
	Terminal bool
	// Alone means that this process runs nothing else, so that it may adopt the
	// processes that outlive the command, and end them.
	Alone bool
	// IsHelper reports whether a descendant of the command does not belong to it; nil
	// if all do. Refreshes of remembered runs never do.
	IsHelper func(pid int) bool

	Shared *Shared // remembers runs with other machines; nil does not
	// Key returns the names and values of the options that belong to the key of a
	// remembered run, beyond what the key has of the command itself; nil returns none.
	Key func() map[string]string

	Secrets []redact.Value // in addition to those in Env.Environ and the command's own Env
	Rules   []redact.Rule

	// Push copies artifacts from stores to a remote before the result is returned,
	// unless it is nil. Its error becomes a warning.
	Push func(stores, digests []string) error
	// Read returns the command line that prints an artifact; it may be nil.
	Read func(digest string) string
	// Queries is [wrap.Capture.Queries].
	Queries func() bool

	Dialect  envelope.Dialect // in which the result has to fit; nil if it is not encoded
	Encoding envelope.EncodeOptions

	// Refresh returns the arguments and the environment of an envwrap that runs the
	// command again in the background, with a store; nil disables this.
	Refresh func(store string) (args, environ []string)
}

// UserOptions are a user's choices about a run. The options of the command line embed
// them, so that no value is copied from one struct to another. The zero value sets no time
// limit, retries and remembers nothing, and masks all secrets.
type UserOptions struct {
	Name    string // namespace/verb; "" is derived from the program
	TraceID string // "" takes that of TRACEPARENT, or makes one

	Dir            string   // where the command runs; "" is Env.Dir, from which others may be relative
	Env            []string // NAME=value, in addition to what the command inherits
	CleanEnv       bool     // the command inherits no variables
	NonInteractive bool     // set the variables of [NonInteractive]

	wrap.Limits
	wrap.Meaning

	Retry Retry
	Cache Cache

	Redact redact.Mode

	KeepPipes bool // store what early stages of a text's pipelines print: [wrap.Capture]

	Store     string // directory; "" is the user's default
	StoreSync artifact.Sync
	StoreMax  int64 // bytes that the store may have; 0 is no limit
}

// Retry chooses when a command that failed is run again.
type Retry struct {
	Times           int             // runs after the first, at most
	On              []envelope.Code // nil is every temporary error
	Delay, MaxDelay time.Duration
	Deadline        time.Duration // no retry begins after this time; 0 is no limit
}

// Cache chooses which runs are remembered, and for how long.
type Cache struct {
	TTL, Stale time.Duration       // 0 remembers nothing, or uses nothing stale
	Inputs     []string            // files, directories and patterns that the command reads
	Env        []string            // names of variables that it reads
	Failures   bool                // failed runs are remembered, too
	Revoked    []ed25519.PublicKey // whose entries are not used, whoever trusted them
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
	return failpattern.RetryAfter(res.Stderr.Tail, res.Stdout.Tail, res.Ended)
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

// Shared is a place that remembers runs for several machines.
type Shared struct {
	Remote  SharedRemote
	Trusted []ed25519.PublicKey // whose entries are accepted
	Key     ed25519.PrivateKey  // which signs new entries; nil shares none
}

// A SharedRemote stores entries, by the 64 digits of their keys, and artifacts.
type SharedRemote interface {
	artifact.Fetcher
	// Get returns the entry of a key. The error wraps [artifact.ErrNotFound] if none
	// exists.
	Get(key string) ([]byte, error)
	Put(key string, text []byte) error
	Push(stores, digests []string) error
}
