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
	"time"

	"github.com/envwrap/envwrap/artifact"
)

// bench has what the tables need.
type bench struct {
	bin             string // has envwrap, envwrap-net and floor; absolute
	dir             string // removed in the end
	env             []string
	rounds          int
	size            int64 // of the large inputs, in bytes
	artifacts, jobs int
	missing         []string
}

// logs writes a file of the lines that a server or a build prints: times, levels,
// names, numbers and digests, now and then a word that names a secret, and one
// secret in 10,000 lines. The same size always gives the same bytes.
func (b *bench) logs(name string, size int64) error {
	r := rand.New(rand.NewPCG(1, 2))
	verbs := []string{"GET /v1/orders", "compiling pkg", "cache hit for", "retrying job", "token refreshed for", "session closed by", "wrote object", "checked out"}
	return b.lines(name, size, func(line int) string {
		if line%10000 == 9999 {
			return fmt.Sprintf("2026-11-20T10:00:00.000Z WARN auth token=%016x%016x refused\n", r.Uint64(), r.Uint64())
		}
		return fmt.Sprintf("2026-11-20T10:%02d:%02d.%03dZ INFO worker-%d %s %d/%x in %d ms\n", line/60000%60, line/1000%60, line%1000, r.IntN(16), verbs[r.IntN(len(verbs))], r.IntN(1e6), r.Uint64(), r.IntN(900))
	})
}

// errors writes a file of the lines of an application's log, of which one in share names an
// error.
func (b *bench) errors(name string, size int64, share int) error {
	r := rand.New(rand.NewPCG(1, 2))
	return b.lines(name, size, func(line int) string {
		level := "INFO"
		if line%share == 0 {
			level = "ERROR"
		}
		return fmt.Sprintf("2026-11-23T10:%02d:%02d.%03dZ %s [worker-%d] request id=%016x user=%d path=/api/v1/items/%d status=%d dur=%dms\n", r.IntN(60), r.IntN(60), r.IntN(1000), level, r.IntN(64), r.Uint64(), r.IntN(1e5), r.IntN(1e6), 200+300*r.IntN(2), r.IntN(900))
	})
}

// lines writes a file of the lines that next returns for each number, cut to size.
func (b *bench) lines(name string, size int64, next func(line int) string) error {
	f, err := os.Create(filepath.Join(b.dir, name))
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	for n, line := int64(0), 0; n < size; line++ {
		text := next(line)
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

// linkPrefix makes the link by which Claude Code calls envwrap.
func (b *bench) linkPrefix() error {
	return os.Symlink("envwrap", filepath.Join(b.bin, "envwrap-claude-shell"))
}

// recordOff writes a configuration without a record of runs, and an empty one.
func (b *bench) recordOff() error {
	var failed error
	for name, text := range map[string]string{"off": "record = \"off\"\n", "on": ""} {
		dir := filepath.Join(b.dir, name, "envwrap")
		failed = errors.Join(failed, os.MkdirAll(dir, 0o700), os.WriteFile(filepath.Join(dir, "config.toml"), []byte(text), 0o600))
	}
	return failed
}

// linked returns the path of a program as the linker wrote it; the programs on PATH are copies.
func (b *bench) linked(program string) string { return filepath.Join(b.bin, "linked", program) }

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
	cmd := exec.Command("envwrap", args...)
	cmd.Env, cmd.Dir = b.env, b.dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("envwrap %s: %w: %s", strings.Join(args, " "), err, out)
	}
	return nil
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

// state returns the directory of the store of the commands' home.
func (b *bench) state() string { return filepath.Join(b.dir, ".local/state/envwrap") }

// submit leaves as many jobs that are over as group lists asks for, and lists them
// until the names of their directory are kept.
func (b *bench) submit() error {
	for range b.jobs {
		if err := b.envwrap("job", "submit", "--", "true"); err != nil {
			return err
		}
	}
	<-time.After(3 * time.Second)
	return errors.Join(b.envwrap("job", "ls"), b.envwrap("job", "ls"))
}
