package session

import (
	"cmp"
	"io"
	"os"
	"strings"
	"time"

	"github.com/envwrap/envwrap/internal/app/cache"
	"github.com/envwrap/envwrap/internal/platform/safefs"
	"github.com/envwrap/envwrap/wrap"
)

// cacheCall returns everything that may change what the command prints. If that cannot
// be known, call is nil and why says the reason.
func (s *Session) cacheCall() (call *cache.Call, why string) {
	c := s.Command
	stdin, why := s.cacheStdin()
	if why != "" {
		return nil, why
	}
	if info, err := os.Stat(cmp.Or(c.Dir, s.Directory())); err != nil || !info.IsDir() {
		return nil, "there is no such directory"
	}
	program, ok := c.ProgramPath()
	if !ok {
		return nil, "there is no such program"
	}
	call = &cache.Call{
		Command: wrap.CommandName(c), Argv: c.Argv, Dir: cmp.Or(c.Dir, s.Directory()), Program: s.Path(program), Umask: umask(), Stdin: stdin,
		Env: s.askedFor(), Ambient: s.ambient(),
		Mask: wrap.Mask(c.Redactor).Text, // now, since the key's parts are compared with those of entries
	}
	if s.Options.Key != nil {
		call.Options = s.Options.Key()
	}
	for _, name := range s.Options.Cache.Inputs {
		call.Inputs = append(call.Inputs, s.Path(name))
	}
	return call, ""
}

// cacheStdin returns a word or a digest for the stdin of the command.
func (s *Session) cacheStdin() (word, why string) {
	in := &s.Command.Stdin
	switch in.Kind() {
	case wrap.StdinEmpty:
		return "nothing", ""
	case wrap.StdinIdle:
		return "idle", ""
	case wrap.StdinRegular:
		return fileWord(*in)
	}
	return "", "what it reads is not known; give it a file with --stdin, or --stdin null"
}

// stdinLooks is for how many milliseconds an open and empty pipe is watched before it
// counts as unused: many programs close the stdin of one that they have started a moment
// later.
const stdinLooks = 30

// stdinChanges reports whether an idle pipe ends or gets data while it is watched.
func (s *Session) stdinChanges() bool {
	if s.Command.Stdin.Kind() != wrap.StdinIdle {
		return false
	}
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for range stdinLooks {
		<-tick.C
		if s.Command.Stdin.Kind() != wrap.StdinIdle {
			return true
		}
	}
	return false
}

// fileWord returns the digest of a file from its offset on.
func fileWord(in wrap.Stdin) (word, why string) {
	at, err := in.File.Seek(0, io.SeekCurrent)
	if err != nil {
		return "", "read its stdin: " + safefs.Cause(err).Error()
	}
	const most = 1 << 62
	digest, err := cache.Digest(io.NewSectionReader(in.File, at, most-at), most)
	if err != nil {
		return "", "read its stdin: " + safefs.Cause(err).Error()
	}
	return "file " + digest, ""
}

// askedFor returns the variables that were named, and those that were set for this
// command.
func (s *Session) askedFor() map[string]*string {
	names := append([]string(nil), s.Options.Cache.Env...)
	for _, e := range s.Options.Env {
		name, _, _ := strings.Cut(e, "=")
		names = append(names, name)
	}
	return s.variables(names)
}

// ambient returns the variables that most programs obey.
func (s *Session) ambient() map[string]*string {
	var names []string
	for _, e := range s.Command.Env {
		if name, _, _ := strings.Cut(e, "="); counts(name) {
			names = append(names, name)
		}
	}
	return s.variables(names)
}

// variables returns variables of the command by name, nil for those that are not set.
func (s *Session) variables(names []string) map[string]*string {
	vars := map[string]*string{}
	for _, name := range names {
		vars[name] = nil
		for _, e := range s.Command.Env {
			if IsVariable(name)(e) {
				value := e[len(name)+1:]
				vars[name] = &value
				break
			}
		}
	}
	return vars
}

// counts reports whether a variable is always a part of the key on this machine: PATH, by which shells,
// scripts and make find programs, and those that choose how a program prints (POSIX,
// Base Definitions 8.2 and 8.3; LANGUAGE is GNU's).
func counts(name string) bool {
	switch strings.ToUpper(name) { // Windows spells it Path
	case "PATH", "TZ", "LANG", "LANGUAGE":
		return true
	}
	return strings.HasPrefix(name, "LC_")
}
