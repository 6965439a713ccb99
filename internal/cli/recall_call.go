package cli

import (
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/envwrap/envwrap/internal/cache"
	"github.com/envwrap/envwrap/redact"
	"github.com/envwrap/envwrap/wrap"
)

// cacheCall is all that may change what the command prints, or why nobody can
// know that.
func (r *runner) cacheCall() (call *cache.Call, why string) {
	c := r.cmd
	stdin, why := r.cacheStdin()
	if why != "" {
		return nil, why
	}
	if info, err := os.Stat(firstOf(c.Dir, r.directory())); err != nil || !info.IsDir() {
		return nil, "there is no such directory"
	}
	program, ok := c.ProgramPath()
	if !ok {
		return nil, "there is no such program"
	}
	call = &cache.Call{
		Command: wrap.CommandName(c), Argv: c.Argv, Dir: firstOf(c.Dir, r.directory()), Program: r.path(program), Umask: umask(), Stdin: stdin,
		Env: r.cacheEnv(), Options: r.cacheOptions(),
		Mask: func(s string) string { masked, _ := c.Redactor.String(s); return masked },
	}
	for _, name := range r.o.cache.inputs {
		call.Inputs = append(call.Inputs, r.path(name))
	}
	return call, ""
}

// cacheStdin is a word or a digest for what the command reads. A person at a
// terminal is not asked: the command reads nothing then, the first time as the
// second.
func (r *runner) cacheStdin() (word, why string) {
	in := &r.cmd.Stdin
	if in.Mode == wrap.StdinAuto && in.File != nil && isTerminal(in.File) {
		in.Mode = wrap.StdinNull
	}
	switch in.Feed() {
	case wrap.FeedNothing:
		return "nothing", ""
	case wrap.FeedIdle:
		return "idle", ""
	case wrap.FeedFile:
		return fileWord(*in)
	}
	return "", "nobody can tell what it reads; give it a file with --stdin, or --stdin null"
}

// stirLongest is how long a pipe that is open and empty may take to show whether
// somebody uses it. Many who start a program close its stdin a moment later.
const stirLongest = 30 * time.Millisecond

// stirs reports whether an idle pipe has ended by now, or has got something.
func (r *runner) stirs() bool {
	if r.cmd.Stdin.Feed() != wrap.FeedIdle {
		return false
	}
	over := time.After(stirLongest)
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			if r.cmd.Stdin.Feed() != wrap.FeedIdle {
				return true
			}
		case <-over:
			return false
		}
	}
}

// fileWord is the digest of what is left to read of a file.
func fileWord(in wrap.Stdin) (word, why string) {
	at, err := in.File.Seek(0, io.SeekCurrent)
	if err != nil {
		return "", "read its stdin: " + cause(err).Error()
	}
	const most = 1 << 62
	digest, err := cache.Digest(io.NewSectionReader(in.File, at, most-at), most)
	if err != nil {
		return "", "read its stdin: " + cause(err).Error()
	}
	return "file " + digest, ""
}

// cacheEnv are the variables that count: those that were named, those that were
// set for this command, and those of the locale, which most programs read.
func (r *runner) cacheEnv() map[string]*string {
	names := append([]string(nil), r.o.cache.env...)
	for _, e := range r.o.env {
		name, _, _ := strings.Cut(e, "=")
		names = append(names, name)
	}
	for _, e := range r.cmd.Env {
		if name, _, _ := strings.Cut(e, "="); ofLocale(name) {
			names = append(names, name)
		}
	}
	vars := map[string]*string{}
	for _, name := range names {
		vars[name] = nil
		for _, e := range r.cmd.Env {
			if isVar(name)(e) {
				value := e[len(name)+1:]
				vars[name] = &value
				break
			}
		}
	}
	return vars
}

// ofLocale reports whether a variable says in which language, and with which
// characters, a program prints (POSIX, Base Definitions 8.2; LANGUAGE is GNU's).
func ofLocale(name string) bool {
	return name == "LANG" || name == "LANGUAGE" || strings.HasPrefix(name, "LC_")
}

// cacheOptions are the options that change what the command does, or what can
// be kept of it. All others only say what is made of that.
func (r *runner) cacheOptions() map[string]string {
	o := map[string]string{}
	for name, on := range map[string]bool{
		"merge": r.cmd.Merge, "clean-env": r.o.cleanEnv, "non-interactive": r.o.nonInteractive,
	} {
		if on {
			o[name] = strconv.FormatBool(on)
		}
	}
	for _, w := range redactWords() {
		if w.value == r.o.redact && w.value != redact.All {
			o["redact"] = w.name
		}
	}
	return o
}
