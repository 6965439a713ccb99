//go:build linux

// Command bench measures envwrap beside other programs and prints the tables of
// docs/performance.md.
//
//	.ci/bench [-n ROUNDS] [-mb SIZE] [-artifacts N] [-jobs N] [GROUP...]
//
// Each round runs every command of a table once, in an order that rotates, so
// that what else the machine does meets all of them alike. A cell is the median
// of the rounds, and the middle half of them is beside it. Processor time is that
// of the command and all that it waited for, user and system. Memory is the most
// that the command had at a time in a run that is not timed. A peer that is not
// installed has no row, and its name is printed at the end.
//
// The commands run in a home directory of their own with no variables but PATH.
package main

import (
	"bufio"
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/envwrap/envwrap/artifact"
	"golang.org/x/sys/unix"
)

// A command is a row of a table. The first of a table is envwrap's; the others
// are compared with it.
type command struct {
	name  string
	argv  []string
	stdin string // a file, or nothing
	fails bool   // a status other than 0 is expected
	peer  bool   // without it, the table goes on
}

// A table has commands that do the same.
type table struct {
	group, title string
	bytes        int64 // that each command reads, or 0
	rounds       int   // at most; 0 is as many as asked for
	apart        bool  // its commands do different things
	setup        func(*bench) error
	commands     func(*bench) []command
}

// A sample is what one run of a command took.
type sample struct {
	wall, cpu time.Duration
	faults    int64 // page faults without reading from disk
}

// bench has what the tables need.
type bench struct {
	bin             string // has envwrap, envwrap-net and floor
	dir             string // removed in the end
	env             []string
	rounds          int
	size            int64 // of the large inputs, in bytes
	artifacts, jobs int
	missing         []string
}

func main() {
	b := &bench{}
	flag.StringVar(&b.bin, "bin", "", "directory of the programs")
	flag.IntVar(&b.rounds, "n", 41, "rounds")
	mb := flag.Int64("mb", 1024, "size of the large inputs, in MB")
	flag.IntVar(&b.artifacts, "artifacts", 100_000, "artifacts in the store of group lists")
	flag.IntVar(&b.jobs, "jobs", 10_000, "jobs in the store of group lists")
	flag.Parse()
	b.size = *mb << 20
	if err := b.run(os.Stdout, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// run prints the tables of the groups, or all of them.
func (b *bench) run(w io.Writer, groups []string) (err error) {
	for _, g := range groups {
		if !slices.ContainsFunc(tables, func(t table) bool { return t.group == g }) {
			return fmt.Errorf("no group %q: there are start, store, run, redact, grep, lists", g)
		}
	}
	if b.dir, err = os.MkdirTemp("", "bench-"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, removeAll(b.dir)) }()
	b.env = []string{"PATH=" + b.bin + ":" + os.Getenv("PATH"), "HOME=" + b.dir, "TMPDIR=" + b.dir}
	fmt.Fprintf(w, "%s, %d processors, %s/%s, load %s at the start\n", runtime.Version(), runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, load())
	for _, t := range tables {
		if len(groups) > 0 && !slices.Contains(groups, t.group) {
			continue
		}
		if err := b.measure(w, t); err != nil {
			return fmt.Errorf("%s: %w", t.title, err)
		}
	}
	if len(b.missing) > 0 {
		fmt.Fprintf(w, "\nNot installed here: %s.\n", strings.Join(b.missing, ", "))
	}
	return nil
}

// measure runs the commands of a table in turns and prints it.
func (b *bench) measure(w io.Writer, t table) error {
	if t.setup != nil {
		fmt.Fprintf(os.Stderr, "bench: preparing %s\n", t.title)
		if err := t.setup(b); err != nil {
			return err
		}
	}
	var commands []command
	for _, c := range t.commands(b) {
		if _, err := b.look(c.argv[0]); c.peer && err != nil {
			if !slices.Contains(b.missing, c.argv[0]) {
				b.missing = append(b.missing, c.argv[0])
			}
			continue
		}
		commands = append(commands, c)
	}
	rounds := b.rounds
	if t.rounds > 0 {
		rounds = min(rounds, t.rounds)
	}
	samples := make([][]sample, len(commands))
	memory := make([]int64, len(commands))
	for i, c := range commands {
		most, err := b.memory(c)
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		memory[i] = most
	}
	for r := range rounds + 1 { // the first fills the caches, and is not counted
		fmt.Fprintf(os.Stderr, "bench: %s, round %d of %d\n", t.title, r, rounds)
		for i := range commands {
			k := (i + r) % len(commands)
			s, err := b.once(commands[k])
			if err != nil {
				return fmt.Errorf("%s: %w", commands[k].name, err)
			}
			if r > 0 {
				samples[k] = append(samples[k], s)
			}
		}
	}
	return write(w, t, commands, samples, memory)
}

// look finds a program as exec.LookPath does, on the commands' PATH.
func (b *bench) look(name string) (string, error) {
	if path := filepath.Join(b.bin, name); !strings.Contains(name, "/") {
		if _, err := os.Stat(path); err == nil {
			return path, nil
		}
	}
	return exec.LookPath(name)
}

// once runs a command with its output thrown away.
func (b *bench) once(c command) (sample, error) {
	path, err := b.look(c.argv[0])
	if err != nil {
		return sample{}, err
	}
	cmd := exec.Command(path, c.argv[1:]...)
	cmd.Env, cmd.Dir = b.env, b.dir
	if c.stdin != "" {
		f, err := os.Open(c.stdin)
		if err != nil {
			return sample{}, err
		}
		defer f.Close()
		cmd.Stdin = f
	}
	var stderr strings.Builder
	cmd.Stderr = &stderr
	began := time.Now()
	err = cmd.Run()
	wall := time.Since(began)
	if err != nil && (!c.fails || cmd.ProcessState == nil) {
		return sample{}, fmt.Errorf("%s: %w: %s", strings.Join(c.argv, " "), err, stderr.String())
	}
	usage := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	return sample{wall, cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), usage.Minflt}, nil
}

// memory runs a command and returns the most memory that it had at a time, in KiB.
// The kernel counts what a process had before it became another program, so that a
// child of ours has no less than we have. A shell starts it: that is small, ends at
// once, and leaves its child to us (PR_SET_CHILD_SUBREAPER).
func (b *bench) memory(c command) (int64, error) {
	path, err := b.look(c.argv[0])
	if err != nil {
		return 0, err
	}
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return 0, fmt.Errorf("become a subreaper: %w", err)
	}
	cmd := exec.Command("sh", append([]string{"-c", `in=$1; shift; { read _ <&3; exec "$@" 3<&-; } <"$in" >/dev/null 2>&1 & echo $!`, "sh", cmp.Or(c.stdin, os.DevNull), path}, c.argv[1:]...)...)
	wait, end, err := os.Pipe() // the shell must not see the command end
	if err != nil {
		return 0, err
	}
	defer wait.Close()
	defer end.Close()
	cmd.Env, cmd.Dir, cmd.ExtraFiles = b.env, b.dir, []*os.File{wait}
	out, err := cmd.Output()
	_ = end.Close()
	_ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0) // jobs are not ours
	if err != nil {
		return 0, fmt.Errorf("start %s in a shell: %w", c.argv[0], err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(out)))
	if err != nil {
		return 0, err
	}
	var usage unix.Rusage
	for {
		_, err := unix.Wait4(pid, nil, 0, &usage)
		if !errors.Is(err, unix.EINTR) {
			return usage.Maxrss, err
		}
	}
}

// write prints a table in Markdown.
func write(w io.Writer, t table, commands []command, samples [][]sample, memory []int64) error {
	fmt.Fprintf(w, "\n### %s\n\n", t.title)
	speed, rule := "", ""
	if t.bytes > 0 {
		speed, rule = " MB/s |", "---|"
	}
	fmt.Fprintf(w, "| | time, ms | processor, ms |%s page faults | memory, MB | envwrap takes, times this |\n", speed)
	fmt.Fprintf(w, "|---|---|---|%s---|---|---|\n", rule)
	for i, c := range commands {
		wall := each(samples[i], func(s sample) float64 { return ms(s.wall) })
		cpu := each(samples[i], func(s sample) float64 { return ms(s.cpu) })
		faults := each(samples[i], func(s sample) float64 { return float64(s.faults) })
		if t.bytes > 0 {
			speed = fmt.Sprintf(" %.0f |", float64(t.bytes)/1e6/(wall.median/1000))
		}
		ratio := ""
		if i > 0 && !t.apart {
			r := quartiles(pairs(samples[0], samples[i]))
			ratio = fmt.Sprintf("%s (%s to %s)", times(r.median), times(r.low), times(r.high))
		}
		if _, err := fmt.Fprintf(w, "| %s | %s (%s to %s) | %s |%s %.0f | %.1f | %s |\n", strings.ReplaceAll(c.name, "|", `\|`),
			short(wall.median), short(wall.low), short(wall.high), short(cpu.median), speed, faults.median, 1.024*float64(memory[i])/1e3, ratio); err != nil {
			return err
		}
	}
	return nil
}

// pairs returns what ours took over what the other took in the same round.
func pairs(ours, other []sample) []float64 {
	out := make([]float64, len(ours))
	for i := range ours {
		out[i] = float64(ours[i].wall) / float64(other[i].wall)
	}
	return out
}

// A spread is the median of some figures and the middle half of them.
type spread struct{ low, median, high float64 }

func quartiles(v []float64) spread {
	slices.Sort(v)
	return spread{v[len(v)/4], v[len(v)/2], v[len(v)*3/4]}
}

func each(s []sample, f func(sample) float64) spread {
	v := make([]float64, len(s))
	for i := range s {
		v[i] = f(s[i])
	}
	return quartiles(v)
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// short prints a figure with three digits or all before the point.
func short(v float64) string {
	switch {
	case v < 10:
		return fmt.Sprintf("%.2f", v)
	case v < 100:
		return fmt.Sprintf("%.1f", v)
	default:
		return fmt.Sprintf("%.0f", v)
	}
}

// times prints a ratio of times.
func times(r float64) string {
	if r < 0.1 {
		return fmt.Sprintf("1/%.0f", 1/r)
	}
	return fmt.Sprintf("%.2f", r)
}

// load returns the number of processes that ran in the last minute.
func load() string {
	data, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	first, _, _ := strings.Cut(string(data), " ")
	return first
}

// removeAll removes a directory in which a store has files without write rights.
func removeAll(dir string) error {
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err == nil && e.IsDir() {
			return os.Chmod(path, 0o700)
		}
		return err
	})
	return errors.Join(err, os.RemoveAll(dir))
}

// A peer is named as a user would type it, so that anyone can run it again.
var tables = []table{
	{
		group: "start", title: "A command that does nothing",
		commands: func(*bench) []command {
			return []command{
				{name: "`envwrap -- true`", argv: words("envwrap -- true")},
				{name: "20 lines of Go (`testdata/floor`)", argv: words("floor true")},
				{name: "`timeout 60 true`", argv: words("timeout 60 true"), peer: true},
				{name: "`chronic true`", argv: words("chronic true"), peer: true},
				{name: "`true`", argv: words("true")},
			}
		},
	},
	{
		group: "store", title: "40 KB of output, in the store",
		setup: func(b *bench) error { return b.logs("40k", 40<<10) },
		commands: func(b *bench) []command {
			return []command{
				{name: "`envwrap -- cat 40k`", argv: words("envwrap -- cat 40k")},
				{name: "`envwrap --inline-limit 200000 -- cat 40k`, which stores nothing", argv: words("envwrap --inline-limit 200000 -- cat 40k")},
				{name: "`envwrap -- true`", argv: words("envwrap -- true")},
			}
		},
	},
	{
		group: "run", title: "A large output: captured, masked, stored and excerpted", rounds: 9,
		setup: func(b *bench) error { return b.logs("large", b.size) },
		commands: func(b *bench) []command {
			return []command{
				{name: "`envwrap --max-capture 0 -- cat large`", argv: words("envwrap --max-capture 0 -- cat large")},
				{name: "`cat large | sha256sum`", argv: []string{"sh", "-c", "cat large | sha256sum"}},
			}
		},
	},
	{
		group: "redact", title: "Masking 16 MB of logs", rounds: 9, bytes: 16 << 20,
		setup: func(b *bench) error { return b.logs("logs", 16<<20) },
		commands: func(b *bench) []command {
			in := filepath.Join(b.dir, "logs")
			return []command{
				{name: "`envwrap redact`", argv: words("envwrap redact"), stdin: in},
				{name: "`gitleaks stdin`", argv: words("gitleaks stdin --no-banner --redact"), stdin: in, fails: true, peer: true},
				{name: "`sed -E s/(token|key)=[^ ]+/***/g`", argv: []string{"sed", "-E", "s/(token|key)=[^ ]+/***/g"}, stdin: in},
				{name: "`cat`", argv: words("cat"), stdin: in},
			}
		},
	},
	{
		group: "redact", title: "Masking 64 MB of Go's own source", rounds: 9, bytes: 64 << 20,
		setup: func(b *bench) error { return b.source("source", 64<<20) },
		commands: func(b *bench) []command {
			in := filepath.Join(b.dir, "source")
			return []command{
				{name: "`envwrap redact`", argv: words("envwrap redact"), stdin: in},
				{name: "`envwrap redact --redact known`", argv: words("envwrap redact --redact known"), stdin: in},
				{name: "`cat`", argv: words("cat"), stdin: in},
			}
		},
	},
	{
		group: "grep", title: "Searching a stored output for a text", rounds: 9,
		setup:    func(b *bench) error { return b.stored("large", b.size) },
		commands: func(b *bench) []command { return searches("no such text", "-F") },
	},
	{
		group: "grep", title: "Searching it for an expression without a fixed part", rounds: 9,
		commands: func(b *bench) []command { return searches("[0-9a-f]{40}[g-z]", "-E") },
	},
	{
		group: "lists", title: "A store of many artifacts", rounds: 9, apart: true,
		setup: (*bench).fillStore,
		commands: func(b *bench) []command {
			return []command{
				{name: "`envwrap artifact ls`", argv: words("envwrap artifact ls")},
				{name: "`envwrap artifact du`", argv: words("envwrap artifact du")},
				{name: "`envwrap artifact gc`", argv: words("envwrap artifact gc")},
				{name: "`envwrap artifact verify`", argv: words("envwrap artifact verify")},
			}
		},
	},
	{
		group: "lists", title: "Many jobs", rounds: 9,
		setup: (*bench).submit,
		commands: func(b *bench) []command {
			return []command{
				{name: "`envwrap job ls`", argv: words("envwrap job ls")},
				{name: "`ls` of the jobs' directory", argv: []string{"ls", filepath.Join(b.state(), "jobs")}},
			}
		},
	},
}

func words(line string) []string { return strings.Fields(line) }

// searches returns the programs that look for a pattern in file large, which
// does not have it.
func searches(pattern, how string) []command {
	rg := "rg -c"
	if how == "-F" {
		rg = "rg -cF"
	}
	return []command{
		{name: "`envwrap artifact grep`", argv: []string{"envwrap", "artifact", "grep", how, pattern, "last"}, fails: true},
		{name: "`" + rg + "`", argv: append(words(rg), pattern, "large"), fails: true, peer: true},
		{name: "`grep -c " + how + "`", argv: []string{"grep", "-c", how, pattern, "large"}, fails: true},
	}
}

// logs writes a file of the lines that a server or a build prints: times, levels,
// names, numbers and digests, now and then a word that names a secret, and one
// secret in 10,000 lines. The same size always gives the same bytes.
func (b *bench) logs(name string, size int64) error {
	f, err := os.Create(filepath.Join(b.dir, name))
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	r := rand.New(rand.NewPCG(1, 2))
	verbs := []string{"GET /v1/orders", "compiling pkg", "cache hit for", "retrying job", "token refreshed for", "session closed by", "wrote object", "checked out"}
	for n, line := int64(0), 0; n < size; line++ {
		text := fmt.Sprintf("2026-11-20T10:%02d:%02d.%03dZ INFO worker-%d %s %d/%x in %d ms\n", line/60000%60, line/1000%60, line%1000, r.IntN(16), verbs[r.IntN(len(verbs))], r.IntN(1e6), r.Uint64(), r.IntN(900))
		if line%10000 == 9999 {
			text = fmt.Sprintf("2026-11-20T10:00:00.000Z WARN auth token=%016x%016x refused\n", r.Uint64(), r.Uint64())
		}
		text = text[:min(int64(len(text)), size-n)]
		if _, err := w.WriteString(text); err != nil {
			return err
		}
		n += int64(len(text))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return f.Close()
}

// source writes the source of the Go distribution, from its beginning again
// where it is not enough.
func (b *bench) source(name string, size int64) error {
	f, err := os.Create(filepath.Join(b.dir, name))
	if err != nil {
		return err
	}
	defer f.Close()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return err
	}
	for left := size; left > 0; {
		before := left
		err := filepath.WalkDir(filepath.Join(strings.TrimSpace(string(root)), "src"), func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || left == 0 || filepath.Ext(path) != ".go" {
				return err
			}
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			data = data[:min(int64(len(data)), left)]
			left -= int64(len(data))
			_, err = f.Write(data)
			return err
		})
		if err != nil {
			return err
		}
		if left == before {
			return fmt.Errorf("%s of %s has no source", runtime.Version(), root)
		}
	}
	return nil
}

// envwrap runs envwrap in the commands' home.
func (b *bench) envwrap(args ...string) error {
	cmd := exec.Command(filepath.Join(b.bin, "envwrap"), args...)
	cmd.Env, cmd.Dir = b.env, b.dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("envwrap %s: %w: %s", strings.Join(args, " "), err, out)
	}
	return nil
}

// stored makes file large and puts it into the store as the last run's output.
func (b *bench) stored(name string, size int64) error {
	if err := b.logs(name, size); err != nil {
		return err
	}
	return b.envwrap("--max-capture", "0", "--", "cat", name)
}

// fillStore stores as many small artifacts as group lists asks for.
func (b *bench) fillStore() (err error) {
	s, err := artifact.Open(artifact.Options{Dir: b.state()})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	for i := range b.artifacts {
		p, err := s.Create()
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(p, "output %d\n", i); err != nil {
			p.Discard()
			return err
		}
		if _, err := p.Commit(artifact.Info{}); err != nil {
			return err
		}
	}
	return nil
}

// state is the directory of the store of the commands' home.
func (b *bench) state() string { return filepath.Join(b.dir, ".local/state/envwrap") }

// submit leaves as many jobs that are over as group lists asks for.
func (b *bench) submit() error {
	for range b.jobs {
		if err := b.envwrap("job", "submit", "--", "true"); err != nil {
			return err
		}
	}
	return nil
}
