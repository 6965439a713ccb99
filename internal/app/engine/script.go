package engine

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/envwrap/envwrap/internal/shared/hints"
)

// Files of a job's directory, which the near and the far side share. The far side makes
// them, except that the near side may make [Started] as a file, which refuses a start.
const (
	Started  = "started." // and a number: a directory, made before the command is started
	Envelope = "envelope" // of the far envwrap, whole
	ExitFile = "status"   // exit status of a command that ran without envwrap
	RawOut   = "raw.stdout"
	RawErr   = "raw.stderr" // what such a command printed, not masked
	Stdout   = "stdout"
	Stderr   = "stderr" // what the far envwrap shows while the command runs, masked
	Log      = "engine.log"
	Canceled = "cancel" // made by the near side: no member of a group starts any more
)

// A Script describes the script that an engine runs.
type Script struct {
	Name    string    // unique: of the engine's job
	Dir     string    // absolute: the job's directory
	Work    string    // absolute: working directory of the command
	Self    string    // absolute: this envwrap, which the far side may see, too
	Options []string  // of the far envwrap's run
	Export  []string  // NAME=value: secrets of Env, which lists of processes do not show as options
	Env     []string  // NAME=value, for a command without envwrap
	Argv    []string  // the command
	Stdin   string    // file that the command reads; "" if it reads no file
	Starts  int       // how often the command may be started, if the engine queues it again
	Until   time.Time // no start after this; zero is any time
	Timeout time.Duration

	KillAfter time.Duration // from SIGTERM to SIGKILL, after Timeout and for a script that is to end
	member    bool          // "{}" in the command is the variable m
}

// Text returns the script, for sh(1). It starts the command at most Starts times,
// because a directory is made only once: an engine that runs the script again finds it.
func (s *Script) Text() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("#!/bin/sh")
	line("# A run of envwrap --on. It is removed with the job's record.")
	line("d=%s", hints.SingleQuoted(s.Dir))
	line(`[ ! -e "$d/%s" ] || exit 0`, ExitFile)
	if s.Starts > 1 { // an engine that queues a job again has ended it before
		line(`grep -qs '"code":"ECANCELED"' "$d/%s" && mv "$d/%s" "$d/%s.old"`, Envelope, Envelope, Envelope)
	}
	line(`[ ! -e "$d/%s" ] || exit 0`, Envelope)
	if !s.Until.IsZero() {
		line(`[ "$(date +%%s)" -le %d ] || { echo 'envwrap: --queue-timeout is over' >&2; exit 0; }`, s.Until.Unix())
	}
	line(`mask=$(umask); umask 077; n=0`)
	line(`until mkdir "$d/%s$n" 2>/dev/null; do`, Started)
	line(`	[ -d "$d/%s$n" ] && [ "$n" -lt %d ] || { echo 'envwrap: the command is not started' >&2; exit 0; }`, Started, max(s.Starts, 1)-1)
	line(`	n=$((n+1))`)
	line(`done`)
	line(`: >"$d/%s"; : >"$d/%s"; umask "$mask"`, Stdout, Stderr)
	line(`for e in %s envwrap; do`, hints.SingleQuoted(s.Self))
	line(`	"$e" version >/dev/null 2>&1 || continue`)
	line(`	%s"$e" run %s --output="$d/%s" --stdin=inherit -- %s <%s >>"$d/%s" 2>>"$d/%s"`, s.execWith(), words(s.Options), Envelope, words(s.Argv), s.stdin(), Stdout, Stderr)
	line(`done`)
	s.bare(line)
	return b.String()
}

// Members are the directory of a group's members in the job's directory. In it a member makes
// the directory <number>.started before it starts its command, and has its envelope as the
// file <number> once that has ended. If it cannot start the command the file has [NoStart]
// and why.
const (
	Members = "members"
	NoStart = "envwrap: "
)

// Array returns the script of a group: the engine runs it for each member, whose number is in
// the variable task. Its text, which replaces "{}" in the command, is that line of the file
// lines, or the number if lines is "". The file [Canceled] refuses further starts.
func (s *Script) Array(task, lines string) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("#!/bin/sh")
	line("# Members of envwrap job submit --array. It is removed with the job's record.")
	line("d=%s; i=$%s", hints.SingleQuoted(s.Dir), task)
	line(`mkdir "$d/%s0" 2>/dev/null; [ -d "$d/%s0" ] && [ ! -e "$d/%s" ] || exit 0`, Started, Started, Canceled)
	mark := fmt.Sprintf(`mkdir "$d/%[1]s/$i.started" && [ -d "$d/%[1]s/$i.started" ] || exit 0`, Members) // without a name if the group ended meanwhile
	line(`f() { echo "%s$1" >&2; %s; umask 077; echo "%s$1" >"$d/%s/$i.new" && mv "$d/%s/$i.new" "$d/%s/$i"; exit 1; }`, NoStart, mark, NoStart, Members, Members, Members)
	line(`for e in %s envwrap; do`, hints.SingleQuoted(s.Self))
	line(`	"$e" version >/dev/null 2>&1 || continue`)
	if lines == "" {
		line(`	m=$i`)
	} else {
		line(`	m=$(sed -n "$i{s/\$/x/;p;q;}" %s); [ "$m" ] || f "the file with its line is gone, or has fewer lines"`, hints.SingleQuoted(lines))
		line(`	m=${m%%x}; m=${m%%"$(printf '\r')"}`)
	}
	line("\t" + mark)
	member := *s
	member.member = true
	line(`	%s"$e" run %s --output="$d/%s/$i" --stdin=inherit -- %s <%s >/dev/null`, s.execWith(), words(s.Options), Members, member.command(), s.stdin())
	line(`done`)
	line(`f "no envwrap is where it runs"`)
	return b.String()
}

// bare writes the part that runs the command where no envwrap is. The file with the status has
// its room on the disk before the command can fill that.
func (s *Script) bare(line func(string, ...any)) {
	line(`umask 077; : >"$d/%s"; : >"$d/%s"; echo '%20s' >"$d/%s.new"; umask "$mask"`, RawOut, RawErr, "", ExitFile)
	s.child(line, fmt.Sprintf(` >>"$d/%s" 2>>"$d/%s"`, RawOut, RawErr))
	line(`echo $s $c 1<>"$d/%s.new" && mv "$d/%s.new" "$d/%s"`, ExitFile, ExitFile, ExitFile)
}

// Apart is Text for an engine that shares no files with this machine: the far envwrap's
// envelope, or all that the command prints, is what the script prints.
func (s *Script) Apart() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	s.late(line)
	line(`if envwrap version >/dev/null 2>&1; then`)
	line(`	%s <%s`, s.farRun(""), s.stdin())
	line(`fi`)
	s.child(line, "")
	line(`case $c in (''|%s) ;; (*) printf '\n%s%%s %%s\n' %s "$s $c";; esac`, Stopped, logEnded[1:], s.Name)
	line(`[ "$c" != %s ] || s=124`, TimedOut)
	line(`exit $s`)
	return b.String()
}

// ApartMember is Apart for a group whose members have an index, from 0, in the variable task.
// numbers has their numbers, as "1-5,9"; lines is the file with their texts, or "" if these
// are the numbers.
func (s *Script) ApartMember(task, numbers, lines string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "i=$%s\n", task)
	fmt.Fprintf(&b, "for r in %s; do a=${r%%-*}; c=$((${r#*-}-a+1)); [ $i -ge $c ] || break; i=$((i-c)); done\nn=$((a+i)); m=$n\n", strings.ReplaceAll(numbers, ",", " "))
	if lines != "" {
		fmt.Fprintf(&b, "m=$(printf %%s %s | sed -n \"$n{p;q;}\"); m=${m%%\"$(printf '\\r')\"}\n", hints.SingleQuoted(lines))
	}
	member := *s
	member.member = true
	return b.String() + member.Apart()
}

// command returns the quoted command.
func (s *Script) command() string {
	argv := make([]string, 0, len(s.Argv))
	for _, word := range s.Argv {
		argv = append(argv, s.quoted(word))
	}
	return strings.Join(argv, " ")
}

// quoted returns a quoted word of the command.
func (s *Script) quoted(word string) string {
	if word = hints.SingleQuoted(word); s.member {
		word = strings.ReplaceAll(word, "{}", `'"$m"'`)
	}
	return word
}

// Marked is Apart for an engine that does not tell the exit status: the script marks the
// output of its command (see [LogReader]). It prints to file, which it makes, unless that
// is "".
func (s *Script) Marked(file string) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("#!/bin/sh")
	line("# A run of envwrap --on.")
	if file != "" {
		line(`mask=$(umask); umask 077; exec >%s; umask "$mask"`, hints.SingleQuoted(file))
	}
	line(`exec 2>&1`)
	s.late(line)
	line(`echo "%s%s $(date +%%s)"`, logStarted, s.Name)
	line(`if envwrap version >/dev/null 2>&1; then`)
	line(`k() { kill -TERM $p; } 2>/dev/null # the second has it kill`)
	line(onSignals)
	line(unignored)
	line(`b=; ( trap - INT QUIT; %s ) <%s & p=$!`, s.farRun("$u "), s.stdin())
	line(`else`)
	s.begin(line, "")
	line(`fi`)
	s.awaitChild(line)
	line(`printf '\n%s%%s %%s\n' %s "$s${c:+ $c}"`, logEnded[1:], s.Name)
	return b.String()
}

// farRun returns the command that runs envwrap on the far side, if that prints all; prefix
// precedes it.
func (s *Script) farRun(prefix string) string {
	return fmt.Sprintf("%s%senvwrap run %s --tee --output=- --stdin=inherit -- %s", s.execWith(), prefix, words(s.Options), s.command())
}

// execWith returns the beginning of a command that sets the variables of Export and executes
// what follows: by the shell, where that can name them, so that no list of processes shows them.
func (s *Script) execWith() string {
	var exports, others strings.Builder
	for _, each := range s.Export {
		if name, value, _ := strings.Cut(each, "="); isVariable(name) {
			exports.WriteString("export " + name + "=" + hints.SingleQuoted(value) + "; ")
		} else {
			others.WriteString(hints.SingleQuoted(each) + " ") // shown for the moment before env executes
		}
	}
	if others.Len() > 0 {
		return exports.String() + "exec env " + others.String()
	}
	return exports.String() + "exec "
}

// isVariable reports whether sh(1) can set a variable of a name: it has letters, digits and
// underscores, and does not begin with a digit.
func isVariable(name string) bool {
	return name != "" && !strings.Contains("0123456789", name[:1]) &&
		strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") == ""
}

// late writes the line that ends the script after Until.
func (s *Script) late(line func(string, ...any)) {
	if !s.Until.IsZero() {
		line(`[ "$(date +%%s)" -le %d ] || { echo 'envwrap: --queue-timeout is over' >&2; exit 125; }`, s.Until.Unix())
	}
}

// child writes the lines that start the command, pass signals on, and set s to its status
// and c to how it ended, a [How].
func (s *Script) child(line func(string, ...any), to string) {
	s.begin(line, to)
	s.awaitChild(line)
}

// unignored is the line that sets u to what has a command get SIGINT and SIGQUIT, which a shell
// has its background commands ignore: env(1) of GNU coreutils 8.31 or later, or nothing. Some
// shells, such as bash, need "trap -" only.
const unignored = `u='env --default-signal=INT,QUIT'; $u true 2>/dev/null || u=`

// onSignals is the line that has the script pass signals on to the process p by the function
// k, and set c to [Stopped]. A second one kills, as INT does. A signal that comes before the
// process is there sets e. The process t sends ALRM when the time of the command is over.
const onSignals = `c=; e=; p=; t=; x=; trap '[ "$p" ] || e=1; if [ "$c" ]; then k KILL "1 2 3"; else c=` + string(Stopped) + `; k TERM 1; fi' TERM HUP; ` +
	`trap '[ "$p" ] || e=1; c=` + string(Stopped) + `; k KILL "1 2 3"' INT; trap '[ "$c" ] || { c=` + string(TimedOut) + `; k TERM 1; }' ALRM`

// awaitChild writes the lines that set s to the status of the process p, which a signal that
// the script gets does not end by itself: it is killed KillAfter later. The first wait may have
// returned for that signal, and the second returns 127 if the status was known before. After a
// signal nothing that the process started is left. What the shell says of its own programs that
// the signal ended, too, is not the command's: "Terminated".
func (s *Script) awaitChild(line func(string, ...any)) {
	grace := -1 // at once; date has whole seconds
	if s.KillAfter > 0 {
		grace = int(math.Ceil(s.KillAfter.Seconds()))
	}
	line(`[ -z "$e" ] || k TERM 1`)
	line(`while :; do`)
	line(`	if [ "$c" ]; then`)
	line(`		w=$(($(date +%%s)+%d)); z=.1; sleep $z || z=1`, grace)
	line(`		while kill -0 $p && [ "$(date +%%s)" -le $w ]; do sleep $z; done`)
	line(`		! kill -0 $p || k KILL "1 2 3"`)
	line(`	fi`)
	line(`	wait $p; s=$?; kill -0 $p || break`)
	line(`done 2>/dev/null`)
	line(`{ wait $p; n=$?; [ $n = 127 ] || s=$n; p=; [ -z "$t" ] || kill $t; [ -z "$c" ] || k KILL "1 2 3"; } 2>/dev/null; c=${c:-${x#* }}`)
}

// farJob is the variable that marks the processes of a command without envwrap.
const farJob = "ENVWRAP_FAR_JOB"

// descendants is the program for awk(1) that reads the lines of /proc/*/stat and prints the
// processes that descend from those in r, each with its start, and those in r that have one and
// have not ended: "12:3456". A process may have neither the mark of the job nor a parent any more.
// Each comes after its parent: a shell that is told to end before its child does not go on.
const descendants = `{ i = $1; sub(/^.*\) /, "") } $1 != "Z" { up[i] = $2; at[i] = $20 } ` +
	`END { n = split(r, a, " "); for (j = 1; j <= n; j++) { split(a[j], b, ":"); if (b[2] == "" || at[b[1]] == b[2]) d[b[1]] = 1 } ` +
	`do { c = 0; for (i in up) if (!(i in d) && up[i] in d) d[i] = c = 1 } while (c); ` +
	`do { c = 0; for (i in d) if (i in up && !(i in q) && (!(up[i] in d) || !(up[i] in up) || up[i] in q)) { q[i] = c = 1; print i ":" at[i] } } while (c) }`

// begin writes the lines that start the command as the process p, and pass signals on to all
// that it started: the first asks it to end, and INT kills it. A command that cannot be started
// has the status in x, and the word that says why, a [How].
func (s *Script) begin(line func(string, ...any), to string) {
	prefix := ""
	shown := slices.DeleteFunc(slices.Clone(s.Env), func(each string) bool { return slices.Contains(s.Export, each) })
	if len(shown) > 0 {
		prefix = "env " + words(shown) + " "
	}
	if name := s.Argv[0]; strings.Contains(name, "=") || strings.HasPrefix(name, "-") { // env takes it for its own
		prefix += `sh -c 'exec "$@"' sh `
	}
	prefix = s.execWith() + "$u " + prefix
	enter := ""
	if s.Work != "" {
		enter = "cd " + hints.SingleQuoted(s.Work) + " >/dev/null 2>&1 && "
	}
	line(`k() {`)
	line(`	for n in $2; do`)
	line(`		r=; for e in $(grep -lsF %s=%s /proc/[0-9]*/environ); do e=${e%%/environ}; r="$r ${e#/proc/}"; done`, farJob, s.Name)
	line(`		o=$(cat /proc/[0-9]*/stat | awk -v "r=$p $r $o" '` + descendants + `')`)
	line(`		[ "$o$r" ] || { kill -$1 $p; break; }`)
	line(`		for e in ${o:-$p $r}; do kill -$1 ${e%%:*}; done`)
	line(`	done`)
	line(`} 2>/dev/null; o=`)
	line(onSignals)
	line(unignored)
	s.lookUp(line, enter)
	line(`( [ -z "$x" ] || exit ${x%%%% *}; trap - INT QUIT; export %s=%s; %s%s%s ) <%s%s & p=$!`, farJob, s.Name, enter, prefix, s.command(), s.stdin(), to)
	if s.Timeout > 0 {
		whole := int64(math.Ceil(s.Timeout.Seconds()))
		line(`[ "$x" ] || { ( z=; trap '[ -z "$z" ] || kill $z; exit' TERM; w() { sleep $1 & z=$!; wait $z; }; w %.3f || w %d; kill -ALRM $$ ) </dev/null >/dev/null 2>&1 & t=$!; }`, s.Timeout.Seconds(), whole)
	}
}

// lookUp writes the lines that set x if the command cannot be started, as far as that is certain.
func (s *Script) lookUp(line func(string, ...any), enter string) {
	path := ""
	for _, each := range s.Env {
		if value, ok := strings.CutPrefix(each, "PATH="); ok {
			path = "PATH=" + hints.SingleQuoted(value) + "; "
		}
	}
	if enter == "" {
		enter = "true && "
	}
	line(`x=$(%s{ f=%s; %sIFS=:; set -f`, enter, s.quoted(s.Argv[0]), path)
	line(`	case $f in`)
	line(`	(*/*) if [ -d "$f" ]; then echo '126 %s'; elif [ -e "$f" ]; then [ -x "$f" ] || echo '126 %s'; else`, IsDirectory, Denied)
	line(`		while f=${f%%/*}; [ "$f" ] && [ ! -e "$f" ]; do case $f in (*/*) ;; (*) f=./; esac; done`)
	line(`		[ ! -x "$f/" ] || echo '127 %s' # else it may be there, in a directory that is closed`, Missing)
	line(`	fi;;`)
	line(`	(*) [ "$PATH" ] || exit 0; PATH=$PATH: r='127 %s'; for q in $PATH; do`, Missing)
	line(`		q=${q:-.}/$f; [ ! -d "$q" ] || continue; [ ! -x "$q" ] || { r=; break; }; [ ! -e "$q" ] || r='126 %s'`, Denied)
	line(`	done; echo "$r";;`)
	line(`	esac; } || echo '125 %s')`, NoDirectory)
}

// stdin returns the quoted file that the command reads.
func (s *Script) stdin() string { return hints.SingleQuoted(cmp.Or(s.Stdin, "/dev/null")) }

// words quotes a list for sh.
func words(list []string) string {
	quoted := make([]string, 0, len(list))
	for _, w := range list {
		quoted = append(quoted, hints.SingleQuoted(w))
	}
	return strings.Join(quoted, " ")
}
