package configcmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/platform/safefs"
	"github.com/envwrap/envwrap/internal/shared/hints"
	"github.com/envwrap/envwrap/internal/shared/term"
)

// ShimVerb returns the group of verbs that put envwrap in the place of other programs.
func ShimVerb(*cli.Env) *cli.Verb {
	return &cli.Verb{
		Name:    "shim",
		Args:    "VERB",
		Summary: "make links that run programs under envwrap",
		Text: `A shim is a link to envwrap that has the name of a program. In a directory at the
head of PATH it runs that program with --emit auto: an agent that reads
the output itself gets an envelope, everything else the program's own bytes.`,
		Example: "envwrap shim install git npm\nenvwrap shim list",
		Verbs: []cli.Row{
			{Name: "install", Make: shimInstallVerb},
			{Name: "list", Make: shimListVerb},
			{Name: "remove", Make: shimRemoveVerb},
		},
	}
}

// shimDirOption returns the --dir of the shim verbs.
func shimDirOption(dir *string) *cli.Option {
	return &cli.Option{
		Name: "dir", Value: "DIR", Def: "$XDG_DATA_HOME/envwrap/shims", NoEnv: true,
		Help: "the directory of shims", Takes: cli.ADir, Set: cli.Into(dir, cli.Text),
	}
}

func shimInstallVerb(*cli.Env) *cli.Verb {
	var named string
	return &cli.Verb{
		Name:    "install",
		Args:    "NAME...",
		Takes:   cli.AProgram,
		Summary: "make shims for programs",
		Text:    "Prints the shims. A file that is not a shim is never replaced.",
		Example: `envwrap shim install git npm
export PATH="$HOME/.local/share/envwrap/shims:$PATH"`,
		Options: []*cli.Option{shimDirOption(&named)},
		Run:     func(_ context.Context, c *cli.Call) error { return installShims(c, named, c.Operands()) },
	}
}

func installShims(c *cli.Call, named string, programs []string) error {
	if runtime.GOOS == "windows" {
		return errors.New("install a shim: Windows has no symbolic links for everybody\nUse a function of PowerShell; see docs/shell.md.")
	}
	for _, name := range programs {
		if name != filepath.Base(name) || strings.HasPrefix(name, ".") || name == "envwrap" {
			return cli.BadValue(name, "name of a program", "Give a name without a directory, as in `envwrap shim install git`.")
		}
	}
	dir, err := c.ShimDir(named)
	if err != nil {
		return err
	}
	target, err := c.ShimTarget()
	if err != nil {
		return fmt.Errorf("find envwrap: %w", err)
	}
	place, err := makeShimDir(dir)
	if err != nil {
		return fmt.Errorf("make the directory of shims %q: %w", dir, err)
	}
	defer place.Close()
	self, err := c.Self()
	if err != nil {
		return fmt.Errorf("find envwrap: %w", err)
	}
	for _, name := range programs {
		link := filepath.Join(dir, name)
		if _, err := os.Lstat(link); err == nil && !cli.IsShim(link, self) {
			return fmt.Errorf("install shim %q: there is something else in its place", link)
		}
	}
	for _, name := range programs {
		if err := installShim(c, place, target, name); err != nil {
			return err
		}
	}
	checkPath(c, dir, programs[0])
	checkPrograms(c, programs, self)
	return nil
}

// checkPrograms warns of shims that have nothing to run.
func checkPrograms(c *cli.Call, programs []string, self fs.FileInfo) {
	path, _ := c.Lookup("PATH")
	for _, name := range programs {
		if _, ok := cli.FindProgram(cli.WithoutShims(path), name, self); !ok {
			c.Complain(fmt.Errorf("there is no program %q on PATH\nThe shim will run it once it is there.", name))
		}
	}
}

// makeShimDir opens the directory of shims, and makes it where it is missing.
func makeShimDir(dir string) (*safefs.Dir, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	place, err := safefs.OpenShared(dir)
	if err != nil {
		return nil, err
	}
	var names []string
	if err = safefs.StrictModes(dir); err == nil { // PATH leads there
		names, err = place.Names(".")
	}
	if err == nil && len(names) > 0 && !slices.Contains(names, cli.ShimMark) {
		err = errors.New("it is in use for something else")
	}
	if err == nil {
		err = place.WriteFile(cli.ShimMark, tempShimPrefix+"mark", nil, false)
	}
	if err != nil {
		_ = place.Close()
		return nil, err
	}
	return place, nil
}

// tempShimPrefix begins the name of a shim until it is renamed into place.
const tempShimPrefix = ".new-"

// installShim makes one link. An old one is replaced in one step, so that the
// program is never missing.
func installShim(c *cli.Call, place *safefs.Dir, target, name string) error {
	link, fresh := filepath.Join(place.Name(), name), tempShimPrefix+name
	_ = place.Remove(fresh) // of an install that was killed
	err := place.Symlink(target, fresh)
	if err == nil {
		err = place.Rename(fresh, name)
	}
	if err != nil {
		return fmt.Errorf("install shim %q: %w", link, safefs.Cause(err))
	}
	return c.Print(link + "\n")
}

// checkPath writes on stderr the remaining steps until a shim is found.
func checkPath(c *cli.Call, dir, name string) {
	path, _ := c.Lookup("PATH")
	for _, d := range filepath.SplitList(path) {
		if sameDir(d, dir) {
			return
		}
		if _, err := os.Stat(filepath.Join(d, name)); err == nil {
			break
		}
	}
	c.Complain(fmt.Errorf("the shims are not found yet\nPut their directory at the head of PATH: export PATH=%s:\"$PATH\"", hints.Quote(dir)))
}

func sameDir(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}

// A shim is a link in the directory of shims.
type shim struct {
	Name    string `json:"name"`
	Link    string `json:"link"`
	Program string `json:"program,omitempty"` // the program that it runs; absent if unknown
}

// shims returns the directory of shims, and its links by name; none where there is
// no such directory.
func shims(env *cli.Env, named string) (dir string, list []shim, err error) {
	list = []shim{}
	if dir, err = env.ShimDir(named); err != nil || !cli.IsShimDir(dir) {
		return dir, list, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return dir, nil, fmt.Errorf("list shims: %w", err)
	}
	self, err := env.Self()
	if err != nil {
		return dir, nil, fmt.Errorf("list shims: %w", err)
	}
	path, _ := env.Lookup("PATH")
	path = cli.WithoutShims(path)
	for _, e := range entries {
		link := filepath.Join(dir, e.Name())
		if !strings.HasPrefix(e.Name(), ".") && cli.IsShim(link, self) {
			program, _ := cli.FindProgram(path, e.Name(), self)
			list = append(list, shim{e.Name(), link, program})
		}
	}
	return dir, list, nil
}

func shimListVerb(*cli.Env) *cli.Verb {
	var named string
	return &cli.Verb{
		Name:    "list",
		Summary: "list shims and the programs that they run",
		Has:     cli.HasJSON,
		Example: "envwrap shim list",
		Options: []*cli.Option{shimDirOption(&named)},
		Run: func(_ context.Context, c *cli.Call) error {
			dir, list, err := shims(c.Env, named)
			if err != nil {
				return err
			}
			doc := struct {
				Dir   string `json:"dir"`
				Shims []shim `json:"shims"`
			}{dir, list}
			return c.Answer(doc, func(b *strings.Builder) {
				t := &term.Table{Columns: []term.Column{{Name: "SHIM", Fit: term.Clipped, Least: 8}, {Name: "RUNS", Fit: term.Folded, Least: 10}}}
				for _, s := range list {
					t.Add(term.Visible(s.Name), term.Visible(cmp.Or(s.Program, "no such program")))
				}
				t.Write(b, c.Screen())
			})
		},
	}
}

func shimRemoveVerb(*cli.Env) *cli.Verb {
	var named string
	return &cli.Verb{
		Name:    "remove",
		Args:    "NAME...",
		Takes:   cli.AShim,
		Summary: "remove shims",
		Example: "envwrap shim remove git",
		Options: []*cli.Option{shimDirOption(&named)},
		Run:     func(_ context.Context, c *cli.Call) error { return removeShims(c, named, c.Operands()) },
	}
}

func removeShims(c *cli.Call, named string, programs []string) error {
	dir, list, err := shims(c.Env, named)
	if err != nil {
		return err
	}
	for _, name := range programs {
		if !slices.ContainsFunc(list, func(s shim) bool { return s.Name == name }) {
			return fmt.Errorf("remove shim %q: %q has no such shim", name, dir)
		}
	}
	place, err := safefs.OpenShared(dir)
	if err != nil {
		return fmt.Errorf("remove shims from %q: %w", dir, err)
	}
	defer place.Close()
	for _, name := range programs {
		if err := place.Remove(name); err != nil {
			return fmt.Errorf("remove shim: %w", err)
		}
	}
	return nil
}
