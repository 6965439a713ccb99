package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/redact"
	"github.com/envwrap/envwrap/wrap"
)

// A Session is one run from its options to its result. It is not safe for concurrent
// use.
type Session struct {
	*Env
	Options Options
	// Command is the command to run. New sets the agent, the ids and the redactor,
	// which is all that the envelope of a usage error needs; Prepare sets the rest. The
	// caller may change its fields until Run.
	Command *wrap.Command

	trace        trace
	store        *artifact.Store // nil until something is stored
	storeWarning string          // says why it is not in its usual place
	noted        bool            // the record got a text after wrap had masked it
}

// New returns the session of a run. The caller must Close it.
func New(env *Env, o Options) *Session {
	s := &Session{Env: env, Options: o}
	secrets := slices.Concat(redact.EnvValues(env.Environ), redact.EnvValues(o.Env), o.Secrets)
	s.Command = &wrap.Command{
		Process: wrap.Process{Argv: o.Argv},
		Capture: wrap.Capture{Redactor: redact.New(redact.Options{Mode: o.Redact, Values: secrets, Rules: o.Rules})},
		Now:     env.Now,
		Identity: wrap.Identity{
			Name:      o.Name,
			RequestID: o.RequestID,
			Agent:     env.Agent(),
			Workspace: Workspace(env.Directory()),
		},
	}
	if o.RequestID == "" {
		s.Command.RequestID = env.NewUUID()
	}
	if o.TaskID == "" {
		s.Options.TaskID = env.NewULID()
	}
	parent, _ := env.Lookup("TRACEPARENT")
	s.trace = newTrace(o.TraceID, parent, env.Random)
	s.Command.TraceID, s.Command.TraceMade = s.trace.id, s.trace.made
	return s
}

// Prepare completes Command for a run: environment, stdin, limits, store.
func (s *Session) Prepare() {
	c, o := s.Command, &s.Options
	c.Context = fmt.Sprintf("%s:%d", o.TaskID, os.Getpid())
	c.Env = s.commandEnv(c.Context)
	c.Stdin, c.Terminal = o.Stdin, o.Terminal
	if o.Dir != "" {
		c.Dir, c.PWD = s.Path(o.Dir), slices.ContainsFunc(o.Env, IsVariable("PWD"))
	}
	if o.Alone {
		c.Subreaper = wrap.BecomeSubreaper()
	}
	c.IsHelper = func(pid int) bool { return o.IsHelper != nil && o.IsHelper(pid) || refreshes(pid) }
	c.Limits, c.Meaning, c.KeepPipes = o.Limits, o.Meaning, o.KeepPipes
	if _, ok := o.ExitMap[0]; ok {
		c.Warnings = append(c.Warnings, "--exit-map says something of status 0, which stays ok")
	}
	if o.Dialect != nil {
		c.Placement = o.Dialect.Placement(o.Encoding)
	}
	c.Store, c.Read, c.Stored, c.Load, c.Queries = s.openStore, o.Read, s.stores, s.load, o.Queries
}

// Copy returns another session for the same run, which has to be prepared and closed,
// too.
func (s *Session) Copy() *Session {
	other, command := *s, *s.Command
	other.Command, other.store = &command, nil
	return &other
}

// Run returns the result: from a remembered run, from another process that is running
// the same command, or by running the command. Then it calls Options.Push.
func (s *Session) Run(ctx context.Context) (*envelope.Result, error) {
	result, err := s.run(ctx)
	if result != nil {
		result.TaskID = cmp.Or(result.TaskID, s.Options.TaskID)
	}
	if err == nil && s.Options.Push != nil {
		s.push(result)
	}
	if s.noted {
		result.MaskTexts(wrap.Mask(s.Command.Redactor))
	}
	return result, err
}

func (s *Session) push(result *envelope.Result) {
	if err := s.Options.Push(s.StoreDirs(s.Options.Store), result.Digests()); err != nil {
		s.note(result, "not pushed: "+err.Error())
	}
}

// Refused returns the record of a command that was not run, as [wrap.Refused] does.
func (s *Session) Refused(o envelope.Outcome) *envelope.Result {
	result := wrap.Refused(s.Command, o)
	result.TaskID = s.Options.TaskID
	return result
}

// Canceled returns the record of a command that was not started because this process got
// a signal, as [wrap.Canceled] does.
func (s *Session) Canceled(sig os.Signal) *envelope.Result {
	result := wrap.Canceled(s.Command, sig)
	result.TaskID = s.Options.TaskID
	return result
}

func (s *Session) run(ctx context.Context) (*envelope.Result, error) {
	if s.Options.Cache.TTL == 0 {
		return s.runCommand(ctx)
	}
	return s.runRemembered(ctx)
}

// runCommand runs the command, and again as the options ask for it.
func (s *Session) runCommand(ctx context.Context) (*envelope.Result, error) {
	return s.Options.Retry.policy().Run(ctx, s.Command)
}

// openStore opens the store for writing when something is to be stored: once for
// all attempts of a command. Close ends it.
func (s *Session) openStore() (*artifact.Store, string, error) {
	if s.store != nil {
		return s.store, s.storeWarning, nil
	}
	o := artifact.Options{Now: s.Now, Run: s.Options.TaskID, Sync: s.Options.StoreSync, MaxSize: s.Options.StoreMax}
	if s.Options.Shared != nil {
		o.Fetch = s.Options.Shared.Remote
	}
	store, warning, err := s.OpenStore(o, s.Options.Store)
	s.store, s.storeWarning = store, warning
	return store, warning, err
}

// stores reports whether a store that the run's reader looks into has an object, which
// then has its grace again, like an object that the run itself stores.
func (s *Session) stores(digest string) bool {
	return slices.ContainsFunc(s.StoreDirs(s.Options.Store), func(dir string) bool {
		store, err := artifact.OpenRead(artifact.Options{Dir: dir, Now: s.Now, NoMaintenance: true})
		if err != nil {
			return false
		}
		defer store.Close()
		return !errors.Is(store.Renew(digest), artifact.ErrNotFound)
	})
}

// load copies an object of a store that the run's reader looks into.
func (s *Session) load(digest string, w io.Writer) error {
	stores, err := artifact.OpenReadAll(artifact.Options{Now: s.Now, NoMaintenance: true}, s.StoreDirs(s.Options.Store)...)
	if len(stores) == 0 {
		return cmp.Or(err, artifact.ErrNotFound)
	}
	defer stores.Close()
	o, err := stores.Get(digest)
	if err != nil {
		return err
	}
	defer o.Close()
	_, err = io.Copy(w, o)
	return err
}

// StoreDir returns the directory of the store that the run used, or "" if it stored
// nothing.
func (s *Session) StoreDir() string {
	if s == nil || s.store == nil {
		return ""
	}
	return s.store.Dir()
}

// Close closes the store, if there is one. Its errors are ignored, since what was
// committed is on disk.
func (s *Session) Close() {
	if s.store != nil {
		_ = s.store.Close()
	}
}

// commandEnv returns the command's environment: the caller's without envwrap's own
// options, so that a command which calls envwrap itself is not changed by what was
// meant for this run, or nothing where it is to be clean; then what keeps
// programs from waiting for a person, the trace, what the options say, and the
// context by which nested envwraps know of each other.
func (s *Session) commandEnv(context string) []string {
	o, env := &s.Options, []string(nil)
	if !o.CleanEnv {
		env = make([]string, 0, len(s.Environ)+8)
		for _, e := range s.Environ {
			if name, _, _ := strings.Cut(e, "="); o.Own == nil || !o.Own(name) {
				env = append(env, e)
			}
		}
	}
	if o.NonInteractive {
		env = SetAll(env, NonInteractive(env)...)
	}
	if !s.trace.kept {
		env = Unset(env, "TRACESTATE")
	}
	env = SetAll(env, "TRACEPARENT="+s.trace.parent, "ENVWRAP_TRACE_ID="+s.trace.id)
	env = SetAll(env, o.Env...)
	return Unset(SetAll(env, "ENVWRAP_CTX="+context), refreshVariable)
}

// note adds a warning to a record. Run masks it.
func (s *Session) note(result *envelope.Result, text string) {
	s.noted = true
	if result.Exec != nil {
		result = result.Exec
	}
	if !slices.Contains(result.Warnings, text) {
		result.Warnings = append(result.Warnings, text)
	}
}
