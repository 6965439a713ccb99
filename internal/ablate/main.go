// Command ablate shows what each number and each condition in the judging of
// redaction buys. It leaves out one condition at a time, and makes one number at a
// time less by one and greater by one, and scores the labelled cases each time:
//
//	go run ./internal/ablate -files judge.go,traits.go CASES.jsonl...
//
// Where no score changes, the tests of the package are run as well. What none of
// them notices is marked "nothing": it can go. The package is built once, with all
// the changes in it, of which the environment chooses one.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const scorePath = "github.com/envwrap/envwrap/internal/score"

func main() {
	files := flag.String("files", "judge.go,traits.go", "the `files` of the package redact to look at")
	skip := flag.String("skip", "", "leave out the tests that match `regexp`")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: ablate [-files FILES] [-skip REGEXP] CASES...")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(strings.Split(*files, ","), *skip, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "ablate:", err)
		os.Exit(1)
	}
}

// A lab is where the changed package is built and tried.
type lab struct {
	dir, score, tests string   // a temporary directory, and two programs in it
	pkg               string   // the directory of the package
	all               []string // its files
	skip              string   // its tests that are not run
	cases             []string // files
	usual             []int    // how many cases pass
}

func run(files []string, skip string, cases []string) error {
	out, err := exec.Command("go", "list", "-f", `{{.Dir}}{{range .GoFiles}} {{.}}{{end}}`, redactPath).Output()
	if err != nil {
		return fmt.Errorf("find the package: %w", err)
	}
	dir, err := os.MkdirTemp("", "ablate")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	list := strings.Fields(string(out))
	l := &lab{dir: dir, pkg: list[0], all: list[1:], skip: skip, cases: cases}
	sites, err := l.build(files)
	if err != nil {
		return err
	}
	if l.usual, err = l.scores(""); err != nil {
		return err
	}
	fmt.Println("recall and clean, as it is:", l.usual)
	for i, s := range sites {
		for _, by := range s.changes() {
			fmt.Printf("%s: %s\n", s.changed(by), l.buys(fmt.Sprintf("%d:%d", i, by)))
		}
	}
	return nil
}

// build builds the scorer and the tests of the package with every change in them.
func (l *lab) build(files []string) ([]site, error) {
	replace := map[string]string{filepath.Join(l.pkg, "ablated.go"): filepath.Join(l.dir, "ablated.go")}
	if err := os.WriteFile(filepath.Join(l.dir, "ablated.go"), []byte(chooser), 0o600); err != nil {
		return nil, err
	}
	sites, changed, err := instrument(l.pkg, l.all, files)
	if err != nil {
		return nil, err
	}
	for name, text := range changed {
		replace[filepath.Join(l.pkg, name)] = filepath.Join(l.dir, name)
		if err := os.WriteFile(filepath.Join(l.dir, name), text, 0o600); err != nil {
			return nil, err
		}
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return nil, err
	}
	list := filepath.Join(l.dir, "overlay.json")
	if err := os.WriteFile(list, overlay, 0o600); err != nil {
		return nil, err
	}
	l.score, l.tests = filepath.Join(l.dir, "score"), filepath.Join(l.dir, "tests")
	for _, args := range [][]string{{"build", "-overlay", list, "-o", l.score, scorePath}, {"test", "-c", "-vet=off", "-overlay", list, "-o", l.tests, redactPath}} {
		if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
			return nil, fmt.Errorf("go %s: %w\n%s", args[0], err, out)
		}
	}
	return sites, nil
}

// totals are what the scorer prints of all cases.
var totals = regexp.MustCompile(`(?m)^(recall|clean) total +(\d+)/\d+`)

// limit is how long a program may take: a change may make a loop that does not end.
const limit = 2 * time.Minute

// scores returns how many cases pass with the change: of those with a secret, and of
// those without.
func (l *lab) scores(change string) ([]int, error) {
	out, err := l.output(change, l.score, l.cases...)
	if err != nil {
		return nil, err
	}
	var list []int
	for _, m := range totals.FindAllSubmatch(out, -1) {
		n, err := strconv.Atoi(string(m[2]))
		if err != nil {
			return nil, err
		}
		list = append(list, n)
	}
	return list, nil
}

// buys says what fails with the change and did not: cases, or else a test.
func (l *lab) buys(change string) string {
	got, err := l.scores(change)
	if err != nil {
		return err.Error()
	}
	var b strings.Builder
	for i, n := range l.usual {
		if got[i] != n {
			fmt.Fprintf(&b, " %s%+d", [...]string{"recall", "clean"}[i], got[i]-n)
		}
	}
	if b.Len() > 0 {
		return b.String()[1:]
	}
	out, err := l.output(change, l.tests, "-test.short", "-test.failfast", "-test.skip", l.skip, "-test.timeout", limit.String())
	if m := failed.FindSubmatch(out); err != nil && m != nil {
		return string(m[1])
	}
	if err != nil {
		return err.Error()
	}
	return "nothing"
}

var failed = regexp.MustCompile(`(?m)^--- FAIL: (\w+)`)

// output runs a program with the change.
func (l *lab) output(change, program string, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	if program == l.tests {
		cmd.Dir = l.pkg
	}
	cmd.Env = append(os.Environ(), "ABLATE="+change)
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("%s: %w", filepath.Base(program), err)
	}
	return out, err
}
