//go:build linux

package main

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/envwrap/envwrap/artifact"
)

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
