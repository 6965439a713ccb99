// Command mutate measures how well the tests of a package watch its code. It
// makes random small mistakes in the package, one at a time, and reports which
// of them the package's own tests do not notice:
//
//	go -C tools run ./mutate -n 20 -seed 7 ./wrap ./artifact
//
// A package in the internal directory of another one is a part of that, whose
// tests count as its own unless -alone is given. The tests of the whole program,
// in internal/test/blackbox, do not count. The others run with -short.
//
// The files of the package are not changed: the compiler gets an overlay. Since
// a mistake may be in code that kills or deletes, the tests run in namespaces
// of their own (unshare(1)): no process and no file outside is in their reach,
// except a temporary directory. So it needs Linux, and root or user namespaces.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/envwrap/envwrap/tools/internal/root"
)

func main() {
	n := flag.Int("n", 10, "how many mutants of each package")
	seed := flag.Uint64("seed", 1, "which random mutants")
	alone := flag.Bool("alone", false, "run a package's own tests only, not those of the package whose part it is")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: mutate [-n N] [-seed SEED] [-alone] PACKAGE...")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	err := root.Enter()
	if err == nil {
		err = run(*n, *seed, *alone, flag.Args())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

// run tries n mutants of each package and prints a line for each, and the sum.
func run(n int, seed uint64, alone bool, patterns []string) error {
	work, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	packages, err := list(patterns)
	if err != nil {
		return err
	}
	killed, tried := 0, 0
	for _, p := range packages {
		var tested []target
		if len(p.TestGoFiles)+len(p.XTestGoFiles) > 0 {
			tested = append(tested, p)
		}
		if o := p.owner(); o != "" && !alone {
			owner, err := list([]string{o})
			if err != nil {
				return err
			}
			tested = append(tested, owner...)
		}
		if len(tested) == 0 {
			fmt.Printf("%s: no tests\n", p.ImportPath)
			continue
		}
		k, t, err := try(work, p, tested, n, seed)
		if err != nil {
			return fmt.Errorf("%s: %w", p.ImportPath, err)
		}
		fmt.Printf("%s: %d of %d killed\n", p.ImportPath, k, t)
		killed, tried = killed+k, tried+t
	}
	fmt.Printf("%d of %d killed\n", killed, tried)
	return nil
}

// A target is a package as go list describes it.
type target struct {
	Dir, ImportPath string
	GoFiles         []string
	TestGoFiles     []string // of the package
	XTestGoFiles    []string // of package x_test
	Module          struct{ Path, Dir string }
}

// owner returns the path of the package that p is a part of, or "".
func (p target) owner() string {
	if i := strings.LastIndex(p.ImportPath, "/internal/"); i > len(p.Module.Path) {
		return p.ImportPath[:i]
	}
	return ""
}

func list(patterns []string) ([]target, error) {
	cmd := exec.Command("go", append([]string{"list", "-json=Dir,ImportPath,GoFiles,TestGoFiles,XTestGoFiles,Module"}, patterns...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("list packages: %w", err)
	}
	var targets []target
	for d := json.NewDecoder(bytes.NewReader(out)); d.More(); {
		var p target
		if err := d.Decode(&p); err != nil {
			return nil, err
		}
		targets = append(targets, p)
	}
	return targets, nil
}

// try tests a package as it is, and then n mutants of it, each by the tests of the
// packages tested until those of one fail.
func try(work string, p target, tested []target, n int, seed uint64) (killed, tried int, err error) {
	var all []mutant
	for _, name := range p.GoFiles {
		if strings.HasSuffix(name, "_gen.go") {
			continue
		}
		more, err := mutants(filepath.Join(p.Dir, name))
		if err != nil {
			return 0, 0, err
		}
		all = append(all, more...)
	}
	// Without envwrap-net: the tests of that have their own, with the mistake.
	if err := goCommand(p.Module.Dir, "build", "-o", filepath.Join(work, "bin")+string(filepath.Separator), "."); err != nil {
		return 0, 0, fmt.Errorf("build the program that tests may start: %w", err)
	}
	program := filepath.Join(work, "package.test")
	limits := make([]time.Duration, len(tested))
	for i, of := range tested {
		if err := build(of, program, ""); err != nil {
			return 0, 0, fmt.Errorf("build the tests of %s: %w", of.ImportPath, err)
		}
		began := time.Now()
		if out, err := test(of, program, 10*time.Minute); err != nil {
			return 0, 0, fmt.Errorf("the tests of %s fail without a mistake: %w\n%s", of.ImportPath, err, out)
		}
		limits[i] = 3*time.Since(began) + 30*time.Second
	}
	name := fnv.New64a()
	name.Write([]byte(p.ImportPath))
	random := rand.New(rand.NewPCG(seed, name.Sum64())) // the same whatever other packages are named
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	for _, m := range all {
		if tried == n {
			break
		}
		overlay, err := m.overlay(work)
		if err != nil {
			return 0, 0, err
		}
		if goCommand(p.Dir, "build", "-overlay", overlay, p.ImportPath) != nil {
			continue // types do not allow this one
		}
		tried++
		died := false
		for i, of := range tested {
			if err := build(of, program, overlay); err != nil {
				return 0, 0, fmt.Errorf("build the tests of %s: %w", of.ImportPath, err)
			}
			if _, err := test(of, program, limits[i]); err != nil {
				died = true
				break
			}
		}
		if died {
			killed++
			fmt.Println("killed  ", m)
		} else {
			fmt.Println("SURVIVED", m)
		}
	}
	return killed, tried, nil
}

// build makes the program of a package's tests.
func build(p target, program, overlay string) error {
	return goCommand(p.Dir, "test", "-c", "-vet=off", "-overlay", overlay, "-o", program, p.ImportPath)
}

func goCommand(dir string, args ...string) error {
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
}

// sandbox makes all files read-only but for a new, temporary directory, and runs
// the tests there. All processes end with its first one, which is the shell: process 1 gets
// the orphans of others, and tests do not expect to be that.
const sandbox = `
root=$1 dir=$2 program=$3 tmp=$4 limit=$5
mount --bind "$root" "$root" && mount -o remount,ro,bind "$root" && mount -o remount,ro,bind / &&
mount -t tmpfs none "$tmp" && mkdir "$tmp/home" && cd "$dir" || exit 111
export ENVWRAP_TEST_BIN=${program%/*}/bin HOME=$tmp/home TMPDIR=$tmp
"$program" -test.short -test.failfast -test.timeout "$limit"
exit $?`

// test runs the program in the sandbox, and returns its output and how it ended.
func test(p target, program string, limit time.Duration) (string, error) {
	tmp := filepath.Join(filepath.Dir(program), "tmp")
	if err := os.MkdirAll(tmp, 0o700); err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit+30*time.Second)
	defer cancel()
	args := []string{"--mount", "--pid", "--fork", "--kill-child", "--mount-proc"}
	if os.Getuid() != 0 {
		args = append(args, "--user", "--map-root-user")
	}
	args = append(args, "sh", "-c", sandbox, "sh", p.Module.Dir, p.Dir, program, tmp, limit.String())
	cmd := exec.CommandContext(ctx, "unshare", args...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.WaitDelay = time.Second
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() == 111 {
		return out.String(), fmt.Errorf("make the sandbox: %w", err)
	}
	return out.String(), err
}
