//go:build linux

package main

import (
	"path/filepath"
	"strings"
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

// A peer is named as a user would type it, so that anyone can run it again.
var tables = []table{
	{
		group: "start", title: "A command that does nothing",
		commands: func(b *bench) []command {
			return []command{
				{name: "`envwrap -- true`", argv: words("envwrap -- true")},
				{name: "20 lines of Go (`tools/bench/floor`)", argv: words("floor true")},
				{name: "`envwrap -- true`, as the linker left it", argv: []string{b.linked("envwrap"), "--", "true"}},
				{name: "20 lines of Go, as the linker left them", argv: []string{b.linked("floor"), "true"}},
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
		group: "record", title: "Recording a run",
		setup: (*bench).recordOff,
		commands: func(b *bench) []command {
			return []command{
				{name: "`envwrap -- true`", argv: words("env XDG_CONFIG_HOME=" + filepath.Join(b.dir, "on") + " envwrap -- true")},
				{name: "the same with `record = \"off\"`", argv: words("env XDG_CONFIG_HOME=" + filepath.Join(b.dir, "off") + " envwrap -- true")},
			}
		},
	},
	{
		group: "record", title: "Keeping what the first stage of a pipeline prints",
		commands: func(*bench) []command {
			run := func(options, text string) []string {
				return append(words("envwrap -f brief"+options+" --"), "bash", "-c", text)
			}
			return []command{
				{name: "`envwrap -f brief -- bash -c 'seq 10 | tail -1'`", argv: run("", "seq 10 | tail -1")},
				{name: "the same with `--store-sync off`", argv: run(" --store-sync off", "seq 10 | tail -1")},
				{name: "the same with `--keep-pipes off`", argv: run(" --keep-pipes off", "seq 10 | tail -1")},
				{name: "`seq 10 | cat | tail -1` with `--keep-pipes off`", argv: run(" --keep-pipes off", "seq 10 | cat | tail -1")},
			}
		},
	},
	{
		group: "stacked", title: "50 commands in a row through the shell prefix of Claude Code", rounds: 9,
		setup: (*bench).linkPrefix,
		commands: func(*bench) []command {
			return []command{
				{name: "`envwrap-claude-shell`", argv: fiftyTimes("envwrap-claude-shell")},
				{name: "`bash -c`", argv: fiftyTimes("bash -c")},
			}
		},
	},
	largeRun("no line in 10,000 names an error", func(b *bench) error { return b.logs("large", b.size) }),
	largeRun("one line in 10 names an error", func(b *bench) error { return b.errors("large", b.size, 10) }),
	largeRun("one line in 2 names an error", func(b *bench) error { return b.errors("large", b.size, 2) }),
	largeRun("Go's own source", func(b *bench) error { return b.source("large", b.size) }),
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
		setup: func(b *bench) error {
			if err := b.logs("large", b.size); err != nil {
				return err
			}
			return b.envwrap("--max-capture", "0", "--", "cat", "large")
		},
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
				{name: "`du -s` of the store", argv: []string{"du", "-s", b.state()}},
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

// largeRun returns the table of a run with a large output, file large, of which of says what
// it is.
func largeRun(of string, setup func(*bench) error) table {
	return table{
		group: "run", title: "A large output, captured, masked, stored and excerpted: " + of, rounds: 9, setup: setup,
		commands: func(*bench) []command {
			return []command{
				{name: "`envwrap --max-capture 0 -- cat large`", argv: words("envwrap --max-capture 0 -- cat large")},
				{name: "`cat large | sha256sum`", argv: []string{"sh", "-c", "cat large | sha256sum"}},
			}
		},
	}
}

// fiftyTimes returns a command that starts shell 50 times with what Claude Code gives it.
func fiftyTimes(shell string) []string {
	const frame = "eval 'true' < /dev/null && pwd -P >| /dev/null"
	return []string{"sh", "-c", `i=0; while [ $i -lt 50 ]; do ` + shell + ` "$0"; i=$((i+1)); done`, frame}
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
